"""The passes give what the plain compiled fold gives, to the last bit, whatever the schedule."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark import GameLog, InputError, Methodology, ReadError, Replay, methodology, read_games, replay, shipped
from tallymark.replay import passes
from tallymark.replay.snapshot_file import document_of

SEED = 20261129


@contextmanager
def plain() -> Iterator[None]:
    """The plain loop, whatever the log."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "passable", lambda games, units, players, rules: False)
        yield


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


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: f"{rules.id}-{rules.hash[:6]}")
@pytest.mark.parametrize("shape", list(schedules(40)))
def test_adversarial_schedules(rules: Methodology, shape: str) -> None:
    rng = np.random.default_rng(SEED)
    a, b = schedules(3000)[shape]
    same(log_of(a, b, rng, 400 * 86400), rules, (True, False) if shape == "zipf" and rules.id == "paper-1" else (True,))


def test_windows_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(SEED)
    a, b = schedules(3000)["random"]
    log = log_of(a, b, rng, 86400, times=False)
    rules = methodology("paper").with_(period="match")
    whole = replay(log, rules, engine="compiled", history=True, predictions=True)
    for window in (1, 7, 1000):
        monkeypatch.setattr(passes, "WINDOW", window)
        equal(replay(log, rules, engine="compiled", history=True, predictions=True), whole)


@pytest.mark.parametrize("name", ["go-float", "arena"])
def test_short_games_and_peaks(name: str) -> None:
    rng = np.random.default_rng(SEED)
    a, b = schedules(6000)["zipf"]
    log = GameLog.from_arrays(
        player_a=a,
        player_b=b,
        score_a=rng.choice([0.0, 1.0], len(a)),
        played_at=np.sort(rng.integers(0, 300 * 86400, len(a))),
        steps=rng.integers(0, 80, len(a)),
        ending=rng.choice(["resignation", "timeout", "normal"], len(a)),
        source=rng.choice(["queue", "tournament", "casual"], len(a)),
    )
    same(log, methodology(name))
    start = replay(log.taken(np.arange(0, 3000)), name, engine="compiled").snapshot()
    rest = log.taken(np.arange(3000, len(log)))
    on = replay(rest, name, start=start, engine="compiled")
    with plain():
        equal(on, replay(rest, name, start=start, engine="compiled"), kept=False)


@pytest.mark.parametrize("shape", list(schedules(40)))
def test_threads_change_no_bit(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(SEED)
    a, b = schedules(20_000)[shape]
    log = log_of(a, b, rng, 86400, times=False)
    rules = methodology("paper").with_(period="match")
    monkeypatch.setattr(passes, "WINDOW", 1_500)  # many windows, so that threads meet often
    one = replay(log, rules, engine="compiled", history=True, predictions=True, threads=1)
    for threads in (2, 3):
        equal(replay(log, rules, engine="compiled", history=True, predictions=True, threads=threads), one)


@pytest.mark.parametrize("threads", [0, -1, True, 1.5, "2"])
def test_threads_are_a_number(threads: object) -> None:
    log = GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1])
    with pytest.raises(InputError, match="threads is"):
        replay(log, "elo", threads=threads)  # type: ignore[call-overload]


@settings(max_examples=25)
@given(st.data())
def test_any_small_log(data: st.DataObject) -> None:
    games = data.draw(
        st.lists(
            st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 10**6)),
            min_size=1,
            max_size=60,
        )
    )
    games = [(a, b, s, t) for a, b, s, t in games if a != b] or [(0, 1, 1.0, 0)]
    a, b, s, t = (list(column) for column in zip(*games, strict=True))
    log = GameLog.from_arrays(player_a=a, player_b=b, score_a=s, played_at=t)
    rules = data.draw(st.sampled_from(VARIANTS))
    same(log, rules)
    interpreted = replay(log, rules, history=True, predictions=True, engine="interpreted")
    one = replay(log, rules, history=True, predictions=True, engine="compiled")
    for name in ("ratings", "predictions", "history"):
        for column in getattr(one, name).columns:
            assert same_bits(getattr(one, name)[column], getattr(interpreted, name)[column])


@pytest.mark.parametrize("name", ["paper", "elo", "glicko", "contest"])
def test_matches_of_several(name: str) -> None:
    rng = np.random.default_rng(SEED)
    matches = 800
    sizes = rng.integers(2, 7, matches)
    match = np.repeat(np.arange(matches), sizes)
    player = np.concatenate([rng.permutation(90)[:size] for size in sizes])
    rank = rng.integers(1, 4, len(match))
    at = np.repeat(np.sort(rng.integers(0, 60 * 86400, matches)), sizes)
    log = GameLog.from_entries(match=match, player=player, rank=rank, played_at=at)
    for period in ("match", "7d"):
        same(log, methodology(name).with_(period=period))


def test_going_on_from_a_snapshot() -> None:
    rng = np.random.default_rng(SEED)
    a, b = schedules(4000)["random"]
    log = log_of(a, b, rng, 300 * 86400)
    for rules in (methodology("paper").with_(period="match"), methodology("lichess"), methodology("paper")):
        first, second = log.taken(np.arange(0, 1500)), log.taken(np.arange(1500, len(log)))
        start = replay(first, rules, engine="compiled").snapshot()
        on = replay(second, rules, start=start, engine="compiled")
        with plain():
            equal(on, replay(second, rules, start=start, engine="compiled"), kept=False)


def test_real_sets(data: Path) -> None:
    """Two sets under three methodologies; TALLYMARK_SETS=1: every set under each of them."""
    everything = bool(os.environ.get("TALLYMARK_SETS"))
    some = ["volleyball_bundesliga", "riichi_mahjong_4p"]
    paths = sorted(data.glob("*/*.csv.gz")) if everything else [data / name / f"{name}.csv.gz" for name in some]
    for path in paths:
        try:
            log = read_games(path)
        except ReadError:  # lists of players and of former names lie beside the games
            continue
        for rules in VARIANTS if everything else [methodology(name) for name in ("paper", "elo", "lichess")]:
            if log.time is not None or rules.period.kind == "match":
                same(log, rules)
