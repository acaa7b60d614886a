"""Votes at rest: the six conversions between what is shown and the integers that a database, an API or a ledger keeps.

Spec votes.md: hundredths of a point, millionths of volatility; one rounding in doubles, ties to even, or upwards for a
site whose JavaScript rounds with `Math.round`.
"""

import math
import operator
from typing import Final, NamedTuple, SupportsIndex

from tallymark.errors import InputError
from tallymark.numeric import half_even, half_up


class Metric(NamedTuple):
    """A stored quantity: its range as shown, and stored units to one shown."""

    name: str
    low: float
    high: float
    multiplier: float


RATING: Final = Metric("rating", 0.0, 3000.0, 100.0)
DEVIATION: Final = Metric("deviation", 1.0, 350.0, 100.0)
VOLATILITY: Final = Metric("volatility", 0.000001, 1.0, 1000000.0)


def rating_to_storage(rating: float, *, rounding: str = "half-even") -> int:
    """Points as hundredths. `InputError` outside 0 to 3000, or for another rounding than half-even or half-up.

    >>> rating_to_storage(1500.005), rating_to_storage(1500.005, rounding="half-up")
    (150000, 150001)
    """
    return _to_storage(RATING, rating, rounding)


def rating_to_display(stored: int) -> float:
    """Hundredths as points. `InputError` outside 0 to 300000, and for what is no whole number.

    >>> rating_to_display(146405)
    1464.05
    """
    return _to_display(RATING, stored)


def rd_to_storage(deviation: float, *, rounding: str = "half-even") -> int:
    """Points of deviation as hundredths. `InputError` outside 1 to 350, or for an unknown rounding.

    >>> rd_to_storage(151.516524124)
    15152
    """
    return _to_storage(DEVIATION, deviation, rounding)


def rd_to_display(stored: int) -> float:
    """Hundredths as points of deviation. `InputError` outside 100 to 35000, and for what is no whole number.

    >>> rd_to_display(15152)
    151.52
    """
    return _to_display(DEVIATION, stored)


def volatility_to_storage(volatility: float, *, rounding: str = "half-even") -> int:
    """Volatility as millionths. `InputError` outside 0.000001 to 1, or for an unknown rounding.

    >>> volatility_to_storage(0.0599959844007)
    59996
    """
    return _to_storage(VOLATILITY, volatility, rounding)


def volatility_to_display(stored: int) -> float:
    """Millionths as volatility. `InputError` outside 1 to 1000000, and for what is no whole number.

    >>> volatility_to_display(59996)
    0.059996
    """
    return _to_display(VOLATILITY, stored)


def _to_storage(metric: Metric, value: float, rounding: str) -> int:
    if rounding not in ("half-even", "half-up"):
        raise InputError(f"rounding is {rounding!r}; expected half-even or half-up")
    number = math.nan if isinstance(value, bool) or not isinstance(value, int | float) else value
    if not metric.low <= number <= metric.high:
        raise InputError(f"{metric.name} is {value!r}; expected a number from {metric.low} to {metric.high}")
    scaled = float(number) * metric.multiplier
    return int(half_even(scaled) if rounding == "half-even" else half_up(scaled))


def _to_display(metric: Metric, stored: SupportsIndex) -> float:
    low, high = round(metric.low * metric.multiplier), round(metric.high * metric.multiplier)
    try:
        whole = -1 if isinstance(stored, bool) else operator.index(stored)
    except TypeError:
        whole = -1  # below every range
    if not low <= whole <= high:
        raise InputError(f"stored {metric.name} is {stored!r}; expected a whole number from {low} to {high}")
    return whole / metric.multiplier
