"""A hall that is driven by hand: a clock that is set, agents whose links note what they are told, and what is kept."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event
from time import monotonic
from typing import Any, TypeVar

import orjson
from small_games import NoughtsGame, ParlourGame

from tallymark.arena.games.face import Choice, Game
from tallymark.arena.hall.connection import Connection, Said
from tallymark.arena.hall.hall import Hall
from tallymark.arena.referee.replaying import Replay
from tallymark.arena.referee.saying import ActionRequest
from tallymark.arena.store import matches, records
from tallymark.arena.store.agents import Agent, Program
from tallymark.arena.store.matches import Match
from tallymark.ledger.ledger import Ledger

T = TypeVar("T")
START = 1_780_000_000_000_000
"""Some time in 2026, in microseconds."""
PROGRAM = Program("1")
GAMES: tuple[Game, ...] = (NoughtsGame(), ParlourGame())


class Time:
    """One time, in milliseconds from a start, for waits and for the ledger's clock, which may be set back."""

    def __init__(self) -> None:
        self.ms = 0
        self.back_ms = 0

    def monotonic(self) -> int:
        return 1_000_000 + self.ms

    def utc(self) -> int:
        return START + (self.ms - self.back_ms) * 1000


class Player:
    """An agent: what it was told, and how it answers; by itself where it has a `manner`."""

    def __init__(
        self, hall: Hall, name: str, owner: str | None = None, program: Program = PROGRAM, **more: Any
    ) -> None:
        self.hall, self.name = hall, name
        self.told: list[Said] = []
        self.manner: Callable[[ActionRequest], str | None] | None = None
        self.delivers = True
        agent = Agent(name, owner or f"owner-{name}", "house" if more else "agent", program)
        self.connection: Connection = hall.connect(agent, self, **more)

    def send(self, said: Said) -> None:
        self.told.append(said)
        if isinstance(said, ActionRequest):
            if self.delivers:
                self.hall.delivered(self.connection, said.match, said.request)
            if self.manner is not None and (action := self.manner(said)) is not None:
                self.answer(action)

    def all(self, kind: type[T]) -> list[T]:
        """Everything of a kind that it was told."""
        return [one for one in self.told if isinstance(one, kind)]

    def last(self, kind: type[T]) -> T:
        """The last of a kind that it was told."""
        return self.all(kind)[-1]

    def join(self, game: str = "noughts") -> None:
        self.hall.join(self.connection, game)

    def leave(self, game: str = "noughts") -> None:
        self.hall.leave(self.connection, game)

    def answer(self, action: Any) -> None:
        """Answers what it was asked last."""
        asked = self.last(ActionRequest)
        self.hall.act(self.connection, asked.match, asked.request, action)

    def go(self) -> None:
        self.hall.disconnect(self.connection)


def first(asked: ActionRequest) -> str:
    """The first action that is allowed; silence where a text is asked for."""
    return asked.form.actions[0] if isinstance(asked.form, Choice) else ""


def seeds(seed: int = 1) -> Callable[[], bytes]:
    """Seeds of matches, the same ones every time."""
    rng = random.Random(seed)
    return lambda: rng.randbytes(32)


def made(ledger: Ledger, time: Time, games: Sequence[Game] = GAMES, seed: int = 1, **more: Any) -> Hall:
    """A hall on that time: the only one, and there however far the time jumps, unless something else is said."""
    more = {"several": False, "lease_ms": 10**9, **more}
    return Hall(ledger, games, clock_ms=time.monotonic, seeds=seeds(seed), **more)


@contextmanager
def opened(url: str, time: Time, **more: Any) -> Iterator[tuple[Ledger, Hall]]:
    """A ledger, and a hall on it."""
    with Ledger.open(url, create=True, clock=time.utc) as ledger, made(ledger, time, **more) as hall:
        yield ledger, hall


def turns(hall: Hall, ledger: Ledger, most: int = 60) -> None:
    """Turns, until nothing more comes of what has come; what is over is rated."""
    for _ in range(most):
        hall.turn()
        ledger.settle()


def kept(ledger: Ledger, match: str) -> list[dict[str, Any]]:
    """The records of a match."""
    with ledger.store.reading() as connection:
        return [orjson.loads(line) for line in records.of(connection, match)]


def stands(ledger: Ledger, match: str) -> Match:
    """How a match stands."""
    with ledger.store.reading() as connection:
        found = matches.find(connection, match)
    assert found is not None
    return found


def replayed(ledger: Ledger, match: str, games: Sequence[Game] = GAMES) -> int:
    """Plays a match back from its records, whatever is wrong with it; how many states were equal."""
    by_name = {game.name: game for game in games}
    with ledger.store.reading() as connection:
        played = Replay(records.of(connection, match), by_name.__getitem__)
    for _ in played.steps():
        pass
    return played.states


def until(done: Callable[[], bool], seconds: float = 30.0) -> None:
    """Waits for another thread, which needs no more than this unless something is wrong."""
    limit = monotonic() + seconds
    pause = Event()
    while not done():
        assert monotonic() < limit, "it never happened"
        pause.wait(0.005)
