"""Players as rows of memory, for passes over many games: what an update reads and writes of one lies together."""

from typing import NamedTuple

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
    """Wins, draws and losses since, and the games before."""
    wins: NDArray[np.int64]
    """Before, as of `losses`."""
    losses: NDArray[np.int64]
    established: NDArray[np.int64]
    has_peak: NDArray[np.int64]
    peak: NDArray[np.float64]
    """These three are the columns of the players themselves: few passes touch them."""


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


def rows_of(players: Players) -> Rows:
    """The players as rows."""
    n = len(players.mu)
    state = aligned(n, 4)
    last = state.view(np.int64)
    state[:, 0], state[:, 1], state[:, 2] = players.mu, players.phi2, players.sigma2
    last[:, 3] = np.where(np.asarray(players.rated) > 0, players.last, NEVER)
    counts = np.zeros((n, 4), np.int32)
    counts[:, 3] = np.minimum(players.games, np.iinfo(np.int32).max // 2)
    return Rows(
        state,
        last,
        counts,
        wins=np.asarray(players.wins, np.int64),
        losses=np.asarray(players.losses, np.int64),
        established=np.asarray(players.established, np.int64),
        has_peak=np.asarray(players.has_peak, np.int64),
        peak=np.asarray(players.peak, np.float64),
    )


def aligned(n: int, width: int) -> NDArray[np.float64]:
    """n rows of doubles, not set, each inside a cache line; numpy alone aligns to 16 bytes, and half would straddle."""
    raw = np.empty(width * n + 8)
    skip = -raw.ctypes.data % 64 // 8
    return raw[skip : skip + width * n].reshape(n, width)
