"""Exactness: the replays it compares are those that anyone can run, and what it says of them is so."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onchain_logs import go_log

import tallymark as tm
from tallymark import GameLog, InputError
from tallymark.evidence.exactness.differing import NAMES, difference
from tallymark.fixedpoint import truncating
from tallymark.fixedpoint.units import HALF
from tallymark.replay.engines import Engine
from tallymark.replay.integer_columns import as_integers

SECOND = 1_000_000


def whole_seconds(log: GameLog) -> GameLog:
    """The same games at whole seconds."""
    assert log.time is not None
    table = log.to_table()
    columns = {name: table[name] for name in table.columns if name not in ("row", "pool", "played_at")}
    at = (log.time // SECOND * SECOND).view("datetime64[us]")
    return GameLog.from_arrays(**columns, played_at=at, order=np.arange(len(log)))


def same(one: tm.Exactness, two: tm.Exactness, checkpoints: bool = True) -> bool:
    tables = [(one.scores, two.scores), *([(one.checkpoints, two.checkpoints)] if checkpoints else [])]
    return (one.half_even, one.truncating, one.notes, one.games, one.players) == (
        two.half_even,
        two.truncating,
        two.notes,
        two.games,
        two.players,
    ) and all(list(a.rows()) == list(b.rows()) for a, b in tables)


def state(r: tm.Replay) -> tuple[np.ndarray, np.ndarray]:
    snapshot = r.snapshot().state
    return np.asarray(snapshot.mu), np.sqrt(snapshot.phi2)


def test_the_replays_are_those_of_the_methodologies() -> None:
    """On a log at whole seconds: every figure once more, from two ordinary replays."""
    log = whole_seconds(go_log(3000, 40))
    found = tm.exactness(log, checkpoints=3)
    chain, floats = (tm.replay(log, name, predictions=True) for name in ("go-onchain", "go-float"))
    assert (found.games, found.not_rated) == (chain.report.rated, chain.report.not_rated)
    assert found.players == chain.report.players == 40
    p = chain.predictions["p_a"] - floats.predictions["p_a"]
    (mu, phi), (mu_floats, phi_floats) = state(chain), state(floats)
    expected = difference(p, mu - mu_floats, phi - phi_floats)
    assert found.half_even == expected
    assert 0.0 < expected.p_largest < 1.6e-8
    rows = list(found.scores.rows())
    knee = tm.replay(log, tm.methodology("go-float").with_({"system.rank_from": 15.0}), predictions=True)
    for row, r in ((rows[0], chain), (rows[2], floats), (rows[3], knee)):
        score = tm.score(r.predictions)
        assert (row["games"], row["decisive"]) == (score.games, score.decisive)
        assert (row["log_loss"], row["brier"], row["accuracy"]) == (score.log_loss, score.brier, score.accuracy)
    assert [(row["numbers"], row["knee"]) for row in rows[2:]] == [("floats", 16.0), ("floats", 15.0)]
    assert rows[2]["log_loss"] != rows[3]["log_loss"]
    first = next(found.checkpoints.rows())
    assert first["game"] == found.games // 3
    assert first["p_largest"] == np.abs(p[: found.games // 3]).max()


def test_a_fraction_of_a_second_is_no_difference() -> None:
    log = go_log(2000, 30)
    assert log.time is not None
    assert (log.time % SECOND).any()
    assert same(tm.exactness(log), tm.exactness(whole_seconds(log)))
    floats = tm.replay(log, "go-float", predictions=True).predictions["p_a"]
    chain = tm.replay(log, "go-onchain", predictions=True).predictions["p_a"]
    assert np.abs(chain - floats).max() > 5 * tm.exactness(log).half_even.p_largest


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_quotients_that_are_cut_off(engine: Engine) -> None:
    """Game by game over Python's integers."""
    log = tm.synthetic(400, 20, draws=0.2)
    assert log.time is not None
    states = [(0, 0, 0)] * 20
    p = np.empty(400)
    for i in range(400):
        a, b, t = int(log.a[i]), int(log.b[i]), int(log.time[i]) // SECOND
        done = truncating.game(*states[a], *states[b], int(2 * log.score[i]) * HALF, t)
        states[a] = (done.side_a.mu, done.side_a.phi, done.last_a)
        states[b] = (done.side_b.mu, done.side_b.phi, done.last_b)
        p[i] = done.chance.p / 2**32
    floats = tm.replay(whole_seconds(log), "go-float", predictions=True)
    mu, phi = state(floats)
    cut = np.array(states)
    found = tm.exactness(log, engine=engine)
    expected = difference(p - floats.predictions["p_a"], cut[:, 0] / 2**32 - mu, cut[:, 1] / 2**32 - phi)
    assert found.truncating == expected
    integers = np.array(as_integers(mu, phi * phi))
    assert np.abs(integers - cut[:, :2].T).max() > 1, "as good as those that round"


