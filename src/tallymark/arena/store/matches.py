"""Matches and how they stand, for who looks for them: what happened in one, its records say."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from sqlalchemy import Row, Select, bindparam, func, insert, select, text, tuple_, update
from sqlalchemy.engine import Connection

from tallymark.arena.store import met
from tallymark.arena.store.agents import Kind
from tallymark.arena.store.tables import AGENT, MATCH, SEAT
from tallymark.errors import LedgerError

State: TypeAlias = Literal["playing", "over", "settled", "aborted"]
"""`over`: appended to the ledger and waiting to be rated; `settled`: rated, or known not to be; `aborted`: nobody's
fault and nobody's win."""
LIVE: Final = "playing"
WAYS: Final = ("timeout", "illegal", "disconnect")
"""How an agent fails."""


class Sitting(NamedTuple):
    """Who sits at a seat. `version` and `digest`: of the agent's program; `rating`, `deviation`: as shown at the start;
    `rank`: 1 the best, None without a result; `misses`: how often it failed."""

    seat: int
    agent: str
    kind: Kind
    version: str
    digest: str
    rating: float | None
    deviation: float | None
    rank: int | None = None
    misses: int = 0


class Match(NamedTuple):
    """A match as it stands. Times in microseconds since 1970 UTC; `seed` is for nobody before the end; `position`: the
    entry of its pool that it became."""

    id: str
    game: str
    number: int
    pool: str
    rated: bool
    ruleset: str
    state: State
    holder: str
    seed: bytes
    started: int
    ended: int | None
    reason: str | None
    position: int | None
    seats: tuple[Sitting, ...] = ()


class Ended(NamedTuple):
    """How a match ended: its new state, when, why, and each seat's rank, and how often each failed in each way."""

    match: str
    state: State
    ended: int
    reason: str
    ranks: Mapping[int, int]
    misses: Mapping[tuple[int, str], int]


class Failed(NamedTuple):
    """Matches of an agent, and how often it failed in each way, in all of them."""

    matches: int
    timeout: int
    illegal: int
    disconnect: int


class Settled(NamedTuple):
    """The entry that a match became."""

    match: str
    state: State
    position: int


_NEXT: Final = text(
    "INSERT INTO arena_number (game, last) VALUES (:game, 1) "
    "ON CONFLICT (game) DO UPDATE SET last = arena_number.last + 1 RETURNING last"
)
_UNSETTLED: Final = (MATCH.c.state.in_(("over", "aborted")), MATCH.c.position.is_(None), MATCH.c.rated == 1)
_END: Final = (
    update(MATCH)
    .where(MATCH.c.id == bindparam("which"), MATCH.c.state == LIVE, MATCH.c.holder == bindparam("hall"))
    .values(state=bindparam("state_"), ended=bindparam("at"), reason=bindparam("why"))
)
_RANK: Final = (
    update(SEAT)
    .where(SEAT.c.match == bindparam("which"), SEAT.c.seat == bindparam("at"))
    .values(
        rank=bindparam("rank_"),
        misses=bindparam("misses_"),
        **{way: bindparam(f"{way}_") for way in WAYS},
    )
)
_SETTLE: Final = (
    update(MATCH)
    .where(MATCH.c.id == bindparam("which"), MATCH.c.state.in_(("over", "aborted")), MATCH.c.position.is_(None))
    .values(state=bindparam("state_"), position=bindparam("at"))
)
_SITTING: Final = (
    select(SEAT, AGENT.c.kind)
    .join(AGENT, AGENT.c.id == SEAT.c.agent)
    .where(SEAT.c.match.in_(bindparam("which", expanding=True)))
    .order_by(SEAT.c.match, SEAT.c.seat)
)


def number(connection: Connection, game: str) -> int:
    """The next number of a game, from 1: nobody gets it again, also where its match is aborted."""
    return int(connection.execute(_NEXT, {"game": game}).scalar_one())


def begin(connection: Connection, matches: Sequence[Match]) -> None:
    """Matches that begin, and who sits where."""
    connection.execute(insert(MATCH), [_row(one) for one in matches])
    connection.execute(
        insert(SEAT),
        [
            {
                "match": one.id,
                "game": one.game,
                "started": one.started,
                **{field: value for field, value in seat._asdict().items() if field != "kind"},
            }
            for one in matches
            for seat in one.seats
        ],
    )


