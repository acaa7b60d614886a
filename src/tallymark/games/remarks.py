"""Remarks on a log as a whole: what its numbers show that no single row does. Each says what is certain, or nothing."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.games.sorting import falls
from tallymark.games.times import NO_TIME, format_instant

_NEARLY_ALL = 0.99
_ENOUGH_TO_TELL = 100
_AT_ONCE = 1 << 16
_ENOUGH_TIMES = 20
_DAY = 86_400_000_000
_LONG = 30 * _DAY
_YEAR = 31_556_952_000_000  # of the calendar on average
_FEW = 0.01
_FAR = 10.0
"""So many deviations (the median one, scaled to that of a normal distribution) from the median are far off."""
_NORMAL = 1.4826


def one_sided(score: NDArray[np.float64]) -> str | None:
    """A word where one side wins nearly every game.

    >>> one_sided(np.array([0.5] * 100))
    """
    if len(score) < _ENOUGH_TO_TELL:
        return None
    for value, side in ((1.0, "player_a"), (0.0, "player_b")):
        if _nearly_all(score, value):
            return (
                f"{side} wins nearly every game: if the winner is written first, the order of the columns gives the "
                "result away and predictions look better than they are"
            )
    return None


def _nearly_all(values: NDArray[np.float64], value: float) -> bool:
    """Whether nearly all values are this one, which is mostly seen to be wrong long before the end."""
    count = len(values)
    for start in range(0, len(values), _AT_ONCE):
        count -= int(np.count_nonzero(values[start : start + _AT_ONCE] != value))
        if count < _NEARLY_ALL * len(values):
            return False
    return True


def newest_first(time: NDArray[np.int64], file: str | None = None) -> str | None:
    """A word where times fall from row to row of a file and some are equal, so that the order of rows decides.

    >>> newest_first(np.array([3, 2, 2, 1]) * 86_400_000_000)[:31]
    'the rows are newest first, and '
    """
    if not falls(time):
        return None
    there = time[time != NO_TIME]
    fell = there[1:] < there[:-1]
    if np.count_nonzero(fell) < 2 or (there[1:] > there[:-1]).any() or fell.all():
        return None
    return (
        f"the rows{f' of {file}' if file else ''} are newest first, and those of one time are taken in the order of "
        "the file; name a column that orders them (order), or turn the file round"
    )


def rising_times(time: NDArray[np.int64], in_order: bool = False) -> NDArray[np.int64]:
    """The times that are there, the earliest first; `in_order` where somebody knows that they are.

    >>> rising_times(np.array([7, NO_TIME, 5])).tolist()
    [5, 7]
    """
    rising = time if in_order or not falls(time) else np.sort(time)
    return rising[np.searchsorted(rising, NO_TIME, side="right") :]  # what is missing sorts first


def one_time(ordered: NDArray[np.int64]) -> str | None:
    """A word where half of the games or more have one time: of day, or a date alone in a log of a month or more.

    The times are those of `rising_times`, as for `far_years`.

    >>> one_time(np.repeat([0, 1, 86_400_000_000 * 40], [30, 5, 5]))
    '30 of 40 games are of 1970-01-01: is that when they were played, or when somebody typed them?'
    """
    if len(ordered) < _ENOUGH_TIMES:
        return None
    middle = int(ordered[len(ordered) // 2])  # what half of them have is in the middle, or just before it
    for instant in dict.fromkeys((middle, int(ordered[(len(ordered) - 1) // 2]))):
        start, end = np.searchsorted(ordered, [instant, instant + 1])
        count = int(end - start)
        if 2 * count >= len(ordered) and (instant % _DAY or ordered[-1] - ordered[0] >= _LONG):
            shown = format_instant(instant).removesuffix("T00:00:00Z")
            return (
                f"{count:,} of {len(ordered):,} games are of {shown}: is that when they were played, or when somebody "
                "typed them?"
            )
    return None


def far_years(there: NDArray[np.int64]) -> str | None:
    """A word where a few of the games, at most one in a hundred, lie ten years off and further than all others span.

    >>> far_years(np.array([0, *(5e15 + np.arange(200) * 8.64e10)], dtype=np.int64))
    '1 game is of 1970-01-01, 158 years before the others: is the year right?'
    """
    if len(there) < _ENOUGH_TO_TELL:
        return None
    few = int(len(there) * _FEW)
    early = int(np.argmax(np.diff(there[: few + 1]))) + 1
    late = len(there) - 1 - int(np.argmax(np.diff(there[-few - 1 :])[::-1]))
    for off, rest, gap, side in (
        (there[:early], there[early:], int(there[early] - there[early - 1]), "before"),
        (there[late:], there[:late], int(there[late] - there[late - 1]), "after"),
    ):
        if gap >= max(10 * _YEAR, int(rest[-1] - rest[0])):
            first, last = (format_instant(int(end))[:10] for end in (off[0], off[-1]))
            many = f"{len(off):,} games are" if len(off) > 1 else "1 game is"
            span = first if first == last else f"{first} to {last}"
            return f"{many} of {span}, {gap // _YEAR:,} years {side} the others: is the year right?"
    return None


def far_off(ratings: Sequence[float] | NDArray[np.float64]) -> NDArray[np.int64]:
    """Positions of ratings more than ten deviations from the median, the deviation told by the median one.

    None where fewer than 20 are known or half of them are equal; what is NaN is not known.

    >>> far_off([1500.0 + i for i in range(30)] + [15.0]).tolist()
    [30]
    """
    values = np.asarray(ratings, dtype=np.float64)
    known = values[np.isfinite(values)]
    if len(known) < _ENOUGH_TIMES:
        return np.zeros(0, dtype=np.int64)
    median = np.median(known)
    deviation = _NORMAL * np.median(np.abs(known - median))
    if deviation == 0.0:
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(np.abs(values - median) > _FAR * deviation)
