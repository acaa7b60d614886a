"""Many matches in one request: a line of JSON each, and a line that says what became of it."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from typing import IO, Any, Final, NotRequired

import orjson
from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from typing_extensions import TypedDict

from tallymark.errors import InputError
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.matches import LARGEST, Item, match_item
from tallymark.service.api.documents import MATCH_SCHEMA
from tallymark.service.api.models import Hint, Id, hint_of
from tallymark.service.api.parameters import PoolName
from tallymark.service.keys.access import Appender
from tallymark.service.problems import Problem
from tallymark.service.problems.documented import problems
from tallymark.service.problems.mapping import told
from tallymark.service.state import Here, Service
from tallymark.service.web.bodies import allow

router = APIRouter(tags=["matches"])
NDJSON: Final = "application/x-ndjson"
_TAKEN: Final = (NDJSON, "application/jsonl", "application/jsonlines", "application/octet-stream", "text/plain")
_GROUP: Final = 1000
"""Lines that are appended in one transaction."""
_IN_MEMORY: Final = 1 << 20
_PIECE: Final = 1 << 16


class Result(TypedDict):
    """What became of a line: a receipt, or a problem."""

    line: int
    id: NotRequired[Id]
    receipt: NotRequired[int]
    replayed: NotRequired[bool]
    hint: NotRequired[Hint]
    problem: NotRequired[dict[str, Any]]


@router.post(
    "/pools/{pool}/matches",
    operation_id="postMatches",
    summary="Send many matches",
    response_class=Response,
    responses={
        200: {
            "description": "A line for each line of the body, in its order: `line`, `id`, `receipt` and `replayed`, or "
            "`line` and `problem`; and `hint`, as a single match has it, where the rules will not rate it.",
            "content": {NDJSON: {"schema": {"type": "string"}}},
        },
        **problems("bad-input", "no-key", "bad-key", "no-scope", "unknown-pool", "wrong-media-type"),
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "description": "A match a line, each with its `id`.",
            "content": {
                NDJSON: {
                    "schema": {"type": "string", "contentMediaType": "application/json", "contentSchema": MATCH_SCHEMA},
                    "example": '{"id":"m1","player_a":"ann","player_b":"bob","score_a":1}\n',
                }
            },
        }
    },
)
async def post_matches(pool: PoolName, request: Request, service: Here, key: Appender) -> Response:
    """Each line is a match with its `id`. A line that is wrong stops none of the others. A group of lines is on the
    disk before the next is read; the answer comes when all are. Where none comes, send the whole again: it counts once.
    """
    kind = request.headers.get("content-type", NDJSON).partition(";")[0].strip().lower()
    if kind not in _TAKEN:
        raise Problem("wrong-media-type", f"the body is {kind}; expected {NDJSON}", expected=NDJSON)
    await run_in_threadpool(service.ledger.head, pool)  # or there is no such pool
    allow(request, service.settings.bulk_bytes)
    # A client sends all of it before it reads any answer: results wait in a file, not in memory.
    results: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
    try:
        first = 1
        async for group in _groups(request):
            results.write(await run_in_threadpool(_appended, service, pool, first, group))
            first += len(group)
    except BaseException:
        results.close()
        raise
    results.seek(0)
    return StreamingResponse(_read(results), media_type=NDJSON)


async def _groups(request: Request) -> AsyncIterator[list[bytes]]:
    """The lines of a body, so many at a time. Of a line that is too long a part comes, which is refused as such."""
    lines: list[bytes] = []
    rest = b""
    async for piece in request.stream():
        *whole, rest = (rest + piece).split(b"\n")
        lines += whole
        if len(rest) > 8 * LARGEST:  # the match is refused for its length; the memory is not filled with it
            rest = rest[: 4 * LARGEST + 1]
        while len(lines) >= _GROUP:
            yield lines[:_GROUP]
            lines = lines[_GROUP:]
    if rest.strip():
        lines.append(rest)
    if lines:
        yield lines


def _appended(service: Service, pool: str, first: int, lines: list[bytes]) -> bytes:
    """Appends a group; the lines that tell what became of it."""
    results: list[Result] = []
    items: list[Item] = []
    places: list[int] = []
    for number, line in enumerate(lines, first):
        result = Result(line=number)
        results.append(result)
        try:
            items.append(match_item(line))
        except InputError as error:
            result["problem"] = told(error).document()
        else:
            places.append(number - first)
    found = service.ledger.append_many(items, pool=pool)
    service.metrics.received(pool, found)
    forecast, now = service.forecasts.of(pool), service.clock()
    for place, item, one in zip(places, items, found, strict=True):
        results[place]["id"] = one.id
        if isinstance(one, Conflict):
            results[place]["problem"] = told(one.error()).document()
        else:
            results[place]["receipt"], results[place]["replayed"] = one.number, one.again
            hint = hint_of(None if one.again else forecast.why_not(item.body, now))
            if hint is not None:
                results[place]["hint"] = hint
    _sample(service, found)
    return b"".join(orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in results)


def _sample(service: Service, found: list[Receipt | Conflict]) -> None:
    """The last new match tells how long it takes until one is rated."""
    new = next((one for one in reversed(found) if isinstance(one, Receipt) and not one.again), None)
    if new is not None:
        service.latency.acknowledged(new)


def _read(results: IO[bytes]) -> Iterator[bytes]:
    with results:
        while piece := results.read(_PIECE):
            yield piece
