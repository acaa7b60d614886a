"""A queue in its order, and the house agents that may help it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.arena.pairing.ladder import Ladder
from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.pairing.waiting import House, Waiting, hundredths
from tallymark.errors import InputError


class Line:
    """A queue: `people` by how long they have waited, then by id; a rank is a place there. Their ratings and deviations
    in hundredths of a point, and the ladder of them. `InputError` where an agent waits twice."""

    def __init__(self, queue: Iterable[Waiting]) -> None:
        given = list(queue)
        agents = [one.agent for one in given]
        self.agents: Final = frozenset(agents)
        if len(self.agents) < len(agents):
            raise _twice(given)
        joined = np.array([one.joined_ms for one in given], np.int64)
        order = _order(joined, agents)
        numbers: dict[str, int] = {}
        owners = np.array([numbers.setdefault(one.owner, len(numbers)) for one in given], np.int32)[order]
        centi = hundredths([one.rating for one in given])[order]
        deviations = hundredths([one.deviation for one in given])[order]
        self.people: Final = [given[at] for at in order.tolist()]
        self.joined: Final[list[int]] = joined[order].tolist()
        self.owners: Final[list[int]] = owners.tolist()
        self.centi: Final[list[float]] = centi.tolist()
        self.deviations: Final = list(map(int, deviations.tolist()))
        self.ladder: Final = Ladder(centi, owners)
        self.widest: Final = max(self.deviations, default=0)

    def waited(self, rank: int, now_ms: int) -> int:
        """Milliseconds since one came; 0 for who comes later."""
        return max(0, now_ms - self.joined[rank])

    def admissible(self, rank: int, now_ms: int, rules: PairingRules, most: int) -> list[int]:
        """At most so many ranks that may sit with `rank`, who was taken out of the ladder last, the nearest first.

        Those left in the ladder all came later. All owners differ.
        """
        deviations = self.deviations
        waited = self.waited(rank, now_ms)
        alone = rules.by_waiting_alone
        reach = rules.reach(waited, 0 if alone else deviations[rank] + self.widest)
        owners = {self.owners[rank]}
        found: list[int] = []
        for other, gap in self.ladder.nearest(rank, owners):
            if gap > reach:
                break
            if not alone:
                counts = waited if rules.whose == "longer" else self.waited(other, now_ms)
                if gap > rules.reach(counts, deviations[rank] + deviations[other]):
                    continue
            found.append(other)
            if len(found) == most:
                break
            owners.add(self.owners[other])
        return found


class Helpers:
    """The house agents of a game. `InputError` where one is there twice."""

    def __init__(self, house: Iterable[House]) -> None:
        self.agents: Final = sorted(house, key=attrgetter("agent"))
        """By id."""
        self._names: Final = {one.agent for one in self.agents}
        if len(self._names) < len(self.agents):
            names = [one.agent for one in self.agents]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"house agent {twice!r} is there twice; expected once")
        self._ladder: Final = Ladder(
            hundredths([one.rating for one in self.agents]), np.zeros(len(self.agents), np.int32)
        )

    def check(self, line: Line) -> None:
        """`InputError` where a house agent waits in the queue: it could meet itself, and others of the house."""
        if self._names.isdisjoint(line.agents):
            return
        for one in line.people:
            if one.agent in self._names:
                raise InputError(f"house agent {one.agent!r} waits by ticket {one.ticket}; house agents do not queue")

    def size(self, people: int, seats: Sequence[int]) -> tuple[int, int] | None:
        """How many of these people sit at how many seats, the rest filled with house agents; None where it cannot be.

        As many people as can be, then as few seats as can be.
        """
        return next(self._sizes(people, seats), None)

    def _sizes(self, people: int, seats: Sequence[int]) -> Iterator[tuple[int, int]]:
        for some in range(people, 0, -1):
            for count in seats:
                if some <= count <= some + len(self.agents):
                    yield some, count

    def nearest(self, to_centi: float, count: int) -> tuple[House, ...]:
        """So many house agents, the nearest to a rating first; ties: the lowest id."""
        return tuple(self.agents[rank] for rank, _ in islice(self._ladder.around(to_centi), count))


def _order(joined: NDArray[np.int64], agents: Sequence[str]) -> NDArray[np.int64]:
    """Who came first, first; who came at one time, by id."""
    order = np.argsort(joined, kind="stable")
    again = joined[order[1:]] == joined[order[:-1]]
    tied = np.flatnonzero(np.append(again, False) | np.append(False, again))
    named = np.array(sorted(order[tied].tolist(), key=agents.__getitem__), np.int64)
    order[tied] = named[np.argsort(joined[named], kind="stable")]
    return order


def _twice(queue: Iterable[Waiting]) -> InputError:
    tickets: dict[str, int] = {}
    for one in queue:
        if one.agent in tickets:
            break
        tickets[one.agent] = one.ticket
    return InputError(
        f"agent {one.agent!r} waits twice, by the tickets {tickets[one.agent]} and {one.ticket}; expected once"
    )
