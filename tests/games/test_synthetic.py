"""Synthetic logs: what they promise of numbers, players, results and time, and that a seed is a log."""

import hashlib
import subprocess
import sys
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tallymark as tm
from tallymark.games import synthetic as module
from tallymark.games.synthetic import Synthesis, synthetic
from tallymark.games.synthetic_file import write_synthetic

DAY = 86_400_000_000


@settings(max_examples=60, deadline=None)
@given(
    games=st.integers(1, 300),
    players=st.integers(2, 40),
    seed=st.integers(0, 2**63 - 1),
    days=st.integers(1, 1000),
    zipf=st.floats(0, 4),
    draws=st.floats(0, 1),
    ids=st.sampled_from(["integers", "strings", "long"]),
    go=st.booleans(),
    knots=st.integers(1, 6),
)
def test_laws(**given_: object) -> None:
    of = Synthesis(**given_)  # type: ignore[arg-type]
    log = synthetic(**given_)  # type: ignore[arg-type]
    assert len(log) == log.report.accepted == of.games
    assert log.time is not None
    assert (log.a != log.b).all()
    assert set(log.players) <= set(of.names)
    assert of.names == sorted(set(of.names))
    assert set(np.unique(log.score)) <= {0.0, 0.5, 1.0}
    assert (np.diff(log.time) > 0).all()
    instants = log.time.view("datetime64[us]").astype("datetime64[D]")
    assert of.first_day <= instants[0].item() <= instants[-1].item() <= of.last_day
    for name in ("board", "komi", "steps", "ending", "source"):
        assert (getattr(log, name) is not None) == of.go


