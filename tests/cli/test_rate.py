"""`tallymark rate`: what it prints, writes and compares, and that it starts and ends at once."""

import csv
import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from rich.console import Console

import tallymark as tm
from tallymark.cli.endings import CommandError
from tallymark.cli.options import parse_pairs
from tallymark.cli.scores import print_comparison

Run = Callable[..., "CompletedProcess[str]"]


def test_report_board_and_score(cli: Run, games: Path) -> None:
    done = cli("rate", games, "-m", "contest")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"{games}: 3 rows: 3 accepted, 0 held, 0 rejected; 3 games"
    assert any("contest-1" in line and "3dcc5b8c5369" in line for line in lines)
    ann = next(line for line in lines if "ann" in line)
    assert ann.split()[:3] == ["1", "ann", "1740?"]
    assert ann.split()[-2:] == ["2", "2-0-0"]
    assert "●" in ann
    assert "of 2 decisive games; log-loss" in done.stdout


def test_the_default_methodology_is_said(cli: Run, games: Path) -> None:
    assert "paper-1: Glicko-2 as in the paper (paper is the default; -m chooses)" in cli("rate", games).stdout
    assert "is the default" not in cli("rate", games, "-m", "paper").stdout


def test_problems_are_named_by_line_and_the_code_is_1(cli: Run, flawed: Path) -> None:
    done = cli("rate", flawed)
    assert done.returncode == 1
    assert "2 accepted, 0 held, 1 rejected" in done.stdout
    assert "bad-score (line 3:" in done.stdout
    assert cli("rate", flawed, "-m", "elo", "-m", "paper").returncode == 1
    assert cli("rate", flawed, "--json").returncode == 1


def test_json_is_one_document_with_everything(cli: Run, flawed: Path) -> None:
    document = json.loads(cli("rate", flawed, "--json", "-m", "paper").stdout)
    paper = tm.methodology("paper")
    assert document["methodology"] == {"id": "paper-1", "hash": paper.hash}
    assert (document["report"]["accepted"], document["report"]["rejected"], document["report"]["rated"]) == (2, 1, 2)
    assert [problem["line"] for problem in document["report"]["problems"]] == [3]
    result = tm.replay(tm.read_games(flawed), paper, predictions=True)
    assert document["score"]["log_loss"] == tm.score(result.predictions).log_loss
    assert [row["rating"] for row in document["ratings"]] == result.ratings["rating"].tolist()
    assert document["ratings"][0]["last_played"] == "2026-01-03T00:00:00Z"
    assert len(json.loads(cli("rate", flawed, "--json", "--top", 1).stdout)["ratings"]) == 1


def test_a_file_without_a_game_is_rated_all_the_same(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "none.csv"
    file.write_text("played_at,player_a,player_b,score_a\n")
    done = cli("rate", file)
    assert done.returncode == 0
    assert "no game to score" in done.stdout
    assert json.loads(cli("rate", file, "--json").stdout)["score"]["log_loss"] is None


def test_outputs_are_what_the_library_writes(cli: Run, games: Path, tmp_path: Path) -> None:
    names = {"-o": "r.csv", "--history": "h.json", "--predictions": "p.parquet", "--save": "s.json.gz"}
    options = [word for option, name in names.items() for word in (option, tmp_path / name)]
    done = cli("rate", games, "-m", "glicko", "--json", *options)
    assert json.loads(done.stdout)["written"] == [str(tmp_path / name) for name in names.values()]
    result = tm.replay(tm.read_games(games), "glicko", history=True, predictions=True)
    with (tmp_path / "r.csv").open(newline="") as file:
        assert [float(row["rating"]) for row in csv.DictReader(file)] == result.ratings["rating"].tolist()
    history = json.loads((tmp_path / "h.json").read_text())
    assert [row["rating_after"] for row in history] == result.history["rating_after"].tolist()
    assert (tmp_path / "p.parquet").read_bytes()[:4] == b"PAR1"
    assert tm.Snapshot.load(tmp_path / "s.json.gz").methodology_hash == result.methodology.hash
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["games.csv", *names.values()])


@pytest.mark.parametrize("rules", ["paper", "elo", "lichess"])
def test_saved_and_gone_on_equals_whole(cli: Run, games: Path, tmp_path: Path, rules: str) -> None:
    header, *rows = games.read_text().splitlines()
    parts = [tmp_path / "first.csv", tmp_path / "then.csv"]
    for part, its in zip(parts, (rows[:2], rows[2:]), strict=True):
        part.write_text("\n".join([header, *its]) + "\n")
    saved = tmp_path / "s.json"
    assert cli("rate", parts[0], "-m", rules, "--save", saved).returncode == 0
    resumed = cli("rate", parts[1], "-m", rules, "--from", saved, "--save", saved, "--json")
    assert resumed.returncode == 0
    whole = json.loads(cli("rate", games, "-m", rules, "--json").stdout)
    assert json.loads(resumed.stdout)["ratings"] == whole["ratings"]


