"""Where numbers stand on a line that all rows of a page share: percents of its width, for drawings without styles."""

from collections.abc import Sequence
from typing import Final, NamedTuple

_STEPS: Final = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_MOST: Final = 5
"""Lines of the grid, at most."""


class Scale(NamedTuple):
    """From `low` to `high`; `lines` are round numbers between."""

    low: int
    high: int
    lines: tuple[int, ...]

    def at(self, value: float) -> float:
        """Where a number stands, from 0 to 100.

        >>> Scale(1000, 2000, ()).at(1250)
        25.0
        """
        return round(100 * (value - self.low) / (self.high - self.low), 2)


def scale_of(spans: Sequence[tuple[int, int]]) -> Scale:
    """A scale that has all of these spans.

    >>> scale_of([(1240, 1500), (1400, 1770)])
    Scale(low=1200, high=1800, lines=(1200, 1400, 1600, 1800))
    """
    low, high = min((one[0] for one in spans), default=1000), max((one[1] for one in spans), default=2000)
    step = next((one for one in _STEPS if (high - low) / one < _MOST - 1), (high - low) // (_MOST - 1) + 1)
    first, last = low // step * step, -(-high // step) * step
    if first == last:
        last += step
    return Scale(first, last, tuple(range(first, last + 1, step)))