def end(connection: Connection, hall: str, ended: Sequence[Ended]) -> None:
    """Matches that a hall has played to their end. `LedgerError` where one is not its own any more."""
    for one in ended:
        row = {"which": one.match, "hall": hall, "state_": one.state, "at": one.ended, "why": one.reason}
        if connection.execute(_END, row).rowcount != 1:
            raise LedgerError(f"match {one.match} is not played here any more", hint="another process ended it")
        if one.state == "aborted":
            met.take_back(connection, one.match)
    ranks = [
        {"which": one.match, "at": seat, "rank_": one.ranks.get(seat), **_ways(one.misses, seat)}
        for one in ended
        for seat in sorted(one.ranks.keys() | {seat for seat, _ in one.misses})
    ]
    if ranks:
        connection.execute(_RANK, ranks)


def settle(connection: Connection, settled: Sequence[Settled]) -> None:
    """Matches that have become entries; nothing of those that were said to have before."""
    for one in settled:
        connection.execute(_SETTLE, {"which": one.match, "state_": one.state, "at": one.position})


def of_hall(connection: Connection, hall: str) -> list[Match]:
    """The matches that a hall plays."""
    return _sat(connection, select(MATCH).where(MATCH.c.state == LIVE, MATCH.c.holder == hall).order_by(MATCH.c.id))


def unsettled(connection: Connection, hall: str) -> list[Match]:
    """Matches of a hall that were appended to the ledger and have no entry yet, as far as is known here."""
    return _sat(connection, select(MATCH).where(*_UNSETTLED, MATCH.c.holder == hall).order_by(MATCH.c.id))


def inherit(connection: Connection, before: str, hall: str) -> None:
    """The matches of a hall that were appended and have no entry yet are another's to settle."""
    connection.execute(update(MATCH).where(*_UNSETTLED, MATCH.c.holder == before).values(holder=hall))


def find(connection: Connection, match: str) -> Match | None:
    """A match; None where there is none of that id."""
    return next(iter(_sat(connection, select(MATCH).where(MATCH.c.id == match))), None)


class Place(NamedTuple):
    """A place in a list of matches, the latest first: when one began, and its id."""

    started: int
    match: str


def listed(
    connection: Connection,
    *,
    game: str | None = None,
    agent: str | None = None,
    state: State | None = None,
    over: bool = False,
    after: Place | None = None,
    limit: int = 100,
) -> list[Match]:
    """Matches, the latest first: of a game, of an agent, in a state, or `over`: in any but `LIVE`; behind a place.
    Whoever goes on behind the last one of each list meets every match once, whatever begins meanwhile."""
    query, started, name = select(MATCH), MATCH.c.started, MATCH.c.id
    if agent is not None:
        query = query.join(SEAT, SEAT.c.match == MATCH.c.id).where(SEAT.c.agent == agent)
        started, name = SEAT.c.started, SEAT.c.match
    if game is not None:
        query = query.where(MATCH.c.game == game)
    if state is not None:
        query = query.where(MATCH.c.state == state)
    if over:
        query = query.where(MATCH.c.state != LIVE)
    if after is not None:
        query = query.where(tuple_(started, name) < tuple_(after.started, after.match))
    return _sat(connection, query.order_by(started.desc(), name.desc()).limit(limit))


def playing(connection: Connection) -> dict[str, int]:
    """How many matches are played now, by game; games without one are not there."""
    query = select(MATCH.c.game, func.count()).where(MATCH.c.state == LIVE).group_by(MATCH.c.game)
    return {row[0]: row[1] for row in connection.execute(query)}


def failed(connection: Connection, agent: str) -> Failed:
    """How many matches an agent has played, and how it failed in them."""
    sums = [func.coalesce(func.sum(SEAT.c[way]), 0) for way in WAYS]
    return Failed(*map(int, connection.execute(select(func.count(), *sums).where(SEAT.c.agent == agent)).one()))


def _ways(misses: Mapping[tuple[int, str], int], seat: int) -> dict[str, int]:
    found = {f"{way}_": misses.get((seat, way), 0) for way in WAYS}
    return found | {"misses_": sum(found.values())}


def _sat(connection: Connection, query: "Select[*tuple[Any, ...]]") -> list[Match]:
    found = connection.execute(query).all()
    seats: dict[str, list[Sitting]] = {row.id: [] for row in found}
    if found:
        for row in connection.execute(_SITTING, {"which": list(seats)}):
            seats[row.match].append(Sitting(*(getattr(row, field) for field in Sitting._fields)))
    return [_match(row, tuple(seats[row.id])) for row in found]


def _match(row: "Row[*tuple[Any, ...]]", seats: tuple[Sitting, ...]) -> Match:
    told = {field: getattr(row, field) for field in Match._fields if field != "seats"}
    return Match(**{**told, "rated": bool(row.rated), "seed": bytes(row.seed)}, seats=seats)


def _row(one: Match) -> dict[str, object]:
    told = one._asdict()
    del told["seats"]
    return {**told, "rated": int(one.rated)}
