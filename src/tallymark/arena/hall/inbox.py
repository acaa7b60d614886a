"""What comes to the hall, in the order in which it was received, each with the millisecond of its receipt."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from tallymark.arena.hall.connection import Connection
from tallymark.arena.hall.playing import Watcher
from tallymark.arena.store.tickets import Ticket
from tallymark.ledger.matches import Json

Clock: TypeAlias = Callable[[], int]
"""Milliseconds of a monotonic clock."""


@dataclass(frozen=True)
class Came:
    """An agent connected; `tickets`: with which it waited before, here or elsewhere."""

    by: Connection
    tickets: tuple[Ticket, ...]


@dataclass(frozen=True)
class Joined:
    """An agent wants to play a game."""

    by: Connection
    game: str


@dataclass(frozen=True)
class Left:
    """An agent does not want to wait any longer."""

    by: Connection
    game: str


@dataclass(frozen=True)
class Did:
    """An agent answered a request."""

    by: Connection
    match: str
    request: int
    action: Json


@dataclass(frozen=True)
class Took:
    """A request has left for its agent."""

    by: Connection
    match: str
    request: int


@dataclass(frozen=True)
class Flooded:
    """A connection sent more than it may: `ended` where that was too much."""

    by: Connection
    ended: bool


@dataclass(frozen=True)
class Went:
    """A connection is gone."""

    by: Connection


@dataclass(frozen=True)
class Exhibited:
    """House agents are to play for spectators; the match's id is to be told."""

    game: str
    agents: tuple[str, ...]
    told: "Future[str]"

    def refuse(self, why: Exception) -> None:
        """Nothing comes of it. Who was told already, or has given up waiting, hears nothing more."""
        with suppress(InvalidStateError):
            self.told.set_exception(why)


@dataclass(frozen=True)
class Watching:
    """Somebody wants to watch a match, or no longer where the watcher is closed."""

    match: str
    watcher: Watcher


@dataclass(frozen=True)
class Later:
    """Something is to be done so many milliseconds later."""

    after_ms: int
    act: Callable[[], None]


Input: TypeAlias = Came | Joined | Left | Did | Took | Flooded | Went | Exhibited | Watching | Later


class Inbox:
    """Takes what comes from any thread. Stamps never go back, and what is taken at a time has all that came before."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._some = threading.Condition()
        self._items: list[tuple[int, Input]] = []
        self._now = clock()
        self._rung = False

    def put(self, one: Input) -> None:
        """Something came just now."""
        with self._some:
            self._items.append((self._time(), one))
            self._some.notify()

    def receive(self, by: Connection, one: Input) -> None:
        """A message of a connection came just now: it counts towards what that may send."""
        with self._some:
            ms = self._time()
            verdict = by.taken(ms, isinstance(one, Did))
            if verdict == "ignored":
                return
            self._items.append((ms, one if verdict == "taken" else Flooded(by, verdict == "dropped")))
            self._some.notify()

    def take(self) -> tuple[int, Sequence[tuple[int, Input]]]:
        """The time, and what has come up to it: whatever comes later has a later stamp, or the same."""
        with self._some:
            items, self._items = self._items, []
            self._rung = False
            return self._time(), items

    def ring(self) -> None:
        """Whoever waits looks: something else happened."""
        with self._some:
            self._rung = True
            self._some.notify()

    def wait(self, until_ms: int) -> None:
        """Until something comes, or a time."""
        with self._some:
            if not self._items and not self._rung:
                self._some.wait(max(0, until_ms - self._time()) / 1000)

    def _time(self) -> int:
        self._now = max(self._now, self._clock())
        return self._now
