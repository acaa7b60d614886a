"""The stream of a pool: entries as they were written, and the whole of it for whoever recounts."""

from collections.abc import Iterator
from typing import Annotated, Any, Final
from urllib.parse import quote

import orjson
from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from typing_extensions import TypedDict

from tallymark.ledger.bundle import end_line, text_of
from tallymark.ledger.entries import Entry as Told
from tallymark.ledger.entries import prefix
from tallymark.ledger.ledger import Ledger
from tallymark.service.answers import Json, as_of, tag
from tallymark.service.api.models import Position
from tallymark.service.api.parameters import PoolName
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here

router = APIRouter(tags=["entries"])
_PAGE: Final = 1000
_YEAR: Final = 365 * 24 * 3600


class Entry(TypedDict):
    """An entry: its bytes are what counts; `entry` is the same for programs that only read it."""

    position: Position
    hash: Annotated[str, Field(description="SHA-256 of the hash before it (32 bytes) and its bytes.")]
    kind: Annotated[str, Field(examples=["rated"])]
    body: Annotated[str, Field(description="Its bytes, which are UTF-8.")]
    entry: Annotated[dict[str, Any], Field(description="What they say.")]


class Entries(TypedDict):
    """The next entries behind a position."""

    pool: str
    head: Annotated[int, Field(description="Position of the last entry there is.")]
    entries: list[Entry]
    next: Annotated[int | None, Field(description="The `after` of the next page; null where there is none yet.")]


@router.get(
    "/pools/{pool}/entries/{position}",
    operation_id="getEntry",
    summary="An entry",
    response_model=Entry,
    responses=problems("unknown-pool", "unknown-entry"),
)
def get_entry(
    pool: PoolName,
    position: Annotated[int, Path(description="Its position, from 1.", examples=[2])],
    service: Here,
    request: Request,
) -> Response:
    """As it was written, once and for all: it never changes."""
    return as_of(request, pool, position, _entry(service.ledger.entry(pool, position)), _YEAR)


@router.get(
    "/pools/{pool}/entries",
    operation_id="listEntries",
    summary="Entries from a position on",
    response_model=Entries,
    responses=problems("bad-input", "unknown-pool"),
)
def list_entries(
    pool: PoolName,
    service: Here,
    after: Annotated[int, Query(ge=0, description="Entries behind this position.")] = 0,
    limit: Annotated[int, Query(ge=1, le=500, description="Entries of a page.")] = 100,
) -> Response:
    """In their order, without a gap: whoever follows `next` has read the whole stream."""
    head = service.ledger.head(pool).position
    found = service.ledger.entries(pool, after, limit)
    last = found[-1].position if found else after
    return Json(
        Entries(
            pool=pool,
            head=max(head, last if found else 0),
            entries=[_entry(one) for one in found],
            next=last if last < head else None,
        )
    )


@router.get(
    "/pools/{pool}/export",
    operation_id="exportPool",
    summary="The whole stream, to recount",
    response_class=Response,
    responses={
        200: {
            "description": "A line an entry, its hash in hexadecimal, a space, its bytes; at the end `end POSITION "
            "HASH`. `tallymark verify` recounts it.",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        },
        **problems("unknown-pool"),
    },
)
def export_pool(pool: PoolName, service: Here) -> Response:
    """Every entry up to now, as they stand: what waits to be rated is not in it."""
    head = service.ledger.head(pool)
    name = quote(pool, safe="")
    return StreamingResponse(
        _lines(service.ledger, pool, head.position, head.hash),
        media_type="text/plain; charset=utf-8",
        headers={
            "ETag": tag(pool, head.position, "export"),
            "Content-Disposition": f"attachment; filename*=UTF-8''{name}-{head.position}.tally",
        },
    )


def _lines(ledger: Ledger, pool: str, last: int, link: bytes) -> Iterator[bytes]:
    done = 0
    while done < last:
        some = ledger.entries(pool, done, min(_PAGE, last - done))
        yield text_of(some)
        done = some[-1].position
    yield end_line(last, link)


def _entry(one: Told) -> Entry:
    return Entry(
        position=one.position,
        hash=one.hash.hex(),
        kind=prefix(one.body).kind,
        body=one.body.decode(),
        entry=orjson.loads(one.body),
    )
