"""Names where the log has them: on the board, on a page, in a table; ids stay the key."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tallymark as tm
from tallymark.games.prepared import Prepared
from tallymark.games.provenance import Provenance

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """Games by numbers, of which two have one name and one has none."""
    log = tm.GameLog.from_arrays(
        player_a=[101, 102, 103], player_b=[102, 103, 104], score_a=[1, 1, 1], played_at=["2026-01-01"] * 3
    )
    into = tmp_path / "log.parquet"
    Prepared(replace(log, names={101: "Ann Lee", 102: "Bob", 103: "Bob"}), Provenance((), {})).save(into)
    return into


def test_names_come_back_and_stay_with_the_games(named: Path) -> None:
    log = tm.read_games(named)
    assert log.names == {101: "Ann Lee", 102: "Bob", 103: "Bob"}
    other = tm.GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1], played_at=["2026-01-01"])
    for one in (log.taken(log.row[:1]), other.followed_by(log), log.followed_by(other)):
        assert one.names == log.names
    assert other.names is None


def test_a_board_shows_them_and_a_table_has_both(cli: Run, named: Path, tmp_path: Path) -> None:
    done = cli("rate", named, "-m", "elo", "-o", tmp_path / "r.csv")
    for shown in ("  Ann Lee  ", "  Bob (102)  ", "  Bob (103)  ", "  104  "):
        assert shown in done.stdout
    header, first, *_ = (tmp_path / "r.csv").read_text(encoding="utf-8").splitlines()
    assert header.startswith("pool,rank,player,name,rating")
    assert first.startswith(",1,101,Ann Lee,")
    rows = json.loads(cli("rate", named, "-m", "elo", "--json").stdout)["ratings"]
    assert {row["player"]: row["name"] for row in rows} == {101: "Ann Lee", 102: "Bob", 103: "Bob", 104: None}


def test_standings_and_their_page(cli: Run, named: Path, tmp_path: Path) -> None:
    page = tmp_path / "t.html"
    done = cli("standings", named, "--html", page)
    assert "  Ann Lee  " in done.stdout
    assert "Ann Lee" in page.read_text(encoding="utf-8")
    rows = json.loads(cli("standings", named, "--json").stdout)["standings"]
    assert (rows[0]["player"], rows[0]["name"]) == (101, "Ann Lee")


def test_games_to_come(cli: Run, named: Path) -> None:
    done = cli("predict", "101", "104", "--games", named, "-m", "elo")
    assert "Ann Lee" in done.stdout
    (row,) = json.loads(cli("predict", "101", "104", "--games", named, "-m", "elo", "--json").stdout)["predictions"]
    assert (row["player_a"], row["name_a"], row["name_b"]) == (101, "Ann Lee", None)
