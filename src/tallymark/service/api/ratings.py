"""Ratings: everybody's, now and as of any entry or time; and one player's, with what made it."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.errors import InputError, UnknownError
from tallymark.games.ids import Id as PlayersId
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.people import Kind
from tallymark.ledger.reading.changes import Change as Changed
from tallymark.service.answers import as_of as as_of_entry
from tallymark.service.api.boards import Row, Shown, rows_of
from tallymark.service.api.models import Cause, Id, KindOf, Position, ShownChange, State, cause_of, state_of
from tallymark.service.api.parameters import PlayerId, PoolName
from tallymark.service.problems.documented import problems
from tallymark.service.shown import DASH, band, percent, shown_change
from tallymark.service.state import Here, Service
from tallymark.tables import Table

router = APIRouter(tags=["ratings"])
_TRIES: Final = 3


class Ratings(TypedDict):
    """Who has a rating, best first, as of an entry."""

    pool: str
    position: Position
    players: Annotated[int, Field(description="Who has a rating.")]
    ratings: list[Row]
    next: Annotated[int | None, Field(description="The `after` of the next page; null on the last.")]


class Standing(TypedDict):
    """A player's rating, and the entry that it is as of. Who has not played stands where newcomers begin."""

    pool: str
    position: Position
    player: Row
    wins_shown: Annotated[str, Field(description="The share of games won; a dash where there is none.")]


class Result(TypedDict):
    """Whom a player met, and the points won of each of them together."""

    opponents: list[Id]
    kinds: Annotated[list[KindOf], Field(description="Of each opponent, in the same order.")]
    score: float


class Match(TypedDict):
    """A match that a change is for, as that entry has it; one that everything was computed again for, as it has counted
    since."""

    match: Id
    opponents: list[Id]
    kinds: Annotated[list[KindOf], Field(description="Of each opponent, in the same order.")]
    score: Annotated[float, Field(description="Points won of each opponent, together.")]
    played_at: datetime | None
    now: Annotated[
        Result | None, Field(description="The same as it counts now; null where it counts no more for this player.")
    ]


class Change(TypedDict):
    """A state of a player and the one before it."""

    position: Position
    kind: str
    at: datetime
    matches: list[Match]
    before: State
    after: State
    change: float
    clamped: list[str]
    converged: bool
    previous: Annotated[int, Field(description="Position of the player's entry before it; 0: this is the first.")]
    of: Annotated[
        int | None,
        Field(description="Of `states`: the entry that they belong to, a period that is over or a recomputation."),
    ]
    causes: Annotated[
        list[Cause],
        Field(
            description="What everything was computed again for, as far as it is about the player; where nothing of it "
            "is, all of it. Empty where it was not."
        ),
    ]
    shown: ShownChange


class History(TypedDict):
    """What changed a player's rating, the latest first."""

    pool: str
    player: Id
    kind: KindOf
    position: Position
    changes: list[Change]
    next: Annotated[int | None, Field(description="The `before` of the next page; null on the last.")]


@router.get(
    "/pools/{pool}/ratings",
    operation_id="getRatings",
    summary="Ratings, now and as of",
    response_model=Ratings,
    responses=problems("bad-input", "unknown-pool", "unknown-entry"),
)
def get_ratings(
    pool: PoolName,
    service: Here,
    request: Request,
    as_of: Annotated[
        str | None,
        Query(
            description="The position of an entry, after which these were the ratings; or a time: what the matches "
            "played up to then made. Without it, now.",
            examples=["17"],
        ),
    ] = None,
    after: Annotated[int, Query(ge=0, description="So many players are left out, the best: the `next` before.")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="Players of a page.")] = 100,
) -> Response:
    """Best first. To page through them while matches are rated, give the `position` of the first page as `as_of`.
    For pages of a large pool as it stands now, a board costs less."""
    position, table = _stood(service.ledger, pool, None if as_of is None else _when(as_of))
    interval = service.ledger.rules(pool).published.interval
    rows = rows_of(service.ledger, table.rows_between(after, after + limit), interval)
    found = Ratings(
        pool=pool,
        position=position,
        players=len(table),
        ratings=rows,
        next=after + limit if after + limit < len(table) else None,
    )
    return as_of_entry(request, pool, position, found)


@router.get(
    "/pools/{pool}/players/{player}",
    operation_id="getRating",
    summary="A player's rating",
    response_model=Standing,
    responses=problems("bad-input", "unknown-pool", "unknown-player"),
)
def get_rating(pool: PoolName, player: PlayerId, service: Here, request: Request) -> Response:
    """As the board of all time has it, with the rank; who has a rating without a match, from an adjustment, as
    `/ratings` has it. Who has neither stands where newcomers begin, where there is a name, a text, or results that are
    another's now; of others nothing is known."""
    rules = service.ledger.rules(pool)
    try:
        board = service.ledger.board(pool, around=player, limit=1)
    except UnknownError:
        position, row = _adjusted(service.ledger, pool, player, rules.published.interval)
        if row is None:
            if not known(service, pool, player):
                raise
            row = newcomer(service, pool, player)
        found = Standing(pool=pool, position=position, player=row, wins_shown=DASH)
    else:
        (row,) = rows_of(service.ledger, board.table, rules.published.interval)
        found = Standing(pool=pool, position=board.position, player=row, wins_shown=percent(row["wins"], row["games"]))
    return as_of_entry(request, pool, found["position"], found)


