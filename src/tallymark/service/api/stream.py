"""The stream of a pool: its entries as they come."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Query
from starlette.responses import Response

from tallymark.errors import UnknownError
from tallymark.service.api.parameters import PoolName
from tallymark.service.live.events import Told
from tallymark.service.live.stream import EVENT_STREAM, Stream
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here

router = APIRouter(tags=["stream"])
_EXAMPLE: Final = (
    "retry: 2000\nid: 16\n\n"
    'id: 17\nevent: entry\ndata: {"position":17,"hash":"9f0c...","kind":"rated","at":"2026-01-31T18:30:02.5Z",'
    '"match":{"id":"m1","player_a":"ann","player_b":"bob","score_a":1},"players":[{"player":"ann","kind":"person","rating":1662.3104,'
    '"deviation":290.319,"change":162.3104,"shown":{"rating":1662,"deviation":290,"change":162}},...]}\n\n'
    ": beat\n\n"
)
_ANSWER: Final[dict[str, Any]] = {
    "description": "Server-sent events, without an end. `entry`: its data is a JSON object of this schema. `end`: the "
    "service ends the stream, and `why` in its data says why: `slow`, `stopping` or `unavailable`.",
    "content": {EVENT_STREAM: {"example": _EXAMPLE}},
}


@router.get(
    "/pools/{pool}/stream",
    operation_id="streamEntries",
    summary="Entries as they come",
    status_code=200,
    response_class=Stream,
    response_model=Told,
    responses={
        200: _ANSWER,
        **problems("bad-input", "unknown-pool", "unknown-entry", "too-many-requests", "unavailable"),
    },
)
def stream_entries(
    pool: PoolName,
    service: Here,
    after: Annotated[
        int | None, Query(ge=0, description="Begin behind this position; 0: with the first entry.", examples=[16])
    ] = None,
    last_event_id: Annotated[
        int | None, Header(ge=0, description="The last entry that a reader had, who comes back; before `after`.")
    ] = None,
) -> Response:
    """Every entry of the pool once, in order, as soon as it is there; from now on, or behind a position. Whoever is cut
    off comes back with the `id` of the last event in `Last-Event-ID`, as browsers do of themselves, and has missed
    nothing. Comments are signs of life.
    """
    head = service.ledger.head(pool).position
    begin = last_event_id if last_event_id is not None else head if after is None else after
    if begin > head:
        raise UnknownError(f"{pool!r} has no entry {begin:,}; its last one is {head:,}", kind="entry")
    return Stream(service.live, pool, begin, head)
