"""SQLite: one file, one writer at a time, every commit on the disk before it is acknowledged."""

import random
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import orjson
from sqlalchemy import Table, create_engine, event
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.exc import TimeoutError as Late
from sqlalchemy.pool import QueuePool

from tallymark.errors import LedgerError
from tallymark.ledger.bell import Bell
from tallymark.ledger.store.base import Cells, Enrolled, Store, Values
from tallymark.ledger.store.bulk import cells, marks_sql
from tallymark.ledger.store.watch import BellWatch, Watch
from tallymark.ledger.tables import RECEIPT

PATIENCE: Final = 30.0
"""Seconds that a transaction waits for its turn: another program may hold the file."""
_PAUSE: Final = 0.0005
"""Seconds between two looks at whether the file is free, on average: SQLite's own handler sleeps up to 0.1."""
_HEADER: Final = b"SQLite format 3\0"
_LAST: Final = "SELECT max(id) FROM receipt"
# One parameter, however many they are: a list of parameters is compiled anew for each length.
_KNOWN: Final = """
    SELECT receipt.item, receipt.id, receipt.digest FROM json_each(?) AS wanted
    CROSS JOIN receipt ON receipt.item = wanted.value AND receipt.pool = ?"""  # CROSS: in this order


class SqliteStore(Store):
    """A ledger in a file. All that a process writes takes turns; reading waits for nobody."""

    def __init__(self, url: URL, patience: float = PATIENCE) -> None:
        if url.database in (None, "", ":memory:"):
            raise LedgerError("a ledger in memory would be gone with the process", hint="give it a file")
        assert url.database is not None
        self.path: Final = Path(url.database)
        self._place: Final = self.path.absolute()  # wherever the program goes
        self.patience = patience
        self._mode = "rw"
        self._made = False
        self._turn = threading.Lock()
        self._file: tuple[int, int] | None = None
        reads, writes = self._engine(url, 1000 * patience), self._engine(url, 0)
        event.listen(reads, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
        event.listen(writes, "begin", self._begin_writing)
        super().__init__(reads, writes)

    def _engine(self, url: URL, timeout: float) -> Engine:
        pragmas = (
            f"busy_timeout={timeout:.0f}",
            "synchronous=FULL",
            "wal_autocheckpoint=4000",
            "cache_size=-65536",
            "foreign_keys=ON",
        )

        def connected() -> sqlite3.Connection:
            # The mode says whether a file may be made. Nobody begins on his own: the engines' listeners do.
            raw = sqlite3.connect(
                f"{self._place.as_uri()}?mode={self._mode}",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
            self._file = self._file or self._which()
            for pragma in pragmas:
                raw.execute(f"PRAGMA {pragma}")
            return raw

        return create_engine(url, creator=connected, poolclass=QueuePool, max_overflow=-1)

    def _begin_writing(self, connection: Connection) -> None:
        """`BEGIN IMMEDIATE`: what reads first and writes later cannot be upgraded while somebody else wrote.

        Whoever waits looks often, at uneven times, so that no process is always late.
        """
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        limit = time.monotonic() + self.patience
        while True:
            try:
                raw.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > limit:
                    connection.exec_driver_sql("BEGIN IMMEDIATE")  # the last word on it, as an error
                    break
            time.sleep(random.uniform(0.0, 2 * _PAUSE))
        if self._file is None or self._which() != self._file:
            raw.rollback()
            raise LedgerError(
                f"{self.path} is not the file that was opened: it was moved or replaced",
                hint="put it back, or open the ledger anew; what was acknowledged is in the file that was opened",
            )

    def _which(self) -> tuple[int, int] | None:
        """Which file has the path now: SQLite would write to one that is gone without a word."""
        try:
            found = self._place.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """As `Store.writing`, one after the other."""
        if not self._turn.acquire(timeout=self.patience):
            late = Late("the turn of another thread")
            raise self.told(late) from late
        try:
            with super().writing() as connection:
                yield connection
        finally:
            self._turn.release()

    @contextmanager
    def forgetting(self) -> Iterator[Connection]:
        """As `Store.forgetting`: what is gone is overwritten in the file, and the log of it is emptied."""
        with self.writing() as connection:
            connection.exec_driver_sql("PRAGMA secure_delete=ON")
            try:
                yield connection
            finally:
                connection.exec_driver_sql("PRAGMA secure_delete=OFF")
        self._outside("PRAGMA wal_checkpoint(TRUNCATE)")  # where somebody reads just now, it is emptied later

    def close(self) -> None:
        """As `Store.close`. Where there was no file and nothing was written, there is none."""
        super().close()
        if self._made:
            where = f"{self._place.as_uri()}?mode=rw"
            with suppress(OSError, sqlite3.Error), closing(sqlite3.connect(where, timeout=0, uri=True)) as raw:
                raw.execute("BEGIN IMMEDIATE")  # whoever makes a ledger there just now keeps it, and who comes is told
                file = self._place.resolve()  # a link is somebody's
                if not file.stat().st_size:
                    file.unlink()

    def look(self, create: bool) -> None:
        """A file that is missing, a folder, or a file of another kind is seen before SQLite opens it."""
        try:
            with self._place.open("rb") as file:
                head = file.read(len(_HEADER))
        except FileNotFoundError:
            if not create:
                raise LedgerError(
                    f"there is no file {self.path}", hint="make a ledger there: tallymark ledger init, or create=True"
                ) from None
            if not self.path.parent.is_dir():
                raise LedgerError(f"there is no folder {self.path.parent} for {self.path.name}") from None
            head, self._made = b"", True
        except IsADirectoryError:
            raise LedgerError(f"{self.path} is a folder; expected the file of a ledger") from None
        except OSError as error:
            raise LedgerError(f"{self.path} cannot be read: {error.strerror}") from error
        if head and head != _HEADER:
            raise LedgerError(f"{self.path} is no SQLite file", hint="give the one that `tallymark ledger init` made")
        self._mode = "rwc" if create else "rw"

    def logged(self) -> None:
        """Makes the file keep a write-ahead log, if it does not: a copy of a ledger may not."""
        try:
            self._outside("PRAGMA journal_mode=WAL")
        except LedgerError as error:
            cause = error.__cause__
            # Who may only read does, and is told so when he writes.
            if not isinstance(cause, sqlite3.Error) or cause.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
                raise

    def _outside(self, statement: str) -> None:
        """Executes what cannot be part of a transaction."""
        try:
            with self.writes.connect() as connection:
                raw = connection.connection.driver_connection
                assert isinstance(raw, sqlite3.Connection)
                raw.execute(statement)
        except (sqlite3.Error, SQLAlchemyError) as error:
            raise LedgerError(f"{self.name}: {error}", hint=self.advice(str(error))) from error

    def alone(self, connection: Connection) -> None:
        """Who writes is alone."""

    def advice(self, message: str) -> str | None:
        for words, hint in (
            ("another thread", f"this program has been writing for {self.patience:g} seconds"),
            ("locked", f"another program has held the file for {self.patience:g} seconds"),
            ("readonly", "the file, or its folder, cannot be written to: copy it to where it can"),
            ("full", "the disk is full: nothing of this was kept"),
            ("disk I/O", "is the disk full, or gone? nothing of this was kept"),
            ("not a database", "give the file that `tallymark ledger init` made"),
            ("unable to open", "are the file and its folder there, and may they be written to?"),
        ):
            if words in message:
                return hint
        return None

    def enroll(self, connection: Connection, pool: int, rows: Mapping[str, Cells]) -> dict[str, Enrolled]:
        found = connection.exec_driver_sql(_KNOWN, (orjson.dumps(list(rows)).decode(), pool))
        known = {item: Enrolled(number, digest) for item, number, digest in found}
        # The triggers refuse any insert over a row, even one that does nothing; and nobody else writes now.
        if len(known) < len(rows):
            self.insert(connection, RECEIPT, [row for item, row in rows.items() if item not in known])
        return known

    def insert(self, connection: Connection, table: Table, rows: Iterable[Cells]) -> None:
        connection.exec_driver_sql(marks_sql(table, False), list(rows))

    def upsert(self, connection: Connection, table: Table, rows: Iterable[Values]) -> None:
        connection.exec_driver_sql(marks_sql(table, True), list(map(cells(table), rows)))

    def receipt_numbers(self, connection: Connection, count: int) -> Sequence[int]:
        first = (connection.exec_driver_sql(_LAST).scalar() or 0) + 1  # nobody else writes now
        return range(first, first + count)

    def rouse(self) -> None:
        """Nobody listens to a file: raters look."""

    def watch(self, arrived: Bell) -> Watch:
        return BellWatch(arrived)
