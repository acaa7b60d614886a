"""`tallymark rate --initial`: a list of ratings to start from."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tallymark as tm
from tallymark.replay.initial import read_ratings

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    file = tmp_path / "ratings.csv"
    file.write_text("id,std\nann,2104\nbob,0\ncid,\nzed,1800\n")
    return file


COLUMNS = ["--initial-columns", "player=id,rating=std"]


def test_a_federations_list(cli: Run, games: Path, ratings: Path) -> None:
    done = cli("rate", games, "--initial", ratings, *COLUMNS, "--zero-means-unrated")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    at = lines.index(f"started from {ratings}: 4 rows: 2 rated (average 1952), 2 unrated")
    assert "RD 350 of paper-1: their first games move them by hundreds of points" in lines[at + 1]
    assert lines[at + 2] == "  1 rated player in no game: zed"
    assert "3 players" in lines
    assert not any("zed" in line for line in lines[at + 3 :])
    document = json.loads(cli("rate", games, "--initial", ratings, *COLUMNS, "--zero-means-unrated", "--json").stdout)
    initial = document["initial"]
    assert (initial["rated"], initial["unrated"], initial["average"], initial["in_no_game"]) == (2, 2, 1952, ["zed"])
    start = read_ratings(ratings, columns={"player": "id", "rating": "std"}, zero_means_unrated=True).start
    expected = tm.replay(tm.read_games(games), "paper", start).ratings
    assert [row["rating"] for row in document["ratings"]] == expected["rating"].tolist()


def test_a_0_is_decided_by_an_option(cli: Run, games: Path, ratings: Path) -> None:
    done = cli("rate", games, "--initial", ratings, *COLUMNS)
    assert done.returncode == 2
    assert "has 1 rating of 0, and all others are 1800 or more\n" in done.stderr
    assert "hint: say --zero-means-unrated, or --zero-is-a-rating where 0 is a rating like any other\n" in done.stderr
    done = cli("rate", games, "--initial", ratings, *COLUMNS, "--zero-is-a-rating")
    assert "3 rated (average 1301.33), 1 unrated" in done.stdout


def test_several_methodologies_start_from_it_too(cli: Run, games: Path, ratings: Path) -> None:
    words = ["rate", games, "--initial", ratings, *COLUMNS, "--zero-means-unrated", "-m", "elo", "-m", "paper"]
    assert f"started from {ratings}: 4 rows" in cli(*words).stdout
    with_list, without = (json.loads(cli(*some, "--json").stdout) for some in (words, [*words[:2], *words[-4:]]))
    assert with_list["initial"]["rated"] == 2
    for one, other in zip(with_list["methodologies"], without["methodologies"], strict=True):
        assert one["score"]["log_loss"] != other["score"]["log_loss"]


@pytest.mark.parametrize(
    ("text", "words", "code", "error", "hint"),
    [
        ("who,elo\nann,1\n", [], 3, "has no column 'player'; it has who, elo", "map it: --initial-columns player=..."),
        ("id,name,elo\n1,ann,1\n", [], 3, "several columns that may be player: name, id", "--initial-columns player="),
        ("name,elo\nann,1\n", ["--initial-columns", "rating=std"], 2, "has no column 'std' (for rating)", ""),
        ("name,elo\nann,1\n", ["--initial-columns", "elo=std"], 2, "no column of ratings is called 'elo'", ""),
        ("name,elo\nann,1\nann,2\n", [], 3, "has 'ann' twice: line 2 and line 3", "one rating a player and pool"),
        ("name,elo\nzoe,1\n", [], 2, "nobody of the list plays a game", "--initial-columns player="),
        ("name,elo,pool\nann,1,x\n", [], 2, "the snapshot is of pool 'x'", "--initial-columns pool="),
        ("name,elo\nann,1\n", ["--initial-at", "soon"], 2, "at: ", ""),
        ("name,elo\nann,1\n", ["--from", "s.json"], 2, "--from and --initial are two starts", "go on from"),
    ],
)
def test_what_cannot_be_a_start(
    cli: Run, games: Path, tmp_path: Path, text: str, words: list[str], code: int, error: str, hint: str
) -> None:
    file = tmp_path / "list.csv"
    file.write_text(text)
    done = cli("rate", games, "--initial", file, *words)
    said, advice = done.stderr.splitlines()
    assert done.returncode == code
    assert error in said
    assert hint in advice


def test_bytes_that_are_not_utf_8(cli: Run, games: Path, tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_bytes(b"name,elo\nann,1500\nJos\xe9,1\n")
    done = cli("rate", games, "--initial", file)
    assert done.returncode == 3
    assert "hint: choose --initial-encoding cp1252 or another" in done.stderr
    assert cli("rate", games, "--initial", file, "--initial-encoding", "cp1252").returncode == 0


def test_a_name_that_is_mistyped(cli: Run, games: Path, ratings: Path, tmp_path: Path) -> None:
    done = cli("rate", games, "--initial", tmp_path / "rating.csv")
    assert done.returncode == 3
    assert f"hint: did you mean {ratings}?" in done.stderr


@pytest.mark.parametrize("option", [["--initial-at", "2026"], ["--initial-columns", "a=b"], ["--zero-means-unrated"]])
def test_options_of_a_list_that_is_not_there(cli: Run, games: Path, option: list[str]) -> None:
    done = cli("rate", games, *option)
    assert done.returncode == 2
    assert "without --initial" in done.stderr


def test_rows_of_the_list_count_for_the_exit_code(cli: Run, games: Path, tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_text("name,elo\nann,1500\nbob,strong\n")
    done = cli("rate", games, "--initial", file)
    assert done.returncode == 1
    assert "1 rejected: bad-number (line 3: rating is 'strong', which is not a number)" in done.stdout


def test_the_list_is_not_written_over(cli: Run, games: Path, ratings: Path) -> None:
    done = cli("rate", games, "--initial", ratings, "-o", ratings)
    assert done.returncode == 2
    assert "that file is read too" in done.stderr


def test_a_rating_outside_of_the_bounds(cli: Run, games: Path, tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_text("name,elo\nann,100\n")
    done = cli("rate", games, "--initial", file, "-m", "lichess")
    assert done.returncode == 2
    assert "the rating of 'ann' is 100; lichess-1 holds it from" in done.stderr


def test_a_list_of_bands(cli: Run, games: Path, tmp_path: Path) -> None:
    file = tmp_path / "players.csv"
    file.write_text("player,band\nann,4\nbob,1\nzed,2\n")
    done = cli("rate", games, "-m", "go-onchain", "--initial", file, "--json")
    document = json.loads(done.stdout)
    initial = document["initial"]
    assert (initial["rated"], initial["unrated"], initial["with_band"], initial["in_no_game"]) == (0, 3, 3, [])
    assert {row["player"]: row["band"] for row in document["ratings"]}["ann"] == 4
    done = cli("rate", games, "-m", "elo", "--initial", file)
    assert done.returncode == 2
    assert "'ann' has a starting band and no rating, and elo-1 has no starting bands (3 such)" in done.stderr
    file.write_text("player,rating,band\nann,1600,4\n")
    done = cli("rate", games, "-m", "elo", "--initial", file)
    assert "  note: starting bands count for nothing: elo-1 has none\n" in done.stdout


def test_a_sites_komi_on_the_command_line(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "go.csv"
    file.write_text(
        "player_a,player_b,score_a,played_at,board,komi,handicap\n"
        "ann,bob,1,2026-01-01,9,7,0\n"
        "ann,bob,1,2026-01-02,19,7,0\n"
        "ann,bob,1,2026-01-03,19,7.5,2\n"
        "ann,bob,1,2026-01-04,,7.5,\n"
        "ann,bob,1,2026-01-05,,6.5,\n"
        "ann,bob,1,2026-01-06,13,,\n"
    )
    komi = "komi={9 = 7, 13 = 7.5, 19 = 7.5}"
    document = json.loads(cli("rate", file, "-m", "go-onchain", "--set", komi, "--json").stdout)
    assert document["report"]["rated"] == 3
    assert document["report"]["not_rated"] == {"handicap": 1, "komi": 2}
    done = cli("rate", file, "-m", "go-onchain", "--set", "komi=7.5")
    assert done.returncode == 2
    assert "expected a table from board to komi, like {9 = 7.0, 19 = 7.5}" in done.stderr
