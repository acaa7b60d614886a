"""The columns that a fold reads and writes. As lists they feed the interpreter, as arrays the compiled loop."""

from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatColumn: TypeAlias = list[float] | NDArray[np.float64]
IntColumn: TypeAlias = list[int] | NDArray[np.int64]
CodeColumn: TypeAlias = list[int] | NDArray[np.int32]


class Games(NamedTuple):
    """Rated games, unit by unit in the order in which their sums run. One entry a game, or none where all are alike."""

    a: CodeColumn
    """Player a, as a row of `Players`."""
    b: CodeColumn
    s: FloatColumn
    """Score of a; b's is 1 - s."""
    share: FloatColumn
    """1 / (n - 1) where n players met in the match; empty: 1."""
    loser_only: IntColumn
    """1 where only the loser's rating changes (a short game that was resigned or timed out); empty: nowhere."""
    peak: IntColumn
    """1 where the game may move a peak; empty: everywhere."""
    at: IntColumn
    """Instant in microseconds since 1970 UTC; empty where the log has no times."""
    start_a: FloatColumn
    """mu that a has in this game if it has no state of its own yet; empty where that is a newcomer's in all of them."""
    start_b: FloatColumn


class Units(NamedTuple):
    """What is rated together, from the values before it: a period, a match, or a game."""

    start: IntColumn
    """Where each unit's games begin; one entry more than units; empty where every game is a unit."""
    when: IntColumn
    """The unit's time on the methodology's clock: number of the period, or instant; empty where there are no times."""


class Players(NamedTuple):
    """One row a player and pool: the state, what it is for, and the counts."""

    mu: FloatColumn
    phi2: FloatColumn
    sigma2: FloatColumn
    last: IntColumn
    """Time of the state on the methodology's clock."""
    rated: IntColumn
    """1 once the player has a state of their own; before that the row holds the newcomer's."""
    games: IntColumn
    wins: IntColumn
    draws: IntColumn
    losses: IntColumn
    last_played: IntColumn
    """Instant of the last game, or `NEVER`."""
    established: IntColumn
    has_peak: IntColumn
    peak: FloatColumn
    """Best published value on the scale of mu, where `has_peak`."""


class Sheet(NamedTuple):
    """Scratch for one unit, one row a participant, in the order of their first game."""

    slot: IntColumn
    """Row of each player on this sheet, -1 where not on it."""
    who: IntColumn
    mu: FloatColumn
    own: FloatColumn
    """phi^2 that the update starts from."""
    seen: FloatColumn
    """phi^2 that opponents see."""
    predicted: FloatColumn
    """phi^2 that a prediction uses."""
    sigma2: FloatColumn
    g: FloatColumn
    elapsed: FloatColumn
    w: FloatColumn
    u: FloatColumn
    counted: IntColumn
    """Games of the unit that change this participant's rating."""
    before: IntColumn
    """Games played before the unit."""
    peak: IntColumn
    """1 where a game of the unit may move this participant's peak."""
    flags: IntColumn
    converged: IntColumn


class Predictions(NamedTuple):
    """Made before each game; empty columns where not asked for. In the order of `Games`."""

    p: FloatColumn
    logit: FloatColumn


class Steps(NamedTuple):
    """What each game did to each side, two rows a game (a, then b); empty columns where not asked for."""

    mu_before: FloatColumn
    phi2_before: FloatColumn
    sigma2_before: FloatColumn
    mu_after: FloatColumn
    phi2_after: FloatColumn
    sigma2_after: FloatColumn
    flags: IntColumn
    converged: IntColumn


class Tally(NamedTuple):
    """Counters of a fold."""

    clamps: IntColumn
    """How often each of `limits.CLAMPS` was hit."""
    unconverged: IntColumn
    """One entry: updates whose solver stopped at its cap."""


class Clock(NamedTuple):
    """How time passes in a methodology."""

    kind: float
    """0: it does not; 1: by numbered periods; 2: by time since the player's last game."""
    ticks: float
    """Clock units a day (kind 2) or a period (kind 1)."""
    rate: float
    """Periods of growth a day (kind 2) or a period (kind 1)."""
    whole: float
    """1 where only whole periods count."""


class Shown(NamedTuple):
    """The published states that depend on the order of games; on the scale of the state."""

    established_phi2: float
    """Established from here down, with a win and a loss; negative: never."""
    peak_deviations: float
    """The peak is mu - this * phi."""
    peak_phi2: float
    """A peak counts from here down; negative: there are no peaks."""
    peak_games: float
    """A peak needs this many games before, of both players."""
    peak_needs_established: float


NEVER = -(2**62)
"""Stands for "no instant" in columns of instants."""

T = TypeVar("T", Games, Units, Players, Sheet, Predictions, Steps, Tally)


def as_lists(columns: T) -> T:
    """The same columns for the interpreter: Python floats and ints, no numpy scalars."""
    return type(columns)._make(c.tolist() if isinstance(c, np.ndarray) else c for c in columns)


def as_arrays(columns: T) -> T:
    """The same columns for the compiled loop and for tables."""
    return type(columns)._make(
        np.asarray(c, _dtype(type(columns), name)) for name, c in zip(columns._fields, columns, strict=True)
    )


def filled(kind: type[T], size: int) -> T:
    """Columns of zeros."""
    return kind._make(np.zeros(size, _dtype(kind, name)) for name in kind._fields)


def _dtype(kind: type[T], name: str) -> type[np.float64] | type[np.int64] | type[np.int32]:
    column = kind.__annotations__[name]
    return np.float64 if column == FloatColumn else np.int32 if column == CodeColumn else np.int64


def sheet(players: int, participants: int) -> Sheet:
    """A sheet for units of at most so many participants."""
    blank = filled(Sheet, participants)
    return blank._replace(slot=np.full(players, -1, np.int64))
