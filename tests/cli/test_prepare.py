"""`tallymark prepare`: what it saves is read by every command as the files were."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., "CompletedProcess[str]"]


def test_a_prepared_log_is_rated_as_its_files(cli: Run, games: Path, flawed: Path, tmp_path: Path) -> None:
    into = tmp_path / "log.parquet"
    done = cli("prepare", games, flawed, "-o", into)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[0] == "2 files: 6 rows: 5 accepted, 0 held, 1 rejected; 5 games"
    assert done.stdout.splitlines()[-1] == f"written: {into}"
    for command in ("check", "rate"):
        of_files, of_log = cli(command, games, flawed), cli(command, into)
        assert (of_log.returncode, of_log.stdout, of_log.stderr) == (1, of_files.stdout, "")


def test_json_is_that_of_check(cli: Run, games: Path, tmp_path: Path) -> None:
    into = tmp_path / "log.parquet"
    document = json.loads(cli("prepare", games, "-o", into, "--json").stdout)
    assert document.pop("written") == [str(into)]
    assert document | {"written": []} == json.loads(cli("check", games, "--json").stdout)


def test_standard_input(games: Path, tmp_path: Path, cli: Run) -> None:
    into = tmp_path / "log.parquet"
    command = [sys.executable, "-m", "tallymark", "prepare", "-", "-o", str(into)]
    done = subprocess.run(command, input=games.read_bytes(), capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert cli("check", into).stdout.startswith("standard input: 3 rows: 3 accepted")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--delimiter", ";"], "delimiter"),
        (["--columns", "score_a=x", "--results", "x=win"], "columns and results"),
    ],
)
def test_what_is_settled_is_refused(cli: Run, games: Path, tmp_path: Path, options: list[str], said: str) -> None:
    into = tmp_path / "log.parquet"
    assert cli("prepare", games, "-o", into).returncode == 0
    for command in (["rate"], ["check"], ["prepare", "-o", tmp_path / "other.parquet"]):
        done = cli(*command, into, *options)
        assert done.returncode == 2
        assert f"error: {into} is a prepared log: {said} would change nothing in it\n" in done.stderr


def test_what_cannot_be_written(cli: Run, games: Path, tmp_path: Path) -> None:
    for name, ending in [("log.csv", 2), ("none/log.parquet", 3)]:
        assert cli("prepare", games, "-o", tmp_path / name).returncode == ending
    into = tmp_path / "log.parquet"
    assert cli("prepare", games, "-o", into, "--rejects", into).returncode == 2
    assert cli("prepare", games, "-o", into).returncode == 0
    assert cli("prepare", into, "-o", into).returncode == 2
    assert cli("prepare", games).returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.csv", "log.parquet"]


def test_a_damaged_one_is_no_traceback(cli: Run, games: Path, tmp_path: Path) -> None:
    into = tmp_path / "log.parquet"
    assert cli("prepare", games, "-o", into).returncode == 0
    whole = into.read_bytes()
    for damaged in (whole[:-20], whole[:200], whole.replace(b'"version": 1', b'"version": 9')):
        into.write_bytes(damaged)
        done = cli("rate", into)
        assert done.returncode == 3
        assert done.stderr.startswith(f"error: {into} ")


limited = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")


@limited
@pytest.mark.parametrize("words", [["prepare", "-o", "log.parquet"], ["check", "--rejects", "rejects.parquet"]])
def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, words: list[str]) -> None:
    file = tmp_path / "games.csv"
    rows = "".join(f"p{at},q{at * 7919 % 10007},{'1' if at % 2 else 'x'}\n" for at in range(3000))
    file.write_text("player_a,player_b,score_a\n" + rows)
    code = (
        "import resource, sys\nresource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "from tallymark.cli import main\nmain()"
    )
    program = [sys.executable, "-c", code, *words, "games.csv"]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(f"error: {words[-1]} cannot be written: ")
    assert done.stderr.count("\n") == 2
    assert list(tmp_path.iterdir()) == [file]


WHILE_WRITING = """
import os, signal
from tallymark import duck
from tallymark.cli import main
from tallymark.games import prepared

real = prepared.connected

class Halfway:
    def __init__(self, connection):
        self._connection = connection

    def __getattr__(self, name):
        return getattr(self._connection, name)

    def execute(self, text):
        done = self._connection.execute(text)
        os.kill(os.getpid(), signal.SIGINT)
        return done

from contextlib import contextmanager

@contextmanager
def connected():
    with real() as connection:
        yield Halfway(connection)

prepared.connected = connected
main()
"""


@limited
def test_an_interrupt_while_it_is_written_leaves_nothing(games: Path) -> None:
    program = [sys.executable, "-c", WHILE_WRITING, "prepare", str(games), "-o", "log.parquet"]
    done = subprocess.run(program, cwd=games.parent, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
    assert list(games.parent.iterdir()) == [games]
