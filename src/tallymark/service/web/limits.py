"""Rate limits: of a key, or of the address of who has none."""

import math
from collections.abc import Awaitable, Callable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tallymark.service.problems import Problem, problem_response
from tallymark.service.web.buckets import Buckets, Left

_FREE: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""What watches the service is not kept from it."""
_FILES: Final = ("/static/", "/charts/")
"""Styles and scripts, the same for everybody and kept in memory: who looks at one page asks for some ten of them."""
_BEARER: Final = b"bearer "
_LOOK_UPS: Final = 60
"""Keys of one address that are looked up in a minute before they are counted: whoever guesses keys asks the database no
more often than that beside what the address may ask anyway."""


class Limits:
    """`known` tells the id of a key that was looked up before, from its text, and `find` looks one up: a key that
    nobody knows is counted as the address that sends it, so that nobody uses up what is somebody else's."""

    def __init__(
        self,
        app: ASGIApp,
        reads: int,
        writes: int,
        known: Callable[[Scope, str], str | None],
        find: Callable[[Scope, str], Awaitable[str | None]],
        clock: Callable[[], float],
    ) -> None:
        self._app, self._known, self._find, self._clock = app, known, find, clock
        self._by_address = Buckets(reads) if reads else None
        self._by_key = Buckets(writes) if writes else None
        self._look_ups = Buckets(_LOOK_UPS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _FREE or scope["path"].startswith(_FILES):
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        address = client[0] if client else ""
        key = await self._key(scope, address)
        buckets, name = (self._by_address, "address") if key is None else (self._by_key, "key")
        if buckets is None:
            await self._app(scope, receive, send)
            return
        left = buckets.take(address if key is None else key, self._clock())
        headers = _headers(left, name)

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        if left.wait:
            seconds = math.ceil(left.wait)
            problem = Problem(
                "too-many-requests",
                f"more than {left.limit:,} requests a minute from one {name}; the next is taken in {seconds} s",
                headers={"Retry-After": str(seconds)},
            )
            await problem_response(problem)(scope, receive, sent)
            return
        await self._app(scope, receive, sent)

    async def _key(self, scope: Scope, address: str) -> str | None:
        for key, value in scope["headers"]:
            if key == b"authorization" and value[: len(_BEARER)].lower() == _BEARER:
                text = value[len(_BEARER) :].strip().decode("latin-1")
                key = self._known(scope, text)
                if key is None and not self._look_ups.take(address, self._clock()).wait:
                    key = await self._find(scope, text)
                return key
        return None


def _headers(left: Left, name: str) -> list[tuple[bytes, bytes]]:
    return [
        (b"ratelimit-policy", b'"%s";q=%d;w=60' % (name.encode(), left.limit)),
        (b"ratelimit", b'"%s";r=%d;t=%d' % (name.encode(), left.remaining, math.ceil(left.wait or left.reset))),
    ]
