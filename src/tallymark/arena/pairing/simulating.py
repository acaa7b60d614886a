"""A queue played through in simulated time: the very tick of the arena, over recorded or made-up arrivals."""

import heapq
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from tallymark.arena.pairing.arrivals import Arrival
from tallymark.arena.pairing.due import due
from tallymark.arena.pairing.queue import Queue
from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.pairing.simulated import Simulated, Spread, established, falls_of
from tallymark.arena.pairing.waiting import House, Table, Waiting, hundredths
from tallymark.systems import Glicko2, Rating, System
from tallymark.systems.parameters import accept_all, parameter

_OURS: Final = "simulate"


@dataclass(frozen=True, slots=True)
class Pace:
    """How time goes in a simulation. `InputError` for what is out of range."""

    every_ms: int = parameter(
        250, kind=int, unit="ms", source=_OURS, doc="between two ticks", low=1, high=60_000
    )  # fmt: skip
    match_ms: int = parameter(60_000, kind=int, unit="ms", source=_OURS, doc="a match takes", low=0, high=10**9)
    starved_after_ms: int = parameter(60_000, kind=int, unit="ms", source=_OURS, doc="is too long a wait", low=0)
    seed: int = parameter(1, kind=int, source=_OURS, doc="of the results", low=0)

    def __post_init__(self) -> None:
        accept_all(self)


_PACE: Final = Pace()


def simulate(
    arrivals: Iterable[Arrival],
    house: Sequence[House],
    rules: PairingRules,
    pace: Pace = _PACE,
    system: System | None = None,
) -> Simulated:
    """Plays a queue from the first arrival to the last, and tells what became of everybody.

    `arrivals`: in any order; `house`: rated as they stand there, and like everybody afterwards. `system`: None for that
    of arena-v0. Who wins a match of two is drawn by the system's expectation of both strengths, without draws. At a
    larger table a third of the seats (at least one), drawn too, play as a team against the others, by the mean of their
    strengths; one period against every opposing player. A match is rated when it ends, from the ratings of that moment.
    Ticks fall on whole multiples of `every_ms`; who joins while it waits changes nothing. The same for the same
    arguments on every machine.
    """
    run = _Run(house, rules, pace, Glicko2() if system is None else system)
    ordered = sorted(arrivals)
    for at, arrival in enumerate(ordered):
        run.until(arrival.at_ms)
        run.join(at, arrival)
    end = ordered[-1].at_ms if ordered else 0
    run.until(end)
    return run.result(end, len(ordered))


@dataclass
class _Player:
    rating: Rating
    strength: float
    deviations: list[float] = field(default_factory=list)
    """Before its first match, and after each."""


