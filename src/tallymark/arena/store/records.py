"""What happened in matches, as it was written down at the time: one line of JSON a record, which nobody changes."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import bindparam, func, inspect, select
from sqlalchemy.engine import Connection

from tallymark.arena.store.tables import MATCH, RECORD
from tallymark.ledger.store import Store
from tallymark.ledger.store.base import Cells

_OF: Final = (
    select(RECORD.c.body)
    .where(RECORD.c.match == bindparam("of"), RECORD.c.n > bindparam("behind"))
    .order_by(RECORD.c.n)
    .limit(bindparam("most"))
)
_OTHER: Final = RECORD.alias()
_ENDS: Final = (
    select(
        MATCH.c.id,
        select(func.max(_OTHER.c.n)).where(_OTHER.c.match == MATCH.c.id).scalar_subquery().label("last"),
    )
    .where(MATCH.c.id.in_(bindparam("which", expanding=True)))
    .subquery()
)
_LAST: Final = (
    select(RECORD.c.match, RECORD.c.n, RECORD.c.body)
    .join(_ENDS, (RECORD.c.match == _ENDS.c.id) & (RECORD.c.n >= _ENDS.c.last - 1))
    .order_by(RECORD.c.match, RECORD.c.n)
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


def last(connection: Connection, matches: Sequence[str]) -> dict[str, list[tuple[int, bytes]]]:
    """The last two records of matches with their numbers: of one that is over, its end is among them."""
    found: dict[str, list[tuple[int, bytes]]] = {}
    for match, n, body in connection.execute(_LAST, {"which": list(matches)}) if matches else ():
        found.setdefault(match, []).append((n, bytes(body)))
    return found
