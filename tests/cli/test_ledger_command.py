"""`tallymark ledger`, `export`, `import`, `verify` and `methodology try`."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tallymark as tm

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def club(cli: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with the three games of `games`, rated; commands find it by the environment."""
    path = tmp_path / "club.db"
    monkeypatch.setenv("TALLYMARK_LEDGER", str(path))
    assert cli("ledger", "init", "--pool", "ladder", "-m", "lichess").returncode == 0
    assert cli("ledger", "append", games).returncode == 0
    assert cli("ledger", "rate").returncode == 0
    return path


def test_from_a_file_to_ratings(cli: Run, games: Path, tmp_path: Path) -> None:
    where = ["--ledger", tmp_path / "club.db"]
    made = cli("ledger", "init", *where, "--pool", "ladder", "-m", "elo", "--set", "k=32")
    assert (made.returncode, made.stderr) == (0, "")
    assert "pool ladder: elo-1+" in made.stdout
    appended = cli("ledger", "append", games, *where)
    assert appended.returncode == 0
    assert "pool ladder: 3 matches appended\n" in appended.stdout
    waiting = cli("ledger", "status", *where).stdout
    assert "0 players, 1 entry, 3 waiting\nhead 1:" in waiting
    rated = cli("ledger", "rate", *where, "-o", tmp_path / "ratings.csv")
    assert rated.returncode == 0
    assert "3 items rated" in rated.stdout
    by_file = cli("rate", games, "-m", "elo", "--set", "k=32")
    board = by_file.stdout.split("3 players\n")[1].splitlines()[:4]
    assert all(line in rated.stdout for line in board)
    assert (tmp_path / "ratings.csv").read_text().startswith("pool,rank,player,rating,")
    status = json.loads(cli("ledger", "status", *where, "--json").stdout)
    assert (status["pools"][0]["players"], status["pools"][0]["waiting"]) == (3, 0)
    assert status["pools"][0]["head"].startswith("4:")


