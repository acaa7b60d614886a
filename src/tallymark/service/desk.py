"""Where single matches are handed in: from the event loop to the ledger's writer and back, without a thread for each.

A thread a request would cost more than all that is done for the match: the interpreter changes hands four times. Here
it changes hands twice for a whole group, which is what has come while the last one was written.
"""

import asyncio
from collections import deque
from functools import partial
from typing import TypeAlias

from starlette.concurrency import run_in_threadpool

from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import Item

_Waits: TypeAlias = "asyncio.Future[Receipt]"


class Desk:
    """Appends to a ledger for the coroutines of one event loop."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._known: set[str] = set()
        self._done: deque[tuple[_Waits, Receipt | Exception]] = deque()
        self._called = False

    async def append(self, match: Item, pool: str) -> Receipt:
        """As `Ledger.append`: the receipt of what is on the disk."""
        if pool not in self._known:
            await run_in_threadpool(self._ledger.head, pool)  # which says that there is none
            self._known.add(pool)
        loop = asyncio.get_running_loop()
        future: _Waits = loop.create_future()
        self._ledger.append_soon(match, pool=pool, tell=partial(self._written, loop, future))
        return await future

    def _written(self, loop: asyncio.AbstractEventLoop, future: _Waits, found: Receipt | Exception) -> None:
        """In the writer's thread: notes it down, and calls the loop, once for all of a group."""
        self._done.append((future, found))
        if not self._called:
            self._called = True
            loop.call_soon_threadsafe(self._answer)

    def _answer(self) -> None:
        self._called = False  # first: what is noted down from here on calls again
        while self._done:
            future, found = self._done.popleft()
            if future.cancelled():
                continue
            if isinstance(found, Exception):
                future.set_exception(found)
            else:
                future.set_result(found)
