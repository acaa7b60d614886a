"""The latest events of a pool, kept once for all who read its stream: each reader is a place in them, and no queue."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from tallymark.errors import LedgerError

Read = Callable[[str, int], Awaitable[Sequence[bytes]]]
"""Reads the next events of a pool behind a position; none where there are none."""

BACK: Final = 500
"""Entries before the head that a feed begins with: readers who were cut off a moment ago find theirs here."""
_BREATH: Final = 0.1
"""Seconds between two rounds at the head, at least: to wake hundreds of readers costs more than what they are told."""
_TURN: Final = 0.01
"""Seconds between two rounds behind the head: readers have their turn."""
_PATIENCE: Final = 1.0
"""Seconds until the next try where the ledger could not be read."""
_PIECE: Final = 64 * 1024
"""Bytes that a reader takes at once, about: as much as the server's buffer for it."""
_LOG: Final = logging.getLogger("tallymark.service")


class Feed:
    """Follows one pool while somebody reads. `kept`: bytes of events, about; of those beyond it the oldest go.

    Everything but `read` happens in the event loop's thread.
    """

    def __init__(self, pool: str, head: int, read: Read, kept: int) -> None:
        self._pool, self._read, self._kept = pool, read, kept
        self._head = head
        self._last = max(0, head - BACK)
        self._first = self._last + 1
        self._events: list[bytes] = []
        self._size = self._gone = 0
        self._news, self._moved = asyncio.Event(), asyncio.Event()
        self._task = asyncio.create_task(self._follow())
        self.readers = 0

    def move(self, head: int) -> None:
        """The pool's head is there now."""
        self._head = max(self._head, head)
        self._moved.set()

    def has(self, position: int) -> bool:
        """Whether everything behind a position is here, or still to come."""
        return position >= self._first - 1

    def after(self, position: int) -> list[bytes]:
        """The next events behind a position, some at once; none where they are still to come."""
        start = self._gone + position + 1 - self._first
        size, end = 0, start
        while end < len(self._events) and size < _PIECE:
            size += len(self._events[end])
            end += 1
        return self._events[start:end]

    async def news(self, seconds: float) -> bool:
        """Until there is more, or somebody wakes all who wait; False when time is up."""
        news = self._news
        try:
            async with asyncio.timeout(seconds):
                await news.wait()
        except TimeoutError:
            return False
        return True

    def wake(self) -> None:
        """Whoever waits looks."""
        self._news.set()
        self._news = asyncio.Event()

    def stop(self) -> None:
        """Follows no more."""
        self._task.cancel()

    async def _follow(self) -> None:
        well = True
        while True:
            self._moved.clear()
            if self._last >= self._head:
                await self._moved.wait()
                continue
            try:
                self._add(await self._read(self._pool, self._last))
                well, pause = True, _TURN if self._last < self._head else _BREATH
            except Exception as error:
                if well:
                    _LOG.warning(
                        "%s: its stream waits: %s", self._pool, error, exc_info=not isinstance(error, LedgerError)
                    )
                well, pause = False, _PATIENCE
            self.wake()
            await asyncio.sleep(pause)

    def _add(self, some: Sequence[bytes]) -> None:
        self._events += some
        self._last += len(some)
        self._size += sum(map(len, some))
        whole = len(self._events) - len(some)  # what is new is kept, however large: nobody has had a turn yet
        while self._size > self._kept and self._gone < whole:
            self._size -= len(self._events[self._gone])
            self._events[self._gone] = b""
            self._gone += 1
            self._first += 1
        if self._gone > len(self._events) // 2:
            del self._events[: self._gone]
            self._gone = 0
