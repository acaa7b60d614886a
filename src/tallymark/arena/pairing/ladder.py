"""Everybody by rating, so that the nearest of another owner is found, and somebody taken out, in almost no time."""

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

_NOBODY: Final = -1


class Ladder:
    """Agents on a line by rating. An agent is called by its rank, which decides where ratings tie: the lower first.

    The line is a doubly linked list over the sorted ratings, so that taking somebody out costs the same anywhere.
    Neighbours of one owner make a run; runs that come to touch are united (by union and find), so that passing over a
    thousand agents of one owner is one step.

    >>> ladder = Ladder(np.array([150000.0, 151000.0, 149000.0, 150500.0]), np.array([0, 0, 1, 2]))
    >>> ladder.remove(0)
    >>> [rank for rank, gap in ladder.nearest(0, {0})]
    [3, 2]
    """

    def __init__(self, centi: NDArray[np.float64], owners: NDArray[np.int32]) -> None:
        """`centi`: ratings in whole hundredths of a point; `owners`: numbers from 0 up, one an owner; both by rank.

        Gaps are exact up to 2^53 hundredths, and rounded beyond.
        """
        n = len(centi)
        order = np.argsort(centi, kind="stable")
        slots = np.empty(n, np.int32)
        slots[order] = np.arange(1, n + 1)
        # Beyond both ends stands one at an infinite distance, of no owner. Arrays and not lists of numbers, which take
        # ten times the memory: the agents are gone through in no order of their ratings, and a cache is small.
        line = np.concatenate(([-np.inf], centi[order], [np.inf]))
        new_step = np.append(False, line[1:] != line[:-1])
        self._slots: Final = _whole(slots)
        self._ranks: Final = _whole(np.concatenate(([-1], order, [-1])))
        self._centi: Final = array("d", line.tobytes())
        owner = np.concatenate(([_NOBODY], owners[order], [_NOBODY]))
        self._owners: Final = _whole(owner)
        self._next: Final = array("i", range(1, n + 3))
        self._previous: Final = array("i", range(-1, n + 1))
        self._steps: Final = _whole(np.cumsum(new_step))
        """The number of each one's step: equal ratings share one."""
        self._heads: Final = _whole(np.concatenate(([0], np.flatnonzero(new_step))))
        """The first one of each step that is still there."""
        self._parents: Final = array("i", range(n + 2))
        self._lows: Final = array("i", range(n + 2))
        self._highs: Final = array("i", range(n + 2))
        for slot in (np.flatnonzero(owner[1:-2] == owner[2:-1]) + 1).tolist():
            self._unite(slot, slot + 1)

    def remove(self, rank: int) -> None:
        """Takes one out who is there."""
        slot = self._slots[rank]
        before, after = self._previous[slot], self._next[slot]
        self._next[before], self._previous[after] = after, before
        step = self._steps[slot]
        if self._heads[step] == slot:
            self._heads[step] = after  # of the next step where this one is empty: then nobody asks any more
        owner, lower, higher = self._owners[slot], self._owners[before], self._owners[after]
        if owner not in (lower, higher):  # a run of its own
            if lower == higher != _NOBODY:
                self._unite(before, after)
        elif owner != lower:
            self._lows[self._root(slot)] = after
        elif owner != higher:
            self._highs[self._root(slot)] = before

    def nearest(self, removed: int, owners: Collection[int]) -> Iterator[tuple[int, float]]:
        """Ranks and gaps (hundredths of a point), the nearest first, of all who are left but those of these owners.

        `removed`: around whom, the one who was taken out last. `owners` may grow while one asks for more.
        """
        slot = self._slots[removed]
        return self._walk(self._next[slot], self._previous[slot], self._centi[slot], owners)

    def around(self, centi: float) -> Iterator[tuple[int, float]]:
        """Ranks and gaps of all who are left, the nearest to that rating first. For ladders nobody is taken out of."""
        slot = bisect_left(self._centi, centi)
        return self._walk(slot, slot - 1, centi, ())

    def _walk(self, right: int, end: int, here: float, owners: Collection[int]) -> Iterator[tuple[int, float]]:
        """`right`: the first one above; `end`: the last one below, whose step is gone through from its head."""
        following, owner, centi, ranks = self._next, self._owners, self._centi, self._ranks
        left = 0
        while True:
            while owner[right] in owners:
                right = following[self._highs[self._root(right)]]
            left, end = self._below(left, end, owners)
            up, down = centi[right] - here, here - centi[left]
            if up == down:
                if not left:
                    return
                # Rounded gaps may tie where the gaps do not.
                further = int(centi[right]) + int(centi[left]) - 2 * int(here)
                above = further < 0 or (further == 0 and ranks[right] < ranks[left])
            else:
                above = up < down
            if above:
                yield ranks[right], up
                right = following[right]
            else:
                yield ranks[left], down
                left = following[left]

    def _below(self, left: int, end: int, owners: Collection[int]) -> tuple[int, int]:
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
        """Makes one run of the runs of two neighbours."""
        low, high = self._root(before), self._root(after)
        self._parents[high] = low
        self._highs[low] = self._highs[high]


def _whole(numbers: NDArray[np.signedinteger]) -> "array[int]":
    return array("i", numbers.astype(np.intc).tobytes())
