"""What happened in matches, as it was written down at the time: one line of JSON a record, which nobody changes."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import bindparam, inspect, select
from sqlalchemy.engine import Connection

from tallymark.arena.store.tables import RECORD
from tallymark.ledger.store import Store
from tallymark.ledger.store.base import Cells

_OF: Final = (
    select(RECORD.c.body)
    .where(RECORD.c.match == bindparam("of"), RECORD.c.n > bindparam("behind"))
    .order_by(RECORD.c.n)
    .limit(bindparam("most"))
)
ALL: Final = 1_000_000
"""More records than a match has."""


def keep(store: Store, connection: Connection, rows: Sequence[Cells]) -> None:
    """Writes records: match, number and bytes of each. One that is there already is refused by the database."""
    if rows:
        store.insert(connection, RECORD, rows)


def there(connection: Connection) -> bool:
    """Whether the database has records at all: an arena was on it once."""
    return inspect(connection).has_table(RECORD.name)


def of(connection: Connection, match: str, after: int = -1, limit: int = ALL) -> list[bytes]:
    """The records of a match behind a number, in their order."""
    found = connection.scalars(_OF, {"of": match, "behind": after, "most": limit})
    return [bytes(body) for body in found]
