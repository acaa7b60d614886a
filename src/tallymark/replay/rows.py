"""Players as rows of memory, for passes over many games: what an update reads and writes of one lies together."""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.methodology.limits import Limits
from tallymark.replay.columns import NEVER, Clock, Players, Shown
from tallymark.systems import Constants, Formulas

PART: Final = 1 << 14
"""Players whose values stay near the processor."""


class Rules(NamedTuple):
    """A methodology as the passes take it."""

    run: Formulas
    grows_first: bool
    counts_games: bool
    k: Constants
    limits: Limits
    clock: Clock
    shown: Shown
    exact: bool
    """In Q32.32 integers."""


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
    exact: bool = False
    """Updates are those of Q32.32 integers."""
    starting: bool = False
    """Newcomers start where they declared; goes with `timed`, for it is the time of a state that says it is one."""


def rows_of(players: Players, publishing: bool) -> Rows:
    """The players as rows."""
    n = len(players.mu)
    state = aligned(n, 4)
    peaks = aligned(n if publishing else 0, 4)
    counts = peaks.view(np.int32) if publishing else np.zeros((n, 4), np.int32)
    rows = Rows(state, state.view(np.int64), counts, peaks)
    for low in range(0, n, PART):  # part by part, which stays near the processor
        _fill(rows, slice(low, low + PART), players)
    return rows


def _fill(rows: Rows, part: slice, players: Players) -> None:
    """Writes the rows of some players."""
    c = Players(*(np.asarray(column)[part] for column in players))
    state, counts = rows.state[part], rows.counts[part]
    state[:, 0], state[:, 1], state[:, 2] = c.mu, c.phi2, c.sigma2
    rows.last[part, 3] = np.where(np.asarray(c.rated) > 0, c.last, NEVER)
    before = np.minimum(c.games, np.iinfo(np.int32).max // 2)
    if not len(rows.peaks):
        if before.any():  # else nobody has to touch memory that is blank
            counts[:, 3] = before
        return
    counts[:] = 0
    counts[:, 3] = before
    for column, bit in ((c.wins, WON), (c.losses, LOST), (c.established, ESTABLISHED)):
        counts[np.asarray(column) > 0, MARKS] |= bit
    rows.peaks[part, 3] = np.where(np.asarray(c.has_peak) > 0, c.peak, -math.inf)


def aligned(n: int, width: int) -> NDArray[np.float64]:
    """n rows of doubles, not set, each inside a cache line; numpy alone aligns to 16 bytes, and half would straddle."""
    raw = np.empty(width * n + 8)
    skip = -raw.ctypes.data % 64 // 8
    return raw[skip : skip + width * n].reshape(n, width)
