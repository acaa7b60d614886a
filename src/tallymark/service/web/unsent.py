"""What waits to be sent to somebody who takes nothing of it: not for ever."""

import asyncio
import logging
import struct
import sys
from contextlib import suppress
from typing import Final

_LOG: Final = logging.getLogger("tallymark.service")


class Unsent:
    """Watches what a connection has written and not sent, from when it is asked to until all of that is gone. Where
    nothing of it was taken for `seconds`, nor of what the system keeps ahead of it, the connection is broken off:
    closing it would wait for the rest to be taken, and so would whoever answers it.
    """

    def __init__(self, transport: asyncio.Transport, seconds: float) -> None:
        self._transport, self._seconds = transport, seconds
        self._timer: asyncio.TimerHandle | None = None
        self._told = self._last = False

    def watch(self, last: bool = False) -> None:
        """From now on, where anything waits; `last`: nothing more is to be written."""
        self._last |= last
        if self._timer is None and self._transport.get_write_buffer_size():
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._look, self._waiting())

    def taken(self) -> None:
        """Little waits: what is written from now on is other than what was watched."""
        if not self._last:
            self.stop()

    def stop(self) -> None:
        """Nobody is there any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def tell(self, why: str) -> None:
        """Says in the log why this connection is ended: once."""
        if not self._told:
            self._told = True
            peer = self._transport.get_extra_info("peername")
            _LOG.warning("the connection of %s is ended: %s", peer[0] if peer else "somebody", why)

    def _look(self, before: int) -> None:
        self._timer = None
        if self._transport.get_write_buffer_size() and before <= self._waiting():
            self.tell(f"nothing of {before:,} bytes was taken for {self._seconds:g} seconds")
            self._transport.abort()
        else:
            self.watch()

    def _waiting(self) -> int:
        """Bytes that were not taken. The system may keep megabytes of them, and asks for more only when a good part of
        that is gone: who reads slowly takes from these alone for minutes."""
        return self._transport.get_write_buffer_size() + _queued(self._transport.get_extra_info("socket").fileno())


if sys.platform == "win32":

    def _queued(socket: int) -> int:
        return 0  # it does not say

else:
    import fcntl
    import termios

    def _queued(socket: int) -> int:
        """Bytes that the system has of what is to be sent; 0 where it does not say."""
        told = bytes(4)
        with suppress(OSError):
            told = fcntl.ioctl(socket, termios.TIOCOUTQ, told)
        return int(struct.unpack("i", told)[0])
