"""Against a slow second implementation that shares no code with the package."""

from datetime import UTC, datetime

import numpy as np
import pytest
import reference_replay as oracle
from hypothesis import given, settings

from tallymark import Replay, methodology, replay

from .strategies import Rows, rows

SCORES = (0.0, 0.25, 0.5, 1.0)


def games_of(games: Rows) -> list[oracle.Game]:
    return [
        oracle.Game(at * 1_000_000, str(a), str(b), s)
        for a, b, s, at in zip(games.a, games.b, games.score, games.at, strict=True)
    ]


def assert_same(found: Replay, expected: oracle.Replay) -> None:
    np.testing.assert_allclose(found.predictions.p_a, expected.p_a, rtol=0, atol=1e-11)
    np.testing.assert_allclose(found.predictions.logit_a, expected.logit_a, rtol=1e-9, atol=1e-10)
    assert {str(p) for p in found.ratings.player} == set(expected.ratings)
    for row in found.ratings.rows():
        state = expected.ratings[str(row["player"])]
        assert row["rating"] == pytest.approx(state.rating, abs=1e-7)
        assert row["deviation"] == pytest.approx(state.deviation, abs=1e-7)
        assert row["volatility"] == pytest.approx(state.volatility, abs=1e-10)


@settings(max_examples=60)
@given(rows(scores=SCORES))
def test_paper_by_calendar(games: Rows) -> None:
    for days in (7, 30):
        found = replay(games.log(ids=False), methodology("paper").with_(period=f"{days}d"), predictions=True)
        assert_same(found, oracle.calendar(games_of(games), days=days))


@settings(max_examples=60)
@given(rows(scores=SCORES))
def test_lichess_by_game(games: Rows) -> None:
    assert_same(replay(games.log(ids=False), "lichess", predictions=True), oracle.by_game(games_of(games)))


@settings(max_examples=60)
@given(rows(scores=SCORES))
def test_elo(games: Rows) -> None:
    found = replay(games.log(ids=False), methodology("elo").with_(k=32), predictions=True)
    expected = oracle.elo(games_of(games), k=32.0)
    np.testing.assert_allclose(found.predictions.p_a, expected.p_a, rtol=0, atol=1e-12)
    for row in found.ratings.rows():
        assert row["rating"] == pytest.approx(expected.ratings[str(row["player"])].rating, abs=1e-9)


def test_empty_periods_count_for_every_player_that_exists() -> None:
    games = Rows([1, 3, 3], [2, 4, 4], [1.0, 0.5, 1.0], [1_600_000_000, 1_605_000_000, 1_640_000_000], [1, 2, 3])
    found = replay(games.log(), "paper")
    rows_by_player = {row["player"]: row for row in found.ratings.rows()}
    played = datetime.fromtimestamp(1_600_000_000, UTC)
    assert rows_by_player[1]["last_played"] == played
    after_one = methodology("paper").update(methodology("paper").initial(), [(methodology("paper").initial(), 1.0)])
    # Period 0 has the first game; the last game is (1_640_000_000 - midnight) / 30 days later, in period 15.
    assert rows_by_player[1]["deviation"] == pytest.approx(methodology("paper").age(after_one, 15).deviation, abs=1e-12)
