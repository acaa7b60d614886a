"""Where the heads of pools are, watched by one thread for everybody in this process who waits for news of them."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final, TypeAlias

from sqlalchemy import bindparam, select

from tallymark.errors import LedgerError
from tallymark.ledger.bell import Bell
from tallymark.ledger.store import Store
from tallymark.ledger.tables import HEAD, POOL
from tallymark.ledger.working import LOOK

Tell: TypeAlias = Callable[[Mapping[str, int]], None]
"""What is called with the positions of heads, by the name of their pool."""

_BREATH: Final = 0.01
"""Seconds between two looks, at least: batches may come faster, and nobody sees the difference."""
_PATIENCE: Final = 1.0
"""Seconds until the next look where the database could not be read."""
_HEADS: Final = select(POOL.c.name, HEAD.c.position).join(HEAD, HEAD.c.pool == POOL.c.id)
_HEAD: Final = select(HEAD.c.position).join(POOL, HEAD.c.pool == POOL.c.id).where(POOL.c.name == bindparam("of"))
_LOG: Final = logging.getLogger("tallymark.ledger")


class News:
    """A thread that is there while somebody waits: it looks when this process has rated something (`moved` rings), and
    now and then for what others have. However many wait, the database is asked once."""

    def __init__(self, store: Store, moved: Bell) -> None:
        self._store, self._moved = store, moved
        self._lock = threading.Lock()
        self._heads: dict[str, int] = {}
        self._told: list[Tell] = []
        self._thread: threading.Thread | None = None
        self._closed = False

    def wait_for(self, pool: str, position: int, timeout: float | None) -> int:
        """The position of a pool's head when it is beyond one, or as it is after some seconds."""
        beyond = threading.Event()
        last = position

        def tell(heads: Mapping[str, int]) -> None:
            nonlocal last
            last = heads.get(pool, last)
            if last > position:
                beyond.set()

        with self.telling(tell):
            if beyond.wait(timeout):
                return last
        with self._store.reading() as connection:
            found: int = connection.scalars(_HEAD, {"of": pool}).one()
            return found

    @contextmanager
    def telling(self, tell: Tell) -> Iterator[None]:
        """`tell` is called as long as the block lasts: first with the head of every pool, then with those that moved.

        One call after the other, in another thread, and whoever else waits waits for it: it is to hand on what it is
        told. One that raises is not called again.
        """
        with self._lock:
            if self._closed:
                raise LedgerError("this ledger is closed")
            if self._heads:
                tell(self._heads)
            self._told.append(tell)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="tallymark looks", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock, suppress(ValueError):
                self._told.remove(tell)

    def close(self) -> None:
        """Nobody is told anything any more."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._moved.ring()
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        well = True
        while True:
            heard = self._moved.count
            heads: dict[str, int] = {}
            try:
                with self._store.reading() as connection:
                    heads = {row.name: row.position for row in connection.execute(_HEADS)}
                well = True
            except LedgerError as error:
                if well:
                    _LOG.warning("%s; looking again", error)
                well = False
            with self._lock:
                if self._closed or not self._told:
                    self._thread, self._heads = None, {}
                    return
                moved = {pool: at for pool, at in heads.items() if self._heads.get(pool) != at}
                self._heads |= moved
                if moved:
                    self._told = [tell for tell in self._told if _heard(tell, moved)]
            self._moved.wait(self._moved.count, _BREATH if well else _PATIENCE)
            self._moved.wait(heard, LOOK)


def _heard(tell: Tell, heads: Mapping[str, int]) -> bool:
    """Tells somebody; whether that went well."""
    try:
        tell(heads)
    except Exception:  # what is called is anybody's: the others are to be told, and go on being told
        _LOG.exception("somebody who waits for entries cannot be told of them")
        return False
    return True
