"""Entries as server-sent events: the entry's number is the event's id, so that a reader who comes back says how far it
was."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, NotRequired

import orjson
from pydantic import Field
from typing_extensions import TypedDict

from tallymark.games.ids import Id as PlayersId
from tallymark.ledger import entries
from tallymark.ledger.entries import MATCHES
from tallymark.ledger.people import Kind
from tallymark.ledger.reading.effects import Effect, Effects
from tallymark.service.answers import instant, written
from tallymark.service.api.models import Id, KindOf, Position
from tallymark.service.shown import shown_change

RETRY: Final = 2000
"""Milliseconds after which a reader who was cut off comes back."""
BEAT: Final = b": beat\n\n"
"""A comment: the stream lives, and nothing has happened."""
_TOLD: Final = ("command", "id", "what", "case", "reason", "approvers")
"""What is told of a command: which, and who answers for it. All of it is in the entry."""
_WHY: Final = {
    "slow": "entries came faster than they were read",
    "stopping": "the service stops",
    "unavailable": "the ledger cannot be read just now",
}


class ShownMove(TypedDict):
    """The numbers as pages show them: whole, half to even; the change is the difference of what is shown."""

    rating: int
    deviation: int
    change: int | None


class Move(TypedDict):
    """A player whom an entry moved. Numbers are exact; `shown` has them as pages do."""

    player: Id
    kind: KindOf
    rating: float
    deviation: float
    change: Annotated[
        float | None,
        Field(description="Points; null for who was imported, and in entries of more than a hundred players."),
    ]
    shown: ShownMove


class Told(TypedDict):
    """An entry, as the stream tells it."""

    position: Position
    hash: str
    kind: Annotated[str, Field(examples=["rated"])]
    at: Annotated[datetime, Field(description="When it was settled.")]
    match: NotRequired[Annotated[dict[str, Any], Field(description="As it was received.")]]
    command: NotRequired[Annotated[dict[str, Any], Field(description="Which correction or adjustment, and whose.")]]
    reason: NotRequired[Annotated[str, Field(description="Why a match is not rated, or a command was refused.")]]
    players: list[Move]


def event_of(told: Effects, kinds: Mapping[PlayersId, Kind]) -> bytes:
    """An entry as an event."""
    body, kind = told.entry.body, told.kind
    found: dict[str, object] = {
        "position": told.entry.position,
        "hash": told.entry.hash.hex(),
        "kind": kind,
        "at": instant(told.at),
    }
    item = entries.item_in(body, kind)
    if item is not None:
        found |= {"match": orjson.Fragment(item)} if kind in MATCHES else {"command": _command(orjson.loads(item))}
    if kind in ("not-rated", "refused"):
        found["reason"] = entries.reason_in(body)
    found["players"] = [_move(one, kinds.get(one.player)) for one in told.players]
    return b"id: %d\nevent: entry\ndata: %b\n\n" % (told.entry.position, written(found))


def opening(position: int) -> bytes:
    """What a stream begins with: a reader who is cut off before the first entry comes back to here."""
    return b"retry: %d\nid: %d\n\n" % (RETRY, position)


def ending(why: str, position: int) -> bytes:
    """What a stream ends with when the service ends it. It has no id: the last entry's stays the last."""
    hint = f"{_WHY[why]}; come back with Last-Event-ID, and no entry is missed"
    return b"event: end\ndata: %b\n\n" % orjson.dumps({"why": why, "last": position, "hint": hint})


def _command(item: Mapping[str, object]) -> dict[str, object]:
    return {name: item[name] for name in _TOLD if name in item}


def _move(one: Effect, kind: Kind | None) -> Move:
    before, after = one.before, one.after
    return Move(
        player=one.player,
        kind=kind,
        rating=after.rating,
        deviation=after.deviation,
        change=None if before is None else after.rating - before.rating,
        shown=ShownMove(
            rating=round(after.rating),
            deviation=round(after.deviation),
            change=None if before is None else shown_change(before.rating, after.rating),
        ),
    )
