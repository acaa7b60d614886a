"""The outermost layer: a request gets an id and, when it is done, a log line and, but for streams, a place in the
metrics; answers have the headers that keep browsers strict; what nobody caught becomes a problem without a trace of the
program."""

import logging
import re
import secrets
import time
from collections.abc import Callable
from itertools import count
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tallymark.service.problems import Problem, problem_response
from tallymark.service.web.headers import HEADERS
from tallymark.service.web.logs import REQUEST, RequestLog

GONE: Final = 499
"""The status that logs and metrics have for a client that hung up before it had sent everything: nobody is told."""
_STREAM: Final = (b"content-type", b"text/event-stream; charset=utf-8")
_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_LOG: Final = logging.getLogger("tallymark.service")

Answered = Callable[[str, int, float], None]


class Requests:
    """`answered` is told operation, status and seconds. `log` gets a line a request, where there is one."""

    def __init__(self, app: ASGIApp, answered: Callable[[Scope], Answered | None], log: RequestLog | None) -> None:
        self._app, self._answered, self._log = app, answered, log
        # Chance once, then numbers: asking for chance lets go of the interpreter, and the loop waits to get it back.
        self._process, self._numbers = secrets.token_hex(6), count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        name = _given(scope) or f"{self._process}-{next(self._numbers)}"
        token = REQUEST.set(name)
        status, streams = 0, False

        async def sent(message: Message) -> None:
            nonlocal status, streams
            if message["type"] == "http.response.start":
                status = message["status"]
                streams = _STREAM in message["headers"]
                message["headers"] = [*message["headers"], *HEADERS, (b"x-request-id", name.encode())]
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except ClientDisconnect:
            status = status or GONE
        except Exception:  # a fault of ours: the client is told that it is one, and no more of it
            _LOG.exception("a request failed")
            if not status:
                problem = Problem("internal", "the service could not do this", request=name)
                await problem_response(problem)(scope, receive, sent)
        finally:
            REQUEST.reset(token)
            self._told(scope, name, status, time.perf_counter() - began, streams)

    def _told(self, scope: Scope, name: str, status: int, seconds: float, streams: bool) -> None:
        route = scope.get("route")
        operation = getattr(route, "operation_id", None) or "none"
        answered = self._answered(scope)
        if answered is not None and not streams:  # how long somebody listens is no time that an answer took
            answered(operation, status, seconds)
        if self._log is not None:
            client = scope.get("client")
            self._log.info(
                request=name,
                method=scope["method"],
                path=scope["path"],
                operation=operation,
                status=status,
                seconds=round(seconds, 6),
                client=client[0] if client else None,
            )


def _given(scope: Scope) -> str | None:
    """The id that the client gave the request, where it is a plain one."""
    for key, value in scope["headers"]:
        if key == b"x-request-id":
            return value.decode() if _ID.fullmatch(value) else None
    return None
