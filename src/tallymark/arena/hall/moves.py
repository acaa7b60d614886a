"""What agents want of queues, done in a transaction: what is said of it is known when that is through."""

from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy.engine import Connection as Database

from tallymark.arena.hall.connection import Connection
from tallymark.arena.hall.saying import Cancelled, Denial, Denied, Matched
from tallymark.arena.store import locks, matches, tickets
from tallymark.arena.store.tickets import Ticket
from tallymark.checked import shortened


@dataclass(frozen=True)
class Join:
    """To wait for a match of a game, since a time: `ms` of the hall's clock, `at` in microseconds since 1970 UTC.
    `locks`: whether the game holds an agent to its program."""

    by: Connection
    game: str
    ms: int
    at: int
    locks: bool = False


@dataclass(frozen=True)
class Leave:
    """To wait no longer."""

    by: Connection
    game: str


@dataclass(frozen=True)
class Drop:
    """A ticket whose agent is gone: nobody is told."""

    agent: str
    game: str
    ticket: int


Move: TypeAlias = Join | Leave | Drop


@dataclass(frozen=True)
class Waits:
    """What became of a `Join`: the ticket, and whether the agent waited before."""

    ticket: Ticket
    again: bool


Answer: TypeAlias = Waits | Cancelled | Matched | Denied | None
"""What became of a move; nothing is said of a `Drop`."""


def made(database: Database, move: Move, hall: str, now: int) -> Answer:
    """Makes a move, if the ticket still is where it is moved from."""
    match move:
        case Join():
            denied = _locked(database, move, now) if move.locks else None
            return denied or Waits(*tickets.join(database, move.game, move.by.agent.id, hall, move.at))
        case Leave():
            return _left(database, move, now)
        case Drop():
            tickets.cancel(database, move.ticket, now, hall)
            return None


def _locked(database: Database, move: Join, now: int) -> Denied | None:
    """Why an agent may not play a benchmark with the program that it has."""
    agent = move.by.agent
    lock, now_has = locks.locked(database, agent, move.game, now), agent.program.configuration
    if lock.configuration == now_has:
        return None
    told = (
        f"your configuration hash is {now_has}; expected {lock.configuration}, of version "
        f"{shortened(lock.program.version)}, with which you joined {move.game} first: another program is another agent"
    )
    return Denied(Denial.LOCKED, told, move.game)


def _left(database: Database, move: Leave, now: int) -> Answer:
    last = tickets.last(database, move.game, move.by.agent.id)
    if last is not None and (last.state == "cancelled" or tickets.cancel(database, last.id, now)):
        return Cancelled(move.game, last.id)
    if last is not None:
        last = tickets.find(database, last.id)  # it may have been matched in this very moment
        found = None if last.match is None else matches.find(database, last.match)
        if found is not None and found.state == matches.LIVE:
            return Matched(move.game, last.id, found.id)
    return Denied(Denial.NO_TICKET, f"you wait for no match of {move.game}", move.game)
