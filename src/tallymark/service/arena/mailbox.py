"""What is said in any thread and read in the event loop: in order, and without who says it waiting."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


def _never(said: object, before: object) -> bool:
    return False


class Mailbox(Generic[T]):
    """`replaces`: whether what is put takes the place of the one put before it, where nobody has taken that yet."""

    def __init__(self, loop: asyncio.AbstractEventLoop, replaces: Callable[[T, T], bool] = _never) -> None:
        self._loop, self._replaces = loop, replaces
        self._lock = threading.Lock()
        self._said: deque[T] = deque()
        self._came = asyncio.Event()
        self._called = False

    def __len__(self) -> int:
        return len(self._said)

    def put(self, one: T) -> None:
        """From any thread."""
        with self._lock:
            if self._said and self._replaces(one, self._said[-1]):
                self._said.pop()
            self._said.append(one)
            if self._called:
                return
            self._called = True
        try:
            self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:  # the loop is closed: nobody is there any more
            self._called = False

    async def take(self) -> T:
        """The next, as soon as there is one. Nothing is lost where whoever waits gives up."""
        while not self._said:
            self._came.clear()
            await self._came.wait()
        with self._lock:
            return self._said.popleft()

    def _wake(self) -> None:
        self._called = False  # first: what is said from here on calls again
        self._came.set()
