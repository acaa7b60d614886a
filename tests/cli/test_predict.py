"""`tallymark predict`: two players or a file of games to come, from games or from a snapshot."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tallymark as tm

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def desk(games: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """games.csv, a snapshot after it, and games to come, in the working directory."""
    monkeypatch.chdir(games.parent)
    tm.replay(tm.read_games(games), "lichess").snapshot().save("ladder.json")
    Path("fixtures.csv").write_text(
        "date,home_team,away_team\n2026-04-01,ann,bob\n2026-04-02,bob,zoé\n,cid,ann\n", encoding="utf-8"
    )
    return games.parent


def test_two_players_from_a_file_of_games(cli: Run, desk: Path) -> None:
    done = cli("predict", "ann", "bob", "--games", "games.csv", "--at", "2026-04-20")
    assert (done.returncode, done.stderr) == (0, "")
    expected = tm.predict(tm.replay(tm.read_games("games.csv"), "paper"), "ann", "bob", at="2026-04-20")
    line = next(line for line in done.stdout.splitlines() if line.startswith("2026-04-20"))
    assert f"{expected['p_a'][0]:.4f}" in line.split()
    assert "a draw counts one half" in done.stdout
    assert "paper is the default" in done.stdout


def test_from_a_snapshot_by_its_own_rules(cli: Run, desk: Path) -> None:
    document = json.loads(cli("predict", "ann", "bob", "--from", "ladder.json", "--json").stdout)
    assert document["methodology"]["id"] == "lichess-1"
    expected = tm.predict(tm.replay(tm.read_games("games.csv"), "lichess"), "ann", "bob")
    assert [row["p_a"] for row in document["predictions"]] == expected["p_a"].tolist()
    assert document["games"] is None
    wrong = cli("predict", "ann", "bob", "--from", "ladder.json", "-m", "elo")
    assert wrong.returncode == 4


def test_a_snapshot_of_a_variant_wants_its_rules_again(cli: Run, desk: Path) -> None:
    rules = tm.methodology("elo").with_(k=40)
    tm.replay(tm.read_games("games.csv"), rules).snapshot().save("k40.json")
    done = cli("predict", "ann", "bob", "--from", "k40.json")
    assert done.returncode == 2
    assert "which is not shipped" in done.stderr
    assert cli("predict", "ann", "bob", "--from", "k40.json", "-m", "elo", "--set", "k=40").returncode == 0


def test_a_snapshot_and_the_games_after_it(cli: Run, desk: Path) -> None:
    Path("april.csv").write_text("played_at,player_a,player_b,score_a\n2026-04-01,bob,ann,1\n")
    document = json.loads(cli("predict", "ann", "bob", "--from", "ladder.json", "-g", "april.csv", "--json").stdout)
    whole = tm.read_games("games.csv").followed_by(tm.read_games("april.csv"))
    expected = tm.predict(tm.replay(whole, "lichess"), "ann", "bob")
    assert [row["p_a"] for row in document["predictions"]] == expected["p_a"].tolist()


def test_games_to_come_are_read_as_games_are(cli: Run, desk: Path) -> None:
    done = cli("predict", "fixtures.csv", "-g", "games.csv", "-m", "lichess", "-o", "out.json")
    assert done.returncode == 0, done.stderr
    assert "home and away: player_a = home_team, player_b = away_team, played_at = date" in done.stdout
    rows = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert [(row["player_a"], row["player_b"], row["at"]) for row in rows] == [
        ("ann", "bob", "2026-04-01T00:00:00Z"),
        ("bob", "zoé", "2026-04-02T00:00:00Z"),
        ("cid", "ann", "2026-03-01T00:00:00Z"),
    ]
    assert [row["note"] for row in rows] == ["", "zoé is new", ""]
    result = tm.replay(tm.read_games("games.csv"), "lichess")
    expected = tm.predict(result, ["ann", "bob", "cid"], ["bob", "zoé", "ann"], at=["2026-04-01", "2026-04-02", None])
    assert [row["p_a"] for row in rows] == expected["p_a"].tolist()


@pytest.mark.parametrize("suffix", ["json", "parquet"])
def test_other_formats_of_games_to_come(cli: Run, desk: Path, suffix: str) -> None:
    tm.Table({"player_a": ["ann"], "player_b": ["bob"], "played_at": ["2026-04-01"]}).write(f"next.{suffix}")
    document = json.loads(cli("predict", f"next.{suffix}", "-g", "games.csv", "--json").stdout)
    assert [row["at"] for row in document["predictions"]] == ["2026-04-01T00:00:00Z"]


def test_rows_that_are_no_games_to_come_are_told_by_line(cli: Run, desk: Path) -> None:
    Path("bad.csv").write_text(
        "player_a,player_b,played_at\nann,ann,2026-04-01\nann,,2026-04-01\nann,bob,never\nann,bob,2026-04-01\ncid,BYE,2026-04-02\n"
    )
    done = cli("predict", "bad.csv", "-g", "games.csv", "--json")
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert [problem["line"] for problem in document["fixtures"]["problems"]] == [2, 3, 4, 6]
    assert len(document["predictions"]) == 1


def test_each_file_has_its_own_columns_and_names_and_zone_are_common(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text("Day,Host,Guest,P,Where\n31.01.2026,ann,bob,1,clay\n01.02.2026,bob,ann,1,grass\n")
    Path("next.csv").write_text("Day,Host,Guest,Where\n05.02.2026,Annie,bob,clay\n05.02.2026,ann,bob,grass\n")
    Path("names.txt").write_text("Annie = ann\n")
    columns = "played_at=Day,player_a=Host,player_b=Guest,score_a=P"
    done = cli("predict", "next.csv", "-g", "log.csv", "--columns", columns, "--pool", "Where", "-m", "contest",
               "--aliases", "names.txt", "--json")  # fmt: skip
    assert "next.csv has no column 'player_a'; it has Day, Host, Guest, Where" in done.stderr
    done = cli(*done.args, "--fixtures-columns", "played_at=Day,player_a=Host,player_b=Guest,pool=Where")
    assert "which may be the day or the month first" in done.stderr  # of the games to come alone, nobody could tell
    assert "--fixtures-times" in done.stderr
    done = cli(*done.args, "--fixtures-times", "DD.MM.YYYY")
    rows = json.loads(done.stdout)["predictions"]
    assert [(row["pool"], row["player_a"], row["note"]) for row in rows] == [("clay", "ann", ""), ("grass", "ann", "")]
    assert rows[0]["p_a"] > 0.5 > rows[1]["p_a"]


def test_a_pool_that_nobody_played_in_is_refused_by_name(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text("player_a,player_b,score_a,pool\nann,bob,1,clay\nann,bob,1,grass\n")
    Path("next.csv").write_text("player_a,player_b,pool\nann,bob,carpet\n")
    done = cli("predict", "next.csv", "-g", "log.csv", "--pool", "pool", "-m", "contest")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nobody has played in pool carpet; there are clay, grass" in done.stderr
    one = cli("predict", "next.csv", "-g", "log.csv", "-m", "contest")
    assert one.returncode == 0
    assert "note: the games are of one pool: the column of pools counts for nothing" in one.stdout


def test_ids_that_are_integers_are_found_by_their_digits(cli: Run, desk: Path) -> None:
    log = tm.GameLog.from_arrays(player_a=[7], player_b=[12], score_a=[1])
    tm.replay(log, "elo").snapshot().save("numbers.json")
    done = cli("predict", "7", "12", "--from", "numbers.json")
    assert "1510" in done.stdout
    assert "note: ids are integers: digits are the player with this number" in done.stdout
    assert "07 is new" in cli("predict", "07", "12", "--from", "numbers.json").stdout


def test_a_slip_of_the_pen_is_asked_about(cli: Run, desk: Path) -> None:
    done = cli("predict", "bobb", "ann", "-g", "games.csv")
    assert done.returncode == 0
    assert "note: bobb is new; was bob meant?" in done.stdout


def test_no_games_to_come_and_no_games_at_all(cli: Run, desk: Path) -> None:
    Path("none.csv").write_text("player_a,player_b\n")
    done = cli("predict", "none.csv", "-g", "games.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 games to come" in done.stdout
    Path("empty.csv").write_text("played_at,player_a,player_b,score_a\n")
    assert "0.5000" in cli("predict", "ann", "bob", "-g", "empty.csv").stdout


def test_only_the_first_are_shown(cli: Run, desk: Path) -> None:
    done = cli("predict", "fixtures.csv", "-g", "games.csv", "--top", 1)
    assert "3 games to come; the first 1" in done.stdout
    assert "zoé" not in done.stdout


@pytest.mark.parametrize(
    ("code", "words", "said"),
    [
        (2, ["ann", "bob"], "from which games?"),
        (2, ["ann", "bob", "cid", "-g", "games.csv"], "3 words for two players or one file"),
        (2, ["ann", "ann", "-g", "games.csv"], "'ann' plays against itself"),
        (2, ["ann", "bob", "-g", "games.csv", "--in", "go"], "nobody has played in pool go; there are ''"),
        (2, ["ann", "BYE", "-g", "games.csv"], "BYE is nobody to play against"),
        (2, ["ann", "bob", "-g", "games.csv", "--pool", "score_a"], "in which pool? there are 0, 0.5, 1"),
        (2, ["ann", "bob", "-g", "games.csv", "--at", "soon"], "at: 'soon'"),
        (2, ["fixtures.csv", "-g", "games.csv", "--at", "soon"], "'soon'"),
        (2, ["fixtures.csv", "-g", "games.csv", "-o", "fixtures.csv"], "that file is read too"),
        (3, ["nope.csv", "-g", "games.csv"], "nope.csv cannot be read"),
        (3, ["ann", "bob", "-g", "nope.csv"], "nope.csv cannot be read"),
        (3, ["ann", "bob", "--from", "nope.json"], "nope.json"),
        (3, [".", "-g", "games.csv"], "is a directory"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(cli: Run, desk: Path, code: int, words: list[str], said: str) -> None:
    done = cli("predict", *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["error", "hint"]


def test_two_encodings_and_two_kinds_of_columns(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text("Spieler 1,Spieler 2,Punkte\nJörg,bob,1\n", encoding="cp1252")
    Path("n.csv").write_text("Heim,Gast\nJörg,bob\n", encoding="utf-8")
    words = ["--games", "s.csv", "--encoding", "cp1252", "-m", "elo"]
    columns = "player_a=Spieler 1,player_b=Spieler 2,score_a=Punkte"
    done = cli("predict", "n.csv", *words, "--columns", columns, "--json",
               "--fixtures-columns", "player_a=Heim,player_b=Gast")  # fmt: skip
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["predictions"]
    assert (row["player_a"], row["note"]) == ("Jörg", "")
    wrong = cli("predict", "n.csv", *words, "--columns", columns, "--fixtures-columns", "player_a=Home")
    assert (wrong.returncode, "has no column 'Home' (for player_a)" in wrong.stderr) == (2, True)
    assert "--fixtures-columns" in wrong.stderr.splitlines()[1]
    assert cli("predict", "Jörg", "bob", *words, "--columns", columns, "--fixtures-times", "days").returncode == 2


def test_new_players_of_a_file_are_asked_about(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.csv").write_text('player_a,player_b,score_a\n"Klein, Eva",Bob,1\n')
    Path("f.csv").write_text("player_a,player_b\nKlein Eva,Bob\nXyz,Bob\n")
    done = cli("predict", "f.csv", "--games", "p.csv", "-m", "elo")
    assert "note: Klein Eva is new; was Klein, Eva meant?" in done.stdout.splitlines()
    assert "Xyz is new; was" not in done.stdout


def test_a_list_of_ratings_is_a_start(cli: Run, desk: Path) -> None:
    Path("list.csv").write_text("player,rating,rd\nann,2062,60\nbob,1800,60\n")
    done = cli("predict", "ann", "bob", "--initial", "list.csv", "-m", "lichess", "--json")
    (row,) = json.loads(done.stdout)["predictions"]
    assert (round(row["rating_a"]), round(row["rating_b"])) == (2062, 1800)
    with_games = json.loads(
        cli("predict", "ann", "bob", "-g", "games.csv", "--initial", "list.csv", "-m", "lichess", "--json").stdout
    )
    assert with_games["initial"]["rated"] == 2
    assert with_games["predictions"][0]["rating_a"] > 2000
