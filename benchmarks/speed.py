"""One log replayed by each engine and by several threads, and a check that all give the same bits."""

import statistics
import time
from collections.abc import Callable
from functools import partial
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
    seconds, expected = _timed(lambda: tm.replay(log, rules, engine="interpreted").ratings, runs)
    taken: dict[int, float] = {}
    for threads in (1, 2, 3):
        work = partial(_compiled, log, rules, threads)
        work()
        taken[threads], found = _timed(work, runs)
        for name in expected.columns:
            same = np.array_equal(expected[name], found[name])
            assert same, f"{of.name}: {name} of compiled code with {threads} threads is another"
    ratios = {
        "interpreted / compiled": seconds / taken[1],
        "one thread / two": taken[1] / taken[2],
        "twenty tau: log / ready log": _fitted(log, rules, runs),
    }
    return Measured(
        games=len(log),
        players=len(log.players),
        methodology=rules.id,
        runs=runs,
        ratios={name: round(value, 2) for name, value in ratios.items()},
    )


def _fitted(log: tm.GameLog, rules: tm.Methodology, runs: int) -> float:
    """Twenty replays as fitting does them, each of the log anew, to those of one that is made ready for them."""
    several = [rules.with_(tau=round(0.3 + 0.05 * step, 2)) for step in range(20)]
    plain, expected = _timed(lambda: [_compiled(log, one, 1) for one in several], runs)
    ready, found = _timed(lambda: _each(log.prepare(), several), runs)
    for one, two in zip(expected, found, strict=True):
        assert all(np.array_equal(one[name], two[name]) for name in one.columns), "a ready log changes numbers"
    return plain / ready


def _each(ready: tm.ReadyLog, several: list[tm.Methodology]) -> list[tm.Table]:
    return [_compiled(ready, one, 1) for one in several]


def _compiled(log: tm.GameLog | tm.ReadyLog, rules: tm.Methodology, threads: int) -> tm.Table:
    return tm.replay(log, rules, engine="compiled", threads=threads).ratings


def _timed(work: Callable[[], T], runs: int) -> tuple[float, T]:
    """The median of the seconds of so many runs, and the last result."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        result = work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken), result
