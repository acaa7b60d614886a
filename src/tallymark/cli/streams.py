"""The standard streams, whatever they are connected to: any encoding, closed, full, or read by nobody."""

import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO


def prepare() -> bool:
    """Makes the streams fit to be written to; whether there is a standard output at all.

    A character that a stream cannot spell is written as its escape, which is no reason to fail.
    """
    if sys.stderr is None:  # closed by the caller; the next file opened would take its place
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # for as long as we run
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return sys.stdout is not None


def told(text: str) -> None:
    """Writes to standard error; where nobody can be told, the exit code alone says it."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """From here nothing more is written to the stream, not even by the interpreter when it flushes at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
