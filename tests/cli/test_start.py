"""What ratings go on from or start from, and what is said about it."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., "CompletedProcess[str]"]

HEADER = "played_at,player_a,player_b,score_a\n"


@pytest.fixture
def ladder(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A month of games with a time of day, and the snapshot after it, whose period is open."""
    monkeypatch.chdir(tmp_path)
    Path("jan.csv").write_text(f"{HEADER}2026-01-01T18:00Z,ann,bob,1\n2026-01-02T18:00Z,bob,cid,0.5\n")
    assert cli("rate", "jan.csv", "--save", "p.snap").returncode == 0
    return tmp_path


def test_a_file_that_is_handed_in_again(cli: Run, ladder: Path) -> None:
    done = cli("rate", "jan.csv", "--from", "p.snap", "--json")
    report = json.loads(done.stdout)["report"]
    assert (done.returncode, report["held"], report["rated"]) == (1, 2, 2)
    assert {problem["reason"] for problem in report["problems"]} == {"suspected-duplicate"}
    rejected = json.loads(cli("rate", "jan.csv", "--from", "p.snap", "--dedupe", "--json").stdout)["report"]
    assert (rejected["rejected"], rejected["rated"]) == (2, 2)


def test_games_with_a_date_alone_are_kept_with_a_word(cli: Run, ladder: Path) -> None:
    Path("d.csv").write_text(f"{HEADER}2026-01-01,ann,bob,1\n")
    assert cli("rate", "d.csv", "--save", "d.snap").returncode == 0
    done = cli("rate", "d.csv", "--from", "d.snap")
    assert "note: 1 game is in the open period already, such as line 2, and counts twice" in done.stdout
    assert "--dedupe rejects them" in done.stdout
    assert done.returncode == 0


def test_who_is_known_and_which_games_are_of_the_file(cli: Run, ladder: Path) -> None:
    Path("more.csv").write_text(f"{HEADER}2026-01-03T18:00Z,ann,cid,1\n")
    lines = cli("rate", "more.csv", "--from", "p.snap").stdout.splitlines()
    assert "gone on from a snapshot of 3 players, 2 games of its open period again" in lines
    assert any(line.endswith(", 1 of them read and 2 again from an open period") for line in lines)
    document = json.loads(cli("rate", "more.csv", "--from", "p.snap", "--json").stdout)
    assert document["from"] == {"players": 3, "open_games": 2}
    predicted = cli("predict", "ann", "bob", "-g", "jan.csv", "--from", "p.snap", "--json")
    assert json.loads(predicted.stdout)["games"]["held"] == 2


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("player,rating\nann,2000\nbob,1500\n", [], "2 ratings have no deviation and start with RD 350 of paper-1"),
        ("player,rating,rd\nann,2000,\nbob,1500,60\n", [], "1 of 2 ratings have no deviation"),
        ("player,rating\nann,2000\nbob,1500\n", ["--initial-deviation", "60"], None),
        ("player,rating,rd\nann,2000,50\nbob,1500,60\n", [], None),
        ("player,rating\nann,2000\nbob,1500\n", ["-m", "elo"], None),
    ],
)
def test_ratings_without_deviations_are_told(
    cli: Run, ladder: Path, text: str, words: list[str], said: str | None
) -> None:
    Path("list.csv").write_text(text)
    done = cli("rate", "jan.csv", "--initial", "list.csv", *words)
    assert done.returncode == 0, done.stderr
    assert ("have no deviation" in done.stdout) == (said is not None)
    assert said is None or said in done.stdout


def test_a_deviation_for_all_that_have_none(cli: Run, ladder: Path) -> None:
    Path("list.csv").write_text("player,rating\nann,2000\nbob,1500\n")
    words = ["rate", "jan.csv", "--initial", "list.csv", "--initial-deviation"]
    ratings = {row["player"]: row for row in json.loads(cli(*words, "60", "--json").stdout)["ratings"]}
    assert ratings["ann"]["rating"] < 2010
    assert ratings["ann"]["deviation"] < 62
    for wrong in ("-1", "nan", "inf"):
        assert cli(*words, wrong).returncode == 2