class _Run:
    """A queue and the matches that go on, at one moment."""

    def __init__(self, house: Sequence[House], rules: PairingRules, pace: Pace, system: System) -> None:
        self._rules, self._pace, self._system = rules, pace, system
        self._rng = random.Random(pace.seed)
        self._queue = Queue(rules)
        self._people: dict[str, _Player] = {}
        self._house = {one.agent: _Player(Rating(one.rating, one.deviation), one.rating) for one in house}
        self._playing: list[tuple[int, int, Table]] = []
        self._next: int | None = None
        """When the queue is looked at next; None: not before somebody comes or a match ends."""
        self._repeated = self._matches = self._house_matches = 0
        self._waits: list[float] = []
        self._house_waits: list[float] = []
        self._gaps: list[float] = []
        self._house_gaps: list[float] = []

    def join(self, ticket: int, one: Arrival) -> None:
        """An agent joins; with the rating that it has by now."""
        player = self._people.get(one.agent)
        if player is None:
            player = self._people[one.agent] = _Player(Rating(one.rating, one.deviation), one.strength)
            player.deviations.append(one.deviation)
        now = player.rating
        if self._queue.join(Waiting(ticket, one.agent, one.owner, now.rating, now.deviation, one.at_ms)):
            self._look(one.at_ms)
        else:
            self._repeated += 1

    def until(self, end_ms: int) -> None:
        """Everything that happens before that time, in order: matches end, then the queue is looked at."""
        while True:
            ends = self._playing[0][0] if self._playing else end_ms
            looks = end_ms if self._next is None else self._next
            if min(ends, looks) >= end_ms:
                return
            if ends <= looks:
                self._end(heapq.heappop(self._playing)[2])
                self._look(ends)
            else:
                self._tick(looks)

    def result(self, end_ms: int, joins: int) -> Simulated:
        """What was found."""
        left = [one.waited(end_ms) / 1000.0 for one in self._queue.waiting]
        starved = self._pace.starved_after_ms / 1000.0
        deviations = {agent: player.deviations for agent, player in self._people.items()}
        return Simulated(
            until_ms=end_ms,
            agents=len(self._people),
            joins=joins,
            repeated=self._repeated,
            matches=self._matches,
            house_matches=self._house_matches,
            waits=Spread.of(self._waits),
            house_waits=Spread.of(self._house_waits),
            gaps=Spread.of(self._gaps),
            house_gaps=Spread.of(self._house_gaps),
            left=Spread.of(left),
            starved=sum(wait > starved for wait in (*self._waits, *left)),
            starved_after_ms=self._pace.starved_after_ms,
            falls=falls_of(deviations),
            established=established(deviations),
        )

    def _look(self, at_ms: int) -> None:
        """The queue is looked at on the first tick from then on."""
        every = self._pace.every_ms
        at = -(-at_ms // every) * every
        self._next = at if self._next is None else min(self._next, at)

    def _helpers(self) -> list[House]:
        return [House(agent, one.rating.rating, one.rating.deviation) for agent, one in self._house.items()]

    def _tick(self, now_ms: int) -> None:
        house = self._helpers()
        for number, table in enumerate(self._queue.tick(house, now_ms), self._matches):
            heapq.heappush(self._playing, (now_ms + self._pace.match_ms, number, table))
            self._matches += 1
            self._house_matches += bool(table.house)
            waits = [one.waited(now_ms) / 1000.0 for one in table.waiting]
            self._waits += waits
            self._house_waits += waits if table.house else []
            first, *others = hundredths(
                [one.rating for one in table.waiting] + [one.rating for one in table.house]
            ).tolist()
            gaps = [abs(first - other) / 100.0 for other in others]
            self._gaps += gaps[: len(waits) - 1]
            self._house_gaps += gaps[len(waits) - 1 :]
        self._next = None
        later = due(self._queue.waiting, house, self._rules)
        if later is not None:
            self._look(max(later, now_ms + 1))

    def _end(self, table: Table) -> None:
        """A match is over: drawn, and rated from the values before it."""
        players = [self._people[one.agent] for one in table.waiting] + [self._house[one.agent] for one in table.house]
        few, many = self._teams(players)
        strengths = [Rating(sum(player.strength for player in team) / len(team), 0.0) for team in (few, many)]
        won = float(self._rng.random() < self._system.expected(*strengths))
        before = {id(player): player.rating for player in players}
        for team, against, score in ((few, many, won), (many, few, 1.0 - won)):
            for player in team:
                player.rating = self._system.update(player.rating, [(before[id(foe)], score) for foe in against])
                player.deviations.append(player.rating.deviation)
        for one in table.waiting:
            now = self._people[one.agent].rating
            self._queue.rate(one.agent, now.rating, now.deviation)

    def _teams(self, players: list[_Player]) -> tuple[list[_Player], list[_Player]]:
        """Two who meet, or a third of the seats against the others."""
        drawn = list(players)
        for n in range(len(drawn) - 1, 0, -1):
            other = int(self._rng.random() * (n + 1))
            drawn[n], drawn[other] = drawn[other], drawn[n]
        few = max(1, len(drawn) // 3)
        return drawn[:few], drawn[few:]
