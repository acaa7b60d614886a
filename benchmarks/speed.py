"""Seconds of reading and replaying one log, by each way there is, and a check that each did the same work."""

import statistics
import time
from collections.abc import Callable
from typing import TypedDict, TypeVar

import numpy as np

import tallymark as tm
from benchmarks import peer
from benchmarks.logs import NamedLog

T = TypeVar("T")


class Measured(TypedDict):
    """One log: seconds are medians over `runs`, but for the first compiled run; ratios are of those medians.

    `first_compiled` is the first run of the process: it loads numba and, where nothing is kept on disk, compiles.
    `apart` is how far a way's ratings lie from the interpreter's at most, in points.
    """

    games: int
    players: int
    methodology: str
    runs: int
    seconds: dict[str, float]
    ratios: dict[str, float]
    apart: dict[str, float]


def measure(of: NamedLog, runs: int) -> Measured:
    """Reads and replays one log under `paper` with periods that suit it. AssertionError where results differ."""
    rules = tm.methodology("paper").with_(period=f"{of.days}d")
    read, log = _timed(lambda: tm.read_games(of.path), runs)
    first, _ = _timed(lambda: tm.replay(log, rules, engine="compiled"), 1)
    interpreted, by_interpreter = _timed(lambda: tm.replay(log, rules, engine="interpreted"), runs)
    compiled, by_compiler = _timed(lambda: tm.replay(log, rules, engine="compiled"), runs)
    for name in by_interpreter.ratings.columns:
        same = np.array_equal(by_interpreter.ratings[name], by_compiler.ratings[name])
        assert same, f"{of.name}: {name} differs between the engines"
    seconds = {"read": read, "interpreted": interpreted, "first_compiled": first, "compiled": compiled}
    ratios = {"interpreted / compiled": interpreted / compiled, "read / interpreted": read / interpreted}
    apart = {"compiled": 0.0}
    other = peer.player_class()
    if other is not None:
        seconds["glicko2"], ratings = _timed(lambda: peer.replay(log, of.days, other), 1)
        ours = by_interpreter.ratings
        apart["glicko2"] = max(
            abs(rating - ratings[player])
            for player, rating in zip(ours["player"], ours["rating"].tolist(), strict=True)
        )
        # Its solver stops at 1e-6, and what that leaves adds up from period to period.
        assert len(ratings) == len(ours), f"{of.name}: glicko2 rated other players"
        assert apart["glicko2"] < 0.1, f"{of.name}: glicko2 lies {apart['glicko2']} points away"
        ratios |= {f"glicko2 / {way}": seconds["glicko2"] / seconds[way] for way in ("interpreted", "compiled")}
    return Measured(
        games=len(log),
        players=len(log.players),
        methodology=rules.id,
        runs=runs,
        seconds={name: round(value, 4) for name, value in seconds.items()},
        ratios={name: round(value, 2) for name, value in ratios.items()},
        apart=apart,
    )


def _timed(work: Callable[[], T], runs: int) -> tuple[float, T]:
    """The median of the seconds of so many runs, and the last result."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        result = work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken), result
