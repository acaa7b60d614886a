"""Players as rows of memory, for passes over many games: what an update reads and writes of one lies together."""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.methodology.limits import Limits
from tallymark.replay.columns import NEVER, Clock, Players, Shown
from tallymark.systems import Constants, Formulas


class Rules(NamedTuple):
    """A methodology as the passes take it."""

    run: Formulas
    grows_first: bool
    counts_games: bool
    k: Constants
    limits: Limits
    clock: Clock
    shown: Shown


class Rows(NamedTuple):
    """48 bytes a player, and what few passes touch. `state` and `last` are one memory, as doubles and as integers."""

    state: NDArray[np.float64]
    """mu, phi^2, sigma^2, and in the place of the fourth the time of the state."""
    last: NDArray[np.int64]
    """`last[x, 3]`: the time of the state on the methodology's clock, NEVER for who has not been rated."""
    counts: NDArray[np.int32]
    """Wins, draws and losses since, and the games before; where states are published, `marks` and the peak behind."""
    peaks: NDArray[np.float64]
    """`peaks[x, 3]`: the peak, -inf for none, in the memory of `counts`; no rows where nothing is published."""


WON: Final = 1
LOST: Final = 2
ESTABLISHED: Final = 4
"""Bits of `counts[x, MARKS]`: what a player has ever done or been."""
MARKS: Final = 4


class Needs(NamedTuple):
    """What a pass is asked to do."""

    timed: bool
    """States age."""
    counting: bool
    """An update asks how many games came before."""
    predicting: bool
    recording: bool
    publishing: bool = False
    """Established players and peaks are kept."""
    excepting: bool = False
    """Some games count for the loser only."""


def rows_of(players: Players, publishing: bool) -> Rows:
    """The players as rows."""
    n = len(players.mu)
    state = aligned(n, 4)
    last = state.view(np.int64)
    state[:, 0], state[:, 1], state[:, 2] = players.mu, players.phi2, players.sigma2
    last[:, 3] = np.where(np.asarray(players.rated) > 0, players.last, NEVER)
    before = np.minimum(players.games, np.iinfo(np.int32).max // 2)
    if not publishing:
        counts = np.zeros((n, 4), np.int32)
        counts[:, 3] = before
        return Rows(state, last, counts, np.zeros((0, 4)))
    peaks = aligned(n, 4)
    counts = peaks.view(np.int32)
    counts[:] = 0
    counts[:, 3] = before
    marks = ((players.wins, WON), (players.losses, LOST), (players.established, ESTABLISHED))
    for column, bit in marks:
        counts[np.asarray(column) > 0, MARKS] |= bit
    peaks[:, 3] = np.where(np.asarray(players.has_peak) > 0, players.peak, -math.inf)
    return Rows(state, last, counts, peaks)


def aligned(n: int, width: int) -> NDArray[np.float64]:
    """n rows of doubles, not set, each inside a cache line; numpy alone aligns to 16 bytes, and half would straddle."""
    raw = np.empty(width * n + 8)
    skip = -raw.ctypes.data % 64 // 8
    return raw[skip : skip + width * n].reshape(n, width)
