"""What a hall does in its turns: one after the other, in one thread at a time."""

import secrets
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Final

from tallymark.arena.games.face import Game
from tallymark.arena.hall.beginning import Beginner, Begun, Seating
from tallymark.arena.hall.connection import Connection
from tallymark.arena.hall.inbox import (
    Came,
    Did,
    Exhibited,
    Flooded,
    Input,
    Joined,
    Later,
    Left,
    Took,
    Watching,
    Went,
)
from tallymark.arena.hall.lobby import Lobby
from tallymark.arena.hall.playing import Watcher, tell
from tallymark.arena.hall.saying import Closed, Denial, Denied
from tallymark.arena.hall.stage import Stage
from tallymark.arena.hall.standing import Standing
from tallymark.arena.hall.taking_over import aborted, taken_over
from tallymark.arena.hall.writing import Batch, Writer
from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.referee.endings import Reason
from tallymark.arena.store import leases, matches, met, tickets
from tallymark.checked import shortened
from tallymark.errors import InputError, LedgerError
from tallymark.ledger.beside import Beside
from tallymark.ledger.ledger import Ledger


@dataclass(frozen=True)
class Settings:
    """How a hall is run: as `Hall` says."""

    games: Mapping[str, Game]
    seeds: Callable[[], bytes]
    rules: Callable[[Game], PairingRules]
    several: bool
    lease_ms: int
    return_ms: int