def test_both_engines_give_the_same_bits() -> None:
    log = tm.synthetic(1500, 25, draws=0.1)
    columns = {name: log.to_table()[name] for name in ("player_a", "player_b", "score_a", "played_at")}
    boards = GameLog.from_arrays(**columns, board=np.random.default_rng(5).choice([9, 13, 19], len(log)))
    one, two = tm.exactness(boards, engine="interpreted"), tm.exactness(boards, engine="compiled")
    assert same(one, two)
    assert len(one.scores) == 6


@settings(max_examples=20)
@given(st.integers(1, 60), st.integers(2, 8), st.integers(1, 80), st.integers(0, 99))
def test_checkpoints_change_no_total(games: int, players: int, checkpoints: int, seed: int) -> None:
    log = tm.synthetic(games, players, seed=seed)
    found = tm.exactness(log, checkpoints=checkpoints)
    assert same(found, tm.exactness(log, checkpoints=1), checkpoints=False)
    rows = list(found.checkpoints.rows())
    assert len(rows) == 2 * min(games, checkpoints)
    for rounds, total in ((rows[::2], found.half_even), (rows[1::2], found.truncating)):
        assert max(float(str(row["p_largest"])) for row in rounds) == total.p_largest
        assert [rounds[-1][name] for name in NAMES[2:]] == [getattr(total, name) for name in NAMES[2:]]
        assert (rounds[-1]["game"], rounds[-1]["players"]) == (games, found.players)


@given(st.lists(st.floats(-1.0, 1.0), min_size=1))
def test_a_mean_is_no_larger_than_the_largest(values: list[float]) -> None:
    column = np.array(values)
    d = difference(column, column, -column)
    assert d.mu_largest >= d.mu_mean * (1 - 1e-12)
    assert d.mu_mean >= abs(d.mu_drift) * (1 - 1e-12)
    assert (d.p_largest, d.p_mean, d.phi_drift) == (d.mu_largest, d.mu_mean, -d.mu_drift)
    assert difference(column - column, column - column, column - column) == difference(*np.zeros((3, 1)))


def test_two_hundred_thousand_games() -> None:
    """The bounds of 30.4 million, of which docs/guide/exactness.md tells, hold of these already."""
    found = tm.exactness(tm.synthetic(200_000, 4_000, seed=1), checkpoints=2)
    assert (found.games, found.players) == (200_000, 4_000)
    assert found.half_even.p_largest < 2e-9
    assert found.truncating.p_largest < 1.6e-8
    assert found.drift_ratio > 50
    assert found.truncating.mu_drift > 1e-9


def test_games_at_lower_weight() -> None:
    """At weight 1 they are those of the methodology; at any other not; other boards keep their weight."""
    log = tm.synthetic(3000, 30, go=True, seed=3)
    rows = list(tm.exactness(log, weights=(1.0, 0.5, 0.0)).scores.rows())
    assert [row["small_boards"] for row in rows] == [1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.0]
    floats, full, half, none = rows[2], rows[4], rows[5], rows[6]
    assert full == floats
    assert len({floats["log_loss"], half["log_loss"], none["log_loss"]}) == 3
    assert log.board is not None
    table = log.to_table()
    columns = {name: table[name] for name in table.columns if name not in ("row", "pool", "board")}
    large = GameLog.from_arrays(**columns, board=[19] * len(log))
    found = tm.exactness(large, weights=(0.5,))
    assert found.notes == ("no rated game is on 9x9 or 13x13: none could weigh less for its board",)
    assert len(found.scores) == 4


