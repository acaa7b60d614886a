"""One queue in memory: an entry for each agent, which ends in one table or one cancellation."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace

from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.pairing.tick import tick
from tallymark.arena.pairing.waiting import House, Table, Waiting


class Queue:
    """What the tickets of a game do (the arena's spec, P3), without a store: for simulations, and to state the law.

    >>> queue = Queue(PairingRules())
    >>> ann = Waiting(1, "ann", "a", 1500.0, 80.0, 0)
    >>> queue.join(ann), queue.join(ann), len(queue)
    (True, False, 1)
    """

    def __init__(self, rules: PairingRules) -> None:
        self._rules = rules
        self._waiting: dict[str, Waiting] = {}
        self._met: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """Which house agents each agent has sat down with, and how often."""

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """Who waits, in the order in which they joined the queue."""
        return tuple(self._waiting.values())

    def join(self, one: Waiting) -> bool:
        """Adds an agent; False, and nothing changed, where it waits already."""
        if one.agent in self._waiting:
            return False
        met = self._met[one.agent]
        self._waiting[one.agent] = replace(one, met=tuple(met.items())) if self._rules.house_only else one
        return True

    def leave(self, agent: str) -> bool:
        """Takes an agent out; False, and nothing changed, where it does not wait: it left or was paired before."""
        return self._waiting.pop(agent, None) is not None

    def rate(self, agent: str, rating: float, deviation: float) -> None:
        """An agent has another rating by now; its time goes on. Nothing where it does not wait."""
        one = self._waiting.get(agent)
        if one is not None:
            self._waiting[agent] = replace(one, rating=rating, deviation=deviation)

    def tick(self, house: Iterable[House], now_ms: int) -> tuple[Table, ...]:
        """The tables that there are now. Whoever sits at one waits no more."""
        tables = tick(self._waiting.values(), house, now_ms, self._rules)
        for table in tables:
            for one in table.waiting:
                del self._waiting[one.agent]
                self._met[one.agent].update(house.agent for house in table.house)
        return tables
