"""Who waits for which game, as the hall has it in mind: the database says the same, ticket by ticket."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from tallymark.arena.hall.connection import Connection
from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.pairing.tick import tick
from tallymark.arena.pairing.waiting import House, Table, Waiting
from tallymark.games.ids import Id
from tallymark.systems import Rating

_EACH: Final = 20
"""Agents in a queue for each millisecond between two ticks: a large queue is looked at less often."""
_LONGEST: Final = 1000
"""Milliseconds between two ticks, at most."""
PATIENCE: Final = 50
"""Milliseconds between two ticks of a queue to which nobody has come: time itself widens what is admissible."""


@dataclass
class Waiter:
    """A ticket that waits, and the connection of its agent."""

    ticket: int
    by: Connection
    joined_ms: int


class Queue:
    """The queue of one game. `rating`: where an agent stands now."""

    def __init__(self, rules: PairingRules, rating: Callable[[str], Rating]) -> None:
        self.rules: Final = rules
        self._rating = rating
        self._waiters: dict[str, Waiter] = {}
        self._waiting: dict[str, Waiting] = {}
        self._ticked: int | None = None

    def __len__(self) -> int:
        return len(self._waiters)

    def __iter__(self) -> Iterator[Waiter]:
        return iter(self._waiters.values())

    def get(self, agent: str) -> Waiter | None:
        """The ticket of an agent, if it waits."""
        return self._waiters.get(agent)

    def add(self, waiter: Waiter) -> None:
        """Somebody waits."""
        agent = waiter.by.agent.id
        self._waiters[agent] = waiter
        self._look(agent)

    def remove(self, agent: str, ticket: int) -> None:
        """A ticket waits no more."""
        waiter = self._waiters.get(agent)
        if waiter is not None and waiter.ticket == ticket:
            del self._waiters[agent], self._waiting[agent]

    def moved(self, player: Id) -> None:
        """A player has another rating."""
        if isinstance(player, str) and player in self._waiters:
            self._look(player)

    def due(self) -> int | None:
        """When it is to be looked at next, if nobody comes meanwhile; None while nobody waits."""
        if not self._waiters:
            return None
        return 0 if self._ticked is None else self._ticked + max(self._pause, PATIENCE)

    def tables(self, house: Callable[[], list[House]], now_ms: int) -> tuple[Table, ...]:
        """Who is to play now; nothing where it is not yet time to look again."""
        if not self._waiters or (self._ticked is not None and now_ms - self._ticked < self._pause):
            return ()
        self._ticked = now_ms
        return tick(self._waiting.values(), house(), now_ms, self.rules)

    @property
    def _pause(self) -> int:
        return min(_LONGEST, len(self._waiters) // _EACH)

    def _look(self, agent: str) -> None:
        waiter, rating = self._waiters[agent], self._rating(agent)
        self._waiting[agent] = Waiting(
            waiter.ticket, agent, waiter.by.agent.owner, rating.rating, rating.deviation, waiter.joined_ms
        )
