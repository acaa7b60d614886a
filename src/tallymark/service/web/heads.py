"""HEAD: what GET would answer, without the body."""

from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LEFT_BY_THE_APP: Final = ("route",)
"""What is found in the scope afterwards, for logs and metrics."""


class _Enough(OSError):
    """Nothing more of this is read, as when nobody is there."""


class Heads:
    """Asks the application for GET. What comes in pieces is broken off after the headers: a stream has no end."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        asked, done = {**scope, "method": "GET"}, False

        async def sent(message: Message) -> None:
            nonlocal done
            if message["type"] != "http.response.body":
                await send(message)
                return
            if not done:
                done = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            if message.get("more_body", False):
                raise _Enough

        try:
            await self._app(asked, receive, sent)
        except (_Enough, ClientDisconnect):
            if not done:
                raise
        finally:
            scope.update({name: asked[name] for name in _LEFT_BY_THE_APP if name in asked})
