"""Millions of games: the passes against the plain compiled implementation, on one core and in one run."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

import tallymark as tm
from benchmarks import plain
from tallymark.replay.engines import Machine
from tallymark.replay.roster import roster
from tallymark.replay.scheduling import build
from tallymark.replay.starting import heads_for, players_at_start

SEED = 20261129
_DAY = 86_400


class Bulk(TypedDict):
    """One case: best seconds of some runs, and ratios to the plain implementation where it is there."""

    games: int
    players: int
    methodology: str
    runs: int
    seconds: dict[str, float]
    ratios: dict[str, float]
    games_a_second: dict[str, float]
    apart: float | None
    why_no_peer: str | None


def games_of(
    games: int, players: int, zipf: bool, seed: int = SEED
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Two different players a game, uniform or with weights 1/rank, and a result."""
    chance = np.random.default_rng(seed)
    if zipf:
        weights = np.cumsum(1.0 / np.arange(1, players + 1))

        def drawn(count: int) -> NDArray[np.int64]:
            places: NDArray[np.int64] = np.searchsorted(weights, chance.random(count) * weights[-1])
            return places

        a, b = drawn(games), drawn(games)
        while (same := np.flatnonzero(a == b)).size:
            b[same] = drawn(same.size)
    else:
        a = chance.integers(0, players, games)
        b = (a + 1 + chance.integers(0, players - 1, games)) % players
    return a, b, chance.choice([0.0, 0.5, 1.0], games)


def cases(quick: bool) -> dict[str, Callable[[], Bulk]]:
    """Every case by name."""
    n = 200_000 if quick else 5_000_000
    runs = 2 if quick else 7
    return {
        "games": lambda: measured(n, n // 50, runs, "games", zipf=False),
        "games-zipf": lambda: measured(n, n // 50, runs, "games", zipf=True),
        "period": lambda: measured(n, n // 5, runs, "period", zipf=False),
        "go": lambda: measured(n, n // 50, runs, "go", zipf=False),
    }


def measured(games: int, players: int, runs: int, way: str, zipf: bool) -> Bulk:
    """One case. `pass`: schedule and pass; `two`: by two threads; `table`: from arrays to a table of ratings.

    Of `go` also `games`, the pass of full Glicko-2 over the same games: what ageing costs, and the volatility step.
    """
    a, b, s = games_of(games, players, zipf)
    rules = {
        "games": tm.methodology("paper").with_(period="match"),
        "period": tm.methodology("paper"),
        "go": tm.methodology("go-float"),
    }[way]
    times = {
        "games": None,
        "period": np.full(games, 10 * _DAY, np.int64),
        "go": np.sort(np.random.default_rng(SEED).integers(0, 365 * _DAY, games)),
    }[way]
    seconds = {
        "pass": best(runs, lambda: passed(a, b, s, times, rules, 1)),
        "two": best(runs, lambda: passed(a, b, s, times, rules, 2)),
    }
    seconds["table"] = best(runs, lambda: from_arrays(a, b, s, times, rules))
    ratios: dict[str, float] = {"pass / two threads": seconds["pass"] / seconds["two"]}
    apart = why = None
    try:
        if way == "go":
            paper = tm.methodology("paper").with_(period="match")
            seconds["games"] = best(runs, lambda: passed(a, b, s, None, paper, 1))
            ratios["go / games"] = seconds["games"] / seconds["pass"]
            raise plain.Missing("the plain implementation has no such model")
        with tempfile.TemporaryDirectory() as folder:
            taken, ratings = plain.seconds(plain.built(Path(folder)), way, a, b, s, players, runs)
        seconds["plain"] = taken
        ratios |= {f"plain / {name}": taken / seconds[name] for name in ("pass", "table")}
        ours = tm.replay(logged(a, b, s, times), rules, threads=1).ratings
        # Its solver stops at 1e-6, and what that leaves adds up from game to game.
        apart = float(np.abs(ratings[np.asarray(ours["player"], np.int64)] - ours["rating"]).max())
        assert apart < 0.5, f"{way}: the plain implementation lies {apart} points away"
    except plain.Missing as error:
        why = str(error)
    return Bulk(
        games=games,
        players=players,
        methodology=rules.id,
        runs=runs,
        seconds={name: round(value, 4) for name, value in seconds.items()},
        ratios={name: round(value, 2) for name, value in ratios.items()},
        games_a_second={name: round(games / seconds[name]) for name in seconds if name != "plain"},
        apart=apart,
        why_no_peer=why,
    )


def logged(
    a: NDArray[np.int64], b: NDArray[np.int64], s: NDArray[np.float64], times: NDArray[np.int64] | None
) -> tm.GameLog:
    """The games as a log, built anew."""
    return tm.GameLog.from_arrays(player_a=a, player_b=b, score_a=s, played_at=times)


def passed(
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    s: NDArray[np.float64],
    times: NDArray[np.int64] | None,
    rules: tm.Methodology,
    threads: int,
) -> float:
    """Seconds of schedule and pass over a fresh log; bounds and reports on, predictions off."""
    log = logged(a, b, s, times)
    begun = time.perf_counter()
    who = roster(log)
    schedule = build(log, rules, who, heads_for(who, None))
    machine = Machine(rules, players_at_start(who, schedule, rules, None), "compiled", len(log), threads)
    work = machine.work(schedule.games, schedule.units, schedule.most, False, False)
    machine.rate(work, 0, schedule.unit_count)
    return time.perf_counter() - begun


def from_arrays(
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    s: NDArray[np.float64],
    times: NDArray[np.int64] | None,
    rules: tm.Methodology,
) -> float:
    """Seconds from arrays to a table of ratings."""
    begun = time.perf_counter()
    table = tm.replay(logged(a, b, s, times), rules, threads=1).ratings
    taken = time.perf_counter() - begun
    assert len(table) > 0
    return taken


def best(runs: int, work: Callable[[], float]) -> float:
    """The least of some runs, after one that compiles."""
    work()
    return min(work() for _ in range(runs))
