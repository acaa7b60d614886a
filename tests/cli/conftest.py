"""Running the program: in this process through typer's runner, or as a process of its own."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from typer.testing import CliRunner

from tallymark.cli.program import app

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def cli() -> Run:
    """`cli("rate", file, ...)` in this process, with its exit code and both streams. 80 columns, no colours."""

    def run(*words: object) -> "CompletedProcess[str]":
        result = CliRunner().invoke(app, list(map(str, words)), env={"COLUMNS": "80", "NO_COLOR": "1"})
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return CompletedProcess([str(word) for word in words], result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def program() -> Run:
    """The same as a process of its own: `program("rate", file)`."""

    def run(*words: object) -> "CompletedProcess[str]":
        command = [sys.executable, "-W", "error", "-m", "tallymark", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, encoding="utf-8")

    return run


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Three games of three players in a file that is in order."""
    file = tmp_path / "games.csv"
    file.write_text(
        "played_at,player_a,player_b,score_a\n2026-01-01,ann,bob,1\n2026-01-02,bob,cid,0.5\n2026-03-01,cid,ann,0\n"
    )
    return file


@pytest.fixture
def flawed(tmp_path: Path) -> Path:
    """Three rows, one with a score that is none."""
    file = tmp_path / "flawed.csv"
    file.write_text(
        "played_at,player_a,player_b,score_a\n2026-01-01,ann,bob,1\n2026-01-02,bob,cid,won\n2026-01-03,cid,ann,0\n"
    )
    return file
