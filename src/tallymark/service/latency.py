"""How long it takes from acknowledged to rated, of one match a second: a request does not wait to tell."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from tallymark.errors import LedgerError
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger

_EVERY: Final = 1.0
_LONGEST: Final = 60.0


class Latency:
    """Takes a receipt now and then, and tells `observe` how many seconds later its match was rated."""

    def __init__(self, ledger: Ledger, observe: Callable[[float], None]) -> None:
        self._ledger, self._observe = ledger, observe
        self._taken: tuple[Receipt, float] | None = None
        self._ready = threading.Event()
        self._stop = threading.Event()

    def acknowledged(self, receipt: Receipt) -> None:
        """A new match was received just now."""
        if self._taken is None:
            self._taken = receipt, time.monotonic()
            self._ready.set()

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """A thread that does so, as long as the block lasts."""
        thread = threading.Thread(target=self._run, name="tallymark measures", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            self._ready.set()
            thread.join()

    def _run(self) -> None:
        while self._ready.wait() and not self._stop.is_set():
            taken = self._taken
            assert taken is not None
            receipt, since = taken
            try:
                while time.monotonic() - since < _LONGEST and not self._stop.is_set():
                    try:
                        self._ledger.settled(receipt, 0.5)
                    except LedgerError:
                        continue
                    break
            finally:
                self._observe(time.monotonic() - since)
            self._stop.wait(_EVERY)
            self._ready.clear()
            self._taken = None
            if self._stop.is_set():
                return
