"""Numbers that a caller hands over: finite and in range, or an `InputError` that says what was given."""

import math
from collections.abc import Callable
from decimal import Decimal
from numbers import Real

from tallymark.errors import InputError


def as_float(value: object) -> float:
    """The value as a float; NaN where it is none (text and booleans are none), infinite where it is too large.

    >>> as_float(3), as_float("3"), as_float(10**400)
    (3.0, nan, inf)
    """
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return math.nan


def checked(name: str, value: object, expected: str, low: float = -math.inf, high: float = math.inf) -> float:
    """A finite float from `low` to `high`, or `InputError` naming what was `expected`.

    >>> checked("score", 1, "a number from 0 to 1", 0.0, 1.0)
    1.0
    """
    number = as_float(value)
    if not (math.isfinite(number) and low <= number <= high):
        raise InputError(f"{name} is {shortened(value)}; expected {expected}")
    return number


def shortened(value: object, spelt: Callable[[object], str] = repr) -> str:
    """`repr`, or `spelt`, cut in the middle where it is long; the digits of a huge integer are not asked for.

    >>> shortened(10**400)
    'a whole number of more than 400 digits'
    """
    if isinstance(value, int) and abs(value) >= 10**400:
        return "a whole number of more than 400 digits"
    text = spelt(value)
    return text if len(text) <= 80 else text[:40] + "..." + text[-20:]
