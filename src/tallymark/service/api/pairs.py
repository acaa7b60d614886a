"""Two players: how they did against each other, and what is expected of their next game."""

from datetime import datetime
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.ledger.people import Kind
from tallymark.ledger.reading.counted import LOOKED_AT
from tallymark.service.answers import as_of
from tallymark.service.api.models import Id, KindOf, Position, State, state_of
from tallymark.service.api.parameters import PoolName, id_in
from tallymark.service.problems.documented import problems
from tallymark.service.shown import percent
from tallymark.service.state import Here
from tallymark.systems import Rating

router = APIRouter(tags=["pairs"])
_A: TypeAlias = Annotated[str, Query(description="The id of a player, as in a path.", examples=["ann"])]
_B: TypeAlias = Annotated[str, Query(description="The id of another one.", examples=["bob"])]


class Meeting(TypedDict):
    """A match in which they were on different sides."""

    match: Id
    position: Position
    score: Annotated[float, Field(description="What `a` won of it: 1, 0.5 or 0.", examples=[0.5])]
    played_at: datetime | None


class HeadToHead(TypedDict):
    """Two players against each other, as matches count now; wins, draws and losses are those of `a`."""

    pool: str
    a: Id
    kind_a: KindOf
    b: Id
    kind_b: KindOf
    position: Position
    games: int
    wins: int
    draws: int
    losses: int
    wins_shown: Annotated[str, Field(description="The share of them that `a` won; a dash where there is none.")]
    meetings: Annotated[list[Meeting], Field(description="The latest first.")]
    whole: Annotated[
        bool,
        Field(description=f"These are all; else those of the last {LOOKED_AT:,} entries of who has fewer games."),
    ]
    next: Annotated[int | None, Field(description="The `before` of the next page of meetings; null on the last.")]


class Expected(TypedDict):
    """One of two who may play: the state that is expected of, and the entry that it is from."""

    player: Id
    kind: KindOf
    state: State
    provisional: bool
    position: Annotated[int, Field(description="0: nobody has seen this player, who stands where newcomers begin.")]


class Prediction(TypedDict):
    """What is expected of the next game of two players."""

    pool: str
    position: Position
    p_a: Annotated[float, Field(description="From 0 to 1: a win of `a` is 1, a draw one half.", examples=[0.6401])]
    shown: Annotated[str, Field(examples=["64 %"])]
    a: Expected
    b: Expected
    note: Annotated[str, Field(description="What is out of the ordinary; empty where nothing is.")]


@router.get(
    "/pools/{pool}/head-to-head",
    operation_id="getHeadToHead",
    summary="Two players against each other",
    response_model=HeadToHead,
    responses=problems("bad-input", "unknown-pool", "unknown-player"),
)
def get_head_to_head(
    pool: PoolName,
    service: Here,
    request: Request,
    a: _A,
    b: _B,
    before: Annotated[int | None, Query(ge=1, description="Meetings before this entry: the `next` before.")] = None,
    limit: Annotated[int, Query(ge=1, le=500, description="Meetings of a page.")] = 10,
) -> Response:
    """The score, and the meetings that make it, as matches count now: what corrections did to the ratings is in it, and
    one that is on record alone, or waits, is not."""
    of_a, of_b = id_in(a, "a"), id_in(b, "b")
    found = service.ledger.head_to_head(of_a, of_b, pool, limit + 1, before)
    kinds = service.ledger.kinds([of_a, of_b])
    answer = HeadToHead(
        pool=pool,
        a=of_a,
        kind_a=kinds.get(of_a),
        b=of_b,
        kind_b=kinds.get(of_b),
        position=found.position,
        games=found.games,
        wins=found.wins,
        draws=found.draws,
        losses=found.losses,
        wins_shown=percent(found.wins, found.games),
        meetings=[
            Meeting(match=one.match, position=one.position, score=one.score, played_at=one.played_at)
            for one in found.meetings[:limit]
        ],
        whole=found.whole,
        next=found.meetings[limit - 1].position if len(found.meetings) > limit else None,
    )
    return as_of(request, pool, found.position, answer)


@router.get(
    "/pools/{pool}/predictions",
    operation_id="predict",
    summary="What is expected of a game",
    response_model=Prediction,
    responses=problems("bad-input", "unknown-pool"),
)
def get_prediction(
    pool: PoolName,
    service: Here,
    request: Request,
    a: _A,
    b: _B,
    at: Annotated[
        str | None,
        Query(
            description="When it is played; without it, as soon as all that is known counts.", examples=["2026-02-01"]
        ),
    ] = None,
) -> Response:
    """As `tallymark predict` has it after the pool's games, to the bit. Who has not played is a newcomer."""
    of_a, of_b = id_in(a, "a"), id_in(b, "b")
    found = service.ledger.predict(pool, of_a, of_b, at)
    kinds = service.ledger.kinds([of_a, of_b])
    answer = Prediction(
        pool=pool,
        position=found.position,
        p_a=found.p_a,
        shown=percent(found.p_a, 1),
        a=_expected(of_a, kinds.get(of_a), found.a, found.provisional_a, found.position_a),
        b=_expected(of_b, kinds.get(of_b), found.b, found.provisional_b, found.position_b),
        note=found.note,
    )
    return as_of(request, pool, found.position, answer)


def _expected(player: str | int, kind: Kind | None, state: Rating, provisional: bool, position: int) -> Expected:
    return Expected(player=player, kind=kind, state=state_of(state), provisional=provisional, position=position)
