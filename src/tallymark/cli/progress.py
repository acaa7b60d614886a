"""How far long work has come: rows, rows a second, time left. On a terminal alone, and after a second."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

from tallymark.cli.words import counted, escaped

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

    from tallymark.games.progress import Progress

_QUIET: Final = 1.0
"""So many seconds go by before anything is shown."""
_EVERY: Final = 0.1
"""So many seconds lie between two lines, at least."""
_TELLING: Final = 0.01
"""From this share on there is a time left to tell."""


class Meter:
    """Shows on standard error what is being done, where that is a terminal, and at the end how long each stage took.

    Nothing is shown in the first second, so that short work stays quiet, and nothing at all where `quiet`, as a program
    takes what is printed. `clock` tells seconds; `screen` is standard error.
    """

    def __init__(
        self, quiet: bool = False, clock: Callable[[], float] = time.monotonic, screen: TextIO | None = None
    ) -> None:
        self._screen = screen or sys.stderr
        self._shown = not quiet and self._screen.isatty()
        self._clock = clock
        self._began = clock()
        self._last = self._began - _EVERY
        self._live: Live | None = None
        self._took: list[str] = []

    @contextmanager
    def stage(self, doing: str, text: str = "") -> "Iterator[Progress]":
        """Something is being done (`reading`) in here; what is told meanwhile is how many rows, and which share."""
        began = self._clock()

        def tell(rows: int, share: float | None) -> None:
            self._show(lambda now: progress_words(f"{doing}{text}", rows, share, now - began))

        self._show(lambda _: f"{doing}{text}")
        try:
            yield tell
        finally:
            self._took.append(f"{doing} {self._clock() - began:.1f} s")
            self._clear()

    def finish(self) -> None:
        """Says how long each stage took, where it was long enough for somebody to wait."""
        if self._shown and self._clock() - self._began >= _QUIET:
            try:
                self._screen.write(", ".join(self._took) + "\n")
                self._screen.flush()
            except OSError:
                self._shown = False

    def _show(self, line: Callable[[float], str]) -> None:
        now = self._clock()
        if not self._shown or now - self._began < _QUIET or now - self._last < _EVERY:
            return
        self._last = now
        try:
            if self._live is None:
                self._live = _live(self._screen)
                self._live.start()
            self._live.update(_text(line(now)), refresh=True)
        except OSError:  # nobody sees it any more
            self._shown, self._live = False, None

    def _clear(self) -> None:
        self._last = self._began - _EVERY  # the next stage is shown at once
        if self._live is not None:
            try:
                self._live.stop()
            except OSError:
                self._shown = False
            self._live = None


def progress_words(doing: str, rows: int, share: float | None, seconds: float) -> str:
    """A line of progress.

    >>> progress_words("reading a.csv", 1_200_000, 0.25, 3.0)
    'reading a.csv: 1,200,000 rows, 400,000 rows/s, 25 %, 9 s left'
    """
    words = [counted(rows, "row")]
    if seconds > 0:
        words.append(f"{rows / seconds:,.0f} rows/s")
    if share is not None:
        words.append(f"{100 * share:.0f} %")
        if share >= _TELLING:
            words.append(f"{_span(seconds / share * (1 - share))} left")
    return f"{doing}: {', '.join(words)}"


def _span(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 100 else f"{whole // 60} min {whole % 60} s"


def _live(screen: TextIO) -> "Live":
    from rich.console import Console
    from rich.live import Live

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would end the process here

    console = Screen(file=screen, markup=False, highlight=False, emoji=False)
    return Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False)


def _text(line: str) -> "Text":
    from rich.text import Text

    return Text(escaped(line), no_wrap=True, overflow="ellipsis", style="dim")
