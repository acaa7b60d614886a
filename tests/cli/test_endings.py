"""Every way a command ends: its code, one line and a hint on standard error, and never a traceback."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tallymark as tm
from tallymark.cli.endings import CommandError, Ending, ended, usage

Run = Callable[..., "CompletedProcess[str]"]

WRONG = [
    (2, ["--nope"], "No such option: --nope"),
    (2, ["-m", "papr"], "no methodology is called 'papr'"),
    (2, ["--set", "taw=1"], "taw is no field"),
    (2, ["--set", "tau"], "'tau' is no setting"),
    (2, ["--set", "tau=1", "--set", "tau=2"], "names tau twice"),
    (2, ["--set", "tau=-1"], "system.tau"),
    (2, ["--columns", "points=x"], "no column is called 'points'"),
    (2, ["--columns", "score_a=points"], "no column 'points' (for score_a)"),
    (2, ["--columns", "score_a"], "expected canonical=file"),
    (2, ["--columns", "score_a=x,score_a=y"], "names score_a twice"),
    (2, ["--columns", '"score_a=x'], "--columns"),
    (2, ["--delimiter", "ab"], "delimiter is 'ab'"),
    (2, ["-o", "ratings.txt"], "cannot tell the format"),
    (2, ["-o", "same.csv", "--history", "same.csv"], "is written too"),
    (2, ["--top", "-1"], "--top"),
    (2, ["--engine", "steam"], "--engine"),
    (2, ["--at", "yesterday"], "instant is 'yesterday'"),
    (2, ["--at", "2020-01-01"], "before the last game"),
    (2, ["-m", "elo", "-m", "paper", "-o", "r.csv"], "--output with 2 methodologies"),
    (2, ["-m", "elo", "-m", "paper", "--top", "3", "--from", "s"], "--from and --top with 2 methodologies"),
    (3, ["-o", "nowhere/r.csv"], "there is no folder nowhere"),
    (3, ["-o", "folder.csv"], "is a directory"),
    (3, ["--from", "nowhere.json"], "nowhere.json"),
    (3, ["--from", "games.csv"], "is not a snapshot"),
    (3, ["-m", "nowhere.toml"], "nowhere.toml cannot be read"),
    (4, ["-m", "elo", "--from", "paper.json"], "the snapshot is of paper-1"),
]


@pytest.mark.parametrize(
    ("code", "words", "message"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else None
)
def test_what_is_wrong_is_said_in_one_line(
    cli: Run, games: Path, monkeypatch: pytest.MonkeyPatch, code: int, words: list[str], message: str
) -> None:
    monkeypatch.chdir(games.parent)
    Path("folder.csv").mkdir()
    tm.replay(tm.read_games(games), "paper").snapshot().save("paper.json")
    before = sorted(Path().iterdir())
    done = cli("rate", "games.csv", *words)
    assert done.returncode == code
    assert done.stdout == ""
    first, *hints = done.stderr.splitlines()
    assert first.startswith("error: ")
    assert message in first
    assert len(hints) <= 1
    assert all(hint.startswith("hint: ") for hint in hints)
    assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.csv", None, "missing.csv cannot be read"),
        (".", None, "is a directory"),
        ("empty.csv", b"", "is empty"),
        ("latin.csv", "player_a,player_b,score_a\nJosé,bob,1\n".encode("latin-1"), "are not UTF-8"),
        ("cut.csv.gz", b"\x1f\x8b\x08\x00cut", "cannot be unpacked"),
        ("other.csv", b"a,b\n1,2\n", "has no column 'player_a'"),
        ("no.parquet", b"PAR1", "no.parquet"),
        ("games.docx", b"x", "docx"),
    ],
)
def test_files_that_cannot_be_read(cli: Run, tmp_path: Path, name: str, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = cli("rate", tmp_path / name)
    assert (done.returncode, done.stdout) == (3, "")
    assert message in done.stderr.splitlines()[0]


def test_the_librarys_hints_speak_of_options(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("player_a,player_b,score\nann,bob,1\n")
    assert cli("rate", tmp_path / "g.csv").stderr.splitlines()[1] == "hint: map it: --columns score_a=score"
    timeless = cli("rate", tmp_path / "g.csv", "--columns", "score_a=score")
    assert timeless.returncode == 2
    assert timeless.stderr.splitlines()[1].endswith(" --set period=match")
    assert cli("rate", tmp_path / "g.csv", "--columns", "score_a=score", "--set", "period=match").returncode == 0


def test_the_games_are_never_written_over(cli: Run, games: Path) -> None:
    before = games.read_bytes()
    assert cli("rate", games, "-o", games).returncode == 2
    assert games.read_bytes() == before


def test_what_was_written_before_a_failure_is_said(
    cli: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: tm.Snapshot, path: object) -> None:
        raise tm.WriteError(f"{path} cannot be written: No space left on device")

    monkeypatch.setattr(tm.Snapshot, "save", full)
    done = cli("rate", games, "-o", tmp_path / "r.csv", "--save", tmp_path / "s.json")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines()[1] == f"hint: written before it: {tmp_path / 'r.csv'}"
    assert (tmp_path / "r.csv").exists()


def test_usage_of_the_program(cli: Run) -> None:
    assert cli("--help").returncode == 0
    assert cli("--version").stdout == f"tallymark {tm.__version__}\n"
    assert cli().returncode == 2
    for words in (["nope"], ["rate"], ["methodology"], ["methodology", "show"], ["methodology", "show", "nope"]):
        done = cli(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 2


def test_help_loads_no_library() -> None:
    code = (
        "import sys\nfrom tallymark.cli import main\ntry:\n    main()\nexcept SystemExit:\n"
        "    print([name for name in ('numpy', 'numba', 'duckdb', 'rfc8785') if name in sys.modules], file=sys.stderr)"
    )
    for words in ([], ["rate"], ["methodology"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words, "--help"], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.stderr.strip() == "[]"
        assert "Usage" in done.stdout


def test_a_bug_is_called_one(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def command() -> int:
        raise ZeroDivisionError("of\nwhat")

    monkeypatch.delenv("TALLYMARK_DEBUG", raising=False)
    assert ended(command) == 70
    assert capsys.readouterr().err.splitlines()[0] == r"error: this is a bug: ZeroDivisionError: of\nwhat"
    monkeypatch.setenv("TALLYMARK_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        ended(command)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (tm.InputError("x"), 2),
        (tm.MethodologyError("x"), 2),
        (tm.UnknownMethodologyError("x"), 2),
        (tm.ReadError("x"), 3),
        (tm.WriteError("x"), 3),
        (tm.SnapshotError("x"), 4),
        (usage("x"), 2),
        (CommandError(Ending.UNREADABLE, "x"), 3),
        (KeyboardInterrupt(), 130),
    ],
)
def test_codes_of_errors(error: BaseException, code: int) -> None:
    def command() -> None:
        raise error

    assert ended(command) == code


def test_a_reader_that_goes_away_is_no_error(games: Path) -> None:
    for words in (["rate", str(games)], ["rate", str(games), "--json"], ["methodology", "show", "elo", "--toml"]):
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "wb") as closed:
            command = [sys.executable, "-m", "tallymark", *words]
            done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX, and a named pipe")
def test_an_interrupt_is_quiet(tmp_path: Path) -> None:
    pipe = tmp_path / "games.csv"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "tallymark", "rate", str(pipe)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process, pipe.open("w"):  # opens once the program reads, which then waits for a first line
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
