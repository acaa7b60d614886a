"""A match that is played in this process: its referee, and who listens at each seat."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tallymark.arena.games.face import Seat
from tallymark.arena.hall.connection import Connection, Said
from tallymark.arena.referee.finished import Finished
from tallymark.arena.referee.match import Match
from tallymark.arena.referee.saying import Say
from tallymark.ledger.inbox import Receipt

LOG: Final = logging.getLogger("tallymark.arena")


@dataclass(eq=False)
class Watcher:
    """Somebody who watches a match: `tell` hands on at once what it is told."""

    tell: Callable[[Said], None]
    open: bool = True

    def send(self, said: Said) -> None:
        """Says something, where anybody still watches."""
        if self.open:
            self.tell(said)


Listener: TypeAlias = Connection | Watcher
"""Whom something is said to."""


@dataclass(eq=False)
class Playing:
    """`seats`: the connection of each seat; None where nobody is connected."""

    match: Match
    pool: str
    rated: bool
    seats: list[Connection | None]
    watching: list[Watcher] = field(default_factory=list)
    n: int = 0
    """Records so far."""
    receipt: Receipt | None = None
    """When it is over: of its result in the ledger."""
    written: int | None = None
    """When its end was first to be written, by the ledger's clock: what is tried again is the same."""

    @property
    def id(self) -> str:
        return self.match.id

    @property
    def finished(self) -> Finished:
        """How it ended, when it is over."""
        assert self.match.finished is not None
        return self.match.finished

    def heard(self, say: Say) -> Sequence[Listener]:
        """Who is to be told something."""
        if say.to is None:
            return self.watching
        connection = self.seats[say.to]
        return () if connection is None else (connection,)

    def shown(self, ms: int) -> tuple[Said, ...]:
        """What somebody is told who begins to watch now."""
        return self.match.shown(ms)

    def leave(self, by: Connection) -> Seat | None:
        """The seat of a connection that is gone."""
        if by not in self.seats:
            return None
        seat = self.seats.index(by)
        self.seats[seat] = None
        return seat


def tell(to: Listener, said: Said) -> bool:
    """Tells somebody; whether that went well."""
    try:
        to.send(said)
    except Exception:  # what listens is anybody's: the others are to be told, and the turn is written down already
        LOG.exception("somebody cannot be told %s", type(said).__name__)
        return False
    return True
