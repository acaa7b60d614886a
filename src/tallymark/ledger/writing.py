"""Appending from many threads: one of its own writes, and takes what has queued up as one transaction.

Nobody waits for a group to fill: a group is what has come by the time that its transaction has begun. A commit costs
the same for one item and for a thousand, so that many clients who append singly share its price.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final, TypeAlias

from sqlalchemy.engine import Connection

from tallymark.errors import LedgerError
from tallymark.ledger import inbox
from tallymark.ledger.bell import Bell
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.matches import Item
from tallymark.ledger.store import Store
from tallymark.ledger.store.base import of_the_database

MOST: Final = 2000
"""Items of a group, unless somebody appends more at once: nobody waits for a long transaction of others."""
Tell: TypeAlias = Callable[[Receipt | Exception], None]
"""Is told a receipt when it is on the disk, or what is wrong."""
_LOG: Final = logging.getLogger("tallymark.ledger")
_IDLE: Final = 1.0
"""Seconds after which a thread that has nothing to write ends: a ledger that nobody closed leaves none behind."""


class _Job:
    """What one caller appends, and what became of it. `done` is called when it is known, in the thread that writes."""

    def __init__(self, number: int, pool: str, items: Sequence[Item], done: Callable[["_Job"], None]) -> None:
        self.number, self.pool, self.items, self.done = number, pool, items, done
        self.found: list[Receipt | Conflict] = []
        self.error: BaseException | None = None
        self.fresh = False

    def outcome(self) -> Receipt | Exception:
        """Of a job with one item: its receipt, or what is wrong."""
        if self.error is not None:
            return self.error if isinstance(self.error, Exception) else LedgerError(repr(self.error))
        (found,) = self.found
        return found.error() if isinstance(found, Conflict) else found


class Writing:
    """The thread that writes: there while there is something to write. `arrived` rings when something is new."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock
        self.arrived = Bell()
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def append(self, number: int, pool: str, items: Sequence[Item]) -> list[Receipt | Conflict]:
        """A receipt or a conflict for each item, in their order, when they are on the disk."""
        done = threading.Lock()  # held until it is done: the cheapest thing to wait for
        done.acquire()
        job = _Job(number, pool, items, lambda _: done.release())
        self._put(job)
        done.acquire()
        if job.error is not None:
            raise job.error
        return job.found

    def append_soon(self, number: int, pool: str, item: Item, tell: Tell) -> None:
        """Appends one item, and tells what became of it, in the thread that writes, which does nothing meanwhile."""

        def done(job: _Job) -> None:
            try:
                tell(job.outcome())
            except Exception:  # the others of the group are to be told
                _LOG.exception("who appended a match cannot be told of it")

        self._put(_Job(number, pool, [item], done))

    def _put(self, job: _Job) -> None:
        with self._lock:
            if self._closed:
                raise LedgerError("this ledger is closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="tallymark writes", daemon=True)
                self._thread.start()
            self._queue.put(job)

    def close(self) -> None:
        """Writes what is queued, and ends."""
        with self._lock:
            self._closed = True
            self._queue.put(None)
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while (first := self._next()) is not None:
            group = [first]
            self._write(group)
            for job in group:
                job.done(job)
            if any(job.fresh for job in group):
                self.arrived.ring()
                self._store.rouse()

    def _next(self) -> _Job | None:
        """The next job; None where the thread ends, for nothing came for a while or nothing will."""
        with suppress(Empty):
            return self._queue.get(timeout=_IDLE)
        with self._lock:
            with suppress(Empty):
                return self._queue.get_nowait()
            self._thread = None
            return None

    def _write(self, group: list[_Job]) -> None:
        """Appends for the first of a group, and for whoever has queued up when the transaction begins."""
        try:
            with self._store.writing() as connection:
                self._gather(group)
                found = self._appended(connection, group)
        except BaseException as error:
            if len(group) > 1 and not of_the_database(error):
                # Something is wrong with one of them, which is no business of the others.
                for job in group:
                    self._write_alone(job)
                return
            for job in group:
                job.error = _again(error) if len(group) > 1 else error
            return
        self._answered(group, found)

    def _write_alone(self, job: _Job) -> None:
        try:
            with self._store.writing() as connection:
                found = self._appended(connection, [job])
        except BaseException as error:
            job.error = error
            return
        self._answered([job], found)

    def _gather(self, group: list[_Job]) -> None:
        """Takes what is queued. It takes a while to begin a transaction: many have come since the last one ended."""
        items = sum(len(job.items) for job in group)
        while items < MOST and not self._queue.empty():
            more = self._queue.get()
            if more is None:
                self._queue.put(None)  # to be found when this group is done; nothing comes after it
                return
            group.append(more)
            items += len(more.items)

    def _appended(self, connection: Connection, group: Sequence[_Job]) -> list[list[Receipt | Conflict]]:
        """What becomes of each job's items. Pools in the order of their numbers: so do all processes take locks."""
        now = self._clock()
        found: list[list[Receipt | Conflict]] = [[] for _ in group]
        pools: dict[int, list[int]] = {}
        for n, job in enumerate(group):
            pools.setdefault(job.number, []).append(n)
        for number in sorted(pools):
            jobs = [group[n] for n in pools[number]]
            items = [item for job in jobs for item in job.items]
            answers = iter(inbox.appended(connection, self._store, number, jobs[0].pool, items, now))
            for n, job in zip(pools[number], jobs, strict=True):
                found[n] = [next(answers) for _ in job.items]
        return found

    def _answered(self, group: Sequence[_Job], found: Sequence[list[Receipt | Conflict]]) -> None:
        for job, answers in zip(group, found, strict=True):
            job.found = answers
            job.fresh = any(isinstance(one, Receipt) and not one.again for one in answers)


def _again(error: BaseException) -> BaseException:
    """The same error for another thread: a traceback belongs to one."""
    if not isinstance(error, LedgerError):
        return error
    mine = LedgerError(error.message, hint=error.hint)
    mine.__cause__ = error.__cause__
    return mine
