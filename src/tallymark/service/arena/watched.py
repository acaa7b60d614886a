"""A match as it is played: what spectators may see of it, told until it has ended."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, Final

import anyio.to_thread
import orjson
from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.arena.hall.connection import Said
from tallymark.arena.hall.hall import Hall
from tallymark.arena.hall.saying import Closed
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.saying import MatchEnd, MatchStart, Watched
from tallymark.arena.store import matches
from tallymark.arena.store.matches import LIVE, Match
from tallymark.errors import LedgerError, UnknownError
from tallymark.ledger.matches import Json
from tallymark.service.api.models import Position
from tallymark.service.arena.documents import Why
from tallymark.service.arena.here import Arena, MatchName, match_named
from tallymark.service.arena.mailbox import Mailbox
from tallymark.service.live.events import BEAT, RETRY
from tallymark.service.live.stream import EVENT_STREAM, Told, Write
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here, Service

router = APIRouter(tags=["arena"])
_EXAMPLE: Final = (
    'event: start\ndata: {"match":"hex-17","game":"hex","exhibition":false,"commitment":"5c2e...",'
    '"ruleset":{"name":"hex-1","action_ms":15000},"seats":[{"agent":"ann-1","kind":"agent"},...]}\n\n'
    'event: position\ndata: {"ms":1204,"seen":{"to_move":1,"actions":["f6"],"rows":[...],"told":null,...}}\n\n'
    'event: end\ndata: {"match":"hex-17","reason":"finished","told":"The game was played to its end.",'
    '"position":412}\n\n'
)
_ANSWER: Final[dict[str, Any]] = {
    "description": "Server-sent events. `start`: who plays; `position`: all that may be seen now, whenever that has "
    "changed; `end`, the last one: its data is of this schema.",
    "content": {EVENT_STREAM: {"example": _EXAMPLE}},
}
_WAITS: Final = (LIVE, "over")
"""States of matches of which there is still something to tell."""


class EndTold(TypedDict):
    """What a stream ends with."""

    match: str
    reason: Why
    told: Annotated[str | None, Field(description="The reason as a sentence; null where the stream was cut off.")]
    position: Annotated[Position | None, Field(description="Of its entry in the pool.")]


@router.get(
    "/arena/matches/{match}/stream",
    operation_id="watchMatch",
    summary="A match as it is played",
    status_code=200,
    response_class=Told,
    response_model=EndTold,
    responses={200: _ANSWER, **problems("bad-input", "unknown-match", "too-many-requests", "unavailable")},
)
def watch_match(match: MatchName, service: Here, hall: Arena) -> Response:
    """From how it stands now to its end; of a match that is over, the end alone. Each position is whole: whoever reads
    slowly misses some in between, and never the last. The end is told when the match is rated, or will not be."""
    return _Watch(service, hall, match_named(service, match))


def _box(loop: asyncio.AbstractEventLoop) -> Mailbox[Said]:
    """What a reader is to be told next. Of positions the latest alone is kept."""
    return Mailbox(loop, lambda said, before: isinstance(said, Watched) and isinstance(before, Watched))


class _Watch(Told):
    """What there is to tell of a match. `match`: as it stood just now."""

    def __init__(self, service: Service, hall: Hall, match: Match) -> None:
        super().__init__(service.live)
        self._service, self._hall, self._match = service, hall, match

    async def _events(self, write: Write) -> bytes:
        await write(b"retry: %d\n\n" % RETRY)
        box = _box(asyncio.get_running_loop())
        try:
            with self._hall.watch(self._match.id, box.put):
                return await self._play(box, write)
        except UnknownError:  # it is over, or was a moment ago, or another process plays it
            while await self._waits():
                await write(BEAT)
                await asyncio.sleep(1)
            return _end_of(self._match)

    async def _play(self, box: Mailbox[Said], write: Write) -> bytes:
        while True:
            said: Said | None = None
            with suppress(TimeoutError):
                async with asyncio.timeout(self._live.beat):
                    said = await box.take()
            match said:
                case MatchStart():
                    await write(_event("start", _start(said)))
                case Watched():
                    await write(_event("position", {"ms": said.ms, "seen": dict(said.seen)}))
                case Closed():  # it was over before anybody could be told
                    await self._waits()
                    return _end_of(self._match)
                case MatchEnd():
                    return _end(said.match, said.verdict.reason, said.position)
                case _:
                    await write(BEAT)
                    if not await self._waits():
                        return _end_of(self._match)

    async def _waits(self) -> bool:
        """Looks how the match stands: whether there is still something to tell. Who watches when it ends is told; but
        not who came in that very moment, and nobody where another process has ended it."""
        if self._live.stopping:
            return False
        with suppress(LedgerError):  # then the next look says it
            self._match = await anyio.to_thread.run_sync(match_now, self._service, self._match)
        return self._match.state in _WAITS


def match_now(service: Service, match: Match) -> Match:
    """How a match stands now."""
    with service.ledger.store.reading() as connection:
        return matches.find(connection, match.id) or match


def _start(said: MatchStart) -> dict[str, Json]:
    return {
        "match": said.match,
        "game": said.game,
        "exhibition": said.exhibition,
        "commitment": said.commitment,
        "ruleset": {"name": said.ruleset.name, "action_ms": said.ruleset.action_ms},
        "seats": [
            {"agent": one.agent, "kind": one.kind, "rating": one.rating, "deviation": one.deviation}
            for one in said.entrants
        ],
    }


def _end_of(match: Match) -> bytes:
    return _end(match.id, None if match.reason is None else Reason(match.reason), match.position)


def _end(match: str, reason: Reason | None, position: int | None) -> bytes:
    told = EndTold(
        match=match,
        reason=None if reason is None else reason.value,
        told=None if reason is None else reason.told,
        position=position,
    )
    return _event("end", dict(told))


def _event(kind: str, data: Mapping[str, object]) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), orjson.dumps(data))
