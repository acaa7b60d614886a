"""Everybody by rating, so that the nearest of another owner is found, and somebody taken out, in almost no time."""

import math
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from typing import Final


class Ladder:
    """Agents on a line by rating. An agent is called by its rank, which decides where ratings tie: the lower first.

    The line is a doubly linked list over the sorted ratings, so that taking somebody out costs the same anywhere.
    Neighbours of one owner make a run; runs that come to touch are united (by union and find), so that passing over a
    thousand agents of one owner is one step.

    >>> ladder = Ladder([150000, 151000, 149000, 150500], ["x", "x", "y", "z"])
    >>> ladder.remove(0)
    >>> [rank for rank, gap in ladder.nearest(0, {"x"})]
    [3, 2]
    """

    def __init__(self, centi: Sequence[int], owners: Sequence[str]) -> None:
        """`centi`: ratings in hundredths of a point by rank; `owners`: by rank."""
        n = len(centi)
        order = sorted(range(n), key=centi.__getitem__)
        self._slots: Final = [0] * n
        for slot, rank in enumerate(order, 1):
            self._slots[rank] = slot
        self._ranks: Final = [-1, *order, -1]
        # Beyond both ends stands one at an infinite distance, of no owner.
        self._centi: Final[list[float]] = [-math.inf, *map(centi.__getitem__, order), math.inf]
        self._owners: Final[list[str | None]] = [None, *map(owners.__getitem__, order), None]
        self._next: Final = list(range(1, n + 3))
        self._previous: Final = list(range(-1, n + 1))
        self._steps: Final = [0] * (n + 2)
        """The number of each one's step: equal ratings share one."""
        self._heads: Final = [0]
        """The first one of each step that is still there."""
        self._parents: Final = list(range(n + 2))
        self._lows: Final = list(range(n + 2))
        self._highs: Final = list(range(n + 2))
        for slot in range(1, n + 2):
            if self._centi[slot] != self._centi[slot - 1]:
                self._heads.append(slot)
            self._steps[slot] = len(self._heads) - 1
            self._unite(slot - 1, slot)

    def remove(self, rank: int) -> None:
        """Takes one out who is there."""
        slot = self._slots[rank]
        before, after = self._previous[slot], self._next[slot]
        self._next[before], self._previous[after] = after, before
        step = self._steps[slot]
        if self._heads[step] == slot:
            self._heads[step] = after  # of the next step where this one is empty: then nobody asks any more
        root = self._root(slot)
        low, high = self._lows[root], self._highs[root]
        if low == high:
            self._unite(before, after)
        elif low == slot:
            self._lows[root] = after
        elif high == slot:
            self._highs[root] = before

    def nearest(self, removed: int, owners: Collection[str]) -> Iterator[tuple[int, float]]:
        """Ranks and gaps (hundredths of a point), the nearest first, of all who are left but those of these owners.

        `removed`: around whom, the one who was taken out last. `owners` may grow while one asks for more.
        """
        slot = self._slots[removed]
        return self._walk(self._next[slot], self._previous[slot], self._centi[slot], owners)

    def around(self, centi: int) -> Iterator[tuple[int, float]]:
        """Ranks and gaps of all who are left, the nearest to that rating first. For ladders nobody is taken out of."""
        slot = bisect_left(self._centi, centi)
        return self._walk(slot, slot - 1, centi, ())

    def _walk(self, right: int, end: int, here: float, owners: Collection[str]) -> Iterator[tuple[int, float]]:
        """`right`: the first one above; `end`: the last one below, whose step is gone through from its head."""
        following, owner, centi, ranks = self._next, self._owners, self._centi, self._ranks
        left = 0
        while True:
            while owner[right] in owners:
                right = following[self._highs[self._root(right)]]
            left, end = self._below(left, end, owners)
            up, down = centi[right] - here, here - centi[left]
            if up < down or (up == down and ranks[right] < ranks[left]):
                yield ranks[right], up
                right = following[right]
            elif left:
                yield ranks[left], down
                left = following[left]
            else:
                return

    def _below(self, left: int, end: int, owners: Collection[str]) -> tuple[int, int]:
        """The first one from `left` on (0: from the head of the step that `end` is the last of), else of a step below;
        (0, 0) where there is none."""
        owner = self._owners
        while end:
            if not left:
                while owner[end] in owners:
                    end = self._previous[self._lows[self._root(end)]]
                if not end:
                    break
                left = self._heads[self._steps[end]]
            while owner[left] in owners:
                left = self._next[self._highs[self._root(left)]]
            if left <= end:
                return left, end
            end, left = self._previous[self._heads[self._steps[end]]], 0
        return 0, 0

    def _root(self, slot: int) -> int:
        parents = self._parents
        while (parent := parents[slot]) != slot:
            parents[slot] = slot = parents[parent]
        return slot

    def _unite(self, before: int, after: int) -> None:
        """Makes one run of the runs of two neighbours where both are of one owner."""
        owner = self._owners[before]
        if owner is not None and owner == self._owners[after]:
            low, high = self._root(before), self._root(after)
            self._parents[high] = low
            self._highs[low] = self._highs[high]
