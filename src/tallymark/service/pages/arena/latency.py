"""How long every action took, as a drawing: places in percent of its width and height, for SVG without styles."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from tallymark.service.pages.words import duration

WIDTH: Final = 720
HEIGHT: Final = 160
_EDGE: Final = 8
"""Units left free at each side."""
_LEFT: Final = 96
"""Units left free for what lines are called."""


class Move(NamedTuple):
    """An action as it is listed. `n`: of the position behind it, from 1; `default`: taken in the place of a seat that
    `failed` so."""

    n: int
    seat: int
    action: str
    default: bool
    latency: int | None
    failed: str | None


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


def chart_of(moves: Sequence[Move], limit_ms: int) -> Chart | None:
    """Of the actions of a match; None where no seat acted by itself."""
    wide = (WIDTH - _LEFT - _EDGE) / max(1, len(moves) - 1)
    dots = [
        Dot(one.n, round(_LEFT + (one.n - 1) * wide, 1), _at(one.latency, limit_ms), one.seat, one.latency)
        for one in moves
        if one.latency is not None
    ]
    powers = [10**power for power in range(6) if 10**power < limit_ms]
    lines = [Line(_at(ms, limit_ms), duration(ms)) for ms in powers]
    return Chart(dots, lines, duration(limit_ms)) if dots else None


def _at(ms: int, limit_ms: int) -> float:
    """From the bottom, for a millisecond and less, to the top, for the deadline."""
    share = math.log10(max(1, ms)) / math.log10(limit_ms)
    return round(HEIGHT - _EDGE - share * (HEIGHT - 2 * _EDGE), 1)