class Turns:
    """The life of a hall from when it takes its name, and what others have left, until it ends or is said to be gone.

    `reason`: what matches are aborted for that others have left. `ended` is called with a connection that the hall ends
    by itself.
    """

    def __init__(
        self,
        ledger: Ledger,
        settings: Settings,
        now_ms: int,
        reason: Reason,
        ended: Callable[[Connection], None],
    ) -> None:
        self._ledger, self._settings, self._ended = ledger, settings, ended
        self.name: Final = secrets.token_hex(8)
        """Of this hall: tickets and matches that it holds have it."""
        self.over: list[tuple[str, str]] = []
        """Game and reason of matches that are over, until somebody has counted them."""
        self._todo: deque[tuple[int, Input]] = deque()
        self._timers: list[tuple[int, int, Callable[[], None]]] = []
        self._timed = count()
        self._doubt = False
        """Whether matches may have begun on the disk of which nobody was told."""
        self._exhibits: list[tuple[Exhibited, Seating]] = []
        self._batch = Batch()
        self._unsaid: deque[Batch] = deque()
        self._standing = Standing(ledger, {game.pool for game in settings.games.values()})
        self._lobby = Lobby(settings.games, settings.rules, self._standing, self._met, ledger.now, settings.return_ms)
        self.stage: Final = Stage()
        self._writer = Writer(ledger, self.name, settings.lease_ms * 1000)
        self._beginner = Beginner(ledger, self.name, self._standing, settings.seeds)
        with ledger.beside() as own:
            leases.begin(own.connection, self.name, ledger.now() + settings.lease_ms * 1000)
        self._go_on(now_ms, reason)

    def take(self, now_ms: int, items: Sequence[tuple[int, Input]], heads: Mapping[str, int] | None) -> None:
        """A turn: what has come up to now, and where the ledger's pools are; None: look there.

        `LedgerError` where it could not be written: the next turn does. `LostError` where this hall is gone.
        """
        self._todo.extend(items)
        for _, entry in self._standing.follow(self._standing.heads() if heads is None else heads):
            self.stage.settling.settle(self._batch, entry)
            self._lobby.moved(one.player for one in entry.players)
        while self._todo:
            ms, one = self._todo.popleft()
            self._apply(ms, one)
        while self._timers and self._timers[0][0] <= now_ms:
            heappop(self._timers)[2]()
        self.stage.expire(now_ms, self._batch)
        self._lobby.expire(now_ms, self._batch)
        self._commit()
        self._pair(now_ms)
        self._say(Batch(says=self._lobby.alone(now_ms)))
        if now_ms >= self._renew:
            self._go_on(now_ms, Reason.LEASE)

    def due(self) -> int:
        """The millisecond at which there is something to do, if nothing comes."""
        timers = [self._timers[0][0]] if self._timers else []
        return min([*self._lobby.due(), *self.stage.due(), *timers, self._renew])

    def stop(self, now_ms: int) -> None:
        """What is played is aborted; the hall is gone, and whoever comes next has what it held."""
        self.stage.abort(now_ms, Reason.RESTART, self._batch)
        self._commit()
        with self._ledger.beside() as own:
            leases.given_up(own.connection, self.name)

    def dismiss(self, items: Sequence[tuple[int, Input]], told: str) -> None:
        """Nothing more is done here, neither of what has come nor of what was to be done: who waits for an answer is
        told."""
        for one in [one for _, one in (*self._todo, *items)] + [one for one, _ in self._exhibits]:
            if isinstance(one, Exhibited):
                one.refuse(LedgerError(told))

    def _apply(self, ms: int, one: Input) -> None:
        batch = self._batch
        match one:
            case Did():
                self.stage.did(ms, one, batch)
            case Took():
                self.stage.took(ms, one, batch)
            case Joined():
                self._lobby.joined(ms, one.by, one.game, batch)
            case Left():
                self._lobby.left(one.by, one.game, batch)
            case Came():
                self._lobby.came(ms, one.by, one.tickets, batch)
                self.stage.came(ms, one.by, batch)
            case Went():
                one.by.open = False
                self._went(ms, one.by)
            case Flooded():
                self._flooded(ms, one)
            case Watching():
                self.stage.watch(ms, one, batch)
            case Exhibited():
                self._exhibited(one)
            case Later():
                heappush(self._timers, (ms + one.after_ms, next(self._timed), one.act))

    def _went(self, ms: int, by: Connection) -> None:
        by.gone = True
        self._lobby.went(by, self._batch)
        self.stage.went(ms, by, self._batch)

    def _flooded(self, ms: int, one: Flooded) -> None:
        most = f"{one.by.limits.a_second} messages a second"
        if not one.ended:
            told = f"more than {most} have come: this one was not read"
            self._batch.says.append((one.by, Denied(Denial.TOO_MANY, told)))
        elif not one.by.gone:
            self._went(ms, one.by)
            self._batch.says.append(
                (one.by, Closed(f"more than {most} went on coming: the connection is ended", fault=True))
            )

    def _exhibited(self, one: Exhibited) -> None:
        game = self._settings.games.get(one.game)
        agents = [self._lobby.helper(agent, one.game) for agent in one.agents]
        here = [agent for agent in agents if agent is not None]
        if game is None or game.kind != "arena" or len(here) < len(agents) or len(set(one.agents)) not in game.seats:
            expected = "expected a game that is no benchmark, and different house agents of it"
            one.refuse(InputError(f"{shortened(', '.join(one.agents), str)} cannot play {one.game}: {expected}"))
        elif one.told.set_running_or_notify_cancel():
            self._exhibits.append((one, Seating(game, tuple(here), exhibition=True)))

    def _commit(self) -> None:
        """What the turn has come to is written, and then said. What cannot be is kept as it is: it may be on the disk,
        and only the word of it lost."""
        self._unsaid.append(self._batch)
        self._batch = Batch()
        while self._unsaid:
            batch = self._unsaid[0]
            if batch:
                answers = self._writer.write(batch)
                self._lobby.answered(batch, answers, self._batch)
                self._end(batch)
            self._unsaid.popleft()
            self._say(batch)

    def _pair(self, now_ms: int) -> None:
        if self._doubt:
            self._sure()
        exhibits = self._ready()
        seatings = [seating for _, seating in exhibits] + self._lobby.seatings(now_ms)
        if not seatings:
            return
        batch, begun = Batch(), Begun((), set(), set())

        def begin(own: Beside, to: Batch) -> None:
            nonlocal begun
            begun = self._beginner.begin(own, to, seatings, now_ms)

        self._doubt = True
        self._writer.write(batch, begin)
        self._doubt = False
        self._exhibits = []
        self._lobby.lost(begun.lost, batch)
        self._lobby.shut(begun.broken, batch)
        asked = {id(seating): one for one, seating in exhibits}
        for seating, playing in begun.matches:
            self._lobby.sat(seating)
            self.stage.begin(playing)
            if (one := asked.pop(id(seating), None)) is not None:
                one.told.set_result(playing.id)
        for one in asked.values():
            one.refuse(LedgerError(f"{one.game} cannot be begun", hint="the log of the arena says why"))
        self._end(batch)
        self._say(batch)

    def _met(self, game: str, agents: Collection[str]) -> Mapping[str, Mapping[str, int]]:
        with self._ledger.store.reading() as connection:
            return met.of(connection, game, agents)

    def _ready(self) -> list[tuple[Exhibited, Seating]]:
        """The exhibitions that are to begin; who asked for one that cannot any more is told."""
        ready, self._exhibits = self._exhibits, []
        for one, seating in ready:
            if any(agent.gone for agent in seating.agents):
                one.refuse(InputError(f"{', '.join(one.agents)} cannot play {one.game} any more"))
            else:
                self._exhibits.append((one, seating))
        return self._exhibits

    def _sure(self) -> None:
        """A transaction that began matches failed, perhaps behind its commit: such matches are aborted."""

        def abort(own: Beside, batch: Batch) -> None:
            for match in matches.of_hall(own.connection, self.name):
                if match.id not in self.stage.playing:
                    aborted(own, self._ledger, match, Reason.DEFECT)

        self._writer.write(Batch(), abort)
        self._doubt = False

    def _end(self, batch: Batch) -> None:
        self.stage.end(batch.ended, batch)
        self.over += [(one.match.game.name, one.finished.verdict.reason.value) for one in batch.ended]

    def _say(self, batch: Batch) -> None:
        for to, said in batch.says:
            if not tell(to, said) or isinstance(said, Closed):
                to.open = False
                if not isinstance(to, Watcher):
                    self._ended(to)

    def _go_on(self, now_ms: int, reason: Reason) -> None:
        """The hall is still there; those that are not any more are ended."""

        gone: list[str] = []

        def take_over(own: Beside, batch: Batch) -> None:
            database, now = own.connection, self._ledger.now()
            several = self._settings.several
            gone.extend(leases.expired(database, now) if several else leases.others(database, self.name))
            taken_over(own, self._ledger, gone, self.name, reason)

        self._writer.write(Batch(), take_over)
        self._renew = now_ms + self._settings.lease_ms // 3
        if not gone:
            return
        with self._ledger.store.reading() as connection:
            waiting = tickets.waiting(connection, self.name)
            left = matches.unsettled(connection, self.name)
        self._lobby.inherit(now_ms, waiting)
        for entry in self.stage.settling.inherit(self._ledger, left):
            self.stage.settling.settle(self._batch, entry)
