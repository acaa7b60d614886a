"""`tallymark arena simulate`: the report, the document, files, and wrong options."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., "CompletedProcess[str]"]


def test_the_report_says_all_of_it(cli: Run) -> None:
    done = cli("arena", "simulate", "--agents", 20, "--joins", 200)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("20 agents joined 200 times in ")
    assert "of them with house agents" in lines[1]
    for head in ("wait, seconds", "  still waiting", "gap, points", "  to house agents", "matches played"):
        assert any(line.startswith(head) for line in lines), head
    assert any(line.endswith("waited longer than 60 s") for line in lines)


def test_recorded_arrivals_and_the_rules_that_were_given(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "joins.csv"
    file.write_text("joined_at,agent,rating,deviation\n0,ann,1500,80\n0,bob,1600,80\n99000,end,9000,80\n")
    done = cli("arena", "simulate", file, "--house", "", "--base", "50", "--growth", "50", "--json")
    document = json.loads(done.stdout)
    assert document["matches"] == 1
    assert document["waits"] == {"count": 2, "median": 60.0, "p95": 60.0, "largest": 60.0}
    assert document["deviations"][0] == {"matches": 0, "agents": 3, "deviation": 80.0}
    assert (
        json.loads(cli("arena", "simulate", file, "--house", "", "--base", "50", "--cap", "99", "--json").stdout)[
            "matches"
        ]
        == 0
    )
    helped = json.loads(
        cli("arena", "simulate", file, "--house", "1000", "--base", "0", "--house-after", "2", "--json").stdout
    )
    assert (helped["house_matches"], helped["house_waits"]["largest"]) == (2, 2.0)
    wide = json.loads(cli("arena", "simulate", file, "--house", "", "--base", "0", "--k", "0.625", "--json").stdout)
    assert wide["waits"]["largest"] == 0.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seats", "1"], "error: --seats 1: expected whole numbers from 2 up\n"),
        (["--seats", "2,x"], "error: --seats has 'x'; expected whole numbers with commas, such as 5,6,7,8\n"),
        (["--seats", "2,2"], "error: seats is (2, 2); each value may stand there once\n"),
        (["--base", "0.001"], "error: --base is 0.001; expected a number from 0 up, in whole 0.01s\n"),
        (["--base", "nan"], "error: --base is nan; expected a number from 0 up"),
        (["--growth", "-1"], "error: --growth is -1; expected a number from 0 up"),
        (["--house", "1500,inf"], "error: --house has 'inf'; expected ratings with commas\n"),
        (["--agents", "0"], "error: agents is 0; expected a whole number from 1 to 1e+06\n"),
        (["--every", "0"], "error: --every is 0; expected a number from 0.001 to 60, in whole 0.001s\n"),
        (["--every", "61"], "error: --every is 61; expected a number from 0.001 to 60, in whole 0.001s\n"),
        (["--match", "1e8"], "error: --match is 1e+08; expected a number from 0 to 1e+06, in whole 0.001s\n"),
        (["--whose", "both"], "error: Invalid value for '--whose'"),
    ],
)
def test_wrong_options(cli: Run, words: list[str], said: str) -> None:
    done = cli("arena", "simulate", *words)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert " arena simulate --help shows what is expected" in done.stderr or "for example" in done.stderr


def test_options_of_arrivals_that_are_made_up_are_refused_where_they_are_recorded(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "joins.csv"
    file.write_text("joined_at,agent,rating,deviation\n0,ann,1500,80\n")
    for option in ("--agents", "--joins", "--minutes", "--spread", "--deviation"):
        for value in ("5", "200"):
            done = cli("arena", "simulate", file, option, value)
            assert done.returncode == 2
            assert done.stderr.startswith(f"error: {option} is for arrivals that are made up, and {file} has them\n")
    assert cli("arena", "simulate", file, "--seed", "5").stdout.startswith("1 agent joined 1 time in 0.0 minutes")


def test_a_file_that_is_not_there(cli: Run) -> None:
    done = cli("arena", "simulate", "none.csv")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: none.csv cannot be read: No such file or directory\n")
