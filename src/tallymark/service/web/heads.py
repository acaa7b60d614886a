"""HEAD: what GET would answer, without the body."""

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tallymark.service.web.scopes import passed_on


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
        done = False

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
            with passed_on(scope, method="GET") as asked:
                await self._app(asked, receive, sent)
        except (_Enough, ClientDisconnect):
            if not done:
                raise
