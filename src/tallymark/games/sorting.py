"""Rows put in order by several keys, where they are not in order already."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def ordered(rows: NDArray[np.int64], keys: Sequence[np.ndarray]) -> NDArray[np.int64]:
    """The rows by the last key, ties by the one before it, and so on; what is equal in all stays as it is.

    Most files are written in order, and seeing that is quicker than sorting them.

    >>> ordered(np.array([0, 1, 2]), [np.array([5, 3, 4]), np.array([2, 1, 1])]).tolist()
    [1, 2, 0]
    """
    taken = [key if len(rows) == len(key) else key[rows] for key in keys]
    return rows if not taken or _is_ordered(taken) else rows[np.lexsort(taken)]


def _is_ordered(keys: Sequence[np.ndarray]) -> bool:
    tied = np.ones(max(len(keys[0]) - 1, 0), dtype=bool)
    for key in reversed(keys):
        if (tied & (key[1:] < key[:-1])).any():
            return False
        tied &= key[1:] == key[:-1]
        if not tied.any():
            break
    return True
