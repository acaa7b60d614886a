"""Every way a command ends: its code, one line and a hint on standard error, and never a traceback."""

import errno
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    (2, ["--set", "tau=abc"], "system.tau"),
    (2, ["--set", "period.kind=match"], "period.days"),
    (2, ["--set", "ageing.kind=elapsed"], "ageing.periods_per_day"),
    (2, ["--set", "period="], "--set period= changes nothing"),
    (2, ["--set", "bounds={}"], "--set bounds= changes nothing"),
    (2, ["--columns", ""], "expected canonical=file"),
    (2, ["--columns", "player_a=nonexist"], "no column 'nonexist' (for player_a)"),
    (2, ["--columns", "foo=bar"], "no column is called 'foo'"),
    (2, ["--save", "games.csv"], "that file is read too"),
    (2, ["-m", "club.toml", "--save", "club.toml"], "that file is read too"),
    (2, ["-m", "club.toml", "-o", "linked.csv"], "that file is read too"),
    (3, ["-o", "x" * 300 + ".csv"], "x" * 300),
    (3, ["--save", "x" * 300], "x" * 300),
    (3, ["--from", "x" * 300], "x" * 300),
    (3, ["-o", "loop.csv"], "loop.csv"),
    (3, ["--save", "loop.csv"], "loop.csv"),
    (3, ["--from", "loop.csv"], "loop.csv"),
    (3, ["-m", "loop.toml"], "loop.toml"),
    (2, ["--columns", "pts=x"], "no column is called 'pts'"),
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
    Path("club.toml").write_text(tm.methodology("paper").to_toml())
    for name, target in {"linked.csv": "club.toml", "loop.csv": "loop.csv", "loop.toml": "loop.toml"}.items():
        Path(name).symlink_to(target)
    tm.replay(tm.read_games(games), "paper").snapshot().save("paper.json")
    before = sorted(Path().iterdir())
    done = cli("rate", "games.csv", *words)
    assert done.returncode == code
    assert done.stdout == ""
    first, *hints = done.stderr.splitlines()
    assert first.startswith("error: ")
    assert message in first
    assert len(hints) == 1
    assert hints[0].startswith("hint: ")
    assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.csv", None, "missing.csv cannot be read"),
        ("x" * 300, None, "x" * 300),
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
    error, hint = done.stderr.splitlines()
    assert message in error
    assert hint.startswith("hint: ")


