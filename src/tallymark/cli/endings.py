"""How a command ends: exit codes, and errors as one line and a hint on standard error."""

import os
import re
import sys
from collections.abc import Callable
from enum import IntEnum

import typer

from tallymark.cli.words import escaped
from tallymark.errors import ReadError, SnapshotError, TallymarkError, WriteError


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
    INTERRUPTED = 130
    PIPE_CLOSED = 141
    """Whoever read our output went away; as a shell reports it for any other program."""


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
    (ReadError, Ending.UNREADABLE),
    (WriteError, Ending.UNREADABLE),
    (TallymarkError, Ending.USAGE),  # what is left are values that the library was handed by an option
)
# How the library's hints name an argument, and the option that it is here.
_OPTIONS = (
    (re.compile(r"columns=\{'(\w+)': '(.*)'\}"), r"--columns \1=\2"),
    (re.compile(r"""\bwith_\((\w+)=["']?(.*?)["']?\)"""), r"--set \1=\2"),
)
# typer has carried its own click since 0.2x; by this way both kinds of its errors are known.
_USAGE = typer.BadParameter.__bases__


def ended(command: Callable[[], object]) -> int:
    """Runs the command; its exit code. Whatever it raises becomes one line and a hint on standard error."""
    try:
        code = command()
        sys.stdout.flush()  # only then is it done: the last words may go into a pipe that nobody reads any more
        return code if isinstance(code, int) else Ending.DONE
    except (KeyboardInterrupt, typer.Abort):
        return Ending.INTERRUPTED
    except (BrokenPipeError, SystemExit):  # typer and rich leave by SystemExit where a pipe is closed, and only there
        return _pipe_closed()
    except CommandError as error:
        return _told(error.ending, error.message, error.hint)
    except TallymarkError as error:
        hint = error.hint
        for argument, option in _OPTIONS:
            hint = hint and argument.sub(option, hint)
        return _told(next(e for kind, e in _OF_LIBRARY if isinstance(error, kind)), error.message, hint)
    except Exception as error:
        if isinstance(error, _USAGE):
            context = getattr(error, "ctx", None)
            path = context.command_path if context else "tallymark"
            return _told(Ending.USAGE, _message(error).rstrip("."), f"{path} --help")
        if os.environ.get("TALLYMARK_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        return _told(Ending.BUG, f"this is a bug: {what}", "TALLYMARK_DEBUG=1 shows where; please report it")


def _pipe_closed() -> Ending:
    """From here nothing more is written, not even by the interpreter when it flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return Ending.PIPE_CLOSED


def _message(error: BaseException) -> str:
    format_message = getattr(error, "format_message", None)
    return str(format_message() if format_message else error)


def _told(ending: Ending, message: str, hint: str | None) -> Ending:
    sys.stderr.write(f"error: {escaped(message)}\n")
    if hint:
        sys.stderr.write(f"hint: {escaped(hint)}\n")
    return ending
