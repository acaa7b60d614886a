"""The streams of a service: who listens, and to which pool."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import anyio
import anyio.to_thread

from tallymark.ledger.ledger import Ledger
from tallymark.service.live.events import event_of
from tallymark.service.live.feed import Feed
from tallymark.service.problems import Problem

PAGE: Final = 200
"""Entries that are read at once."""
_THREADS: Final = 4
"""Threads that read entries, whoever else waits for one: those of requests are taken where many write."""
_LATER: Final = {"Retry-After": "10"}
_GRACE: Final = 1.0
"""Seconds that readers have to take what they are told last, when the service stops."""


class Live:
    """Feeds for the pools that somebody listens to.

    `beat`: seconds between two signs of life; `kept`: bytes of events kept for readers who are behind, a pool; `each`:
    streams of an address, at most, and `most` of all addresses.
    """

    def __init__(self, ledger: Ledger, *, beat: float, kept: int, each: int, most: int) -> None:
        self._ledger = ledger
        self.beat, self._each, self._most, self._kept = beat, each, most, kept
        self._feeds: dict[str, Feed] = {}
        self._heads: dict[str, int] = {}
        self._addresses: Counter[str] = Counter()
        self._cancels: set[Callable[[], None]] = set()
        self._limiter = anyio.CapacityLimiter(_THREADS)
        self._stopping = False
        self._loop: asyncio.AbstractEventLoop | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """As long as the block lasts the ledger tells of news; streams are ended when it does."""
        loop = self._loop = asyncio.get_running_loop()

        def tell(heads: Mapping[str, int]) -> None:
            loop.call_soon_threadsafe(self._move, dict(heads))

        with self._ledger.telling(tell):
            try:
                yield
            finally:
                self._stop()

    def stop(self) -> None:
        """Ends every stream, from any thread, and lets nobody begin another one."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop)

    @property
    def stopping(self) -> bool:
        """Whether streams are to end."""
        return self._stopping

    @property
    def readers(self) -> int:
        """How many listen."""
        return self._addresses.total()

    @contextmanager
    def place(self, address: str, cancel: Callable[[], None]) -> Iterator[None]:
        """A place among the streams; the problem that there is where none is left. `cancel` ends what is in the
        block."""
        if self._addresses[address] >= self._each:
            raise Problem(
                "too-many-requests",
                f"{address} has {self._each:,} streams already; expected no more",
                hint="close one of them: one stream of a pool is enough for any number of readers behind it",
                headers=_LATER,
            )
        if self.readers >= self._most:
            raise Problem(
                "unavailable", f"{self._most:,} streams are open, which is as many as there may be", headers=_LATER
            )
        self._addresses[address] += 1
        self._cancels.add(cancel)
        try:
            yield
        finally:
            self._cancels.discard(cancel)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    @contextmanager
    def feed(self, pool: str, head: int) -> Iterator[Feed]:
        """The feed of a pool, whose head is there or further; it goes on as long as anybody has it."""
        found = self._feeds.get(pool)
        if found is None:
            found = self._feeds[pool] = Feed(pool, max(head, self._heads.get(pool, 0)), self.read, self._kept)
        found.readers += 1
        try:
            yield found
        finally:
            found.readers -= 1
            if not found.readers:
                found.stop()
                del self._feeds[pool]

    async def read(self, pool: str, after: int) -> Sequence[bytes]:
        """The next events behind a position."""
        return await anyio.to_thread.run_sync(self._events, pool, after, limiter=self._limiter)

    def _events(self, pool: str, after: int) -> list[bytes]:
        some = self._ledger.effects(pool, after, PAGE)
        kinds = self._ledger.kinds({player.player for one in some for player in one.players})
        return [event_of(one, kinds) for one in some]

    def _move(self, heads: Mapping[str, int]) -> None:
        self._heads |= heads
        for pool, head in heads.items():
            if pool in self._feeds:
                self._feeds[pool].move(head)

    def _stop(self) -> None:
        if self._stopping:
            return
        self._stopping = True
        for feed in self._feeds.values():
            feed.wake()
        asyncio.get_running_loop().call_later(_GRACE, self._cancel)

    def _cancel(self) -> None:
        for cancel in list(self._cancels):
            cancel()
