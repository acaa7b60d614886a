"""What tables have besides where states are Q32.32: the integers themselves, and a Go rank."""

import numpy as np
from numpy.typing import NDArray

from tallymark.fixedpoint.constants import KNOTS
from tallymark.named import Named
from tallymark.replay.display import Floats

_ONE = 4294967296.0
_RANKS = [f"{30 - k}k" for k in range(30)] + [f"{k - 29}d" for k in range(30, 39)]
_WORDS = [*_RANKS, *(f"{word}?" for word in _RANKS)]


def as_integers(mu: Floats, phi2: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """mu and phi as Q.

    >>> as_integers(np.array([-1.5]), np.array([4.0]))
    (array([-6442450944]), array([8589934592]))
    """
    return (mu * _ONE).astype(np.int64), (np.sqrt(phi2) * _ONE).astype(np.int64)


def ranks(mu: NDArray[np.int64], doubtful: NDArray[np.bool_]) -> Named:
    """The rank of each mu, the whole one at or below it, from 30k to 9d; with a question mark where it is in doubt.

    >>> ranks(np.array([KNOTS[30], KNOTS[30] - 1, -(1 << 39), 1 << 39]), np.array([0, 1, 0, 0]) > 0).objects().tolist()
    ['1d', '1k?', '30k', '9d']
    """
    at = np.searchsorted(np.array(KNOTS), mu, side="right") - 1
    return Named(_WORDS, np.clip(at, 0, len(_RANKS) - 1) + np.where(doubtful, len(_RANKS), 0))
