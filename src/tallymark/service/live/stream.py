"""A stream as an answer: written as it comes, until the reader leaves, is too slow, or the service stops."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tallymark.errors import LedgerError
from tallymark.service.live.events import BEAT, ending, opening
from tallymark.service.live.feed import Feed
from tallymark.service.live.live import Live
from tallymark.service.problems import Problem, problem_response

EVENT_STREAM: Final = "text/event-stream"
_STALL: Final = 30.0
"""Seconds that a reader may take nothing at all."""
_ENDLESS: Final = "the request is of HTTP/1.0; expected HTTP/1.1, which has answers without an end"
Write: TypeAlias = Callable[[bytes], Awaitable[None]]
"""Writes some bytes of a stream: `TimeoutError` where nobody takes them, `OSError` where nobody is there."""
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Told(Response, ABC):
    """A stream of events, told until its reader leaves or takes nothing for too long, or it ends."""

    media_type = EVENT_STREAM

    def __init__(self, live: Live) -> None:
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._live = live

    @abstractmethod
    async def _events(self, write: Write) -> bytes:
        """Writes what there is to tell; what is told last."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        address = client[0] if client else ""
        async with anyio.create_task_group() as group:

            async def watch() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                group.cancel_scope.cancel()

            try:
                if scope["http_version"] == "1.0":  # which has answers with an end only
                    raise Problem("bad-input", _ENDLESS)
                with self._live.place(address, group.cancel_scope.cancel):
                    group.start_soon(watch)
                    await self._tell(send)
                    group.cancel_scope.cancel()
            except Problem as problem:  # it cannot be told at all, or no place is left
                await problem_response(problem)(scope, receive, send)

    async def _tell(self, send: Send) -> None:
        async def write(body: bytes, more: bool = True) -> None:
            async with asyncio.timeout(_STALL):
                await send({"type": "http.response.body", "body": body, "more_body": more})

        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await write(await self._events(write), False)
        except (OSError, TimeoutError):  # nobody is there, or nobody reads
            return


class Stream(Told):
    """The entries of a pool behind a position. `head`: where the pool's head was just now."""

    def __init__(self, live: Live, pool: str, after: int, head: int) -> None:
        super().__init__(live)
        self._pool, self._after, self._head = pool, after, head

    async def _events(self, write: Write) -> bytes:
        with self._live.feed(self._pool, self._head) as feed:
            await write(opening(self._after))
            why = await self._entries(feed, write)
        return ending(why, self._after)

    async def _entries(self, feed: Feed, write: Write) -> str:
        """Writes entries; why it ends."""
        arrived = False
        some: Sequence[bytes]
        while not self._live.stopping:
            if feed.has(self._after):
                arrived, some = True, feed.after(self._after)
            elif arrived:
                return "slow"
            else:
                try:
                    some = await self._live.read(self._pool, self._after)
                except LedgerError:
                    return "unavailable"
            if some:
                await write(b"".join(some))
                self._after += len(some)
            elif not await feed.news(self._live.beat):
                await write(BEAT)
        return "stopping"
