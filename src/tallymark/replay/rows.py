"""Players as rows of memory, for passes over many games: what an update reads and writes of one lies together."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.methodology.limits import Limits
from tallymark.replay.columns import NEVER, Clock, Players
from tallymark.systems import Constants, Formulas


class Rules(NamedTuple):
    """A methodology as the passes take it."""

    run: Formulas
    grows_first: bool
    counts_games: bool
    k: Constants
    limits: Limits
    clock: Clock


class Rows(NamedTuple):
    """48 bytes a player. `state` and `last` are one piece of memory, seen as doubles and as integers."""

    state: NDArray[np.float64]
    """mu, phi^2, sigma^2, and in the place of the fourth the time of the state."""
    last: NDArray[np.int64]
    """`last[x, 3]`: the time of the state on the methodology's clock, NEVER for who has not been rated."""
    counts: NDArray[np.int32]
    """Wins, draws and losses since, and the games before."""


def rows_of(players: Players) -> Rows:
    """The players as rows."""
    n = len(players.mu)
    state = aligned(n, 4)
    last = state.view(np.int64)
    state[:, 0], state[:, 1], state[:, 2] = players.mu, players.phi2, players.sigma2
    last[:, 3] = np.where(np.asarray(players.rated) > 0, players.last, NEVER)
    counts = np.zeros((n, 4), np.int32)
    counts[:, 3] = np.minimum(players.games, np.iinfo(np.int32).max // 2)
    return Rows(state, last, counts)


def aligned(n: int, width: int) -> NDArray[np.float64]:
    """n rows of doubles, not set, each inside a cache line; numpy alone aligns to 16 bytes, and half would straddle."""
    raw = np.empty(width * n + 8)
    skip = -raw.ctypes.data % 64 // 8
    return raw[skip : skip + width * n].reshape(n, width)
