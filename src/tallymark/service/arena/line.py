"""What is said to one agent: from the hall's thread to its WebSocket."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

import orjson

from tallymark.arena.hall.connection import Said
from tallymark.arena.hall.saying import Closed
from tallymark.arena.referee.saying import ActionRequest
from tallymark.arena.wire.telling import told
from tallymark.ledger.matches import Json
from tallymark.service.arena.mailbox import Mailbox

MOST: Final = 1000
"""Messages that wait for an agent who does not read, before its connection is ended."""

Delivered: TypeAlias = Callable[[str, int], None]
"""Told the match and the number of a request that has left for its agent."""


class Line:
    """A link of the hall (`Link`) to the agent at a WebSocket: `send` from any thread, `out` in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._box = Mailbox[Said | Mapping[str, Json]](loop)
        self._full = False

    def send(self, said: Said | Mapping[str, Json]) -> None:
        """Takes what is to be said."""
        if self._full:
            return
        self._full = len(self._box) >= MOST
        self._box.put(Closed(f"{MOST:,} messages were not read in time", fault=True) if self._full else said)

    async def out(self, send: Callable[[str], Awaitable[None]], delivered: Delivered) -> Closed:
        """Sends what is said, until the last thing is; that."""
        while True:
            said = await self._box.take()
            message = said if isinstance(said, Mapping) else told(said)
            if message is not None:
                await send(orjson.dumps(message).decode())
            if isinstance(said, ActionRequest):
                delivered(said.match, said.request)
            if isinstance(said, Closed):
                return said
