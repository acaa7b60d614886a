"""Whether everybody can have a partner, where some pairs are not allowed: perfect matchings of a general graph."""

from collections import deque
from collections.abc import Callable
from typing import Final

_FREE: Final = -1


class Partners:
    """Partners for the numbers from 0 to n - 1, by Edmonds' algorithm: as many as there can be.

    `allowed(a, b)` is asked for a != b, and is the same both ways. O(n^3) at worst, near O(n^2) where most pairs are
    allowed. Source: Edmonds, *Paths, trees, and flowers*, 1965.

    >>> square = Partners(4, lambda a, b: (a + b) % 2 == 1)
    >>> square.complete, square.fix(0, 3), square.fix(1, 2)
    (True, True, True)
    """

    def __init__(self, n: int, allowed: Callable[[int, int], bool]) -> None:
        self._near: Final = [[b for b in range(n) if b != a and allowed(a, b)] for a in range(n)]
        self._mates = [_FREE] * n
        self._fixed = [False] * n
        for one in range(n):
            if self._mates[one] == _FREE:
                self._augment(one)

    @property
    def complete(self) -> bool:
        """Whether everybody has a partner."""
        return _FREE not in self._mates

    def fix(self, one: int, other: int) -> bool:
        """Makes two partners for good where everybody else can still have one; False, and nothing changed, where not.

        For a complete matching, and two who are not fixed yet.
        """
        if other not in self._near[one]:
            return False
        before = list(self._mates)
        left, right = self._mates[one], self._mates[other]
        self._mates[one], self._mates[other] = other, one
        self._fixed[one] = self._fixed[other] = True
        if left != other:
            self._mates[left] = self._mates[right] = _FREE
            self._augment(left)
            if self._mates[left] == _FREE:
                self._mates = before
                self._fixed[one] = self._fixed[other] = False
                return False
        return True

    def _augment(self, root: int) -> None:
        """Finds `root` a partner, by changing those of others, where there is a way."""
        n, mates = len(self._mates), self._mates
        parents, bases = [_FREE] * n, list(range(n))
        outer = [False] * n
        outer[root] = True
        queue = deque([root])

        def common(a: int, b: int) -> int:
            """The base where the ways of both from the root part."""
            seen = set()
            while True:
                a = bases[a]
                seen.add(a)
                if mates[a] == _FREE:
                    break
                a = parents[mates[a]]
            while bases[b] not in seen:
                b = parents[mates[bases[b]]]
            return bases[b]

        def mark(a: int, base: int, child: int, blossom: set[int]) -> None:
            while bases[a] != base:
                blossom.update((bases[a], bases[mates[a]]))
                parents[a] = child
                child = mates[a]
                a = parents[child]

        while queue:
            one = queue.popleft()
            for other in self._near[one]:
                if self._fixed[other] or bases[one] == bases[other] or mates[one] == other:
                    continue
                if other == root or (mates[other] != _FREE and parents[mates[other]] != _FREE):
                    base, blossom = common(one, other), set[int]()
                    mark(one, base, other, blossom)
                    mark(other, base, one, blossom)
                    for inner in range(n):
                        if bases[inner] in blossom:
                            bases[inner] = base
                            if not outer[inner]:
                                outer[inner] = True
                                queue.append(inner)
                elif parents[other] == _FREE:
                    parents[other] = one
                    if mates[other] == _FREE:
                        self._turn(other, parents)
                        return
                    outer[mates[other]] = True
                    queue.append(mates[other])

    def _turn(self, end: int, parents: list[int]) -> None:
        """Turns the way that ends at `end`: who was free at either end has a partner."""
        while end != _FREE:
            before = parents[end]
            following = self._mates[before]
            self._mates[end], self._mates[before] = before, end
            end = following
