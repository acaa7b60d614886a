"""Raters at work: a loop that rates what comes as it comes, in as many processes as one likes.

On PostgreSQL one process leads each pool and hears what all others append. On SQLite a rater hears its own process, and
looks now and then for what others appended. None of this makes anything right: that is the head's compare-and-swap in
`rater.py`. It saves work.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from tallymark.errors import LedgerError, StuckError
from tallymark.ledger.store.watch import Watch

LOOK: Final = 0.1
"""Seconds between two looks for what other processes appended, and at whether to stop."""
OVERDUE: Final = 30.0
"""Seconds after which a pool that does not move is rated without leading it: its leader may hang."""
FEW: Final = 500
"""Items of a round after which there is a rest."""
_REST: Final = 0.02
"""Seconds of a rest after a round, at most."""
_PAUSES: Final = (0.1, 0.3, 1.0, 3.0)
"""Seconds after the first, second ... failure in a row."""
_LOG: Final = logging.getLogger("tallymark.ledger")


class Rated(Protocol):
    """What the loop works on: the pools of a ledger."""

    def watch(self) -> Watch:
        """A new ear on the ledger."""
        ...

    def heads(self, waiting: bool) -> Mapping[int, int]:
        """The position of each pool's head; `waiting`: of those with something in their inbox."""
        ...

    def rated(self, pool: int) -> int:
        """Rates one batch; how many items that were, or what else there was to do. 0: nothing."""
        ...


def work(
    ledger: Rated,
    stop: threading.Event,
    now: Callable[[], float] = time.monotonic,
    overdue: float = OVERDUE,
) -> None:
    """Rates what comes until `stop` is set, finishing the batch at hand.

    A database that is gone is tried again, and a pool whose next item cannot be folded stands still while the others go
    on: both are told to the log `tallymark.ledger`.

    A transaction of a few items costs nearly what one of a hundred does. So after a round of a few, more of which come
    meanwhile, it rests as long as that took: what comes is rated a few milliseconds later, for half the work. Nobody
    waits after a single item, or while much is there.
    """
    watch: Watch | None = None
    stuck: dict[int, int] = {}
    stood: dict[int, tuple[int, float]] = {}
    failures = 0
    waiting = False  # all once: who was killed may have left something that no item waits for
    try:
        while not stop.is_set():
            try:
                if watch is None:
                    watch = ledger.watch()
                done, began = 0, now()
                for pool, position in ledger.heads(waiting).items():
                    if stop.is_set():
                        return
                    if stood.get(pool, (0, 0.0))[0] != position:
                        stood[pool] = position, now()
                    if watch.leads(pool) or now() - stood[pool][1] > overdue:
                        done += _rated(ledger, pool, stuck)
                failures, waiting = 0, True
                if not done:
                    watch.wait(LOOK)
                elif 1 < done <= FEW:
                    stop.wait(min(now() - began, _REST))
            except LedgerError as error:
                _LOG.warning("%s; trying again", error)
                if watch is not None:
                    watch.close()
                watch = None
                stop.wait(_PAUSES[min(failures, len(_PAUSES) - 1)])
                failures += 1
    finally:
        if watch is not None:
            watch.close()


def _rated(ledger: Rated, pool: int, stuck: dict[int, int]) -> int:
    try:
        return ledger.rated(pool)
    except StuckError as error:
        if stuck.get(pool) != error.receipt:  # once
            _LOG.error("%s", error, exc_info=error)
        stuck[pool] = error.receipt
        return 0
    except MemoryError as error:
        if pool not in stuck:
            _LOG.error("there is no memory to rate pool number %d", pool, exc_info=error)
        stuck[pool] = 0
        return False
