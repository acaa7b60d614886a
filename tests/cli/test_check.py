"""`tallymark check`: what is said of rows without rating them, and `--rejects`, the rows themselves."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tallymark as tm

Run = Callable[..., "CompletedProcess[str]"]


def test_it_says_what_rate_says_of_the_rows(cli: Run, flawed: Path) -> None:
    done = cli("check", flawed)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[:-1] == [f"{flawed}: {line}" if not at else line for at, line in enumerate(_summary(flawed))]
    assert lines[-1] == "3 players in 1 pool; 2026-01-01 to 2026-01-03"
    assert cli("rate", flawed).stdout.startswith("\n".join(lines[:-1]))


def _summary(path: Path) -> list[str]:
    return tm.read_games(path).report.summary().split("\n")


def test_in_order_is_0(cli: Run, games: Path) -> None:
    assert cli("check", games).returncode == 0


def test_pools_with_their_games(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    file.write_text("player_a,player_b,score_a,board\na,b,1,9\nb,c,1,19\na,c,0,19\n")
    done = cli("check", file, "--pool", "board")
    assert done.stdout.splitlines()[-2:] == ["3 players in 2 pools", "pools: 19 (2 games), 9 (1 game)"]
    facts = json.loads(cli("check", file, "--pool", "board", "--json").stdout)
    assert facts["pools"] == {"19": 2, "9": 1}
    assert (facts["first"], facts["last"]) == (None, None)


def test_notes_speak_of_options(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    file.write_text("player_a,player_b,score_a,pool\na,b,1,x\nb,c,1,y\n")
    assert "columns={" in _summary(file)[1]
    noted = cli("check", file).stdout
    assert "--columns pool=pool" in noted
    assert "columns={" not in noted


def test_json(cli: Run, flawed: Path) -> None:
    done = cli("check", flawed, "--json")
    assert done.returncode == 1
    facts = json.loads(done.stdout)
    assert facts["files"] == [str(flawed)]
    assert facts["players"] == 3
    assert (facts["first"], facts["last"]) == ("2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z")
    rated = json.loads(cli("rate", flawed, "--json").stdout)["report"]
    assert facts["report"] == {name: rated[name] for name in facts["report"]}
    assert facts["report"]["problems"][0]["reason"] == "bad-score"


def test_nothing_but_a_header(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    file.write_text("player_a,player_b,score_a\n")
    done = cli("check", file)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0 players in 0 pools")


@pytest.mark.parametrize("command", ["check", "rate"])
@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet"])
def test_rejects_are_the_problems(cli: Run, flawed: Path, tmp_path: Path, command: str, suffix: str) -> None:
    rejects = tmp_path / f"rejects{suffix}"
    done = cli(command, flawed, "--rejects", rejects)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == f"written: {rejects}"
    expected = tmp_path / f"expected{suffix}"
    tm.read_games(flawed).report.problems.write(expected)
    assert rejects.read_bytes() == expected.read_bytes()


def test_rejects_name_file_line_and_reason(cli: Run, games: Path, flawed: Path, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.csv"
    assert cli("check", games, flawed, "--rejects", rejects).returncode == 1
    with rejects.open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["file"], row["line"], row["kind"], row["reason"]) == (str(flawed), "3", "rejected", "bad-score")


def test_rejects_where_methodologies_are_compared(cli: Run, flawed: Path, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.csv"
    done = cli("rate", flawed, "-m", "elo", "-m", "paper", "--rejects", rejects)
    assert done.stdout.splitlines()[-1] == f"written: {rejects}"
    assert rejects.exists()


@pytest.mark.parametrize("command", ["check", "rate"])
def test_no_file_that_is_read_is_written_over(cli: Run, flawed: Path, tmp_path: Path, command: str) -> None:
    before = flawed.read_bytes()
    for files in ([flawed], [tmp_path / "*.csv"]):
        done = cli(command, *files, "--rejects", flawed)
        assert done.returncode == 2
        assert f"error: --rejects {flawed}: that file is read too\n" in done.stderr
    aliases = tmp_path / "aliases.csv"
    aliases.write_text("a = b\n")
    assert cli(command, flawed, "--aliases", aliases, "--rejects", aliases).returncode == 2
    assert flawed.read_bytes() == before