def test_a_seed_is_a_log_on_every_machine(tmp_path: Path) -> None:
    """Digests of the text: they change only with what a seed stands for, which is a change that users see."""
    made = {
        "b3b0f3de9e8a5bf4": Synthesis(2000, 60, seed=7),
        "3b42c272ce2398c6": Synthesis(
            2000, 60, seed=7, zipf=1.3, draws=0.2, ids="long", go=True, days=40, first="2001-02-03"
        ),
    }
    for digest, of in made.items():
        write_synthetic(tmp_path / "games.csv", of)
        assert hashlib.sha256((tmp_path / "games.csv").read_bytes()).hexdigest()[:16] == digest, of


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_file_reads_back_as_the_log(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PIECE", 700)
    of = Synthesis(2000, 60, seed=3, draws=0.1, ids="strings", go=True, zipf=0.5)
    write_synthetic(tmp_path / f"it's{suffix}", of)
    read = tm.read_games(tmp_path / f"it's{suffix}")
    made = synthetic(2000, 60, seed=3, draws=0.1, ids="strings", go=True, zipf=0.5)
    assert read.report.accepted == 2000
    assert read.players == made.players
    for name in ("a", "b", "score", "time", "board", "komi", "steps", "ending", "source"):
        assert np.array_equal(getattr(read, name), getattr(made, name)), name


PEAK = """
import resource, sys
from tallymark.games.synthetic import Synthesis
from tallymark.games.synthetic_file import write_synthetic

write_synthetic(sys.argv[1], Synthesis(int(sys.argv[2]), 1000, ids="long"))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peaks of memory in KiB")
def test_memory_does_not_grow_with_the_games(tmp_path: Path) -> None:
    peaks = []
    for games in (1 << 20, 5 << 20):
        command = [sys.executable, "-c", PEAK, str(tmp_path / "games.parquet"), str(games)]
        peaks.append(int(subprocess.run(command, capture_output=True, check=True, timeout=120).stdout))
    assert peaks[1] - peaks[0] < 100_000  # the four pieces more are 300 MB


def test_pieces_have_games_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PIECE", 500)
    first, second = synthetic(1000, 50).a.reshape(2, 500)
    assert (first != second).mean() > 0.9


def test_the_better_one_wins_and_ratings_find_the_order() -> None:
    of = Synthesis(40_000, 400, seed=5, draws=0.1, knots=1)
    log = synthetic(40_000, 400, seed=5, draws=0.1, knots=1)
    assert log.players == of.names
    played = tm.replay(log, "paper", predictions=True)
    ratings = dict(zip(played.ratings["player"].tolist(), played.ratings["rating"].tolist(), strict=True))
    rated = np.array([ratings[name] for name in of.names])
    by_rating, by_skill = (np.argsort(np.argsort(values)) for values in (rated, of.skills[0]))
    assert np.corrcoef(by_rating, by_skill)[0, 1] > 0.95
    assert tm.score(played.predictions).log_loss < 0.61


def test_a_skill_that_drifts_is_followed_by_results() -> None:
    of = Synthesis(200_000, 20, seed=5, knots=2)
    log = synthetic(200_000, 20, seed=5, knots=2)
    moved = np.subtract(of.skills[1], of.skills[0])
    risen, fallen = int(moved.argmax()), int(moved.argmin())
    half = len(log) // 2
    for player, sign in ((risen, 1), (fallen, -1)):
        shares = []
        for part in (slice(0, half), slice(half, None)):
            as_a, as_b = log.a[part] == player, log.b[part] == player
            shares.append((log.score[part][as_a].sum() + (1 - log.score[part][as_b]).sum()) / (as_a.sum() + as_b.sum()))
        assert sign * (shares[1] - shares[0]) > 0.01


@pytest.mark.parametrize("draws", [0.0, 0.23, 1.0])
def test_share_of_draws(draws: float) -> None:
    log = synthetic(50_000, 100, draws=draws, go=True)
    drawn = log.score == 0.5
    assert drawn.mean() == pytest.approx(draws, abs=0.01)
    assert log.komi is not None
    assert np.array_equal(log.komi == 7.0, drawn)
    assert log.score.mean() == pytest.approx(0.5, abs=0.01)


def test_activity_is_as_the_exponent_says() -> None:
    for zipf in (0.0, 0.5, 1.0):
        log = synthetic(100_000, 30, zipf=zipf)
        counts = np.sort(np.bincount(log.a, minlength=30))[::-1]  # b is drawn among the others
        expected = np.arange(1, 31) ** -zipf
        assert counts / counts.sum() == pytest.approx(expected / expected.sum(), abs=0.006)
    assert np.bincount(log.a)[0] != counts[0]  # who plays most is not who comes first by name


def test_go_columns() -> None:
    log = synthetic(20_000, 100, go=True)
    assert log.board is not None
    assert log.steps is not None
    boards, counts = np.unique(log.board, return_counts=True)
    assert boards.tolist() == [9, 13, 19]
    assert counts / 20_000 == pytest.approx([0.25, 0.15, 0.6], abs=0.02)
    assert (log.steps > 0).all()
    assert log.steps[log.board == 19].mean() > 2 * log.steps[log.board == 9].mean()
    words = log.to_table()
    assert {"normal", "resignation", "timeout", "forfeit", "disconnect"} == set(words["ending"].tolist())
    assert {"queue", "table", "tournament", "casual"} == set(words["source"].tolist())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"games": 0}, "games is 0; expected a whole number from 1 to"),
        ({"players": 1}, "players is 1"),
        ({"players": True}, "players is True"),
        ({"seed": -1}, "seed is -1"),
        ({"zipf": float("nan")}, "zipf is nan; expected a number from 0 to 4"),
        ({"draws": 1.5}, "draws is 1.5"),
        ({"days": 2.5}, "days is 2.5"),
        ({"first": "soon"}, "first is 'soon'; expected a day such as 2025-01-01"),
        ({"first": datetime(2025, 1, 1, 12)}, "first is datetime"),
        ({"first": date(9999, 12, 1)}, "first is datetime.date"),
        ({"ids": "hex"}, "ids is 'hex'; expected integers, strings or long"),
    ],
)
def test_what_is_out_of_range(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(tm.InputError) as raised:
        synthetic(**{"games": 10, "players": 5, **wrong})  # type: ignore[arg-type]
    assert str(raised.value).startswith(said)
