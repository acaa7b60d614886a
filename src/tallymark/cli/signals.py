"""Signals that ask the program to stop: it stops as from an interrupt, so that no half written file stays behind."""

import signal
import time
from types import FrameType

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_PATIENCE = 2.0
"""So many seconds after a signal the next ones do not count: what was begun is being cleared away."""
_caught: list[int] = []
_heeded: list[float] = []


class Stopped(KeyboardInterrupt):
    """The program was asked to stop."""


def listen() -> None:
    """From here such a signal raises `Stopped`; one that is ignored, as by nohup, stays so."""
    for name in _NAMES:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _stop)


def caught() -> int | None:
    """The first signal that asked the program to stop. What is raised in its wake may be anything: a library that is
    written in another language tells of an interrupt in its own words."""
    return _caught[0] if _caught else None


def _stop(number: int, _frame: FrameType | None) -> None:
    _caught.append(number)
    now = time.monotonic()
    if not _heeded or now - _heeded[-1] > _PATIENCE:
        _heeded.append(now)
        raise Stopped