@router.get(
    "/pools/{pool}/players/{player}/history",
    operation_id="getHistory",
    summary="What changed a player's rating",
    response_model=History,
    responses=problems("bad-input", "unknown-pool", "unknown-player"),
)
def get_history(
    pool: PoolName,
    player: PlayerId,
    service: Here,
    request: Request,
    before: Annotated[int | None, Query(ge=1, description="Entries before this position: the `next` before.")] = None,
    limit: Annotated[int, Query(ge=1, le=500, description="Changes of a page.")] = 50,
) -> Response:
    """From entry to entry backwards: each names the one before it."""
    position = service.ledger.head(pool).position
    changes = service.ledger.history(player, pool, limit + 1, before)
    kinds = service.ledger.kinds({player, *_met(changes[:limit])})
    found = History(
        pool=pool,
        player=player,
        kind=kinds.get(player),
        position=position,
        changes=[_change(one, kinds) for one in changes[:limit]],
        next=changes[limit - 1].position if len(changes) > limit else None,
    )
    return as_of_entry(request, pool, position, found)


def _met(changes: Iterable[Changed]) -> Iterator[PlayersId]:
    """Everybody whom a player met, then and now."""
    for change in changes:
        for one in change.matches:
            yield from one.opponents
            yield from () if one.now is None else one.now.opponents


def _change(one: Changed, kinds: Mapping[PlayersId, Kind]) -> Change:
    """A change as it is answered."""
    before, after = one.before, one.after
    return Change(
        position=one.position,
        kind=one.kind,
        at=one.at,
        matches=[
            Match(
                match=m.match,
                opponents=list(m.opponents),
                kinds=list(map(kinds.get, m.opponents)),
                score=m.score,
                played_at=m.played_at,
                now=None
                if m.now is None
                else Result(
                    opponents=list(m.now.opponents), kinds=list(map(kinds.get, m.now.opponents)), score=m.now.score
                ),
            )
            for m in one.matches
        ],
        before=state_of(before),
        after=state_of(after),
        change=one.change,
        clamped=list(one.clamped),
        converged=one.converged,
        previous=one.previous,
        of=one.of,
        causes=[cause_of(cause) for cause in one.causes],
        shown=ShownChange(
            before=round(before.rating),
            after=round(after.rating),
            change=shown_change(before.rating, after.rating),
        ),
    )


def _stood(ledger: Ledger, pool: str, when: int | str | None) -> tuple[int, Table]:
    """Ratings, and the entry that they are as of: of now, or of a time, the one that was the last all the while."""
    position = ledger.head(pool).position
    for _ in range(_TRIES):
        table = ledger.ratings(pool, when)
        if isinstance(when, int):
            return when, table
        before, position = position, ledger.head(pool).position
        if position == before:
            return position, table
    return position, ledger.ratings(pool, position if when is None else when)


def _adjusted(ledger: Ledger, pool: str, player: PlayersId, interval: float) -> tuple[int, Row | None]:
    """The row in all the ratings of somebody who is on no board, and the entry that it is as of; None where there is
    none. Only for who has an entry are they all read."""
    try:
        ledger.history(player, pool, 1)
    except UnknownError:
        return ledger.head(pool).position, None
    position, table = _stood(ledger, pool, None)
    for place, one in enumerate(table["player"].tolist()):
        if one == player and type(one) is type(player):
            return position, rows_of(ledger, table.rows_between(place, place + 1), interval)[0]
    return position, None


def known(service: Service, pool: str, player: PlayersId) -> bool:
    """Whether there is anything about somebody who has no rating in a pool: a name, a text, or entries, of results that
    were merged into another's."""
    if service.ledger.player(player).name is not None or service.polling.abouts.of(pool, [player]):
        return True
    with suppress(UnknownError):
        return bool(service.ledger.history(player, pool, 1))
    return False


def newcomer(service: Service, pool: str, player: PlayersId) -> Row:
    """The row of who has no rating in a pool: where newcomers begin."""
    rules = service.ledger.rules(pool)
    start = rules.initial()
    low, high = band(start.rating, start.deviation, rules.published.interval)
    known = service.ledger.player(player)
    return Row(
        rank=None,
        player=player,
        name=known.name,
        kind=known.kind,
        rating=start.rating,
        deviation=start.deviation,
        volatility=start.volatility,
        games=0,
        wins=0,
        draws=0,
        losses=0,
        last_played=None,
        provisional=True,
        shown=Shown(rating=round(start.rating), deviation=round(start.deviation), low=low, high=high, peak=None),
    )


def _when(text: str) -> int | str:
    """A position where it is all digits, else a time."""
    if not text.isascii() or not text.isdigit():
        return text
    if len(text) > 18:
        raise InputError("as_of is beyond any entry; expected a position, or a time", field="as_of")
    return int(text)
