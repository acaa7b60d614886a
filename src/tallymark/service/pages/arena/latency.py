"""How long every action took, as a drawing: places in percent of its width and height, for SVG without styles."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from tallymark.service.pages.words import duration

WIDTH: Final = 720
HEIGHT: Final = 160
_EDGE: Final = 8
"""Units left free at each side."""


class Dot(NamedTuple):
    """An action: where it stands, whose it is, and what it says."""

    n: int
    x: float
    y: float
    seat: int
    latency: int


class Line(NamedTuple):
    """A line of the grid."""

    y: float
    words: str


class Chart(NamedTuple):
    """Time goes up, by powers of ten, to the deadline at the top."""

    dots: list[Dot]
    lines: list[Line]
    limit: str


def chart_of(taken: Sequence[tuple[int, int]], limit_ms: int) -> Chart:
    """Of seat and latency of each action, in their order."""
    wide = (WIDTH - 2 * _EDGE) / max(1, len(taken) - 1)
    dots = [
        Dot(n + 1, round(_EDGE + n * wide, 1), _at(latency, limit_ms), seat, latency)
        for n, (seat, latency) in enumerate(taken)
    ]
    powers = [10**power for power in range(6) if 10**power < limit_ms]
    return Chart(dots, [Line(_at(ms, limit_ms), duration(ms)) for ms in powers], duration(limit_ms))


def _at(ms: int, limit_ms: int) -> float:
    """From the bottom, for a millisecond and less, to the top, for the deadline."""
    share = math.log10(max(1, ms)) / math.log10(limit_ms)
    return round(HEIGHT - _EDGE - share * (HEIGHT - 2 * _EDGE), 1)
