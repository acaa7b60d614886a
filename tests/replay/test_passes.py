"""The passes give what the plain compiled fold gives, to the last bit: windows, snapshots, matches, small logs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark import GameLog, InputError, methodology, replay
from tallymark.replay import passes

from .ways import SEED, VARIANTS, equal, log_of, plain, same, same_bits, schedules


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


def test_states_tell_when_everybody_played_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game rated and none moved, under ageing by time: the games are not gone through for their instants."""
    monkeypatch.setattr(passes, "_latest", lambda: pytest.fail("asked for"))
    rng = np.random.default_rng(SEED)
    a, b = schedules(3000)["random"]
    same(log_of(a, b, rng, 300 * 86400), methodology("go-float"))


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
