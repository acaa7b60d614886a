"""Matches as people need them: who played, how it ended, what it changed for whom, and the entry that says so."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, TypeAlias

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.games.ids import Id as PlayersId
from tallymark.ledger.people import Kind
from tallymark.ledger.reading.matches import MatchInfo
from tallymark.ledger.reading.notable import Corrected
from tallymark.ledger.reading.seats import Seat as Told
from tallymark.ledger.reading.seats import Side as TheirSide
from tallymark.service.answers import as_of
from tallymark.service.api.models import Id, KindOf, Position, ShownChange, State, state_of
from tallymark.service.api.parameters import MatchId, PoolName
from tallymark.service.problems.documented import problems
from tallymark.service.shown import shown_change
from tallymark.service.state import Here

router = APIRouter(tags=["matches"])
Kinds: TypeAlias = Mapping[PlayersId, Kind]


class Seat(TypedDict):
    """A player of a match. Null: there is no result, it changes nothing (yet), or the pool is too large to compute it
    once more."""

    player: Id
    kind: KindOf
    score: Annotated[float | None, Field(description="Points won of all opponents, together.", examples=[1.0])]
    expected: Annotated[
        float | None, Field(description="What the rules expected of that, from the states before.", examples=[0.64])
    ]
    before: State | None
    after: State | None
    change: Annotated[float | None, Field(description="Of the rating, exact.", examples=[8.4157])]
    previous: Annotated[
        int | None,
        Field(
            description="Position of the player's entry before; 0: this match is the first. Null where everything was "
            "computed again: no entry says what was in between."
        ),
    ]
    shown: ShownChange | None


class Side(TypedDict):
    """A side of a match."""

    rank: Annotated[float | None, Field(description="1 is the best; ties share one; null where there is no result.")]
    seats: list[Seat]


class MatchEntry(TypedDict):
    """The entry of a match."""

    position: Position
    hash: Annotated[str, Field(description="In hexadecimal.")]
    settled_at: datetime
    rules: Annotated[int, Field(description="Position of the entry that has the text of the rules it is under.")]


class Correction(TypedDict):
    """A correction that names the match, and who answers for it."""

    position: Position
    at: datetime
    what: Annotated[
        str, Field(description="`annul`, `restore` or `change`; `merge` or `part`, of players.", examples=["annul"])
    ]
    effect: Annotated[str, Field(description="`none`, `open-period` or `recompute`: what the rules make of it.")]
    reason: str
    case: str | None
    approvers: list[str]
    done: Annotated[
        bool, Field(description="Whether it is in the ratings: it is not while it waits, or where it is `none`.")
    ]
    recomputed: Annotated[int | None, Field(description="Position of the entry that computed everything again for it.")]


class First(TypedDict):
    """What a match did when it was first rated."""

    position: Position
    sides: list[Side]


class Anew(TypedDict):
    """What computing everything again did to the players of a match; those who did not move are not there."""

    position: Position
    causes: Annotated[int, Field(description="Late matches and corrections that it was for, altogether.")]
    seats: list[Seat]


class Match(TypedDict):
    """A match as it was told, and as it counts now."""

    pool: str
    match: Id
    position: Annotated[int, Field(description="Of the pool's last entry: all this is as of it.", examples=[17])]
    receipt: int
    state: Annotated[
        str,
        Field(
            description="`waiting`, `rated`, `accepted` (rated with its period; late: with the next recomputation), "
            "`not-rated` or `annulled`.",
            examples=["rated"],
        ),
    ]
    reason: Annotated[str | None, Field(description="The public code of why it is not rated.")]
    counts: Annotated[bool, Field(description="Whether it is in the ratings as they stand.")]
    late: Annotated[
        str | None,
        Field(
            description="What its rules do about corrections of what is published: `recompute` computes everything "
            "again; the others leave it as it is, as documented with the methodologies.",
            examples=["recompute"],
        ),
    ]
    sides: Annotated[list[Side], Field(description="As it counts, or would.")]
    recorded: Annotated[
        list[Side] | None, Field(description="What a correction says that is not in the ratings; null without one.")
    ]
    ending: str | None
    played_at: datetime | None
    received_at: datetime
    entry: Annotated[MatchEntry | None, Field(description="Its own; null while it waits.")]
    period: Annotated[int | None, Field(description="The period that it is rated with.")]
    changed_by: Annotated[
        int | None,
        Field(
            description="Position of the entry that the changes are of: its own, that of its period, or the last that "
            "computed everything again; null while there is none."
        ),
    ]
    first: Annotated[
        First | None, Field(description="What it did when it was first rated, where that is something else.")
    ]
    anew: Annotated[
        Anew | None,
        Field(description="What computing everything again did, the last time that was for this match."),
    ]
    corrections: Annotated[list[Correction], Field(description="That name it, or that merged or parted players of it.")]
    body: Annotated[str, Field(description="What was received, to the byte, in UTF-8.")]


@router.get(
    "/pools/{pool}/matches/{match}",
    operation_id="getMatch",
    summary="A match",
    response_model=Match,
    responses=problems("bad-input", "unknown-pool", "unknown-match"),
)
def get_match(pool: PoolName, match: MatchId, service: Here, request: Request) -> Response:
    """Who played, how it ended, what was expected of everybody and what it changed; its entry, and the corrections that
    name it."""
    position = service.ledger.head(pool).position
    found = service.ledger.match(pool, match)
    return as_of(request, pool, position, _match(found, position, service.ledger.kinds(_players(found))))


def _players(found: MatchInfo) -> Iterator[PlayersId]:
    for sides in (found.sides, found.recorded or (), found.first.sides if found.first else ()):
        yield from (seat.player for side in sides for seat in side.seats)
    yield from (seat.player for seat in (found.anew.seats if found.anew else ()))


def _match(found: MatchInfo, position: int, kinds: Kinds) -> Match:
    return Match(
        pool=found.pool,
        match=found.id,
        position=position,
        receipt=found.number,
        state=found.state,
        reason=found.reason,
        counts=found.counts,
        late=found.late,
        sides=_sides(found.sides, kinds),
        recorded=None if found.recorded is None else _sides(found.recorded, kinds),
        ending=found.ending,
        played_at=found.played_at,
        received_at=found.received_at,
        entry=_entry(found),
        period=found.period,
        changed_by=found.changed_by,
        first=None
        if found.first is None
        else First(position=found.first.position, sides=_sides(found.first.sides, kinds)),
        anew=None
        if found.anew is None
        else Anew(
            position=found.anew.position,
            causes=found.anew.causes,
            seats=[_seat(seat, kinds) for seat in found.anew.seats],
        ),
        corrections=[
            _correction(one, done, recomputed)
            for one, done, recomputed in zip(found.corrections, found.done, found.recomputed, strict=True)
        ],
        body=found.content.decode(),
    )


def _entry(found: MatchInfo) -> MatchEntry | None:
    if found.position is None or found.hash is None or found.settled_at is None or found.rules is None:
        return None
    return MatchEntry(position=found.position, hash=found.hash, settled_at=found.settled_at, rules=found.rules)


def _sides(sides: tuple[TheirSide, ...], kinds: Kinds) -> list[Side]:
    return [Side(rank=side.rank, seats=[_seat(seat, kinds) for seat in side.seats]) for side in sides]


def _seat(seat: Told, kinds: Kinds) -> Seat:
    before, after = seat.before, seat.after
    return Seat(
        player=seat.player,
        kind=kinds.get(seat.player),
        score=seat.score,
        expected=seat.expected,
        before=None if before is None else state_of(before),
        after=None if after is None else state_of(after),
        change=seat.change,
        previous=seat.previous,
        shown=None
        if before is None or after is None
        else ShownChange(
            before=round(before.rating), after=round(after.rating), change=shown_change(before.rating, after.rating)
        ),
    )


def _correction(one: Corrected, done: bool, recomputed: int | None) -> Correction:
    return Correction(
        position=one.position,
        at=one.at,
        what=one.what,
        effect=one.effect,
        reason=one.reason,
        case=one.case,
        approvers=list(one.approvers),
        done=done,
        recomputed=recomputed,
    )
