"""How long every action took, as a drawing: places in percent of its width and pixels of its height, so that words
and marks are as large on a narrow page as on a wide one."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from tallymark.service.pages.words import duration

HEIGHT: Final = 160
EDGE: Final = 8
"""Pixels left free above and below."""
_APART: Final = 18
"""Pixels from the deadline's line to the next: what they are called has to stand beside them."""


class Failure(NamedTuple):
    """How a seat failed, and how long it had been waited for by then (None: it was not asked)."""

    reason: str
    waited: int | None


class Move(NamedTuple):
    """An action as it is listed. `n`: of the position behind it, from 1; `default`: taken in the place of a seat that
    `failed` so. `action` is None where the failure was the end of the match, and there is no position."""

    n: int
    seat: int
    action: str | None
    default: bool
    latency: int | None
    failed: Failure | None


class Dot(NamedTuple):
    """An action, or what there was in the place of one: where it stands, whose it is, and how that seat `failed`."""

    n: int
    x: float
    y: float
    seat: int
    failed: str | None


class Late(NamedTuple):
    """A deadline that passed: where it stands, and whose it was."""

    n: int
    x: float
    seat: int
    waited: int


class Line(NamedTuple):
    """A line of the grid."""

    y: float
    words: str


class Chart(NamedTuple):
    """Time goes up, by powers of ten, to the deadline at the top."""

    dots: list[Dot]
    late: list[Late]
    lines: list[Line]
    limit: str


def chart_of(moves: Sequence[Move], limit_ms: int) -> Chart | None:
    """Of the actions of a match; None where no seat was waited for."""
    wide = 100 / max(1, len(moves) - 1)
    dots, late = [], []
    for one in moves:
        x, ms = round((one.n - 1) * wide, 2), one.latency
        if one.failed is not None and one.failed.waited is not None:
            if one.failed.reason == "timeout":
                late.append(Late(one.n, x, one.seat, one.failed.waited))
            else:
                ms = one.failed.waited
        if ms is not None:
            failed = None if one.failed is None else one.failed.reason
            dots.append(Dot(one.n, x, _at(min(ms, limit_ms), limit_ms), one.seat, failed))
    lines = [Line(_at(ms, limit_ms), duration(ms)) for ms in (10**power for power in range(6)) if ms < limit_ms]
    apart = [one for one in lines if one.y - EDGE >= _APART]
    return Chart(dots, late, apart, duration(limit_ms)) if dots or late else None


def _at(ms: int, limit_ms: int) -> float:
    """From the bottom, for a millisecond and less, to the top, for the deadline."""
    share = math.log10(max(1, ms)) / math.log10(limit_ms)
    return round(HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE), 1)
