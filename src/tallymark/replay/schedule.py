"""What a log becomes under a methodology before it is rated: who, in which units, in which order."""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tallymark.replay.columns import NEVER, Games, Units

DAY = 86_400_000_000
"""Microseconds of a day."""

NONE = np.zeros(0, np.int64)
"""A column that says nothing of any game."""


class Head(NamedTuple):
    """Where a pool stands before the log: what a resumed replay knows of its past."""

    origin: int
    """Start of period 0 in microseconds (calendar), else `NEVER`."""
    closed: int
    """Number of the last closed period, `NEVER` if none (calendar)."""
    last: int
    """Instant of the last rated game, or for which imported ratings hold; `NEVER` if none."""
    since: int = NEVER
    """Instant of imported ratings, which hold what was played before it; `NEVER` if there are none."""


class Schedule(NamedTuple):
    """Rated games in summing order, and where they came from."""

    games: Games
    units: Units
    order: NDArray[np.int64] | None
    """For each rated game, its place in the log; None where that is its place here."""
    closed_units: int
    """Units before this one are final; the others are each pool's open period or last match, which may go on."""
    most: int
    """The largest number of participants in a unit."""
    heads: list[Head]
    """Where each pool stands after the log, its open period still open."""
    open_period: NDArray[np.int64]
    """Number of each pool's open period (calendar), else `NEVER`."""
    first_period: NDArray[np.int64]
    """Number of each pool's first period with games in this log (calendar); meaningless without any."""
    reason: NDArray[np.int8] | None
    """For each game of the log, the place in `REASONS` of why it is not rated, or -1; None where all are rated."""
    late: int
    """Games of a closed period that are rated in the open one."""
    bands: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
    """The starting band of either side that its rated games name, 0 for none; None where nobody declares one."""

    @property
    def unit_count(self) -> int:
        """How many units there are."""
        start = len(self.units.start)
        return start - 1 if start else len(self.games.a)

    @property
    def places(self) -> NDArray[np.int64]:
        """For each rated game, its place in the log."""
        return np.arange(len(self.games.a), dtype=np.int64) if self.order is None else self.order


T = TypeVar("T", Games, Units)


def sealed(schedule: Schedule) -> Schedule:
    """The schedule with columns that nobody can write to, as those of a log are."""
    return schedule._replace(games=read_only(schedule.games), units=read_only(schedule.units))


def read_only(columns: T) -> T:
    """The columns as views that nobody can write to.

    Compiled code is of the types it was compiled for, and to numba an array that may be written to is of another type.
    """
    views = [np.ascontiguousarray(column).view() for column in columns]
    for view in views:
        view.flags.writeable = False
    return type(columns)._make(views)
