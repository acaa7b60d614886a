"""The order of a table of ratings. Many players may be equal in all that it goes by: newcomers with a game or two."""

import numpy as np
from numpy.typing import NDArray

from tallymark.replay.kinds import kinds_of, words_of

_FEW = 1 << 12
"""Rows that are sorted by all columns at once."""


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
    # There is no -0.0, which is equal to 0.0.
    kinds = kinds_of([*words_of(rating + 0.0, 1), *words_of(deviation + 0.0, 1), *words_of(games, 1)])
    if kinds is None:
        return None
    number = np.empty(len(kinds.each), np.int64)
    some = kinds.each
    number[np.lexsort((-games[some], deviation[some], -rating[some]))] = np.arange(len(some))
    return kinds.in_order(number).astype(np.int64)