def test_settings_and_columns(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text('date;Home;Away;"Points, home"\n2026-01-01;ann;bob;1\n')
    columns = ["--columns", "played_at=date,player_a=Home,player_b=Away", "--columns", '"score_a=Points, home"']
    done = cli("rate", file, "--delimiter", ";", *columns, "--set", "tau=0.3", "--set", "period=7d", "--json")
    assert done.returncode == 0, done.stderr
    expected = tm.methodology("paper").with_(tau=0.3, period="7d")
    assert json.loads(done.stdout)["methodology"] == {"id": expected.id, "hash": expected.hash}


def test_a_file_of_rules(cli: Run, games: Path, tmp_path: Path) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text(tm.methodology("elo").with_(k=32).to_toml())
    done = cli("rate", games, "-m", rules, "--json")
    assert json.loads(done.stdout)["methodology"]["hash"] == tm.methodology("elo").with_(k=32).hash


def test_at_ages_deviations(cli: Run, games: Path) -> None:
    def deviations(*words: str) -> list[float]:
        document = json.loads(cli("rate", games, "--json", *words).stdout)
        return [row["deviation"] for row in document["ratings"]]

    assert all(late > now for late, now in zip(deviations("--at", "2027-01-01"), deviations(), strict=True))


def test_several_methodologies_side_by_side(cli: Run, games: Path) -> None:
    done = cli("rate", games, "-m", "elo", "-m", "paper", "--set", "rating=1600")
    assert done.returncode == 0, done.stderr
    elo, paper = (tm.methodology(name).with_(rating=1600) for name in ("elo", "paper"))
    ids = [line.split()[0] for line in done.stdout.splitlines()]
    assert ids[-2:] == [elo.id, paper.id]
    document = json.loads(cli("rate", games, "-m", "elo", "-m", "paper", "--json").stdout)
    assert [one["methodology"]["id"] for one in document["methodologies"]] == ["elo-1", "paper-1"]
    assert document["report"]["accepted"] == 3


@pytest.mark.parametrize("width", [10, 30, 40, 80])
@pytest.mark.parametrize("terminal", [False, True])
def test_the_comparison_is_never_cut(games: Path, width: int, terminal: bool) -> None:
    log = tm.read_games(games)
    results = [tm.replay(log, tm.methodology(name).with_(rating=1600), predictions=True) for name in ("elo", "paper")]
    scored = [(result, tm.score(result.predictions)) for result in results]
    out = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=None, markup=False)
    print_comparison(out, scored)
    assert isinstance(out.file, io.StringIO)
    text = out.file.getvalue()
    assert "\u2026" not in text
    folded = "".join(line[: len("methodology")].strip() for line in text.splitlines())
    for result, score in scored:
        assert f"{score.log_loss:.4f}  {score.brier:.4f}" in text
        assert result.methodology.id in (text if width == 80 or not terminal else folded)


def test_where_every_game_was_drawn_none_was_decisive(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "drawn.csv"
    file.write_text("played_at,player_a,player_b,score_a\n2026-01-01,ann,bob,0.5\n")
    done = cli("rate", file)
    assert "predicted before each game: no decisive game; log-loss 0.6931" in done.stdout


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("player_a=Home,player_b=Away", {"player_a": "Home", "player_b": "Away"}),
        (" player_a = Home , player_b= Away ", {"player_a": "Home", "player_b": "Away"}),
        ('"player_a= Home ",player_b=Away', {"player_a": " Home ", "player_b": "Away"}),
        ('player_b=Away, "score_a=a, b" ', {"player_b": "Away", "score_a": "a, b"}),
        ('"score_a=""a"" = b"', {"score_a": '"a" = b'}),
        ('score_a=a"b', {"score_a": 'a"b'}),
        ("score_a=a=b", {"score_a": "a=b"}),
        ("ending=,score_a= ", {"ending": "", "score_a": ""}),
    ],
)
def test_columns_by_name(text: str, columns: dict[str, str]) -> None:
    assert parse_pairs("--columns", [text]) == columns


@pytest.mark.parametrize("text", ["", ",", "a=b,", "=b", "=", '"a=b', '"a=b"c', 'a=b,"', "a"])
def test_what_is_no_list_of_columns(text: str) -> None:
    with pytest.raises(CommandError) as refused:
        parse_pairs("--columns", [text])
    assert refused.value.ending == 2
    assert refused.value.hint


def test_engines_give_the_same(cli: Run, games: Path) -> None:
    both = [json.loads(cli("rate", games, "--json", "--engine", name).stdout) for name in ("interpreted", "compiled")]
    assert [one["report"].pop("engine") for one in both] == ["interpreted", "compiled"]
    assert both[0] == both[1]


