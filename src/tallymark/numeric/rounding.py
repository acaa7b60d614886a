"""Rounding to a whole number in doubles: the one rounding of numbers kept as scaled integers."""

from typing import Final

from tallymark.numeric.formula import formula

_TWO_52: Final = 4503599627370496.0


@formula(inline=True)
def half_even(x: float) -> float:
    """The nearest whole number, ties to even; x itself from 2**52 on, where every double is whole.

    >>> half_even(150000.5), half_even(150001.5), half_even(-2.5)
    (150000.0, 150002.0, -2.0)
    """
    size = abs(x)
    whole = (size + _TWO_52) - _TWO_52 if size < _TWO_52 else size
    return whole if x >= 0.0 else -whole


@formula(inline=True)
def half_up(x: float) -> float:
    """The nearest whole number, ties upwards: what JavaScript's `Math.round` gives.

    >>> half_up(150000.5), half_up(-2.5), half_up(0.49999999999999994)
    (150001.0, -2.0, 0.0)
    """
    near = half_even(x)
    return near + 1.0 if x - near == 0.5 else near