def test_a_weight_multiplies_information_and_surprise() -> None:
    log = GameLog.from_arrays(
        player_a=["ann", "ann"],
        player_b=["bob", "bob"],
        score_a=[1, 1],
        played_at=["2026-01-01"] * 2,
        board=[9, 19],
        order=[1, 2],
    )
    rows = list(tm.exactness(log, weights=(0.25,)).scores.rows())
    g = 1.0 / np.sqrt(1.0 + 3.0 * 4.0 / np.pi**2)
    variance = 1.0 / (1.0 / 4.0 + 0.25 * g * g * 0.25)
    mu = variance * 0.25 * g * 0.5
    both = 1.0 / np.sqrt(1.0 + 3.0 * 2.0 * variance / np.pi**2)
    losses = [np.log(2.0), np.log1p(np.exp(-both * 2.0 * mu))]
    assert float(str(rows[-1]["log_loss"])) == pytest.approx(np.mean(losses), rel=1e-12)


def test_logs_without_boards_or_games() -> None:
    assert tm.exactness(tm.synthetic(5, 2)).notes == ("the log has no boards: no game could weigh less for its own",)
    for log in (
        GameLog.from_arrays(player_a=[], player_b=[], score_a=[]),
        GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1], played_at=["2026-01-01"], handicap=[2]),
    ):
        found = tm.exactness(log)
        assert (found.games, found.players, len(found.checkpoints)) == (0, 0, 0)
        assert found.half_even.p_largest != found.half_even.p_largest
        assert found.drift_ratio != found.drift_ratio
        assert found.scores["games"].tolist() == [0] * 4
    assert found.not_rated == {"handicap": 1}


def test_progress_comes_to_the_end() -> None:
    told: list[tuple[int, float | None]] = []
    tm.exactness(tm.synthetic(100, 5, go=True), checkpoints=4, progress=lambda rows, share: told.append((rows, share)))
    assert told == sorted(told)
    assert told[-1][1] == 1.0
    assert told[-1][0] % 6 == 0


def test_a_prepared_log_is_the_log() -> None:
    log = go_log(200, 10)
    assert same(tm.exactness(log.prepare()), tm.exactness(log))


def test_what_is_refused() -> None:
    log = tm.synthetic(10, 3)
    checkpoints: Any  # as somebody may give it whose code no checker has read
    for checkpoints in (0, True, 1.5, 100_001):
        with pytest.raises(InputError, match=r"checkpoints is .*; expected a whole number from 1 to 100000"):
            tm.exactness(log, checkpoints=checkpoints)
    for weight in (-0.1, 1.5, float("nan")):
        with pytest.raises(InputError, match=r"weights is .*; expected numbers from 0 to 1"):
            tm.exactness(log, weights=[weight])
    given: Any = 0.5
    with pytest.raises(InputError, match=r"weights is 0\.5; expected numbers from 0 to 1"):
        tm.exactness(log, weights=given)
    given = "fast"
    with pytest.raises(InputError, match="engine is 'fast'"):
        tm.exactness(log, engine=given)
    given = "games.csv"
    with pytest.raises(InputError, match="log is a str"):
        tm.exactness(given)
    with pytest.raises(InputError, match="ages by elapsed time, and the log has no played_at"):
        tm.exactness(GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1]))


def test_matches_of_many_are_refused() -> None:
    table = {"match": [1, 1, 1, 2, 2], "rank": [1, 2, 3, 1, 2], "played_at": ["2026-01-01"] * 5}
    three = GameLog.from_entries(player=["ann", "bob", "cid", "ann", "bob"], **table)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="match 1 has more than two players"):
        tm.exactness(three)
    columns = {
        "player_a": ["ann", "bob"],
        "player_b": ["bob", "ann"],
        "score_a": [1, 0],
        "played_at": ["2026-01-01"] * 2,
    }
    assert tm.exactness(GameLog.from_arrays(**columns, match=[1, 1])).games == 2  # type: ignore[arg-type]
