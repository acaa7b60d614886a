"""How a command ends: exit codes, and errors as one line and a hint on standard error."""

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum

import typer

from tallymark.cli import signals, streams
from tallymark.cli.hints import in_options
from tallymark.cli.words import escaped
from tallymark.errors import (
    BrokenChainError,
    LedgerError,
    ProjectionError,
    ReadError,
    SnapshotError,
    TallymarkError,
    WriteError,
)


class Ending(IntEnum):
    """Exit codes."""

    DONE = 0
    ROWS_LEFT_OUT = 1
    """Done, but rows of the file were held or rejected."""
    USAGE = 2
    UNREADABLE = 3
    """A file cannot be read, or a result cannot be written."""
    CHECK_FAILED = 4
    BUG = 70
    HUNG_UP = 129
    """This and the next ones as a shell reports them for any other program: 128 and the number of the signal."""
    INTERRUPTED = 130
    PIPE_CLOSED = 141
    """Whoever read our output went away."""
    TERMINATED = 143


class CommandError(Exception):
    """A command cannot go on: the exit code, what is wrong, and what to do about it."""

    def __init__(self, ending: Ending, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.ending = ending
        self.message = message
        self.hint = hint


def usage(message: str, hint: str | None = None) -> CommandError:
    """The command was called wrongly.

    >>> usage("--columns is empty").ending
    <Ending.USAGE: 2>
    """
    return CommandError(Ending.USAGE, message, hint)


_OF_LIBRARY: tuple[tuple[type[TallymarkError], Ending], ...] = (
    (SnapshotError, Ending.CHECK_FAILED),
    (BrokenChainError, Ending.CHECK_FAILED),
    (ProjectionError, Ending.CHECK_FAILED),
    (LedgerError, Ending.UNREADABLE),
    (ReadError, Ending.UNREADABLE),
    (WriteError, Ending.UNREADABLE),
    (TallymarkError, Ending.USAGE),  # what is left are values that the library was handed by an option
)
# typer has carried its own click since 0.2x; by this way both kinds of its errors are known.
_USAGE = typer.BadParameter.__bases__


@contextmanager
def hinting(hint: str) -> Iterator[None]:
    """What to do about an error of the library that comes from in here and does not say so itself."""
    try:
        yield
    except TallymarkError as error:
        error.hint = error.hint or hint
        raise


def ended(command: Callable[[], object], help_: str = "tallymark --help") -> int:
    """Runs the command; its exit code. Whatever it raises becomes one line and a hint on standard error.

    `help_` is the hint of an error that has no better one.
    """
    try:
        if not streams.prepare():
            raise CommandError(Ending.UNREADABLE, "standard output is closed", "send it somewhere, such as > out.txt")
        code = command()
        sys.stdout.flush()  # only then is it done: the last words may go into a pipe that nobody reads any more
        ending = code if isinstance(code, int) else Ending.DONE
    except BaseException as error:
        return _stopped() or _told(error, help_)
    # typer makes an exit code of an interrupt, of whichever kind it was.
    return (_stopped() or ending) if ending == Ending.INTERRUPTED else ending


def _stopped() -> int | None:
    number = signals.caught()
    return None if number is None else 128 + number


def _told(error: BaseException, help_: str) -> Ending:
    """The ending of an error, told on standard error where there is something to tell."""
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return Ending.INTERRUPTED
    if isinstance(error, BrokenPipeError | SystemExit):  # typer and rich leave by SystemExit for a closed pipe alone
        streams.silence(sys.stdout)
        return Ending.PIPE_CLOSED
    ending, message, hint = _described(error)
    if ending == Ending.BUG and os.environ.get("TALLYMARK_DEBUG"):
        streams.told("".join(traceback.format_exception(error)))
    streams.told(f"error: {escaped(message)}\nhint: {escaped(hint or f'{help_} shows what is expected')}\n")
    return ending


def _described(error: BaseException) -> tuple[Ending, str, str | None]:
    """The ending of an error, what is wrong, and what to do about it."""
    if isinstance(error, CommandError):
        return error.ending, error.message, error.hint
    if isinstance(error, TallymarkError):
        hint = error.hint and in_options(error.hint)
        return next(ending for kind, ending in _OF_LIBRARY if isinstance(error, kind)), error.message, hint
    if isinstance(error, _USAGE):
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "tallymark"
        return Ending.USAGE, _message(error).rstrip("."), f"{path} --help shows what is expected"
    if isinstance(error, OSError):
        why = error.strerror or str(error)
        if error.filename is not None:
            return Ending.UNREADABLE, f"{error.filename}: {why}", "is the name right, and may you read or write it?"
        streams.silence(sys.stdout)  # the one file that is written to without a name
        return Ending.UNREADABLE, f"standard output cannot be written: {why}", "send it somewhere else"
    what = f"{type(error).__name__}: {error}"
    return Ending.BUG, f"this is a bug: {what}", "TALLYMARK_DEBUG=1 shows where; please report it"


def _message(error: BaseException) -> str:
    format_message = getattr(error, "format_message", None)
    return str(format_message() if format_message else error)
