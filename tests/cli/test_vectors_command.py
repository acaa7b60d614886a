"""`tallymark vectors`: written, checked, and refused."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from typer.testing import CliRunner

from tallymark.cli.program import app
from tallymark.fixedpoint.vectors import lines

Run = Callable[..., "CompletedProcess[str]"]
SMALL = ("--updates", 3, "--sequences", 1, "--games", 2)


def test_written_and_checked(cli: Run, tmp_path: Path) -> None:
    into = tmp_path / "vectors.jsonl"
    done = cli("vectors", "-o", into, *SMALL, "--seed", 9)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"written: {into}\n", "")
    file = list(lines(9, 3, 1, 2))
    assert into.read_bytes() == "".join(file).encode()
    done = cli("vectors", "--check", into)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{into}: {len(file) - 2} vectors, all as computed here; SHA-256 ")
    assert done.stdout.strip()[-64:] in file[-1]


def test_standard_output(cli: Run) -> None:
    done = cli("vectors", *SMALL, "--no-steps")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "".join(lines(1, 3, 1, 2, steps=False))


def test_a_difference_is_told(cli: Run, tmp_path: Path) -> None:
    into = tmp_path / "theirs.jsonl"
    into.write_text("".join(lines(1, 0, 0, 0)).replace('"out":"0"', '"out":"1"', 1))
    done = cli("vectors", "--check", into)
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr == (
        f'error: {into}: line 2, rdiv/1:2: out is "1"; expected "0"\n'
        "hint: the first one; answers before it are as they should be\n"
    )


def test_a_file_through_a_pipe() -> None:
    done = CliRunner().invoke(app, ["vectors", "--check", "-"], input="".join(lines(1, 1, 0, 0)))
    assert done.exit_code == 0
    assert done.stdout.startswith("standard input: ")
    done = CliRunner().invoke(app, ["vectors", "--check", "-"], input="x\n")
    assert done.exit_code == 3
    assert done.stderr.startswith("error: standard input: line 1: this is no JSON")


@pytest.mark.parametrize("language", ["cairo", "js", "json"])
def test_constants(cli: Run, tmp_path: Path, language: str) -> None:
    done = cli("vectors", "--constants", language)
    assert done.returncode == 0
    assert "29408509883171471360" in done.stdout
    into = tmp_path / f"constants.{language}"
    assert cli("vectors", "--constants", language, "-o", into).returncode == 0
    assert into.read_text() == done.stdout


@pytest.mark.parametrize(
    ("words", "ending", "said"),
    [
        (["--check", "none.jsonl"], 3, "error: none.jsonl: No such file or directory\nhint: is the name right?"),
        (["--check", "."], 3, "error: .: Is a directory\n"),
        (["--check", "games.csv"], 3, "error: games.csv: line 1: this is no JSON"),
        (["--check", "games.csv", "-o", "x"], 2, "error: --check compares and writes nothing\n"),
        (["--check", "games.csv", "--constants", "js"], 2, "error: --check compares and writes nothing\n"),
        (["--updates", "-1"], 2, "error: --updates is -1; expected a whole number from 0 to 1000000000\n"),
        (
            ["--seed", str(1 << 64)],
            2,
            f"error: --seed is {1 << 64}; expected a whole number from 0 to {(1 << 64) - 1}\n",
        ),
        (["-o", "none/x"], 3, "error: --output none/x: there is no folder none\n"),
        (["--constants", "rust"], 2, "error: Invalid value for '--constants'"),
    ],
)
def test_wrong_options(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], ending: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.csv").write_text("played_at,player_a\n")
    done = cli("vectors", *words)
    assert (done.returncode, done.stdout) == (ending, "")
    assert done.stderr.startswith(said)
    assert [path.name for path in tmp_path.iterdir()] == ["games.csv"]
