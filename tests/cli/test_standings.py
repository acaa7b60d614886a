"""`tallymark standings`: the table on the terminal, as a document, as a page that stands alone."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tallymark as tm
from tallymark.cli.pages import Section, page

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Two pools, names of many kinds, a walkover and a bye."""
    file = tmp_path / "club.csv"
    file.write_text(
        "played_at,player_a,player_b,result,board_game\n"
        "2026-01-01,Ann,Éva,1-0,chess\n2026-01-08,李,Ann,1/2-1/2,chess\n2026-01-15,Éva,李,+/-,chess\n"
        "2026-02-01,Ann,<b>Bob</b>,0-1,go\n2026-02-02,Ann,BYE,1,go\n",
        encoding="utf-8",
    )
    return file


class Document(HTMLParser):
    """The tags of a page and its text, and that every tag that is opened is closed."""

    VOID = ("meta",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_a_table_for_each_pool(cli: Run, club: Path) -> None:
    done = cli("standings", club, "--pool", "board_game", "-m", "contest", "--points", "3-1-0")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "pool chess: 3 players" in lines
    chess = lines[lines.index("pool chess: 3 players") + 1 :]
    assert chess[0].split() == ["#", "player", "games", "won", "drawn", "lost", "unplayed", "points", "rating", "RD"]
    assert [line.split()[:2] for line in chess[1:4]] == [["1", "Ann"], ["2", "Éva"], ["3", "李"]]
    assert chess[1].split()[2:8] == ["2", "1", "1", "0", "0", "4"]
    assert chess[2].split()[2:8] == ["1", "0", "0", "1", "1", "3"]
    assert "pool go: 2 players" in lines
    assert not any("BYE" in line for line in lines if line[:1].isdigit())
    assert "points: 3 - 1 - 0 for a win, a draw and a loss" in lines
    assert any(line.startswith("ratings by contest-1 (") for line in lines)


def test_without_rules_there_are_no_ratings(cli: Run, games: Path) -> None:
    done = cli("standings", games)
    assert "rating" not in done.stdout
    assert "unplayed" not in done.stdout
    rows = [line.split() for line in done.stdout.splitlines() if re.match(r"\d +[abc]", line)]
    assert rows == [
        ["1", "ann", "2", "2", "0", "0", "2"],
        ["2", "bob", "2", "0", "1", "1", "0.5"],
        ["2", "cid", "2", "0", "1", "1", "0.5"],
    ]


def test_since_and_until_bound_the_table_and_reject_nothing(cli: Run, games: Path) -> None:
    document = json.loads(cli("standings", games, "--json", "--since", "2026-01-02", "--until", "2026-03-01").stdout)
    assert document["report"]["rejected"] == 0
    assert [(row["player"], row["points"]) for row in document["standings"]] == [("bob", 0.5), ("cid", 0.5)]
    assert cli("standings", games, "--since", "2026-03-01").returncode == 0


def test_json_is_the_table_of_the_library(cli: Run, games: Path) -> None:
    document = json.loads(cli("standings", games, "--json", "-m", "elo", "--tie-breaks", "wins, direct").stdout)
    expected = list(tm.standings(tm.read_games(games), "elo", tie_breaks="wins,direct").rows())
    assert document["standings"] == expected
    assert document["tie_breaks"] == ["wins", "direct"]
    assert document["methodology"]["id"] == "elo-1"
    assert len(json.loads(cli("standings", games, "--json", "--top", 1).stdout)["standings"]) == 1


def test_files_are_written(cli: Run, games: Path, tmp_path: Path) -> None:
    done = cli("standings", games, "-o", tmp_path / "t.csv", "--html", tmp_path / "t.html")
    assert f"written: {tmp_path / 't.html'}" in done.stdout
    assert (tmp_path / "t.csv").read_text().splitlines()[
        0
    ] == "pool,rank,player,games,wins,draws,losses,unplayed,points"
    assert (tmp_path / "t.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_page_is_a_document_that_asks_for_nothing(cli: Run, club: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.html"
    title = 'Spring <&"> ladder'
    assert (
        cli("standings", club, "--pool", "board_game", "-m", "contest", "--html", file, "--title", title).returncode
        == 0
    )
    text = file.read_text(encoding="utf-8")
    document = Document(text)
    tags = [tag for tag, _ in document.tags]
    assert tags.count("table") == tags.count("caption") == 2
    assert not set(tags) & {"script", "link", "img", "iframe", "object", "form", "a"}
    assert not re.search(r"https?:|url\(|@import", text)
    assert ("html", {"lang": "en"}) in document.tags
    heads = [attributes for tag, attributes in document.tags if tag == "th"]
    assert all(attributes.get("scope") in ("col", "row") for attributes in heads)
    assert "<b>Bob</b>" in "".join(document.text)  # as text, not as markup
    assert "b" not in tags
    assert title in "".join(document.text)
    assert document.text.count("李") == 1
    regions = [attributes for tag, attributes in document.tags if tag == "div"]
    captions = [attributes["id"] for tag, attributes in document.tags if tag == "caption"]
    assert [attributes["aria-labelledby"] for attributes in regions] == captions


def test_the_page_prints_on_a4_in_black_on_white_and_follows_the_screen() -> None:
    text = page("T", [Section("", {"player": ["ann"], "points": ["1"]})], [])
    assert "size: A4 portrait" in text
    assert "prefers-color-scheme: dark" in text
    names = next(line for line in text.splitlines() if line.startswith("th.name"))
    assert "min-width: 9em; overflow-wrap: anywhere" in names  # long names break, but not into columns of letters
    print_rules = text.partition("@media print")[2]
    assert "--ink: #000000; --paper: #ffffff" in print_rules
    assert "display: table-header-group" in print_rules


def test_control_characters_and_blanks_of_names_are_seen(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    file.write_text("player_a,player_b,score_a\nan\x1b[2Jn, bob,1\n", encoding="utf-8")
    done = cli("standings", file, "--html", tmp_path / "t.html")
    assert "\x1b" not in done.stdout
    text = (tmp_path / "t.html").read_text(encoding="utf-8")
    assert r"an\x1b[2Jn" in text
    assert "&#x27; bob&#x27;" in text


def test_the_same_log_is_the_same_page(cli: Run, club: Path, tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        cli("standings", club, "-m", "contest", "--html", tmp_path / name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_an_empty_log_has_an_empty_table(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "none.csv"
    file.write_text("played_at,player_a,player_b,score_a\n")
    done = cli("standings", file, "-m", "paper", "--html", tmp_path / "t.html")
    assert (done.returncode, done.stderr) == (0, "")
    assert "no players" in done.stdout
    assert "No players." in (tmp_path / "t.html").read_text(encoding="utf-8")


def test_rows_left_out_are_told_by_the_code(cli: Run, flawed: Path) -> None:
    assert cli("standings", flawed).returncode == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--points", "3-1"], "points are '3-1'"),
        (["--tie-breaks", "wins,luck"], "tie-break is 'luck'"),
        (["--html", "t.pdf"], "cannot tell the format"),
        (["--html", "games.csv"], "cannot tell the format"),
        (["-o", "games.csv"], "that file is read too"),
        (["--since", "soon"], "since is 'soon'"),
        (["-m", "papr"], "no methodology is called 'papr'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    cli: Run, games: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(games.parent)
    done = cli("standings", "games.csv", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["error", "hint"]


def test_several_players_a_match_are_refused(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "races.csv"
    file.write_text("match,player,rank\n1,ann,1\n1,bob,2\n1,cid,3\n")
    done = cli("standings", file)
    assert done.returncode == 2
    assert "error: match '1' has 3 players" in done.stderr


def test_ratings_start_from_a_list(cli: Run, club: Path, tmp_path: Path) -> None:
    ratings = tmp_path / "list.csv"
    ratings.write_text("player,rating,rd\nAnn,2062,60\nnobody,1500,60\n", encoding="utf-8")
    words = ["standings", club, "-m", "lichess", "--initial", ratings]
    rows = {row["player"]: row for row in json.loads(cli(*words, "--json").stdout)["standings"]}
    assert rows["Ann"]["rating"] > 2000
    assert "nobody" not in rows
    assert f"started from {ratings}: 2 rows: 2 rated" in cli(*words).stdout
    without = cli("standings", club, "--initial", ratings)
    assert (without.returncode, "hint: name their rules" in without.stderr) == (2, True)


def test_ratings_go_on_from_a_snapshot_by_its_rules(cli: Run, club: Path, tmp_path: Path) -> None:
    old, ladder = tmp_path / "old.csv", tmp_path / "ladder.json"
    old.write_text("played_at,player_a,player_b,result\n2025-12-01,Ann,Zoe,1-0\n", encoding="utf-8")
    assert cli("rate", old, "-m", "contest", "--save", ladder).returncode == 0
    document = json.loads(cli("standings", club, "--from", ladder, "--json").stdout)
    assert document["methodology"]["id"] == "contest-1"
    rows = {row["player"]: row for row in document["standings"]}
    assert "Zoe" not in rows  # her game is of another table
    log = tm.read_games(old).followed_by(tm.read_games(club))
    expected = {row["player"]: row["rating"] for row in tm.replay(log, "contest").ratings.rows()}
    assert rows["Ann"]["rating"] == expected["Ann"]


def test_games_whose_ending_leaves_no_result_are_told(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    file.write_text(
        "played_at,player_a,player_b,result,ending\n2026-01-01,Ann,Bob,0-1,aborted\n2026-01-02,Ann,Bob,1-0,normal\n"
    )
    done = cli("standings", file)
    assert "not counted, as their ending leaves no result: 1 aborted" in done.stdout.splitlines()
    assert json.loads(cli("standings", file, "--json").stdout)["not_counted"] == {"aborted": 1}
    assert json.loads(cli("standings", file, "--since", "2026-01-02", "--json").stdout)["not_counted"] == {}


def test_a_page_has_the_day_of_its_last_game_and_nothing_of_rows(cli: Run, flawed: Path, tmp_path: Path) -> None:
    target = tmp_path / "table.html"
    assert cli("standings", flawed, "--html", target).returncode == 1
    text = target.read_text(encoding="utf-8")
    assert "as of 2026-01-03, the last game that is counted" in text
    assert "rejected" not in text