def test_matches_without_a_time_are_noted_where_the_rules_go_by_it(cli: Run, tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text("player_a,player_b,score_a\nann,bob,1\nbob,cid,1\n")
    for rules, noted in (("lichess", True), ("paper", True), ("arena", False)):
        where = ["--ledger", tmp_path / f"{rules}.db"]
        assert cli("ledger", "init", *where, "--pool", "ladder", "-m", rules).returncode == 0
        told = cli("ledger", "append", games, *where).stdout
        assert "pool ladder: 2 matches appended\n" in told
        note = f"  note: 2 matches without a time (played_at), by which {rules}-1 rates: on record, and never"
        assert (note in told) == noted
        document = json.loads(cli("ledger", "append", games, *where, "--json").stdout)
        assert document["pools"] == [{"pool": "ladder", "appended": 0, "there": 2, "untimed": 2}]


def test_a_file_handed_in_again(cli: Run, club: Path, games: Path) -> None:
    again = cli("ledger", "append", games)
    assert again.returncode == 0
    assert "pool ladder: 0 matches appended, 3 were there\n" in again.stdout
    games.write_text(games.read_text() + "2026-03-01,cid,ann,0\n2026-03-01,cid,ann,0\n2026-03-02,ann,cid,won\n")
    grown = cli("ledger", "append", games)
    assert grown.returncode == 1
    assert "1 rejected" in grown.stdout
    assert "pool ladder: 2 matches appended, 3 were there\n" in grown.stdout
    assert "2 items rated" in cli("ledger", "rate").stdout


def test_ids_of_a_file_are_those_of_the_ledger(cli: Run, club: Path, tmp_path: Path) -> None:
    file = tmp_path / "more.csv"
    file.write_text(
        "game,player_a,player_b,score_a,name_a,name_b\n7,ann,bob,1,Ann A.,Bob B.\n8,bob,cid,0,Bob B.,Cid C.\n"
    )
    assert cli("ledger", "append", file).returncode == 0
    file.write_text("game,player_a,player_b,score_a\n7,ann,bob,0\n8,bob,cid,0\n9,bob,cid,0\n")
    conflicting = cli("ledger", "append", file)
    assert conflicting.returncode == 1
    assert "1 match appended, 1 were there" in conflicting.stdout
    assert "1 conflict: an id with another content; the first stays" in conflicting.stdout
    cli("ledger", "rate")
    document = json.loads(cli("ledger", "append", file, "--json").stdout)
    assert document["pools"] == [{"pool": "ladder", "appended": 0, "there": 2, "untimed": 2}]
    (conflict,) = document["conflicts"]
    assert conflict["id"] == "7"
    assert [json.loads(conflict[which])["score_a"] for which in ("first", "second")] == [1, 0]
    assert "Ann A." in cli("ledger", "rate").stdout
    assert f"7: {conflict['first']}, and now {conflict['second']}\n" in cli("ledger", "append", file).stdout
    assert '"name": "Cid C."' in cli("ledger", "rate", "--json").stdout


def test_matches_of_several_and_of_pools(cli: Run, club: Path, tmp_path: Path) -> None:
    entries = tmp_path / "entries.csv"
    entries.write_text("match,player,rank\nm,a,1\nm,b,2\nm,c,2\n")
    cli("ledger", "init", "--pool", "contests", "-m", "contest")
    refused = cli("ledger", "append", entries)
    assert (refused.returncode, "nothing says which pool" in refused.stderr) == (2, True)
    assert cli("ledger", "append", entries, "--to", "contests").returncode == 0
    assert cli("ledger", "rate", "--pool", "contests").returncode == 0
    pools = tmp_path / "pools.csv"
    pools.write_text("player_a,player_b,score_a,where\nx,y,1,ladder\nx,z,1,contests\nx,z,1,contests\n")
    by_name = json.loads(cli("ledger", "append", pools, "--pool", "where", "--json").stdout)
    assert sorted(by_name["pools"], key=lambda one: one["pool"]) == [
        {"pool": "contests", "appended": 2, "there": 0, "untimed": 2},
        {"pool": "ladder", "appended": 1, "there": 0, "untimed": 1},
    ]
    shown = json.loads(cli("ledger", "rate", "--json", "--top", "1").stdout)
    assert (shown["items"], [one["pool"] for one in shown["pools"]]) == (3, ["ladder", "contests"])
    assert [len(one["ratings"]) for one in shown["pools"]] == [1, 1]
    with tm.Ledger.open(club) as ledger:
        assert ledger.ratings("contests")["games"].sum() == 10
    pools.write_text("player_a,player_b,score_a,where\nx,y,1,nowhere\n")
    assert "there is no pool 'nowhere'" in cli("ledger", "append", pools, "--pool", "where").stderr
    together = tmp_path / "together.csv"
    together.write_text("match,player_a,player_b,score_a\n1,a,b,1\n1,b,a,1\n2,a,b,1\n")
    best_of = cli("ledger", "append", together, "--to", "ladder")
    assert best_of.returncode == 1
    assert "its games are no ranking of its players" in best_of.stdout
    assert "1 match appended" in best_of.stdout


def test_rows_of_whole_matches_have_no_ids(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLYMARK_LEDGER", str(tmp_path / "x.db"))
    cli("ledger", "init", "--pool", "p", "-m", "contest")
    mapped = ["--columns", "player=p#,rank=r#"]
    for number, rows in enumerate(("a,b,c,1,2,3\nd,e,f,1,2,3\n", "d,e,f,1,2,3\ng,h,i,1,2,3\n")):
        file = tmp_path / f"{number}.csv"
        file.write_text("p1,p2,p3,r1,r2,r3\n" + rows)
        done = cli("ledger", "append", file, *mapped)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "1 match appended, 1 were there" in done.stdout


def test_ratings_as_of_a_time(cli: Run, club: Path, games: Path) -> None:
    then = json.loads(cli("ledger", "rate", "--as-of", "2026-01-15", "--json").stdout)
    file = json.loads(cli("rate", games, "--until", "2026-01-15", "-m", "lichess", "--json").stdout)
    told = [{key: value for key, value in row.items() if key != "pool"} for row in then["pools"][0]["ratings"]]
    assert told == [{key: value for key, value in row.items() if key != "pool"} for row in file["ratings"]]
    assert cli("ledger", "rate", "--as-of", "soon").returncode == 2


def test_calendar_periods_are_closed_when_asked(cli: Run, games: Path, tmp_path: Path) -> None:
    where = ["--ledger", tmp_path / "club.db"]
    cli("ledger", "init", *where, "--pool", "ladder", "-m", "paper", "--set", "period=7d")
    cli("ledger", "append", games, *where)
    assert "pool ladder: 3 players" in cli("ledger", "rate", *where).stdout
    last = json.loads(cli("ledger", "rate", *where, "--close", "--json").stdout)["pools"][0]["ratings"]
    assert sum(row["games"] for row in last) == 6


def test_an_export_is_verified_and_imported(cli: Run, club: Path, tmp_path: Path) -> None:
    file = tmp_path / "club.tally.gz"
    exported = cli("export", file)
    assert exported.returncode == 0
    assert f"written: {file}" in exported.stdout
    head = json.loads(cli("ledger", "status", "--json").stdout)["pools"][0]["head"]
    for where in (file, club):
        verified = cli("verify", where, "--head", head)
        assert verified.returncode == 0, verified.stderr
        assert "4 entries recounted" in verified.stdout
        assert head in verified.stdout
    assert cli("verify").returncode == 0
    document = json.loads(cli("verify", file, "--engine", "interpreted", "--json").stdout)
    assert document == {"entries": 4, "pools": [{"pool": "ladder", "entries": 4, "players": 3, "head": head}]}
    copy = ["--ledger", tmp_path / "copy.db"]
    assert cli("import", file, *copy).returncode == 0
    assert json.loads(cli("ledger", "status", *copy, "--json").stdout)["pools"][0]["head"] == head
    assert cli("import", file, *copy).returncode == 3  # it is there already
    forged = tmp_path / "forged.tally"
    cli("export", forged)
    forged.write_bytes(forged.read_bytes().replace(b'"score_a":0.5', b'"score_a":0.0'))
    broken = cli("verify", forged)
    assert (broken.returncode, "entry 3 of 'ladder'" in broken.stderr) == (4, True)
    again = tmp_path / "again.db"
    imported = cli("import", forged, "--ledger", again)
    assert (imported.returncode, "entry 3 of 'ladder'" in imported.stderr) == (4, True)
    assert not list(tmp_path.glob("again.db*"))  # nor an empty ledger, nor a file that none can be made in
    forged.write_bytes(b"")
    assert cli("verify", forged).returncode == 3
    assert cli("verify", file, "--head", "4:" + 64 * "0").returncode == 4
    assert cli("verify", file, "--head", "4").returncode == 2


def test_what_does_not_follow_is_rebuilt(cli: Run, club: Path) -> None:
    assert cli("ledger", "rebuild").returncode == 0
    with sqlite3.connect(club) as connection:
        connection.execute("UPDATE rating SET games = games + 1 WHERE player = 'ann'")
    connection.close()
    shown = cli("verify", club)
    assert (shown.returncode, "ledger rebuild" in shown.stderr) == (4, True)
    rebuilt = cli("ledger", "rebuild", "--pool", "ladder")
    assert rebuilt.returncode == 4
    assert "1 value differed" in rebuilt.stdout
    assert "games of player ann is 3; its entries give 2" in rebuilt.stdout
    assert json.loads(cli("ledger", "rebuild", "--json").stdout)["pools"][0]["differed"] == []
    assert cli("verify", club).returncode == 0


def test_other_rules_are_tried(cli: Run, club: Path) -> None:
    tried = cli("methodology", "try", "elo", "--set", "k=40")
    assert tried.returncode == 0
    assert "lichess-1: 3 of 3 games rated" in tried.stdout
    assert "predicts no better" in tried.stdout
    document = json.loads(cli("methodology", "try", "elo", "--json", "--top", "2").stdout)
    assert len(document["moves"]) == 2
    assert document["new"]["methodology"]["id"] == "elo-1"
    cli("ledger", "init", "--pool", "other", "-m", "elo")
    assert cli("methodology", "try", "elo").returncode == 2
    assert cli("methodology", "try", "elo", "--pool", "other").returncode == 0


@pytest.mark.parametrize(
    ("words", "ending", "says"),
    [
        (["ledger", "status"], 2, "nothing says which ledger"),
        (["verify"], 2, "nothing says which ledger"),
        (["ledger", "status", "--ledger", "none.db"], 3, "ledger init"),
        (["ledger", "append", "none.csv", "--ledger", "none.db"], 3, "ledger init"),
        (["ledger", "init", "--ledger", "x.db", "--pool", "p"], 2, "a pool and its rules go together"),
        (["ledger", "init", "--ledger", "x.db", "--set", "k=1"], 2, "--set changes the rules of -m"),
        (["ledger", "init", "--ledger", "mysql://x/y"], 3, "mysql"),
        (["ledger", "rate", "--ledger", "club.db", "--pool", "p"], 2, "there is no pool 'p'"),
        (["ledger", "rate", "--ledger", "club.db", "-o", "club.csv"], 2, "--output and 2 pools"),
        (["ledger", "init", "--ledger", "club.db", "--pool", "a", "-m", "elo"], 2, "there is a pool 'a' already"),
        (["ledger", "append", "none.csv", "--ledger", "club.db"], 3, "none.csv"),
        (["export", "club.db", "--ledger", "club.db"], 2, "is the ledger itself"),
        (["export", "x.tally", "--ledger", "club.db", "--pool", "c"], 2, "there are a, b"),
        (["import", "club.db", "--ledger", "sqlite:///club.db"], 2, "is the ledger itself"),
        (["verify", "none.tally"], 3, "none.tally"),
    ],
)
def test_what_cannot_be(
    words: list[str], ending: int, says: str, cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TALLYMARK_LEDGER", raising=False)
    for pool in ("a", "b"):
        cli("ledger", "init", "--ledger", "club.db", "--pool", pool, "-m", "elo")
    done = cli(*words)
    assert done.returncode == ending, done.stderr
    assert says in done.stderr
    assert "hint: " in done.stderr
    assert not Path("x.tally").exists()


@pytest.fixture
def named(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with three games that have ids, one of which is a number."""
    path = tmp_path / "named.db"
    monkeypatch.setenv("TALLYMARK_LEDGER", str(path))
    with tm.Ledger.open(path, create=True) as ledger:
        ledger.open_pool("ladder", "lichess")
        for id_, day, a, b, score in (
            (7, "06", "ann", "bob", 1), ("g2", "13", "bob", "cid", 0.5), ("g3", "20", "cid", "ann", 0)
        ):  # fmt: skip
            match = {"id": id_, "player_a": a, "player_b": b, "score_a": score, "played_at": f"2026-01-{day}"}
            ledger.append(match, pool="ladder")
        ledger.settle()
    return path


def test_who_would_stand_where_without_a_game(cli: Run, named: Path) -> None:
    told = cli("ledger", "without", "g3").stdout
    assert "3 players of 3 would stand elsewhere" in told
    assert any(
        line.split()[0] == "ann" and line.split()[3].startswith("-") for line in told.splitlines() if line.strip()
    )
    document = json.loads(cli("ledger", "without", "g3", "7", "--json", "--top", "1").stdout)
    assert (document["pool"], document["position"], document["players"]) == ("ladder", 4, 3)
    assert (
        document["moves"][0]["change"]
        == pytest.approx(document["moves"][0]["new_rating"] - document["moves"][0]["rating"])
        or document["moves"][0]["new_rating"] is None
    )
    missing = cli("ledger", "without", "g9")
    assert missing.returncode == 2
    assert "no match 'g9'" in missing.stderr


def test_corrections(cli: Run, named: Path) -> None:
    done = cli("ledger", "annul", "g3", "--reason", "not played", "--by", "ann", "--by", "bob", "--case", "7")
    assert done.stdout == "pool ladder: annul after entry 4; tallymark ledger rate does it\n"
    assert "which was there" in cli(
        "ledger", "annul", "g3", "--reason", "not played", "--by", "ann", "--by", "bob", "--case", "7"
    ).stdout  # fmt: skip
    changed = '{"id":"g2","player_a":"bob","player_b":"cid","score_a":1,"played_at":"2026-01-13"}'
    for command in (
        ("restore", "g3", "--reason", "played after all"),
        ("change", changed, "--reason", "a typo"),
        ("merge", "cid", "bob", "--reason", "one person", "--id", "m1"),
        ("adjust", "ann", "1800", "80", "--reason", "rated elsewhere"),
    ):
        assert cli("ledger", *command).returncode == 0, command
        assert cli("ledger", "rate").returncode == 0
    with tm.Ledger.open(named) as ledger:
        told = [json.loads(ledger.entry("ladder", n).body) for n in range(5, ledger.head("ladder").position + 1)]
        assert ledger.ratings("ladder")["rating"].max() == pytest.approx(1800)
    said = [
        (one["item"].get("what"), one["item"]["reason"]) for one in told if "item" in one and "reason" in one["item"]
    ]
    assert said == [
        ("annul", "not played"), ("restore", "played after all"), ("change", "a typo"), ("merge", "one person"),
        (None, "rated elsewhere"),
    ]  # fmt: skip
    assert (told[0]["item"]["approvers"], told[0]["item"]["case"]) == (["ann", "bob"], "7")
    unknown = cli("ledger", "annul", "g9", "--reason", "x")
    assert unknown.returncode == 2
    assert "no match 'g9'" in unknown.stderr
