"""Points for a win, a draw and a loss, counted in whole units, so that no rounding makes or breaks a tie."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from tallymark.checked import shortened
from tallymark.errors import InputError

_MOST = 1000
_FINEST = 1000
"""The largest value, and how many units of it a point may have: a column of counts stays far inside 64 bits."""
_HINT = "for example 1-0.5-0 or 3-1-0"


class Points(NamedTuple):
    """What a game is worth, in units of which so many are a point."""

    win: int
    draw: int
    loss: int
    unit: int

    @classmethod
    def of(cls, given: str | Sequence[float | str | Fraction]) -> "Points":
        """Points as `3-1-0`, `1-1/2-0` or three numbers; `InputError` for what they cannot be.

        >>> Points.of("1-1/2-0"), Points.of((3, 1, 0))
        (Points(win=2, draw=1, loss=0, unit=2), Points(win=3, draw=1, loss=0, unit=1))
        """
        parts = given.replace("\u00bd", "1/2").split("-") if isinstance(given, str) else given
        try:
            values = [_value(part) for part in parts]
        except (ValueError, TypeError, ZeroDivisionError, OverflowError):
            values = []
        if len(values) != 3:
            raise InputError(f"points are {shortened(given)}; expected those of a win, a draw and a loss", hint=_HINT)
        win, draw, loss = values
        if not _MOST >= win >= draw >= loss >= 0:
            raise InputError(
                f"points are {shortened(given)}; a win is worth at least a draw, a draw a loss, and all of them "
                f"from 0 to {_MOST}",
                hint=_HINT,
            )
        unit = math.lcm(*(value.denominator for value in values))
        if unit > _FINEST:
            raise InputError(f"points are {shortened(given)}; they have at most three decimals", hint=_HINT)
        return cls(int(win * unit), int(draw * unit), int(loss * unit), unit)


def _value(part: float | str | Fraction) -> Fraction:
    """The number as it is written: 0.1 is a tenth, not the double next to it."""
    return Fraction(part.strip() if isinstance(part, str) else part if isinstance(part, Fraction) else str(part))
