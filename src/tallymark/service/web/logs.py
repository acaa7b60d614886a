"""Logs: a line of JSON each, on standard error, with the id of the request that they are about."""

import asyncio
import json
import logging
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

import orjson
import structlog

REQUEST: Final[ContextVar[str]] = ContextVar("request")
"""The id of the request at hand, in its thread too."""


def _request(logger: Any, method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    found = REQUEST.get(None)
    if found is not None:
        event.setdefault("request", found)
    return event


_LATE: Final = 0.2
_SHARED: Final[tuple[structlog.typing.Processor, ...]] = (
    _request,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
)


def in_a_line(event: Mapping[str, object]) -> bytes:
    """An event as a line of JSON, whatever it has: what is logged must not fail for how it is told.

    >>> in_a_line({"event": "no \\udcff", "at": 10**30})
    b'{"event": "no \\\\udcff", "at": 1000000000000000000000000000000}\\n'
    """
    try:
        return orjson.dumps(event, default=str, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # half a surrogate pair, a number of more than 64 bits
        return json.dumps({str(key): value for key, value in event.items()}, default=str).encode() + b"\n"


def _dumped(event: structlog.typing.EventDict, **_: object) -> str:
    return in_a_line(event).decode().rstrip("\n")


def configure() -> None:
    """Makes all that this process logs such lines: of this package, of the server, of libraries."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(serializer=_dumped),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)


class RequestLog:
    """Writes a line for each request, some at a time: each write lets go of the interpreter, and the event loop waits
    to get it back. `write` takes bytes; what is not yet written is at most `_LATE` seconds old."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._lines: list[bytes] = []

    def info(self, **fields: object) -> None:
        """A request is done."""
        if not self._lines:
            asyncio.get_running_loop().call_later(_LATE, self.flush)
        now = datetime.now(UTC).isoformat()
        line = {"event": "request", **fields, "level": "info", "timestamp": now}
        self._lines.append(in_a_line(line))

    def flush(self) -> None:
        """Writes what has come."""
        lines, self._lines = self._lines, []
        if lines:
            self._write(b"".join(lines))


def to_standard_error(text: bytes) -> None:
    """All of it, at once."""
    sys.stderr.buffer.write(text)
    sys.stderr.buffer.flush()
