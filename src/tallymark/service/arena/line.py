"""What is said to one agent: from the hall's thread to the event loop, in order, without anybody waiting."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

import orjson

from tallymark.arena.hall.connection import Said
from tallymark.arena.hall.saying import Closed
from tallymark.arena.referee.saying import ActionRequest
from tallymark.arena.wire.telling import CLOSED, error, told
from tallymark.ledger.matches import Json

MOST: Final = 1000
"""Messages that wait for an agent who does not read, before its connection is ended."""

Delivered: TypeAlias = Callable[[str, int], None]
"""Told the match and the number of a request that has left for its agent."""


class Line:
    """A link of the hall (`Link`) to the agent at a WebSocket: `send` from any thread, `out` in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._said: deque[Said | Mapping[str, Json]] = deque()
        self._came = asyncio.Event()
        self._called = False
        self._slow = False

    def send(self, said: Said | Mapping[str, Json]) -> None:
        """Takes what is to be said."""
        if len(self._said) >= MOST:  # that it is, the loop finds out
            self._slow = True
        else:
            self._said.append(said)
        if not self._called:
            self._called = True
            try:
                self._loop.call_soon_threadsafe(self._wake)
            except RuntimeError:  # the loop is closed: nobody is there any more
                self._called = False

    def _wake(self) -> None:
        self._called = False  # first: what is said from here on calls again
        self._came.set()

    async def out(self, send: Callable[[str], Awaitable[None]], delivered: Delivered) -> None:
        """Sends what is said, until the last thing is, or the agent does not read."""
        while True:
            await self._came.wait()
            self._came.clear()
            while self._said:
                said = self._said.popleft()
                message = said if isinstance(said, Mapping) else told(said)
                if message is not None:
                    await send(orjson.dumps(message).decode())
                if isinstance(said, ActionRequest):
                    delivered(said.match, said.request)
                if isinstance(said, Closed):
                    return
            if self._slow:
                await send(orjson.dumps(error(CLOSED, f"{MOST:,} messages were not read in time")).decode())
                return
