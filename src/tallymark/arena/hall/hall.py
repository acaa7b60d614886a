"""The hall: the one place where things happen in the arena. All that comes is taken in turns; a turn is written down,
with the results for the ledger, and only then anything is said of it."""

import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Final, Self

from tallymark.arena.chance import SEED_BYTES
from tallymark.arena.games.face import Game
from tallymark.arena.hall import pools
from tallymark.arena.hall.answering import Act, Answering, Run
from tallymark.arena.hall.connection import Connection, Limits, Link, Said
from tallymark.arena.hall.inbox import Came, Clock, Did, Exhibited, Inbox, Joined, Later, Left, Took, Watching, Went
from tallymark.arena.hall.measuring import Measure, Turned, unmeasured
from tallymark.arena.hall.playing import LOG, Watcher, tell
from tallymark.arena.hall.presence import Presence
from tallymark.arena.hall.registering import registered
from tallymark.arena.hall.saying import Closed
from tallymark.arena.hall.turns import Settings, Turns
from tallymark.arena.hall.writing import LostError
from tallymark.arena.pairing.rules import PairingRules, pairing_rules
from tallymark.arena.referee.endings import Reason
from tallymark.arena.store import schema
from tallymark.arena.store.agents import Agent
from tallymark.errors import LedgerError, UnknownError
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import Json

LEASE_MS: Final = 15_000
"""Milliseconds after which a hall that has not said that it goes on is gone."""
RETURN_MS: Final = 60_000
"""Milliseconds that agents who waited have to come back after a restart."""
_LIMITS: Final = Limits()
_CLOSED: Final = "the arena is closed"
_PAUSES: Final = (0.1, 0.3, 1.0, 3.0)
"""Seconds after the first, second ... turn in a row that could not be written."""


def monotonic_ms() -> int:
    """Milliseconds of this machine's monotonic clock."""
    return time.monotonic_ns() // 1_000_000


def _seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


