"""Numbers as people see them: one way for the API and all pages, so that no two views differ."""

import math
from typing import Final

DASH: Final = "\N{EN DASH}"
"""What stands where there is no number."""


def shown(value: float | None) -> int | None:
    """A rating or deviation as it is shown: whole, half to even; None where there is none.

    >>> shown(1970.996), shown(1499.5), shown(1500.5)
    (1971, 1500, 1500)
    """
    return None if value is None or not math.isfinite(value) else round(value)


def digits(number: int, sign: str = "") -> str:
    """A number that is shown, as text; in powers of ten where doubles have no whole numbers of their own any more.

    >>> digits(-1971), digits(12, "+"), digits(round(-1e300)), digits(round(1e300), "+")
    ('-1971', '+12', '-1e+300', '+1e+300')
    """
    return f"{number:{sign}d}" if abs(number) <= 2**53 else f"{number:{sign}.6g}"


def shown_change(before: float, after: float) -> int:
    """A change as it is shown: the difference of what is shown, so that sums that people do come out.

    >>> shown_change(1970.4, 1970.996), shown_change(1499.5, 1500.4)
    (1, 0)
    """
    return round(after) - round(before)


def signed(change: int) -> str:
    """
    >>> signed(1), signed(0), signed(-3)
    ('+1', '+0', '-3')
    """
    return digits(change, "+")


def band(rating: float, deviation: float, interval: float = 2.0) -> tuple[int, int]:
    """The rating and so many deviations to either side, as they are shown; with 2 write "95 % (+-2 RD)" beside it.

    >>> band(1850, 50)
    (1750, 1950)
    """
    return round(rating - interval * deviation), round(rating + interval * deviation)


def percent(part: float, whole: float) -> str:
    """A share as text, in whole percents; a dash where there is nothing to share.

    >>> percent(1, 3), percent(0, 0) == DASH
    ('33 %', True)
    """
    return f"{round(100 * part / whole)} %" if whole else DASH


def interval_words(interval: float) -> str:
    """What an interval of so many deviations to either side is called: the share of a normal distribution, and how far.

    >>> interval_words(2.0), interval_words(1.0), interval_words(3.0)
    ('95 % (±2 RD)', '68 % (±1 RD)', '99.7 % (±3 RD)')
    """
    share = 100 * math.erf(interval / math.sqrt(2))
    return f"{share:.0f} % (±{interval:g} RD)" if share < 99.5 else f"{share:.1f} % (±{interval:g} RD)"
