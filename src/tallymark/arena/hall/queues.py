"""Who waits for which game, as the hall has it in mind: the database says the same, ticket by ticket."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Final, TypeAlias

from tallymark.arena.hall.connection import Connection
from tallymark.arena.pairing.due import due
from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.pairing.tick import tick
from tallymark.arena.pairing.waiting import House, Table, Waiting
from tallymark.games.ids import Id
from tallymark.systems import Rating

_EACH: Final = 20
"""Agents in a queue for each millisecond between two ticks: a large queue is looked at less often."""
_LONGEST: Final = 1000
"""Milliseconds between two ticks of a queue that changes, at most."""
Met: TypeAlias = Callable[[Collection[str]], Mapping[str, Mapping[str, int]]]
"""How often agents have met each of the others in the game of a queue."""


@dataclass
class Waiter:
    """A ticket that waits, and the connection of its agent."""

    ticket: int
    by: Connection
    joined_ms: int


class Queue:
    """The queue of one game. `rating`: where an agent stands now; `met` is asked where that decides (`house_only`)."""

    def __init__(self, rules: PairingRules, rating: Callable[[str], Rating], met: Met) -> None:
        self.rules: Final = rules
        self._rating, self._met = rating, met
        self._waiters: dict[str, Waiter] = {}
        self._waiting: dict[str, Waiting] = {}
        self._ticked: int | None = None
        self._changed = True
        """Whether somebody came, went or moved since the last tick that gave nothing."""
        self._due: int | None = None
        """When that one would give a table, if nothing changes."""
        self._untold: list[tuple[int, str]] = []
        """Who is to be told that nobody is in range, and when; perhaps it does not wait any more by then."""

    def __iter__(self) -> Iterator[Waiter]:
        return iter(self._waiters.values())

    def get(self, agent: str) -> Waiter | None:
        """The ticket of an agent, if it waits."""
        return self._waiters.get(agent)

    def add(self, waiter: Waiter) -> None:
        """Somebody waits."""
        agent = waiter.by.agent.id
        self._waiters[agent] = waiter
        heappush(self._untold, (self._telling(waiter), agent))
        self._look(agent)

    def remove(self, agent: str, ticket: int) -> None:
        """A ticket waits no more."""
        waiter = self._waiters.get(agent)
        if waiter is not None and waiter.ticket == ticket:
            del self._waiters[agent], self._waiting[agent]
            self._changed = True

    def moved(self, player: Id) -> None:
        """A player has another rating."""
        if isinstance(player, str) and player in self._waiters:
            self._look(player)

    def touch(self) -> None:
        """Other house agents are there."""
        self._changed = True

    def due(self) -> int | None:
        """When it is to be looked at next, if nobody comes meanwhile; None where that would give nothing."""
        if not self._waiters or not self._changed:
            return self._due if self._waiters else None
        return 0 if self._ticked is None else self._ticked + self._pause

    def tables(self, house: Callable[[], list[House]], now_ms: int) -> tuple[Table, ...]:
        """Who is to play now; nothing where it is not yet time to look again."""
        at = self.due()
        if at is None or now_ms < at:
            return ()
        waiting, helpers = self._now(), house()
        self._ticked, self._changed = now_ms, True
        found = tick(waiting, helpers, now_ms, self.rules)
        if not found:
            at = due(waiting, helpers, self.rules)
            self._changed, self._due = False, None if at is None else max(at, now_ms + 1)
        return found

    def alone_at(self) -> int | None:
        """When somebody is to be told that nobody is in range, if nothing changes."""
        return self._untold[0][0] if self._untold else None

    def alone(self, now_ms: int) -> Collection[Waiter]:
        """Who has waited for `tell_after_ms` or longer and was not told so before. Of who is left by `tables`."""
        found: dict[str, Waiter] = {}
        while self._untold and self._untold[0][0] <= now_ms:
            at, agent = heappop(self._untold)
            waiter = self._waiters.get(agent)
            if waiter is not None and self._telling(waiter) == at:  # else it left, and perhaps came again
                found[agent] = waiter
        return found.values()

    def _telling(self, waiter: Waiter) -> int:
        return waiter.joined_ms + self.rules.tell_after_ms

    @property
    def _pause(self) -> int:
        return min(_LONGEST, len(self._waiters) // _EACH)

    def _now(self) -> Collection[Waiting]:
        """Who waits, with whom they have met up to now where that decides."""
        if not self.rules.house_only:
            return self._waiting.values()
        met = self._met(self._waiting)
        return [replace(one, met=tuple(met[agent].items())) for agent, one in self._waiting.items()]

    def _look(self, agent: str) -> None:
        waiter, rating = self._waiters[agent], self._rating(agent)
        self._changed = True
        self._waiting[agent] = Waiting(
            waiter.ticket, agent, waiter.by.agent.owner, rating.rating, rating.deviation, waiter.joined_ms
        )
