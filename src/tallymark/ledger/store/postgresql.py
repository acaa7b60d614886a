"""PostgreSQL through psycopg 3: many processes, each with its own connections."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from sqlalchemy import Table, bindparam, create_engine, select, text
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from tallymark.ledger.bell import Bell
from tallymark.ledger.store.base import Cells, Enrolled, Store, Values
from tallymark.ledger.store.bulk import cells, columns, unnest_sql
from tallymark.ledger.store.watch import Watch
from tallymark.ledger.tables import RECEIPT

CHANNEL: Final = "tallymark_inbox"
_NUMBERS: Final = text("SELECT nextval('receipt_number') FROM generate_series(1, :n)")
_ALONE: Final = text("SELECT pg_advisory_xact_lock(hashtext('tallymark schema'))")
_KNOWN: Final = select(RECEIPT.c.item, RECEIPT.c.id, RECEIPT.c.digest).where(
    RECEIPT.c.item.in_(bindparam("items", expanding=True)), RECEIPT.c.pool == bindparam("of")
)
# A process that is stuck inside a transaction holds the head of a pool, and all others wait for it.
_OPTIONS: Final = "-c idle_in_transaction_session_timeout=60000 -c lock_timeout=60000"
_READS: Final = r"-c default_transaction_read_only=on -c default_transaction_isolation=repeatable\ read"
# Each statement sees what was there when it began: `enroll` needs it. What is acknowledged is on the disk.
_WRITES: Final = r"-c default_transaction_isolation=read\ committed -c synchronous_commit=on"
_ROUSES: Final = "-c synchronous_commit=off"  # a NOTIFY would wait for the disk too


class PostgresStore(Store):
    """A ledger in a PostgreSQL database."""

    def __init__(self, url: URL) -> None:
        super().__init__(_engine(url, _READS), _engine(url, _WRITES))
        self._rouses = _engine(url, _ROUSES, isolation_level="AUTOCOMMIT", skip_autocommit_rollback=True, ping=False)

    def look(self, create: bool) -> None:
        """Nothing can be seen from here."""

    def logged(self) -> None:
        """The connections that write see to that."""

    def alone(self, connection: Connection) -> None:
        connection.execute(_ALONE)

    def advice(self, message: str) -> str | None:
        for words, hint in (
            ("onnection", "is the server there, and does the URL name it?"),
            ("does not exist", "has `tallymark ledger init` been run on this database?"),
            ("read-only", "this server takes no writes: is it a replica?"),
            ("permission denied", "may this user read and write the tables of the ledger?"),
            ("No space left", "the disk is full: nothing of this was kept"),
        ):
            if words in message:
                return hint
        return None

    def enroll(self, connection: Connection, pool: int, rows: Mapping[str, Cells]) -> dict[str, Enrolled]:
        statement = unnest_sql(RECEIPT, " ON CONFLICT DO NOTHING RETURNING item")
        new = set(connection.exec_driver_sql(statement, columns(rows.values())).scalars())
        if len(new) == len(rows):
            return {}
        found = connection.execute(_KNOWN, {"items": [item for item in rows if item not in new], "of": pool})
        return {row.item: Enrolled(row.id, bytes(row.digest)) for row in found}

    def insert(self, connection: Connection, table: Table, rows: Iterable[Cells]) -> None:
        connection.exec_driver_sql(unnest_sql(table, ""), columns(rows))

    def upsert(self, connection: Connection, table: Table, rows: Iterable[Values]) -> None:
        connection.exec_driver_sql(unnest_sql(table, "upsert"), columns(map(cells(table), rows)))

    def receipt_numbers(self, connection: Connection, count: int) -> Sequence[int]:
        return connection.scalars(_NUMBERS, {"n": count}).all()

    def rouse(self) -> None:
        """By NOTIFY in a transaction of its own: inside another one it would make all that commit wait in line."""
        with suppress(SQLAlchemyError), self._rouses.connect() as connection:
            connection.exec_driver_sql(f"NOTIFY {CHANNEL}")

    def close(self) -> None:
        super().close()
        self._rouses.dispose()

    def watch(self, arrived: Bell) -> Watch:
        from tallymark.ledger.store.listening import SessionWatch  # psycopg, which nobody needs for a file

        return SessionWatch(self.writes, self.name, CHANNEL)


def _engine(url: URL, own: str, ping: bool = True, **more: str | bool) -> Engine:
    """Options of the URL stand behind ours: whoever sets one means it."""
    given = url.query.get("options", "")
    options = f"{_OPTIONS} {own} {given if isinstance(given, str) else ' '.join(given)}"
    return create_engine(
        url.set(drivername="postgresql+psycopg").difference_update_query(["options"]),
        pool_pre_ping=ping,
        **more,
        connect_args={"options": options, "connect_timeout": 10},
    )
