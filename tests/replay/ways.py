"""One log by every way that there is to replay it, and what equal bits are."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from tallymark import GameLog, Methodology, Replay, methodology, replay, shipped
from tallymark.replay import passes
from tallymark.replay.snapshot_file import document_of

SEED = 20261129


@contextmanager
def plain() -> Iterator[None]:
    """The plain loop, whatever the log."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "passable", lambda games, units, players, rules: False)
        yield


def every_way(log: GameLog, rules: Methodology, threads: tuple[int, ...] = (1, 2, 3)) -> None:
    """By the interpreter, by the plain loop compiled, and by a pass of so many threads: tables, report and snapshot."""
    expected = replay(log, rules, history=True, predictions=True, engine="interpreted")
    expected = replace(expected, report=replace(expected.report, engine="compiled"))
    with plain():
        equal(replay(log, rules, history=True, predictions=True, engine="compiled"), expected)
    for count in threads:
        equal(replay(log, rules, history=True, predictions=True, engine="compiled", threads=count), expected)


def same(log: GameLog, rules: Methodology, ways: tuple[bool, ...] = (True,)) -> None:
    """Passes against the plain loop, with and without what is kept."""
    for kept in ways:
        by_passes = replay(log, rules, history=kept, predictions=kept, engine="compiled")
        with plain():
            by_fold = replay(log, rules, history=kept, predictions=kept, engine="compiled")
        equal(by_passes, by_fold, kept)


def equal(one: Replay, two: Replay, kept: bool = True) -> None:
    tables = ["ratings", *(("predictions", "history") if kept else ())]
    for name in tables:
        first, second = getattr(one, name), getattr(two, name)
        for column in first.columns:
            assert same_bits(first[column], second[column]), (name, column)
    assert one.report == two.report
    assert document_of(one.snapshot()) == document_of(two.snapshot())


def same_bits(one: np.ndarray, two: np.ndarray) -> bool:
    if one.dtype.kind in "fM":
        return np.array_equal(one.view(np.int64), two.view(np.int64))
    return np.array_equal(one, two)


def log_of(a: np.ndarray, b: np.ndarray, rng: np.random.Generator, span: int, times: bool = True) -> GameLog:
    n = len(a)
    return GameLog.from_arrays(
        player_a=a,
        player_b=b,
        score_a=rng.choice([0.0, 0.5, 1.0, 0.25], n, p=[0.4, 0.2, 0.35, 0.05]),
        played_at=np.sort(rng.integers(0, span, n)) if times else None,
    )


def schedules(n: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Who meets whom: at random, everybody one player, a chain, two players only, heavy tails."""
    rng = np.random.default_rng(SEED)
    players = max(2, n // 20)
    a = rng.integers(0, players, n)
    b = (a + rng.integers(1, players, n)) % players
    zipf = np.minimum(rng.zipf(1.3, n), players) - 1
    other = (zipf + rng.integers(1, players, n)) % players
    return {
        "random": (a, b),
        "star": (np.zeros(n, np.int64), rng.integers(1, players, n)),
        "chain": (np.arange(n) % players, (np.arange(n) + 1) % players),
        "pair": (np.zeros(n, np.int64), np.ones(n, np.int64)),
        "zipf": (zipf, other),
    }


VARIANTS = [
    *(rules for rules in shipped()),
    methodology("paper").with_(period="match"),
    methodology("glicko").with_(period="1d"),
    methodology("elo").with_({"period": "1d"}),
]
