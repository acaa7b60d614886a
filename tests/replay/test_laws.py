"""What holds for every log and every methodology."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark import GameLog, Methodology, Rating, Snapshot, Table, methodology, replay

from .strategies import METHODOLOGIES, Rows, bits, methodologies, rows

NUMBERS = ("rating", "deviation", "volatility", "games", "wins", "draws", "losses")


@given(rows(), methodologies(), st.randoms(use_true_random=False))
def test_a_shuffled_file_with_game_ids_gives_the_same_bits(games: Rows, m: Methodology, rng: random.Random) -> None:
    order = list(range(len(games)))
    rng.shuffle(order)
    one = replay(games.log(), m, predictions=True, history=True)
    two = replay(games.taken(order).log(), m, predictions=True, history=True)
    for first, second in ((one.ratings, two.ratings), (one.predictions, two.predictions), (one.history, two.history)):
        assert first.columns == second.columns
        for name in first.columns:
            np.testing.assert_array_equal(first[name], second[name])


@given(rows(), st.sampled_from(["paper", "glicko"]), st.randoms(use_true_random=False))
def test_without_ids_the_order_inside_a_period_moves_less_than_1e_9(games: Rows, name: str, rng: random.Random) -> None:
    order = list(range(len(games)))
    rng.shuffle(order)
    one, two = (replay(g.log(ids=False), name).ratings for g in (games, games.taken(order)))
    by_player = [np.argsort(t.player.astype(np.int64)) for t in (one, two)]
    for column in ("rating", "deviation", "volatility"):
        np.testing.assert_allclose(one[column][by_player[0]], two[column][by_player[1]], rtol=0, atol=1e-9)


@given(rows(), methodologies())
def test_swapped_sides_give_the_same_bits(games: Rows, m: Methodology) -> None:
    one, two = replay(games.log(), m, predictions=True), replay(games.swapped().log(), m, predictions=True)
    assert one.ratings.player.tolist() == two.ratings.player.tolist()
    assert bits([one.ratings[c] for c in NUMBERS]) == bits([two.ratings[c] for c in NUMBERS])
    np.testing.assert_array_equal(one.predictions.logit_a, -two.predictions.logit_a)


@given(rows(), st.sampled_from([m for m in METHODOLOGIES if m.name in ("paper", "arena", "glicko", "elo", "contest")]))
def test_shifted_ratings_shift_and_nothing_else(games: Rows, m: Methodology) -> None:
    ids = sorted({*games.a, *games.b})
    start = [1500.0 + 40.0 * i for i in range(len(ids))]
    one, two = (
        replay(games.log(), m, start=Snapshot.from_arrays(player=ids, rating=[r + shift for r in start])).ratings
        for shift in (0.0, 317.0)
    )
    first, second = np.argsort(one.player.astype(int)), np.argsort(two.player.astype(int))
    np.testing.assert_allclose(one.rating[first] + 317.0, two.rating[second], rtol=0, atol=1e-8)
    np.testing.assert_allclose(one.deviation[first], two.deviation[second], rtol=0, atol=1e-8)
    np.testing.assert_allclose(one.volatility[first], two.volatility[second], rtol=0, atol=1e-10)


@given(rows(), methodologies(), st.data())
def test_split_anywhere_and_resumed_equals_whole(games: Rows, m: Methodology, data: st.DataObject) -> None:
    order = sorted(range(len(games)), key=lambda i: (games.at[i], games.game[i]))
    games = games.taken(order)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(games)), min_size=1, max_size=3)))
    whole = replay(games.log(), m, history=True)
    snapshot: Snapshot | None = None
    for low, high in zip([0, *cuts], [*cuts, len(games)], strict=True):
        part = replay(games.taken(list(range(low, high))).log(), m, start=snapshot)
        snapshot = part.snapshot()
    for name in whole.ratings.columns:
        np.testing.assert_array_equal(whole.ratings[name], part.ratings[name])


@given(rows(), methodologies())
def test_every_number_is_finite_and_nothing_is_lost(games: Rows, m: Methodology) -> None:
    r = replay(games.log(), m, predictions=True, history=True)
    assert r.report.rated + sum(r.report.not_rated.values()) == len(games)
    assert len(r.predictions) == r.report.rated
    assert len(r.history) == 2 * r.report.rated
    for table in (r.ratings, r.predictions, r.history):
        for name in table.columns:
            if table[name].dtype == np.float64 and name != "peak":
                assert np.isfinite(table[name]).all()
    counts = [r.ratings[c].sum() for c in ("games", "wins", "draws", "losses")]
    assert counts[0] == counts[1] + counts[2] + counts[3]


@given(rows(), methodologies())
def test_history_chains_and_ends_in_the_ratings(games: Rows, m: Methodology) -> None:
    r = replay(games.log(), m, history=True)
    last: dict[int, tuple[float, float]] = {}
    for row in r.history.rows():
        last[row["player"]] = (row["rating_after"], row["volatility_after"])  # type: ignore[index, assignment]
    shown = {row["player"]: (row["rating"], row["volatility"]) for row in r.ratings.rows()}
    assert last == shown


@given(rows(), methodologies(), st.integers(0, 400), st.integers(0, 400))
def test_ageing_is_a_function_of_state_and_time(games: Rows, m: Methodology, one: int, two: int) -> None:
    r = replay(games.log(), m)
    end = max(games.at)
    first, second = (np.datetime64(end + 86_400 * d, "s") for d in sorted((one, two)))
    before = r.ratings_at(first)
    np.testing.assert_array_equal(before.deviation, r.ratings_at(first).deviation)
    after = r.ratings_at(second)
    later = dict(zip(after.player.tolist(), after.deviation.tolist(), strict=True))
    assert all(later[p] >= d for p, d in zip(before.player.tolist(), before.deviation.tolist(), strict=True))


PATTERNS: dict[str, Callable[[int, np.random.Generator], np.ndarray]] = {
    "one side wins for ever": lambda n, rng: np.ones(n),
    "coin flips": lambda n, rng: rng.integers(0, 2, n).astype(float),
    "draws": lambda n, rng: np.full(n, 0.5),
    "blocks of 20": lambda n, rng: (np.arange(n) // 20 % 2).astype(float),
    "fractions": lambda n, rng: rng.random(n),
    "tiny fractions": lambda n, rng: np.full(n, 5e-324),
}


@pytest.mark.parametrize("m", METHODOLOGIES, ids=lambda m: m.id)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_300_000_games_of_one_pair_stay_finite(m: Methodology, pattern: str) -> None:
    n = 300_000
    score = PATTERNS[pattern](n, np.random.default_rng(7))
    log = GameLog.from_arrays(
        player_a=np.zeros(n, np.int64),
        player_b=np.ones(n, np.int64),
        score_a=score,
        played_at=np.datetime64("2020-01-01", "s") + np.arange(n) * np.timedelta64(3600, "s"),
    )
    rules = m.with_({"rated.draws": True}) if m.name == "votes" else m
    # Of one pair no two games can be rated at once: a second thread would only wait.
    r = replay(log, rules, history=True, predictions=True, threads=1)
    for table in (r.ratings, r.history, r.predictions):
        for column in table.columns:
            if table[column].dtype == np.float64 and column != "peak":
                assert np.isfinite(table[column]).all(), column
    bounds = m.bounds
    if bounds.deviation_max is not None:
        assert (r.history.deviation_after <= bounds.deviation_max * (1 + 1e-15)).all()


def test_paper_by_match_runs_away_is_held_and_reported() -> None:
    """Two equal newcomers, coin flips, one game a period: without bounds sigma leaves the doubles; nothing breaks."""
    n = 400_000
    log = GameLog.from_arrays(
        player_a=np.zeros(n, np.int64),
        player_b=np.ones(n, np.int64),
        score_a=np.random.default_rng(1).integers(0, 2, n).astype(float),
    )
    r = replay(log, "arena-v0", history=True, predictions=True)
    assert r.report.clamped["held"] > 0
    held = r.history.clamped == "held"
    assert (r.history.rating_after[held] == r.history.rating_before[held]).all()
    assert np.isfinite(r.history.rating_after).all()


@given(rows(most=30), st.sampled_from([m for m in METHODOLOGIES if m.period.kind == "match"]))
def test_a_scalar_update_equals_the_bulk_one(games: Rows, m: Methodology) -> None:
    """From an equal state, clamps included: one match at a time through the scalar face."""
    ids = sorted({*games.a, *games.b})
    start = Snapshot.from_arrays(
        player=ids, rating=[1400.0 + 37.0 * i for i in range(len(ids))], deviation=[120.0] * len(ids)
    )
    first = games.taken([0]).log()
    r = replay(first, m, start=start, history=True)
    if not r.report.rated:
        return
    player, other = rating_before(r.history, 0), rating_before(r.history, 1)
    game = next(iter(r.history.rows()))
    step = m.step(player, [(other, float(game["score"]))])  # type: ignore[arg-type]
    assert step.rating.rating == game["rating_after"]
    assert step.rating.deviation == game["deviation_after"]
    assert step.rating.volatility == game["volatility_after"]
    assert "+".join(step.clamped) == game["clamped"]


def rating_before(history: Table, row: int) -> Rating:
    return Rating(*(float(history[f"{n}_before"][row]) for n in ("rating", "deviation", "volatility")))


@settings(max_examples=30)
@given(rows(most=40))
def test_several_methodologies_over_one_reading(games: Rows) -> None:
    names: list[Methodology | str] = ["paper", "elo", methodology("lichess")]
    several = replay(games.log(), names)
    for name, r in zip(names, several, strict=True):
        alone = replay(games.log(), name).ratings
        assert bits([r.ratings[c] for c in NUMBERS]) == bits([alone[c] for c in NUMBERS])


@given(rows(), rows(), methodologies())
def test_pools_are_apart(one: Rows, two: Rows, m: Methodology) -> None:
    """The same players in two pools: each pool is what it would be alone."""
    both = GameLog.from_arrays(
        player_a=one.a + two.a,
        player_b=one.b + two.b,
        score_a=one.score + two.score,
        played_at=np.array(one.at + two.at, "datetime64[s]"),
        pool=["x"] * len(one) + ["y"] * len(two),
        game=one.game + [g + len(one) for g in two.game],
    )
    r = replay(both, m)
    for name, alone in (("x", one), ("y", two)):
        mine = r.ratings.pool == name
        expected = replay(alone.log(), m).ratings
        assert r.ratings.player[mine].tolist() == expected.player.tolist()
        assert bits([r.ratings[c][mine] for c in NUMBERS]) == bits([expected[c] for c in NUMBERS])
