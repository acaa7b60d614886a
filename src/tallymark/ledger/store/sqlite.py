"""SQLite: one file, one writer at a time, every commit on the disk before it is acknowledged."""

from collections.abc import Sequence
from pathlib import Path
from sqlite3 import Connection as Raw
from typing import Final

from sqlalchemy import Table, create_engine, event, func, select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import URL, Connection

from tallymark.ledger.store.base import Store, Values
from tallymark.ledger.tables import RECEIPT

_PRAGMAS: Final = (
    "busy_timeout=30000",
    "journal_mode=WAL",
    "synchronous=FULL",
    "wal_autocheckpoint=4000",
    "cache_size=-65536",
    "foreign_keys=ON",
)
_READING: Final = "tallymark_reading"


class SqliteStore(Store):
    """A ledger in a file."""

    def __init__(self, url: URL) -> None:
        engine = create_engine(url)

        @event.listens_for(engine, "connect")
        def connected(raw: Raw, record: object) -> None:
            raw.isolation_level = None  # the driver must not begin on its own: `begin` says how
            for pragma in _PRAGMAS:
                raw.execute(f"PRAGMA {pragma}")

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            # What reads first and writes later cannot be upgraded while somebody else wrote: say so at the start.
            reads = connection.get_execution_options().get(_READING, False)
            connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

        super().__init__(engine)

    @property
    def path(self) -> Path | None:
        """The file; None for a ledger in memory."""
        database = self.engine.url.database
        return Path(database) if database and database != ":memory:" else None

    def begin_reading(self, connection: Connection) -> None:
        connection.execution_options(**{_READING: True})

    def advice(self, message: str) -> str | None:
        for words, hint in (
            ("locked", "another program holds the file; it waited 30 seconds"),
            ("readonly", "the file, or its folder, cannot be written to"),
            ("full", "the disk is full: nothing of this was kept"),
            ("not a database", "give the file that `tallymark ledger init` made"),
            ("unable to open", "is the folder there, and may it be written to?"),
        ):
            if words in message:
                return hint
        return None

    def insert_new(self, connection: Connection, table: Table, rows: Sequence[Values]) -> None:
        connection.execute(insert(table).on_conflict_do_nothing(), rows)

    def upsert(self, connection: Connection, table: Table, rows: Sequence[Values]) -> None:
        statement = insert(table)
        keys = [column.name for column in table.primary_key]
        set_ = {column.name: statement.excluded[column.name] for column in table.c if column.name not in keys}
        connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=set_), rows)

    def receipt_numbers(self, connection: Connection, count: int) -> Sequence[int]:
        first = (connection.scalar(select(func.max(RECEIPT.c.id))) or 0) + 1  # nobody else writes now
        return range(first, first + count)

    def wake(self, connection: Connection, pool: int) -> None:
        """Nobody listens to a file: raters look."""
