"""One log replayed by each engine, and a check that all give the same bits."""

import statistics
import time
from collections.abc import Callable
from typing import TypedDict, TypeVar

import numpy as np

import tallymark as tm
from benchmarks.logs import NamedLog

T = TypeVar("T")


class Measured(TypedDict):
    """One log under `paper` with periods that suit it: ratios of medians over `runs`, compiled code warm."""

    games: int
    players: int
    methodology: str
    runs: int
    ratios: dict[str, float]


def measure(of: NamedLog, runs: int) -> Measured:
    """Replays one log. AssertionError where results differ."""
    rules = tm.methodology("paper").with_(period=f"{of.days}d")
    log = of.read()
    tm.replay(log, rules, engine="compiled")
    interpreted, by_interpreter = _timed(lambda: tm.replay(log, rules, engine="interpreted"), runs)
    compiled, by_compiler = _timed(lambda: tm.replay(log, rules, engine="compiled"), runs)
    for name in by_interpreter.ratings.columns:
        same = np.array_equal(by_interpreter.ratings[name], by_compiler.ratings[name])
        assert same, f"{of.name}: {name} differs between the engines"
    return Measured(
        games=len(log),
        players=len(log.players),
        methodology=rules.id,
        runs=runs,
        ratios={"interpreted / compiled": round(interpreted / compiled, 2)},
    )


def _timed(work: Callable[[], T], runs: int) -> tuple[float, T]:
    """The median of the seconds of so many runs, and the last result."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        result = work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken), result
