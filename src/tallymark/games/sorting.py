"""Rows put in order by several keys, where they are not in order already."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_AT_ONCE = 1 << 16


def falls(values: np.ndarray) -> bool:
    """Whether any value is less than the one before it.

    >>> falls(np.array([1, 2, 2])), falls(np.array([1, 2, 1]))
    (False, True)
    """
    for start in range(0, len(values) - 1, _AT_ONCE):
        part = values[start : start + _AT_ONCE + 1]
        if (part[1:] < part[:-1]).any():
            return True
    return False


def ordered(rows: NDArray[np.int64] | None, keys: Sequence[np.ndarray]) -> NDArray[np.int64] | None:
    """The rows by the last key, ties by the one before it, and so on; what is equal in all stays as it is.

    None stands for all rows as they are.

    Most files are written in order, and few rows are equal in the last key: seeing that is quicker than sorting.

    >>> ordered(np.array([0, 1, 2]), [np.array([5, 3, 4]), np.array([2, 1, 1])]).tolist()
    [1, 2, 0]
    """
    if not keys:
        return rows
    *others, main = keys
    key = main if rows is None else main[rows]
    if falls(key):
        order = np.argsort(key, kind="stable")
        rows, key = order if rows is None else rows[order], key[order]
    if not others:
        return rows
    tied = np.concatenate([[False], key[1:] == key[:-1]])[: len(key)]
    tied[:-1] |= tied[1:]
    at = np.flatnonzero(tied)
    there = at if rows is None else rows[at]
    among = np.lexsort([*(other[there] for other in others), key[at]])
    if falls(among):
        rows = np.arange(len(key)) if rows is None else rows.copy()
        rows[at] = there[among]
    return rows
