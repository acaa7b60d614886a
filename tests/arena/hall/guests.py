"""An arena full of agents of mixed manners, on a clock that is set: good and slow ones, those that cheat, fall silent,
disconnect or flood; and a server that is stopped, killed and started again. And what must be true afterwards."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple

from halls import Time, made, replayed
from sqlalchemy import text

from tallymark.arena.games.face import Choice, Game
from tallymark.arena.hall.connection import Connection, Said
from tallymark.arena.hall.hall import Hall
from tallymark.arena.hall.saying import Cancelled, Closed
from tallymark.arena.referee.endings import FORFEITS, Reason
from tallymark.arena.referee.saying import ActionRequest, MatchEnd
from tallymark.arena.store import matches
from tallymark.arena.store.agents import Agent
from tallymark.arena.store.matches import Match
from tallymark.errors import InputError
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.verify import verify

MANNERS: Final = ("good", "slow", "illegal", "silent", "disconnecting", "flooding")
STEP: Final = 20
"""Milliseconds between two turns while something happens."""
_NONSENSE: Final = ("zz", "", 5, None, {"a": [1]}, "\x00", "x" * 5000, "\ud800", True)


class Guest:
    """An agent with its manners."""

    def __init__(self, sim: "Simulation", n: int) -> None:
        self.sim, self.name = sim, f"guest-{n:03}"
        self.owner = f"owner-{n // 3}"
        self.manner = MANNERS[n % len(MANNERS)]
        self.connection: Connection | None = None
        self.ends: Counter[str] = Counter()
        sim.after(sim.rng.randrange(5000), self.connect)

    def connect(self) -> None:
        """Comes, or comes back, and waits for a match."""
        if self.connection is not None:
            return
        try:
            self.connection = self.sim.hall.connect(Agent(self.name, self.owner), self)
        except InputError:  # the hall does not know yet that it went
            self.sim.after(1000, self.connect)
            return
        self.join()

    def join(self) -> None:
        if self.connection is not None and not self.sim.ending:
            self.sim.hall.join(self.connection, self.sim.rng.choice(self.sim.names))

    def lose(self) -> None:
        """The connection is gone, with or without the hall."""
        self.connection = None
        if not self.sim.ending:
            self.sim.after(self.sim.rng.randrange(500, 90_000), self.connect)

    def send(self, said: Said) -> None:
        connection = self.connection
        match said:
            case ActionRequest() if connection is not None:
                if self.manner != "silent" or self.sim.rng.random() < 0.9:
                    self.sim.hall.delivered(connection, said.match, said.request)
                self.sim.after(self._thinks(said), lambda: self._answer(connection, said))
            case MatchEnd():
                self.ends[said.match] += 1
                self.sim.after(self.sim.rng.randrange(3000), self.join)
            case Cancelled():
                self.sim.after(self.sim.rng.randrange(3000), self.join)
            case Closed() if connection is not None:
                self.lose()
            case _:
                pass

    def _thinks(self, asked: ActionRequest) -> int:
        most = asked.action_ms * 5 // 4 if self.manner == "slow" else min(8000, asked.action_ms // 2)
        return self.sim.rng.randrange(100, most)

    def _answer(self, connection: Connection, asked: ActionRequest) -> None:
        if self.connection is not connection:
            return
        rng, hall = self.sim.rng, self.sim.hall
        odd = rng.random() < 0.04 and self.manner
        if odd == "silent":
            return
        if odd == "disconnecting":
            hall.disconnect(connection)
            self.lose()
        elif odd == "flooding":
            for _ in range(rng.choice((30, 300))):
                hall.act(connection, rng.choice((asked.match, "noughts-0")), rng.randrange(9), rng.choice(_NONSENSE))
        elif odd == "illegal":
            hall.act(connection, asked.match, asked.request, rng.choice(_NONSENSE))
        else:
            hall.act(connection, asked.match, asked.request, self.sim.legal(asked))
            if rng.random() < 0.02:
                hall.leave(connection, rng.choice(self.sim.names))


class Simulation:
    """`seed`: what everybody does; `kills`: how often the server is stopped, or is gone without a word."""

    def __init__(self, ledger: Ledger, time: Time, games: Sequence[Game], guests: int, seed: int) -> None:
        self.ledger, self.time, self.games = ledger, time, games
        self.names = [game.name for game in games]
        self.rng = random.Random(seed)
        self.ending = False
        self._next: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = count()
        self._started = count(1)
        self.hall = self._start()
        self.guests = [Guest(self, n) for n in range(guests)]

    def after(self, ms: int, act: Callable[[], None]) -> None:
        """Something happens so much later."""
        heappush(self._next, (self.time.ms + ms, next(self._numbers), act))

    def legal(self, asked: ActionRequest) -> str:
        """An action that is allowed."""
        if isinstance(asked.form, Choice):
            return self.rng.choice(asked.form.actions)
        return self.rng.choice(("", "It was not me.", "I saw nothing", "<b>", "é 日本"))

    def run(self, ms: int, restarts: int) -> None:
        """So long, with restarts at random moments, half of them without a word; then until nobody plays any more."""
        until = self.time.ms + ms
        for at in sorted(self.rng.randrange(ms) for _ in range(restarts)):
            self.after(at, self._restart)
        while self.time.ms < until:
            self._step(until)
        self.ending = True
        while self.hall._turns.stage.playing:
            self._step(self.time.ms + 60_000)
        for _ in range(3):
            self.ledger.settle()
            self.hall.turn()
        self.hall.close()

    def _step(self, until: int) -> None:
        """Everything of the next milliseconds, and a turn behind it."""
        due = min([until, self.hall.next_at() - 1_000_000, *(one[0] for one in self._next[:1])])
        end = max(self.time.ms, due) + STEP
        while self._next and self._next[0][0] <= end:
            at, _, act = heappop(self._next)
            self.time.ms = max(self.time.ms, at)
            act()
        self.time.ms = end
        self.hall.turn()
        if self.rng.random() < 0.3:
            self.ledger.settle()

    def _start(self) -> Hall:
        hall = made(self.ledger, self.time, self.games, seed=next(self._started), lease_ms=15_000)
        for name in self.names:
            for n in range(3):
                agent = Agent(f"house-{name}-{n}", "house", "house")
                hall.house(agent, lambda asked: self.legal(asked), [name], lambda think: think())
        return hall

    def _restart(self) -> None:
        if self.rng.random() < 0.5:
            self.hall.close()  # tells everybody
        for guest in self.guests:
            if guest.connection is not None:
                guest.lose()
        self.time.ms += self.rng.randrange(1, 20_000)
        self.hall = self._start()


class Counts(NamedTuple):
    """What an arena has in the end."""

    matches: int
    reasons: dict[str, int]
    states: int
    """Hashes of positions that were found equal."""


def checked(sim: Simulation, where: str) -> Counts:
    """What must be true, whatever happened."""
    ledger = sim.ledger
    assert verify(where).pools
    found: list[Match] = []
    with ledger.store.reading() as connection:
        for game in sim.games:
            some = matches.listed(connection, game=game.name, limit=1_000_000)
            last = connection.execute(
                text("SELECT last FROM arena_number WHERE game = :of"), {"of": game.name}
            ).scalar()
            assert [one.number for one in reversed(some)] == list(range(1, (last or 0) + 1))  # none lost, none again
            found += some
        rows = connection.execute(text('SELECT agent, state, "match" FROM arena_ticket')).all()
    manners = {guest.name: guest.manner for guest in sim.guests}
    seated = {(seat.agent, one.id) for one in found for seat in one.seats if seat.kind == "agent"}
    assert sorted((agent, match) for agent, state, match in rows if state == "matched") == sorted(seated)
    reasons: Counter[str] = Counter()
    states = 0
    for one in found:
        assert one.state in ("settled", "aborted"), one
        assert one.position is not None, one
        assert one.reason is not None
        reasons[one.reason] += 1
        fate = ledger.receipt(one.pool, one.id)
        assert (fate.position, fate.state) == (one.position, "not-rated" if one.state == "aborted" else "rated")
        states += replayed(ledger, one.id, sim.games)
        owners = [int(seat.agent[-3:]) // 3 for seat in one.seats if seat.kind == "agent"]
        assert len(set(owners)) == len(owners), one
        assert owners, one
        misses = [seat for seat in one.seats if seat.misses]
        for seat in misses:  # nobody is said to have failed who did what it was asked for
            assert manners.get(seat.agent) not in ("good", None) or one.reason not in FORFEITS, one
    for guest in sim.guests:
        assert all(ends == 1 for ends in guest.ends.values())
    assert set(reasons) <= set(Reason)
    return Counts(len(found), dict(reasons.most_common()), states)