class Hall:
    """Queues and matches of some games over a ledger, played in this process.

    `clock_ms`: a monotonic clock, for waits and deadlines; `seeds`: where matches have theirs from; `rules`: how a game
    is paired. `several`: whether other processes may do the same on this ledger, which by
    default they may on a server and not on a file: else whatever another hall has is this one's as soon as it begins. A
    hall that has written nothing for `lease_ms` has lost its matches, also where it is there again. `return_ms`: how
    long agents who waited may be away after a restart. `measure`: is told what every turn came to.

    Everything that comes may come from any thread. What is said is said in the thread that takes turns: one calls
    `run`, or `turn`.
    """

    def __init__(
        self,
        ledger: Ledger,
        games: Iterable[Game],
        *,
        clock_ms: Clock = monotonic_ms,
        seeds: Callable[[], bytes] = _seed,
        rules: Callable[[Game], PairingRules] = pairing_rules,
        limits: Limits = _LIMITS,
        several: bool | None = None,
        lease_ms: int = LEASE_MS,
        return_ms: int = RETURN_MS,
        measure: Measure = unmeasured,
    ) -> None:
        self._measure = measure
        self._received: list[int] = []
        """When actions came of which the turn is not yet over."""
        self._clock_ms = clock_ms
        self._ledger: Final = ledger
        self.games: Final = {game.name: game for game in games}
        """By name."""
        self._limits = limits
        if several is None:
            several = ledger.store.writes.dialect.name != "sqlite"
        self._settings = Settings(self.games, seeds, rules, several, lease_ms, return_ms)
        self._inbox = Inbox(clock_ms)
        self._presence = Presence(limits)
        self._house: list[Answering] = []
        self._turn = threading.Lock()
        self._heads: dict[str, int] | None = None
        self._closed = False
        schema.upgraded(ledger.store)
        self._pools = {game.pool for game in self.games.values()}
        pools.open_all(ledger, self.games.values())
        self._turns = self._new_turns(clock_ms(), Reason.LEASE if several else Reason.RESTART)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def connect(self, agent: Agent, link: Link, plays: Iterable[str] = ()) -> Connection:
        """An agent says hello; it is registered where its name is new. `plays`: the games that a house agent is given.

        `InputError` for a name that is another's or none, for an agent that is connected already, and where its owner
        has as many connections, or has registered as many agents, as may be.
        """
        self._open()
        connection = Connection(agent, link, self._limits, frozenset(plays))
        self._presence.enter(connection)
        try:
            waits = registered(self._ledger, agent, self._pools, self._turns.name, self._limits.agents)
        except BaseException:
            self._presence.leave(connection)
            raise
        self._inbox.put(Came(connection, tuple(waits)))
        return connection

    def house(self, agent: Agent, act: Act, plays: Iterable[str], run: Run) -> Connection:
        """A house agent that is a function of this process; `run`: what lets it think."""
        link = Answering(self, act, run)
        self._house.append(link)
        return link.connected(self.connect(agent, link, plays))

    def join(self, by: Connection, game: str) -> None:
        """An agent wants to wait for a match of a game."""
        self._inbox.receive(by, Joined(by, game))

    def leave(self, by: Connection, game: str) -> None:
        """An agent wants to wait no longer."""
        self._inbox.receive(by, Left(by, game))

    def act(self, by: Connection, match: str, request: int, action: Json) -> None:
        """An agent answers a request. The millisecond of this call counts."""
        self._inbox.receive(by, Did(by, match, request, action))

    def delivered(self, by: Connection, match: str, request: int) -> None:
        """An action request has left for its agent: links say so."""
        self._inbox.put(Took(by, match, request))

    def disconnect(self, by: Connection) -> None:
        """A connection is gone. Safe to say twice."""
        if self._presence.leave(by):
            self._inbox.put(Went(by))

    def exhibit(self, game: str, agents: Sequence[str]) -> "Future[str]":
        """House agents play a match for spectators; its id comes when it has begun, or `InputError` where they cannot
        play that, or `LedgerError` where the game fails, or the arena is closed before. Where it is closed already,
        that is raised."""
        self._open()
        one = Exhibited(game, tuple(agents), Future())
        self._inbox.put(one)
        if self._closed:  # meanwhile: perhaps nobody takes it any more
            one.refuse(LedgerError(_CLOSED))
        return one.told

    @contextmanager
    def watch(self, match: str, tell: Callable[[Said], None]) -> Iterator[None]:
        """`tell` is called, as long as the block lasts, with what spectators may know of a match: how it began, how it
        stands, and everything that is new; `Closed` where nothing more will come. It is to hand on at once what it is
        told; one that raises is not called again. `UnknownError` for a match that is not played here now: its records
        say what was."""
        if match not in self._turns.stage.playing:
            raise UnknownError(f"no match {match!r} is played here now", kind="match", hint="its records are kept")
        watcher = Watcher(tell)
        self._inbox.put(Watching(match, watcher))
        try:
            yield
        finally:
            watcher.open = False
            self._inbox.put(Watching(match, watcher))

    def later(self, after_ms: int, act: Callable[[], None]) -> None:
        """Calls something in a turn, so many milliseconds from now."""
        self._inbox.put(Later(after_ms, act))

    def turn(self) -> None:
        """Takes what has come, and the time; writes down what that makes, and says it. `LedgerError` where it could not
        be written: the next turn tries again, and nothing is said before."""
        with self._turn:
            if self._closed:
                return
            now, items = self._inbox.take()
            self._received += [ms for ms, one in items if isinstance(one, Did)]
            try:
                self._turns.take(now, items, self._heads)
            except LostError as error:
                self._lost(error)
            self._counted()

    def next_at(self) -> int:
        """The millisecond at which there is something to do, if nothing comes."""
        with self._turn:
            return self._turns.due()

    def run(self, stop: threading.Event) -> None:
        """Takes turns as things come, until `stop` is set, or another process is the arena. What goes wrong is told to
        the log `tallymark.arena`, and tried again."""
        failures = 0
        with self._ledger.telling(self._told):
            while not (stop.is_set() or self._closed):
                try:
                    self.turn()
                    failures = 0
                    self._inbox.wait(self.next_at())
                except LedgerError as error:
                    LOG.warning("%s; trying again", error)
                    stop.wait(_PAUSES[min(failures, len(_PAUSES) - 1)])
                    failures += 1
                except Exception:  # this thread is the only one that takes turns: without it nobody's deadline passes
                    LOG.exception("a turn of the arena failed; going on")
                    stop.wait(_PAUSES[0])

    @contextmanager
    def running(self) -> Iterator[None]:
        """A thread of its own that does so, as long as the block lasts."""
        stop = threading.Event()
        thread = threading.Thread(target=self.run, args=(stop,), name="tallymark arena", daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            self._inbox.ring()
            thread.join()

    def close(self) -> None:
        """Stops: what is played is aborted (E3), queues wait for the next start, connections are ended."""
        with self._turn:
            if self._closed:
                return
            self._closed = True
            now, items = self._inbox.take()
            self._turns.dismiss(items, _CLOSED)
            try:
                self._turns.stop(now)
            except LostError:
                LOG.error("another process has taken the matches of this one before it was stopped")
            finally:
                self._end_all("the arena is stopped")

    def _open(self) -> None:
        if self._closed:
            raise LedgerError(_CLOSED)

    def _counted(self) -> None:
        ms = self._clock_ms()
        shares, self._received = [ms - one for one in self._received], []
        ended, self._turns.over = self._turns.over, []
        self._measure(Turned(shares, ended))

    def _lost(self, error: LostError) -> None:
        """Nothing that is played here can go on. Where nobody else is the arena now, this one begins anew."""
        anew = error.late or self._settings.several
        self._closed = not anew
        self._end_all("the arena has lost its matches: connect again")
        now, items = self._inbox.take()
        self._turns.dismiss(items, "the arena has lost its matches" if anew else _CLOSED)
        if anew:
            LOG.error("nothing could be written for too long: matches are aborted, and the arena begins anew")
            self._turns = self._new_turns(now, Reason.LEASE)
            for link in self._house:  # nobody else would have them come back
                before = link.connection
                self._presence.enter(link.connected(Connection(before.agent, link, self._limits, before.plays)))
                self._inbox.put(Came(link.connection, ()))
        else:
            LOG.error("another process has begun to run the arena of %s: this one does no more", self._ledger.where)

    def _new_turns(self, now: int, reason: Reason) -> Turns:
        return Turns(self._ledger, self._settings, now, reason, self.disconnect)

    def _end_all(self, told: str) -> None:
        for watcher in self._turns.stage.watchers():
            tell(watcher, Closed(told))
            watcher.open = False
        for connection in self._presence.all():
            tell(connection, Closed(told))
            connection.open = False
            self._presence.leave(connection)

    def _told(self, heads: Mapping[str, int]) -> None:
        """The ledger's news, in its own thread."""
        self._heads = {**(self._heads or {}), **heads}
        self._inbox.ring()
