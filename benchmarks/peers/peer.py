"""What a peer is: a replay by another package, and the methodology of ours that it is held against."""

import importlib
import time
from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tallymark import GameLog, Methodology, methodology

Ratings: TypeAlias = NDArray[np.float64]
"""A rating a player of the log, by position, in points."""
_DAY = 86_400_000_000


class Run(NamedTuple):
    """What one replay took, and the ratings it came to; None where they are no ratings of ours."""

    seconds: float
    ratings: Ratings | None


class Skipped(Exception):
    """A peer cannot run here, and why."""


class Peer(NamedTuple):
    """A package, and the replay that it does."""

    name: str
    does: str
    ours: Callable[[int], Methodology]
    """The methodology of ours that it is held against, by the days of a period."""
    ready: Callable[[GameLog, int], Callable[[], Run]]
    """Everything that comes before the replay itself, which may be repeated; raises `Skipped`."""
    within: float | None = None
    """How far its ratings may lie from ours, in points; None where it computes something else."""


def module(name: str) -> ModuleType:
    """The module of a package, or `Skipped`."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Skipped(f"{name} is not installed") from None


def timed(work: Callable[[], Ratings | None]) -> Callable[[], Run]:
    """The work with its seconds."""

    def run() -> Run:
        start = time.perf_counter()
        ratings = work()
        return Run(time.perf_counter() - start, ratings)

    return run


def periods(log: GameLog, days: int) -> NDArray[np.int64]:
    """The period of each game, counted from midnight of the first game's day."""
    assert log.time is not None
    return np.asarray((log.time - log.time[0] // _DAY * _DAY) // (days * _DAY))


def elo(_: int) -> Methodology:
    """Elo by game, K 32."""
    return methodology("elo").with_(k=32)


def glicko2_by_game(_: int) -> Methodology:
    """Full Glicko-2, every game a period."""
    return methodology("contest")


def glicko2_by_period(days: int) -> Methodology:
    """Full Glicko-2 by calendar periods."""
    return methodology("paper").with_(period=f"{days}d")
