"""PostgreSQL through psycopg 3: many processes, each with its own connections."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Table, create_engine, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.engine import URL, Connection

from tallymark.ledger.store.base import Store, Values

CHANNEL: Final = "tallymark_inbox"
_NUMBERS: Final = text("SELECT nextval('receipt_number') FROM generate_series(1, :n)")
_WAKE: Final = text("SELECT pg_notify(:channel, :pool)")


class PostgresStore(Store):
    """A ledger in a PostgreSQL database."""

    def __init__(self, url: URL) -> None:
        # A process that is stuck inside a transaction holds the head of a pool, and all others wait for it.
        options = "-c idle_in_transaction_session_timeout=60000 -c lock_timeout=60000"
        super().__init__(create_engine(url, pool_pre_ping=True, connect_args={"options": options}))

    def begin_reading(self, connection: Connection) -> None:
        connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    def advice(self, message: str) -> str | None:
        for words, hint in (
            ("onnection", "is the server there, and does the URL name it?"),
            ("does not exist", "has `tallymark ledger init` been run on this database?"),
            ("read-only", "this server takes no writes: is it a replica?"),
            ("No space left", "the disk is full: nothing of this was kept"),
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
        return connection.scalars(_NUMBERS, {"n": count}).all()

    def wake(self, connection: Connection, pool: int) -> None:
        connection.execute(_WAKE, {"channel": CHANNEL, "pool": str(pool)})
