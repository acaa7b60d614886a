"""Progress of long work: on a terminal and after a second; nowhere else, and never on standard output."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tallymark.cli.progress import Meter, progress_words

Run = Callable[..., "CompletedProcess[str]"]


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


def test_rows_rate_and_time_left(screen: Terminal, clock: Clock) -> None:
    meter = Meter(clock=clock, screen=screen)
    with meter.stage("reading", " big.csv") as tell:
        clock.now += 0.9
        tell(900, 0.1)
        assert screen.getvalue() == ""
        clock.now += 1.1
        tell(2000, 0.2)
        assert "reading big.csv: 2,000 rows, 1,000 rows/s, 20 %, 8 s left" in screen.getvalue()
        tell(2001, 0.2)
        assert "2,001" not in screen.getvalue()
        clock.now += 0.2
        tell(2200, None)
        assert "reading big.csv: 2,200 rows, 1,000 rows/s" in screen.getvalue()
    with meter.stage("rating", " 2,200 games under paper-1"):
        assert "rating 2,200 games under paper-1" in screen.getvalue()
        clock.now += 1
    meter.finish()
    assert screen.getvalue().splitlines()[-1].endswith("reading 2.2 s, rating 1.0 s")


def test_short_work_is_quiet(screen: Terminal, clock: Clock) -> None:
    meter = Meter(clock=clock, screen=screen)
    with meter.stage("reading") as tell:
        clock.now += 0.5
        tell(1, 0.5)
    meter.finish()
    assert screen.getvalue() == ""


@pytest.mark.parametrize(("quiet", "screen"), [(False, io.StringIO()), (True, Terminal())])
def test_no_terminal_and_json_show_nothing(clock: Clock, quiet: bool, screen: io.StringIO) -> None:
    meter = Meter(quiet, clock, screen)
    with meter.stage("reading") as tell:
        clock.now += 10
        tell(1, 0.5)
    meter.finish()
    assert screen.getvalue() == ""


def test_an_interrupt_leaves_the_screen_clean(screen: Terminal, clock: Clock) -> None:
    def interrupted() -> None:
        with Meter(clock=clock, screen=screen).stage("reading") as tell:
            clock.now += 2
            tell(1, 0.5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert screen.getvalue().endswith("\x1b[?25h\r\x1b[1A\x1b[2K")  # the cursor is back, the line gone


def test_a_screen_that_goes_away_does_not_stop_the_work(
    screen: Terminal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: str) -> int:
        raise BrokenPipeError

    meter = Meter(clock=clock, screen=screen)
    monkeypatch.setattr(screen, "write", broken)
    with meter.stage("reading") as tell:
        clock.now += 2
        tell(1, 0.5)
        clock.now += 2
        tell(2, 0.5)


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.0, "x: 1 row, 50 %, 0 s left"), (600.0, "x: 1 row, 0 rows/s, 50 %, 10 min 0 s left")]
)
def test_words(seconds: float, said: str) -> None:
    assert progress_words("x", 1, 0.5, seconds) == said


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="a terminal needs openpty")
def test_a_short_file_on_a_terminal(program: Run, games: Path) -> None:
    import subprocess

    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "tallymark", "check", str(games)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, timeout=60, check=False)
    os.close(theirs)
    assert done.returncode == 0
    os.set_blocking(ours, False)
    try:
        shown = os.read(ours, 1000)
    except OSError:
        shown = b""
    os.close(ours)
    assert shown == b"" or b"reading" in shown  # nothing, unless the machine was busy for a second