@pytest.fixture(scope="module")
def ten_thousand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("many") / "games.csv"
    draw = random.Random(1)
    with file.open("w") as out:
        out.write("played_at,player_a,player_b,score_a\n")
        for day in range(10_000):
            a, b = draw.sample(range(500), 2)
            out.write(
                f"{2000 + day // 3650}-{1 + day // 300 % 12:02}-{1 + day // 12 % 28:02},p{a},p{b},{draw.choice('01')}\n"
            )
    return file


def test_ten_thousand_games_in_three_seconds(program: Run, ten_thousand: Path) -> None:
    before = os.times()
    done = program("rate", ten_thousand)
    after = os.times()
    assert done.returncode == 0, done.stderr
    # Seconds of its processor, not of the clock: other tests may keep the machine busy.
    assert after.children_user - before.children_user + after.children_system - before.children_system < 3.0


UNDER_EACH = """
import sys
from tallymark.cli import main

words, rules = sys.argv[1:-1], sys.argv[-1].split()
for name in rules:
    sys.argv[1:] = [*words, "-m", name]
    try:
        main()
    except SystemExit as end:
        loaded = [module for module in ("numba", "duckdb") if module in sys.modules]
        print(name, end.code, *loaded, file=sys.stderr)
"""


def test_ten_thousand_games_load_neither_numba_nor_duckdb(ten_thousand: Path, tmp_path: Path) -> None:
    rules = [one.id for one in tm.shipped()]
    words = ["rate", str(ten_thousand), "-o", str(tmp_path / "r.csv"), "--save", str(tmp_path / "s.json")]
    command = [sys.executable, "-c", UNDER_EACH, *words, " ".join(rules)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr.splitlines() == [f"{name} 0" for name in rules]


def test_words_of_a_file_for_its_results(tmp_path: Path, cli: Run) -> None:
    games = tmp_path / "v.csv"
    games.write_text("player_a,player_b,result\na,b,a\nb,c,bothbad\n", encoding="utf-8")
    assert cli("rate", games, "-m", "elo").returncode == 1
    told = cli("rate", games, "-m", "elo", "--results", "bothbad=draw")
    assert told.returncode == 0, told.stderr
    assert "2 accepted" in told.stdout


@pytest.mark.parametrize(
    ("name", "separator", "words"),
    [
        ("t.tsv", "\t", []),
        ("t.TSV", "\t", []),
        ("t.txt", "\t", ["--delimiter", "tab"]),
        ("t.csv", "\t", ["--delimiter", r"\t"]),
        ("c.tsv", ",", ["--delimiter", ","]),
    ],
)
def test_tabs(cli: Run, tmp_path: Path, name: str, separator: str, words: list[str]) -> None:
    path = tmp_path / name
    path.write_text(separator.join(["player_a", "player_b", "score_a"]) + "\n" + separator.join("ab1") + "\n")
    done = cli("rate", path, "-m", "elo", *words)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("separator", "word"), [(";", "';'"), ("\t", "tab")])
@pytest.mark.parametrize("columns", [[], ["--columns", "score_a=points"]])
def test_a_header_of_one_cell_hints_at_the_delimiter(
    cli: Run, tmp_path: Path, separator: str, word: str, columns: list[str]
) -> None:
    path = tmp_path / "g.csv"
    path.write_text(separator.join(["white", "black", "points"]) + "\n")
    done = cli("rate", path, "--delimiter", ",", *columns)
    assert f"hint: is it separated otherwise? --delimiter {word}\n" in done.stderr


def test_going_on_hints_at_rules_and_at_files_handed_in_twice(cli: Run, tmp_path: Path) -> None:
    path, ladder = tmp_path / "g.csv", tmp_path / "ladder"
    path.write_text("played_at,player_a,player_b,score_a\n2026-01-01,a,b,1\n2026-03-15,a,b,1\n")
    assert cli("rate", path, "--save", ladder).returncode == 0
    other = cli("rate", path, "--from", ladder, "-m", "elo")
    assert other.returncode == 4
    assert "hint: -m paper-1 goes on from it" in other.stderr
    assert cli("rate", path, "--set", "tau=0.3", "--save", tmp_path / "variant").returncode == 0
    other = cli("rate", path, "--from", tmp_path / "variant")
    assert "hint: -m paper-1 and the same --set goes on from it" in other.stderr
    rules = tmp_path / "club.toml"
    rules.write_text(
        tm.methodology("paper").to_toml().replace('name = "paper"', 'name = "port"').replace("tau = 0.5", "tau = 0.4")
    )
    assert cli("rate", path, "-m", rules, "--save", tmp_path / "own").returncode == 0
    other = cli("rate", path, "--from", tmp_path / "own")
    assert "hint: -m with the file of port-1 as it was goes on from it" in other.stderr
    again = cli("rate", path, "--from", ladder)
    assert "2 players, 1 game of its open period again" in again.stdout
    assert "hint: games are late; was this file handed in before?" in again.stdout
