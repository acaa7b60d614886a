"""`tallymark demo`: a board of real results at once, from the data that ships with the package."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tallymark as tm
from tallymark.cli.demo import example
from tallymark.cli.endings import CommandError

Run = Callable[..., "CompletedProcess[str]"]


def test_the_demo_rates_and_is_scored(program: Run) -> None:
    before = os.times()
    done = program("demo")
    after = os.times()
    # Seconds of its processor, not of the clock: other tests may keep the machine busy.
    assert after.children_user - before.children_user + after.children_system - before.children_system < 3.0
    assert (done.returncode, done.stderr) == (0, "")
    assert "49,520 matches, 337 teams" in done.stdout
    board = [line for line in done.stdout.splitlines() if "●" in line]
    assert len(board) == 20
    marks = [line.index("●") for line in board]
    assert marks == sorted(marks, reverse=True)  # on one axis, best first
    assert board[0].split()[:3] == ["1", "Spain", "1936"]
    assert "right in 72.57 % of 38,262 decisive games; log-loss 0.5963 (a coin: 0.6931)" in done.stdout
    assert "  tallymark rate games.csv" in done.stdout


def test_the_demo_as_a_document(cli: Run) -> None:
    done = cli("demo", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["source"] == "martj42/international_results, CC0"
    assert document["methodology"]["id"] == "paper-1"
    assert document["report"]["rated"] == document["score"]["games"] == 49_520
    assert len(document["ratings"]) == 337
    assert document["ratings"][0]["player"] == "Spain"


def test_the_demo_loads_no_numba() -> None:
    code = (
        "import sys\nfrom tallymark.cli import main\ntry:\n    main()\nexcept SystemExit as end:\n"
        "    print(end.code, 'numba' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, "demo"], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr.split() == ["0", "False"]


def test_the_shipped_results_are_those_collected(data: Path) -> None:
    shipped = tm.read_games(example("football/football_international.csv.gz"))
    collected = tm.read_games(data / "football_international" / "football_international.csv.gz")
    assert shipped.players == collected.players
    assert (shipped.score == collected.score).all()


def test_where_the_results_come_from_is_beside_them() -> None:
    text = (example("football/football_international.csv.gz").parent / "ATTRIBUTION.md").read_text(encoding="utf-8")
    assert "martj42/international_results" in text
    assert "CC0" in text


def test_an_example_that_is_not_there() -> None:
    with pytest.raises(CommandError, match="is not installed"):
        example("football/none.csv")
