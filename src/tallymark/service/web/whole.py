"""Answers to HTTP/1.0, which knows no pieces: they are sent whole, with their length."""

import tempfile
from typing import IO, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_IN_MEMORY: Final = 1 << 20
_PIECE: Final = 1 << 16


class Whole:
    """Keeps the pieces of an answer without a length, in a file where they are many, until it knows the length. Servers
    send them as HTTP/1.1 does otherwise, whoever asked."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["http_version"] != "1.0" or scope["method"] == "HEAD":
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as kept:

            async def sent(message: Message) -> None:
                nonlocal start
                if message["type"] == "http.response.start" and not _has_length(message):
                    start = message
                elif start is None:
                    await send(message)
                else:
                    kept.write(message.get("body", b""))
                    if not message.get("more_body", False):
                        await _send(start, kept, send)

            await self._app(scope, receive, sent)


def _has_length(start: Message) -> bool:
    return start["status"] in (204, 304) or any(name.lower() == b"content-length" for name, _ in start["headers"])


async def _send(start: Message, kept: IO[bytes], send: Send) -> None:
    length = kept.tell()
    await send({**start, "headers": [*start["headers"], (b"content-length", str(length).encode())]})
    kept.seek(0)
    while piece := kept.read(_PIECE):
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
