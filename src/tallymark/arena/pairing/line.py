"""A queue in its order, and the house agents that may help it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Final

from tallymark.arena.pairing.ladder import Ladder
from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.pairing.waiting import House, Waiting, centi
from tallymark.errors import InputError


class Line:
    """A queue: `people` by how long they have waited, then by id; a rank is a place there. Their ratings and deviations
    in hundredths of a point, and the ladder of them. `InputError` where an agent waits twice."""

    def __init__(self, queue: Iterable[Waiting]) -> None:
        people = sorted(queue, key=attrgetter("agent"))
        for one, other in zip(people, islice(people, 1, None), strict=False):
            if one.agent == other.agent:
                raise InputError(
                    f"agent {one.agent!r} waits twice, by the tickets {one.ticket} and {other.ticket}; expected once"
                )
        people.sort(key=attrgetter("joined_ms"))
        self.people: Final = people
        self.centi: Final = [
            round(100.0 * one.rating) for one in people
        ]  # as `centi`, without a hundred thousand calls
        self.deviations: Final = [round(100.0 * one.deviation) for one in people]
        self.ladder: Final = Ladder(self.centi, [one.owner for one in people])
        self.widest: Final = max(self.deviations, default=0)

    def admissible(self, rank: int, now_ms: int, rules: PairingRules, most: int) -> list[int]:
        """At most so many ranks that may sit with `rank`, who was taken out of the ladder last, the nearest first.

        Those left in the ladder all came later. All owners differ.
        """
        people, deviations = self.people, self.deviations
        waited = people[rank].waited(now_ms)
        alone = rules.by_waiting_alone
        reach = rules.reach(waited, 0 if alone else deviations[rank] + self.widest)
        owners = {people[rank].owner}
        found: list[int] = []
        for other, gap in self.ladder.nearest(rank, owners):
            if gap > reach:
                break
            if not alone:
                counts = waited if rules.whose == "longer" else people[other].waited(now_ms)
                if gap > rules.reach(counts, deviations[rank] + deviations[other]):
                    continue
            found.append(other)
            if len(found) == most:
                break
            owners.add(people[other].owner)
        return found


class Helpers:
    """The house agents of a game. `InputError` where one is there twice."""

    def __init__(self, house: Iterable[House]) -> None:
        self._house: Final = sorted(house, key=attrgetter("agent"))
        self._agents: Final = {one.agent for one in self._house}
        if len(self._agents) < len(self._house):
            names = [one.agent for one in self._house]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"house agent {twice!r} is there twice; expected once")
        self._ladder: Final = Ladder([centi(one.rating) for one in self._house], ["" for _ in self._house])

    def check(self, line: Line) -> None:
        """`InputError` where a house agent waits in the queue: it could meet itself, and others of the house."""
        for one in line.people if self._agents else ():
            if one.agent in self._agents:
                raise InputError(f"house agent {one.agent!r} waits by ticket {one.ticket}; house agents do not queue")

    def size(self, people: int, seats: Sequence[int]) -> tuple[int, int] | None:
        """How many of these people sit at how many seats, the rest filled with house agents; None where it cannot be.

        As many people as can be, then as few seats as can be.
        """
        return next(self._sizes(people, seats), None)

    def _sizes(self, people: int, seats: Sequence[int]) -> Iterator[tuple[int, int]]:
        for some in range(people, 0, -1):
            for count in seats:
                if some <= count <= some + len(self._house):
                    yield some, count

    def nearest(self, to_centi: int, count: int) -> tuple[House, ...]:
        """So many house agents, the nearest to a rating first; ties: the lowest id."""
        return tuple(self._house[rank] for rank, _ in islice(self._ladder.around(to_centi), count))
