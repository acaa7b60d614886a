"""The order of a table of ratings. Many players may be equal in all that it goes by: newcomers with a game or two."""

import numpy as np
from numpy.typing import NDArray

_FEW = 1 << 12
"""Rows that are sorted by all columns at once."""
_SAMPLE = 1 << 10
_KINDS_IN_SAMPLE = _SAMPLE // 4
_BITS = 20
_MIXING = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)))
_TRIES = 3
_AT_ONCE = 1 << 15


def best_first(
    rating: NDArray[np.float64], deviation: NDArray[np.float64], games: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Places by the highest rating, the lowest deviation, the most games, the place itself. No value is NaN.

    >>> best_first(np.array([1500.0, 1600.0, 1500.0]), np.array([80.0, 90.0, 70.0]), np.array([1, 1, 1])).tolist()
    [1, 2, 0]
    """
    order = None if len(rating) <= _FEW else _by_kind(rating, deviation, games)
    if order is not None:
        return order
    order = np.argsort(-rating)
    sorted_ = rating[order]
    tied = np.zeros(len(order), bool)
    tied[1:] = sorted_[1:] == sorted_[:-1]
    tied[:-1] |= tied[1:]
    places = np.flatnonzero(tied)  # the few that a rating alone does not put in order
    if len(places):
        some = np.sort(order[places])
        within = (rating[some], deviation[some], games[some])
        among = _by_kind(*within) if len(some) > _FEW else None
        order[places] = some[np.lexsort((-within[2], within[1], -within[0])) if among is None else among]
    return order


def _by_kind(
    rating: NDArray[np.float64], deviation: NDArray[np.float64], games: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """The same order where there are few kinds of rows, each equal in all three; None where there are too many."""
    columns = (rating, deviation, games)
    some = slice(None, None, max(1, len(rating) // _SAMPLE))
    if len(set(zip(*(values[some].tolist() for values in columns), strict=True))) > _KINDS_IN_SAMPLE:
        return None
    like = _alike(columns)
    if like is None:
        return None
    place = np.arange(len(like), dtype=np.int32)
    kinds = np.flatnonzero(like == place)
    # A kind's number with the place behind it is sorted sooner than anything by its places.
    shift = len(like).bit_length()
    wide: type[np.uint32 | np.uint64] = np.uint32 if len(kinds) << shift <= np.iinfo(np.uint32).max else np.uint64
    number = np.empty(len(like), wide)
    number[kinds[np.lexsort((-games[kinds], deviation[kinds], -rating[kinds]))]] = np.arange(len(kinds))
    key = number[like]
    key <<= wide(shift)
    key |= place.astype(wide, copy=False) if wide is np.uint64 else place.view(np.uint32)
    key.sort()
    key &= wide((1 << shift) - 1)
    return key.astype(np.int64)


def _alike(columns: tuple[np.ndarray, ...]) -> NDArray[np.int32] | None:
    """For each row one that is equal to it, the same for all that are; None where numbers made of them fell together.

    A row is found by such a number. Whether it is equal is looked at then.
    """
    n = len(columns[0])
    like = np.empty(n, np.int32)
    last = np.empty(1 << _BITS, np.int32)  # the last row of each number
    for tried in range(_TRIES):
        for start in range(0, n, _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            found = _mixed([values[part] for values in columns], tried)
            like[part] = found
            last[found] = np.arange(start, start + len(found), dtype=np.int32)
        if all(_found(columns, like, last, slice(start, start + _AT_ONCE)) for start in range(0, n, _AT_ONCE)):
            return like
    return None


def _found(columns: tuple[np.ndarray, ...], like: NDArray[np.int32], last: NDArray[np.int32], part: slice) -> bool:
    """Puts the rows of numbers in their place; whether they are equal to those that have them."""
    rows = last.take(like[part].astype(np.intp))
    like[part] = rows
    at = rows.astype(np.intp)
    return all(bool((values.take(at) == values[part]).all()) for values in columns)


def _mixed(columns: list[np.ndarray], tried: int) -> NDArray[np.intp]:
    """A number below 2 ** _BITS made of the values of each row, of which equal rows have equal ones."""
    mixed = np.zeros(len(columns[0]), np.uint64)
    for at, values in enumerate(columns):
        bits = (values + values.dtype.type(0)).view(np.uint64)  # there is no -0.0, which is equal to 0.0
        mixed += bits * (_MIXING[at] + np.uint64(2 * tried))
        mixed ^= mixed >> np.uint64(32)
    mixed *= _MIXING[0]
    mixed >>= np.uint64(64 - _BITS)
    return mixed.astype(np.intp)
