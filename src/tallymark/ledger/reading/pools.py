"""The pools of a ledger, and how far each has come."""

from typing import Any, Final, NamedTuple

from sqlalchemy import Row, func, select
from sqlalchemy.engine import Connection

from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.stairs import CODES
from tallymark.ledger.tables import HEAD, INBOX, POOL, STAIR

_WAITING: Final = select(func.count()).where(INBOX.c.pool == POOL.c.id).scalar_subquery()
_PLAYERS: Final = (
    select(func.coalesce(func.sum(STAIR.c.count), 0))
    .where(STAIR.c.pool == POOL.c.id, STAIR.c.measure == CODES["rating"])
    .scalar_subquery()
)  # who is on the stairs is on the board
_SINCE: Final = (
    select(INBOX.c.received).where(INBOX.c.pool == POOL.c.id).order_by(INBOX.c.receipt).limit(1).scalar_subquery()
)
_BACKLOGS: Final = (
    select(POOL.c.name, HEAD, _WAITING.label("waiting"), _SINCE.label("waiting_since")).join(HEAD).order_by(POOL.c.id)
)
_POOLS: Final = (
    select(POOL.c.id, POOL.c.name, HEAD, _PLAYERS.label("players"), _WAITING.label("waiting"))
    .join(HEAD)
    .order_by(POOL.c.id)
)


class PoolInfo(NamedTuple):
    """A pool and how far it has come: its last entry, that one's hash (in hex), players who have played, and items that
    wait to be folded."""

    pool: str
    methodology: str
    position: int
    hash: str
    players: int
    waiting: int

    @property
    def head(self) -> str:
        """What to note down: `POSITION:HASH`, which the stream has to go through for ever."""
        return f"{self.position}:{self.hash}"


class Backlog(NamedTuple):
    """How far a pool has come, which costs the same however many players it has: its last entry, that one's hash (in
    hex), items that wait to be folded, and when the oldest of them was received (microseconds since 1970 UTC); and
    the time of its last entry, `settled`, which never falls."""

    pool: str
    position: int
    hash: str
    waiting: int
    waiting_since: int | None
    settled: int


def pools(connection: Connection, rules: Rulebook) -> list[PoolInfo]:
    """Every pool, in the order in which they were opened."""
    return [_pool(connection, rules, row) for row in connection.execute(_POOLS).all()]


def backlogs(connection: Connection) -> list[Backlog]:
    """How far every pool has come, in the order in which they were opened."""
    return [_backlog(row) for row in connection.execute(_BACKLOGS)]


def _pool(connection: Connection, rules: Rulebook, row: Row[Any]) -> PoolInfo:
    stand = Stand.of(row.position, bytes(row.hash), bytes(row.stand))
    name = rules.at(connection, row.id, stand.rules_at).id
    return PoolInfo(row.name, name, row.position, bytes(row.hash).hex(), int(row.players), row.waiting)


def _backlog(row: "Row[*tuple[Any, ...]]") -> Backlog:
    stand = Stand.of(row.position, bytes(row.hash), bytes(row.stand))
    return Backlog(row.name, row.position, bytes(row.hash).hex(), row.waiting, row.waiting_since, stand.at)
