"""Bodies that are too large, or do not come: neither fills the memory nor holds a place for long."""

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tallymark.service.problems import Problem

_KEY: Final = "tallymark.body"


class Allowance:
    """What the body of a request may be. `pauses`: the time is for each piece, not for the whole."""

    def __init__(self, limit: int, seconds: float) -> None:
        self.limit, self.seconds, self.pauses = limit, seconds, False


def allow(request: Request, limit: int) -> None:
    """Lets a request have a larger body, which comes in pieces: said before any of it is read."""
    allowance: Allowance = request.scope[_KEY]
    allowance.limit, allowance.pauses = limit, True


class Bodies:
    """Counts what comes of a body, and how long it takes: 413 and 408 where it is read."""

    def __init__(self, app: ASGIApp, limit: int, seconds: float) -> None:
        self._app, self._limit, self._seconds = app, limit, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        allowance = scope[_KEY] = Allowance(self._limit, self._seconds)
        loop = asyncio.get_running_loop()
        began, count, done = loop.time(), 0, False

        async def received() -> Message:
            nonlocal began, count, done
            if done:
                return await receive()  # whether the client is still there
            if not count and (told := _length(scope)) > allowance.limit:
                raise _too_large(told, allowance.limit)
            try:
                async with asyncio.timeout_at(began + allowance.seconds):
                    message = await receive()
            except TimeoutError:
                raise Problem(
                    "too-slow",
                    f"of the body {count:,} bytes came in {allowance.seconds:g} seconds",
                    headers={"Connection": "close"},
                ) from None
            count += len(message.get("body", b""))
            if count > allowance.limit:
                raise _too_large(count, allowance.limit)
            done = not message.get("more_body", False)
            if allowance.pauses:
                began = loop.time()
            return message

        await self._app(scope, received, send)


def _length(scope: Scope) -> int:
    for key, value in scope["headers"]:
        if key == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0


def _too_large(count: int, limit: int) -> Problem:
    return Problem(
        "too-large",
        f"the body has {count:,} bytes or more; expected at most {limit:,}",
        limit=limit,
        headers={"Connection": "close"},
    )
