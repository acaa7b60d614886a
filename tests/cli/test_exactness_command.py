"""`tallymark exactness`: its table, its document, its chart, and what it refuses."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tallymark as tm

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def made(cli: Run, tmp_path: Path) -> Path:
    """A synthetic log with boards."""
    file = tmp_path / "go.parquet"
    assert cli("synth", "-o", file, "--games", 600, "--players", 20, "--go").returncode == 0
    return file


def test_a_table(cli: Run, made: Path) -> None:
    done = cli("exactness", made, "--checkpoints", 3)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{made}: 600 rows: 600 accepted")
    found = tm.exactness(tm.read_games(made), checkpoints=3)
    assert lines[1].startswith(f"{found.games} games of 20 players compared; ")
    assert lines[2] == "go-onchain-v2 in integers, from go-float-v2 in floats; both read times in whole seconds"
    drift = next(line for line in lines if line.startswith("mu, mean with signs"))
    cells = [f"{found.half_even.mu_drift:.2e}", f"{found.truncating.mu_drift:.2e}", f"{found.drift_ratio:,.1f}"]
    assert drift.split()[4:] == cells
    start = next(at for at, line in enumerate(lines) if line.startswith("after game"))
    assert [line.split()[0] for line in lines[start + 1 : start + 4]] == [
        f"{row['game']:,}" for row in list(found.checkpoints.rows())[::2]
    ]
    scores = lines[[line.startswith("predicted by") for line in lines].index(True) + 1 :]
    assert [line.split()[:3] for line in scores] == [
        ["integers", "16", "1"],
        ["truncating", "16", "1"],
        ["floats", "16", "1"],
        ["floats", "15", "1"],
        ["floats", "16", "0.75"],
        ["floats", "16", "0.5"],
    ]
    assert scores[0].split()[4] == f"{found.scores['log_loss'][0]:.6f}"
    assert all(len(line) <= 80 for line in lines[3:])


def test_ten_checkpoints_are_shown_of_many(cli: Run, made: Path) -> None:
    lines = cli("exactness", made, "--checkpoints", 37).stdout.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("after game"))
    shown = [int(line.split()[0]) for line in lines[start + 1 : start + 11]]
    assert shown == sorted(set(shown))
    assert shown[-1] == int(lines[1].split()[0])
    assert lines[start + 11] == ""


def test_a_document(cli: Run, made: Path) -> None:
    done = cli("exactness", made, "--checkpoints", 4, "--small-boards", 0.25, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    found = tm.exactness(tm.read_games(made), checkpoints=4, weights=[0.25])
    assert document["integers"] == {"id": "go-onchain-v2", "hash": tm.methodology("go-onchain").hash}
    assert document["half_even"]["p_largest"] == found.half_even.p_largest
    assert document["drift_ratio"] == found.drift_ratio
    assert document["checkpoints"] == list(found.checkpoints.rows())
    assert [one["small_boards"] for one in document["scores"]] == [1.0, 1.0, 1.0, 1.0, 0.25]


def test_a_chart(cli: Run, made: Path, tmp_path: Path) -> None:
    into = tmp_path / "chart.svg"
    done = cli("exactness", made, "--checkpoints", 2, "--chart", into)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == f"written: {into}"
    assert into.read_text(encoding="utf-8").startswith("<svg")


def test_rows_left_out(cli: Run, flawed: Path) -> None:
    done = cli("exactness", flawed)
    assert done.returncode == 1
    assert "2 games of 3 players compared\n" in done.stdout
    assert done.stdout.splitlines()[-1] == "note: the log has no boards: no game could weigh less for its own"


def test_no_game(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("played_at,player_a,player_b,score_a,handicap\n2026-01-01,ann,bob,1,3\n2026-01-02,ann,bob,1,2\n")
    done = cli("exactness", file)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "no game to compare; 2 games not rated: handicap")
    document = json.loads(cli("exactness", file, "--json").stdout)
    assert (document["games"], document["checkpoints"]) == (0, [])
    assert document["half_even"]["p_largest"] is document["drift_ratio"] is document["scores"][0]["brier"] is None
    done = cli("exactness", file, "--chart", tmp_path / "chart.svg")
    assert done.returncode == 2
    assert done.stderr.startswith("error: there is no checkpoint to draw: no game was compared\n")


@pytest.mark.parametrize(
    ("words", "ending", "said"),
    [
        (["games.csv", "--checkpoints", "0"], 2, "error: checkpoints is 0; expected a whole number from 1 to 100000\n"),
        (["games.csv", "--small-boards", "2"], 2, "error: weights is 2.0; expected numbers from 0 to 1\n"),
        (
            ["games.csv", "--chart", "a.pdf"],
            2,
            "error: --chart a.pdf: cannot tell the format\nhint: end the name in .svg",
        ),
        (["games.csv", "--chart", "none/a.svg"], 3, "error: --chart none/a.svg: there is no folder none\n"),
        (["none.csv"], 3, "error: none.csv cannot be read"),
        (
            ["timeless.csv"],
            2,
            "error: go-onchain-v2 ages by elapsed time, and the log has no played_at\nhint: name the column of times\n",
        ),
        (["many.csv"], 2, "error: match 'm' has more than two players"),
    ],
)
def test_what_is_refused(
    cli: Run, games: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], ending: int, said: str
) -> None:
    monkeypatch.chdir(games.parent)
    Path("timeless.csv").write_text("player_a,player_b,score_a\nann,bob,1\n")
    Path("many.csv").write_text(
        "played_at,match,player,rank\n" + "".join(f"2026-01-01,m,{name},{at}\n" for at, name in enumerate("abc", 1))
    )
    done = cli("exactness", *words)
    assert (done.returncode, done.stdout) == (ending, "")
    assert done.stderr.startswith(said)


def test_a_chart_that_cannot_be_drawn_is_told_before_the_work(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    done = cli("exactness", "none.csv", "--chart", tmp_path / "chart.svg")
    assert done.returncode == 2
    assert done.stderr.startswith(
        "error: charts are drawn by altair and vl-convert, which are not installed\nhint: pip"
    )