def test_who_of_the_list_has_no_rated_game_is_named(cli: Run, ladder: Path) -> None:
    Path("list.csv").write_text("player,rating,rd\nann,2000,50\ndora,1700,60\nzoe,1500,60\n")
    Path("w.csv").write_text(
        "played_at,player_a,player_b,score_a,ending\n2026-01-01,ann,bob,1,\n2026-01-02,dora,bob,1,walkover\n"
        "2026-01-03,bob,ann,1,aborted\n2026-01-04,bob,ann,1,aborted\n"
    )
    done = cli("rate", "w.csv", "--initial", "list.csv")
    lines = done.stdout.splitlines()
    assert "no rated game: dora 1700" in lines
    assert "  3 not rated: ending (walkover 1, aborted 2)" in lines
    document = json.loads(cli("rate", "w.csv", "--initial", "list.csv", "--json").stdout)
    assert document["report"]["endings"] == {"walkover": 1, "aborted": 2}


def test_a_table_has_ranks_and_intervals(cli: Run, ladder: Path) -> None:
    rows = json.loads(cli("rate", "jan.csv", "--json").stdout)["ratings"]
    assert [row["rank"] for row in rows] == [1, 2, 3]
    for row in rows:
        assert row["low"] == row["rating"] - 2 * row["deviation"]
        assert row["high"] == row["rating"] + 2 * row["deviation"]
    assert cli("rate", "jan.csv", "-m", "elo", "-o", "out.csv").returncode == 0
    header, first, *_ = Path("out.csv").read_text().splitlines()
    assert header.startswith("pool,rank,player,rating,deviation,volatility")
    assert first.split(",")[1] == "1"
    none = json.loads(cli("rate", "jan.csv", "-m", "lichess", "--json").stdout)["ratings"]
    assert {row["rank"] for row in none} == {None}
    assert cli("rate", "jan.csv", "-m", "lichess", "-o", "out.parquet").returncode == 0


def test_one_period_predicts_nothing_and_says_so(cli: Run, ladder: Path) -> None:
    said = "paper-1, glicko-1: all games lie in one rating period"
    compared = cli("rate", "jan.csv", "-m", "paper", "-m", "elo", "-m", "glicko").stdout
    assert said in compared
    assert "--set period=1d" in compared
    assert "paper-1: all games lie in one rating period" in cli("rate", "jan.csv").stdout
    assert "one rating period" not in cli("rate", "jan.csv", "--set", "period=1d").stdout
    assert "one rating period" not in cli("rate", "jan.csv", "-m", "elo").stdout


def test_draws_that_are_not_rated_have_a_way(cli: Run, ladder: Path) -> None:
    assert "--set draws=true" in cli("rate", "jan.csv", "-m", "votes").stdout
    assert "--set draws=true" in cli("rate", "jan.csv", "-m", "votes", "-m", "elo").stdout
    assert "1 not rated: draw" not in cli("rate", "jan.csv", "-m", "votes", "--set", "draws=true").stdout


def test_several_methodologies_with_a_file_have_a_way(cli: Run, ladder: Path) -> None:
    done = cli("rate", "jan.csv", "-m", "paper", "-m", "elo", "-o", "b.json")
    assert done.returncode == 2
    assert "once with each -m, such as -m paper" in done.stderr


def test_files_of_other_columns_have_a_way(cli: Run, ladder: Path) -> None:
    Path("one.csv").write_text("Datum,A,B,P\n2025-01-01,ann,bob,1\n")
    Path("two.csv").write_text("Tag,A,B,P\n2026-01-01,ann,bob,1\n")
    columns = "player_a=A,player_b=B,score_a=P"
    done = cli("rate", "one.csv", "two.csv", "--columns", f"{columns},played_at=Datum")
    assert (done.returncode, "tallymark prepare each with its own --columns" in done.stderr) == (2, True)
    for name, day in (("one", "Datum"), ("two", "Tag")):
        words = ["--columns", f"{columns},played_at={day}", "-o", f"{name}.parquet"]
        assert cli("prepare", f"{name}.csv", *words).returncode == 0
    done = cli("rate", "one.parquet", "two.parquet", "--json")
    assert (done.returncode, json.loads(done.stdout)["report"]["rated"]) == (0, 2)
