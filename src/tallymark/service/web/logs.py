"""Logs: a line of JSON each, on standard error, with the id of the request that they are about."""

import logging
import sys
from contextvars import ContextVar
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


_SHARED: Final[tuple[structlog.typing.Processor, ...]] = (
    _request,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
)


def _dumped(event: structlog.typing.EventDict, **_: object) -> str:
    return orjson.dumps(event, default=str).decode()


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


def request_logger() -> structlog.typing.FilteringBoundLogger:
    """What writes a line for each request: straight to standard error, for there are many."""
    logger: structlog.typing.FilteringBoundLogger = structlog.wrap_logger(
        structlog.BytesLogger(sys.stderr.buffer),
        processors=[*_SHARED[1:3], structlog.processors.JSONRenderer(serializer=_bytes)],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )
    return logger


def _bytes(event: structlog.typing.EventDict, **_: object) -> bytes:
    return orjson.dumps(event, default=str)
