"""Node, and programs run with it: skipped with a reason where it is missing, failed where CI runs."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

SDK: Final = Path(__file__).resolve().parents[2] / "sdk" / "js"
Run = Callable[..., bytes]


def missing(reason: str) -> None:
    """Skips, or fails where CI runs."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def compiler() -> Path:
    """TypeScript's, which checks the types in the comments."""
    found = SDK / "node_modules" / ".bin" / "tsc"
    if not found.exists():
        missing("no tsc: run npm install in sdk/js")
    return found


@pytest.fixture(scope="session")
def executable() -> str:
    """Where Node is, which must be 20 or newer."""
    found = shutil.which("node") or ""
    said = subprocess.run([found, "--version"], capture_output=True, text=True).stdout.strip() if found else "not there"
    if not found or int(said.removeprefix("v").split(".")[0]) < 20:
        missing(f"node is {said}: sdk/js runs under Node 20 or newer")
    return found


@pytest.fixture(scope="session")
def node(executable: str) -> Run:
    """What Node wrote, in sdk/js, where all went well: its arguments, and `given` on standard input."""

    def run(*arguments: str | Path, given: bytes = b"") -> bytes:
        done = subprocess.run([executable, *arguments], input=given, capture_output=True, cwd=SDK)
        assert done.returncode == 0, (done.stdout[-4000:] + done.stderr[-4000:]).decode(errors="replace")
        return done.stdout

    return run


@pytest.fixture(scope="session")
def error(executable: str) -> Callable[..., str]:
    """What a program of sdk/js found wrong, one line with a hint after it, and the exit code that it must have."""

    def run(*arguments: str | Path, code: int) -> str:
        done = subprocess.run([executable, *arguments], capture_output=True, cwd=SDK, text=True)
        assert (done.returncode, done.stdout) == (code, ""), (done.stdout[-4000:], done.stderr[-4000:])
        line, hint = done.stderr.splitlines()
        assert hint.startswith("hint: ")
        return line.removeprefix("error: ")

    return run