def test_the_librarys_hints_speak_of_options(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("player_a,player_b,score\nann,bob,1\n")
    hint = cli("rate", tmp_path / "g.csv").stderr.splitlines()[1]
    assert "--columns result=..." in hint
    assert "columns={" not in hint
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
    assert ended(command) == 70
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback")
    assert shown.splitlines()[-2].startswith("error: this is a bug")


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


def test_a_damaged_snapshot_cannot_be_read_wherever_the_damage_is(cli: Run, games: Path, tmp_path: Path) -> None:
    saved = tmp_path / "s.gz"
    tm.replay(tm.read_games(games), "paper").snapshot().save(saved)
    whole = saved.read_bytes()
    for at in range(2, len(whole), 7):
        saved.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        done = cli("rate", games, "--from", saved)
        assert done.returncode in (0, 3), (at, done.stderr)  # a byte of the header's time decides nothing
        assert done.stderr.count("\n") in (0, 2)


def test_a_missing_file_has_a_neighbour(cli: Run, games: Path) -> None:
    near = cli("rate", games.with_name("game.csv"))
    assert (near.returncode, near.stderr.splitlines()[1]) == (3, f"hint: did you mean {games}?")


def test_who_may_not_read_or_look_is_told_so(cli: Run, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As root nothing is forbidden, so the operating system's refusal is put in its place."""

    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(games))

    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    assert cli("rate", games).returncode == 0  # nobody asks beforehand
    for method, *words in (("open", games), ("read_bytes", games, "--from", games), ("is_dir", games, "-o", "r.csv")):
        with monkeypatch.context() as refused:
            refused.setattr(Path, str(method), forbidden)
            done = cli("rate", *words)
        assert (done.returncode, done.stderr.count("\n")) == (3, 2)
        assert "Permission denied" in done.stderr


streams_of_unix = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full, and a shell")
WORDS = [
    ["rate", "games.csv"],
    ["rate", "games.csv", "--json"],
    ["rate", "games.csv", "-m", "elo", "-m", "paper"],
    ["check", "games.csv"],
    ["check", "games.csv", "--json"],
    ["methodology", "show", "elo", "--toml"],
    ["rate", "--help"],
    ["--version"],
]


def shell(games: Path, words: list[str], redirected: str, **environment: str) -> "CompletedProcess[str]":
    command = " ".join(map(shlex.quote, [sys.executable, "-m", "tallymark", *words]))
    return subprocess.run(
        ["sh", "-c", f"{command} {redirected}"],
        cwd=games.parent,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@streams_of_unix
@pytest.mark.parametrize("words", WORDS, ids=" ".join)
@pytest.mark.parametrize("redirected", ["> /dev/full", ">&-"])
def test_a_standard_output_that_takes_nothing(games: Path, words: list[str], redirected: str) -> None:
    done = shell(games, words, redirected)
    assert done.returncode == 3
    error, hint = done.stderr.splitlines()
    assert error.startswith("error: standard output ")
    assert hint.startswith("hint: ")


@streams_of_unix
@pytest.mark.parametrize("redirected", ["2> /dev/full", "2>&-"])
def test_where_nobody_can_be_told_the_code_still_tells(games: Path, redirected: str) -> None:
    assert shell(games, ["rate", "games.csv"], redirected).returncode == 0
    assert shell(games, ["rate", "games.csv", "--set", "tau=x"], redirected).returncode == 2
    assert shell(games, ["rate", "nowhere.csv"], redirected).returncode == 3
    assert shell(games, ["rate", "games.csv"], f"> /dev/full {redirected}").returncode == 3


ONE_AFTER_THE_OTHER = """
import json, os, sys
from tallymark.cli import main

first = {"encoding": sys.stdout.encoding, "errors": sys.stdout.errors}
for number, words in enumerate(json.loads(sys.argv.pop())):
    os.dup2(os.open(f"{number}.out", os.O_WRONLY | os.O_CREAT), 1)
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as end:
        assert not end.code, (words, end.code)
    sys.stdout.flush()
    sys.stdout.reconfigure(**first)
"""
"""Commands in one process, for most of the time of one is Python's start; each as with a standard output of its own."""


def outputs(games: Path, **environment: str) -> list[bytes]:
    """What each of `WORDS` printed, none of which may fail or say anything on standard error."""
    command = [sys.executable, "-c", ONE_AFTER_THE_OTHER, json.dumps(WORDS)]
    whole = {**os.environ, **environment}
    done = subprocess.run(command, cwd=games.parent, env=whole, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return [(games.parent / f"{number}.out").read_bytes() for number in range(len(WORDS))]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-16"])
def test_every_encoding_of_the_output_will_do(games: Path, encoding: str) -> None:
    for words, printed in zip(WORDS, outputs(games, PYTHONIOENCODING=encoding, COLUMNS="70"), strict=True):
        # The text of a file is UTF-8 whatever the terminal has.
        assert printed.decode("utf-8" if "--toml" in words else encoding), words


def test_a_locale_without_an_encoding(games: Path) -> None:
    assert all(outputs(games, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"))


@contextmanager
def opened(pipe: Path, reader: "subprocess.Popen[bytes]") -> Iterator[None]:
    """The pipe open for writing from when the process reads it; not even opening waits for one that ended instead."""
    file = None
    while file is None and reader.poll() is None:
        try:
            file = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.01)
    try:
        yield
    finally:
        if file is not None:
            os.close(file)


posix_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX, and a named pipe")


@posix_signals
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_ends_it_quietly(tmp_path: Path, name: str, code: int) -> None:
    if signal.getsignal(getattr(signal, name)) == signal.SIG_IGN:
        pytest.skip(f"{name} is ignored here, as under nohup, and so it is in the program")
    pipe = tmp_path / "games.csv"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "tallymark", "rate", str(pipe)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process, opened(pipe, process):  # the program reads, and waits for a first line
        time.sleep(0.1)
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (code, b"")
    assert b"Traceback" not in err


WHILE_WRITING = """
import os, signal, sys
from tallymark import table_files
from tallymark.cli import main

def write(path, *_):
    path.write_text("half")
    try:
        os.kill(os.getpid(), signal.{name})
    except BaseException:
        raise {told}

table_files._write_parquet = write
main()
"""


@posix_signals
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize("told", ["", "OSError('query interrupted')", "RuntimeError('stopped')"])
def test_a_signal_while_a_file_is_written_leaves_nothing(games: Path, name: str, told: str, code: int) -> None:
    """A library in another language tells of the interrupt by an error of its own."""
    before = sorted(games.parent.iterdir())
    program = WHILE_WRITING.format(name=name, told=told)
    command = [sys.executable, "-c", program, "rate", str(games), "-o", "r.parquet"]
    done = subprocess.run(command, cwd=games.parent, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")
    assert sorted(games.parent.iterdir()) == before


@posix_signals
def test_a_signal_that_is_ignored_stays_so() -> None:
    code = (
        "import os, signal\nfrom tallymark.cli import signals\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "signals.listen()\nos.kill(os.getpid(), signal.SIGHUP)\nprint(signals.caught())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "None\n")


TWICE = """
import os, pathlib, signal, time
from tallymark import table_files
from tallymark.cli import main

def write(path, *_):
    path.write_text("half")
    os.kill(os.getpid(), signal.SIGTERM)

def unlink(self, missing_ok=False):
    os.kill(os.getpid(), signal.SIGTERM)
    os.unlink(self)

table_files._write_parquet = write
pathlib.Path.unlink = unlink
main()
"""


@posix_signals
def test_a_second_signal_does_not_stop_the_clearing_away(games: Path) -> None:
    before = sorted(games.parent.iterdir())
    command = [sys.executable, "-c", TWICE, "rate", str(games), "-o", "r.parquet"]
    done = subprocess.run(command, cwd=games.parent, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "")
    assert sorted(games.parent.iterdir()) == before
