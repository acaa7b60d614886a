"""Entries of queues: waiting, then matched or cancelled, once, whoever tries and in how many processes.

Every move is conditional on the state before, and is a line of the database: of a cancellation and a pairing that meet,
one finds the ticket waiting.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from sqlalchemy import Row, bindparam, func, select, text, update
from sqlalchemy.engine import Connection

from tallymark.arena.store.tables import TICKET

State: TypeAlias = Literal["waiting", "matched", "cancelled"]
"""How a ticket stands: it moves from the first to one of the others."""


class Ticket(NamedTuple):
    """An agent's entry in the queue of a game. `joined` in microseconds since 1970 UTC: waiting goes on across
    restarts. `holder`: the hall that the agent is connected to. `match`: what came of it."""

    id: int
    game: str
    agent: str
    state: State
    joined: int
    holder: str
    match: str | None


class Claim(NamedTuple):
    """Tickets that are to become one match."""

    tickets: tuple[int, ...]
    match: str


_COLUMNS: Final = select(*(TICKET.c[field] for field in Ticket._fields))
# The database keeps to one that waits: of two that join at once, one is first.
_JOIN: Final = text(
    "INSERT INTO arena_ticket (game, agent, state, joined, holder) VALUES (:game, :agent, 'waiting', :now, :hall) "
    "ON CONFLICT DO NOTHING"
)
_LAST: Final = (
    _COLUMNS.where(TICKET.c.agent == bindparam("who"), TICKET.c.game == bindparam("in_"))
    .order_by(TICKET.c.id.desc())
    .limit(1)
)
# Ordered: two halls that lock the same tickets do so in one order.
_LOCKED: Final = (
    select(TICKET.c.id)
    .where(TICKET.c.agent == bindparam("who"), TICKET.c.state == "waiting")
    .order_by(TICKET.c.id)
    .with_for_update()
)
# Finds and holds in one: of a ticket that was found first, somebody else might have made something in between.
_HOLD: Final = (
    update(TICKET)
    .where(TICKET.c.agent == bindparam("who"), TICKET.c.state == "waiting")
    .values(holder=bindparam("hall"))
    .returning(*(TICKET.c[field] for field in Ticket._fields))
)
_HOLD_ONE: Final = _HOLD.where(TICKET.c.game == bindparam("in_"))
_LENGTHS: Final = (
    select(TICKET.c.game, func.count().label("waiting"), func.min(TICKET.c.joined).label("first"))
    .where(TICKET.c.state == "waiting")
    .group_by(TICKET.c.game)
    .order_by(TICKET.c.game)
)
_INHERIT: Final = (
    update(TICKET)
    .where(TICKET.c.holder == bindparam("before"), TICKET.c.state == "waiting")
    .values(holder=bindparam("after"))
)
_CANCEL: Final = (
    update(TICKET)
    .where(TICKET.c.id == bindparam("which"), TICKET.c.state == "waiting")
    .values(state="cancelled", ended=bindparam("now"))
)
_CANCEL_OWN: Final = _CANCEL.where(TICKET.c.holder == bindparam("hall"))
# Ordered as _LOCKED is.
_CLAIMABLE: Final = (
    select(TICKET.c.id)
    .where(
        TICKET.c.id.in_(bindparam("which", expanding=True)),
        TICKET.c.state == "waiting",
        TICKET.c.holder == bindparam("hall"),
    )
    .order_by(TICKET.c.id)
    .with_for_update()
)
_MATCH: Final = (
    update(TICKET)
    .where(TICKET.c.id == bindparam("which"), TICKET.c.state == "waiting")
    .values(state="matched", ended=bindparam("now"), match=bindparam("into"))
)


def join(connection: Connection, game: str, agent: str, hall: str, now: int) -> tuple[Ticket, bool]:
    """The agent's ticket of a game, which the hall holds now, and whether it waited before."""
    while True:
        fresh = connection.execute(_JOIN, {"game": game, "agent": agent, "hall": hall, "now": now}).rowcount == 1
        found = connection.execute(_HOLD_ONE, {"in_": game, "who": agent, "hall": hall}).one_or_none()
        if found is not None:
            return _ticket(found), not fresh
        # One waited, so that none was added, and then was matched or cancelled elsewhere, so that none waits.


def of_agent(connection: Connection, agent: str) -> list[Ticket]:
    """The tickets with which an agent waits."""
    found = connection.execute(_COLUMNS.where(TICKET.c.agent == agent, TICKET.c.state == "waiting"))
    return [_ticket(row) for row in found]


def hold(connection: Connection, agent: str, hall: str) -> list[Ticket]:
    """The tickets with which an agent waits, wherever it was connected before: the hall holds them now."""
    connection.execute(_LOCKED, {"who": agent})
    return sorted(_ticket(row) for row in connection.execute(_HOLD, {"who": agent, "hall": hall}))


def cancel(connection: Connection, ticket: int, now: int, hall: str | None = None) -> bool:
    """Ends a ticket that waits; whether it did: else it was matched or cancelled before. `hall`: only where that holds
    it."""
    row = {"which": ticket, "now": now}
    if hall is None:
        return connection.execute(_CANCEL, row).rowcount == 1
    return connection.execute(_CANCEL_OWN, row | {"hall": hall}).rowcount == 1


def claimable(connection: Connection, tickets: Collection[int], hall: str) -> set[int]:
    """Those of these tickets that wait and are this hall's; nobody else moves them until the transaction ends."""
    if not tickets:
        return set()
    return set(connection.scalars(_CLAIMABLE, {"which": sorted(tickets), "hall": hall}))


def matched(connection: Connection, claims: Sequence[Claim], now: int) -> None:
    """Tickets that are claimable become matches."""
    rows: list[Mapping[str, object]] = [
        {"which": ticket, "now": now, "into": claim.match} for claim in claims for ticket in claim.tickets
    ]
    if rows:
        connection.execute(_MATCH, rows)


def inherit(connection: Connection, before: str, hall: str) -> None:
    """The tickets that a hall held are another's now."""
    connection.execute(_INHERIT, {"before": before, "after": hall})


def last(connection: Connection, game: str, agent: str) -> Ticket | None:
    """The agent's latest ticket of a game, however it stands."""
    found = connection.execute(_LAST, {"in_": game, "who": agent}).one_or_none()
    return None if found is None else _ticket(found)


def find(connection: Connection, ticket: int) -> Ticket:
    """A ticket that is there."""
    return _ticket(connection.execute(_COLUMNS.where(TICKET.c.id == ticket)).one())


def waiting(connection: Connection, hall: str) -> list[Ticket]:
    """Those that wait and that a hall holds, the longest first."""
    query = _COLUMNS.where(TICKET.c.state == "waiting", TICKET.c.holder == hall)
    return [_ticket(row) for row in connection.execute(query.order_by(TICKET.c.joined, TICKET.c.id))]


def lengths(connection: Connection) -> dict[str, tuple[int, int]]:
    """How many wait for each game, in all processes, and since when the longest waiter does (microseconds since 1970
    UTC)."""
    found = connection.execute(_LENGTHS)
    return {row.game: (row.waiting, row.first) for row in found}


def _ticket(row: Row[*tuple[Any, ...]]) -> Ticket:
    return Ticket(*row)
