"""Players of a board whose name or id begins in a way: the first of them by that, put in the order of the board."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.ledger.ids import LONGEST, printable
from tallymark.ledger.people import sought
from tallymark.ledger.reading.rows import Which, begins, some_of
from tallymark.ledger.tables import PLAYER

LOOKED_AT: Final = 500
"""Names, and ids, that begin so and are looked at."""
_LAST: Final = "\U0010ffff"
"""Behind every other character."""


def found_by(connection: Connection, which: Which, beginning: str) -> tuple[list[bytes], bool]:
    """Places of who is on the board and has a name (capitals make no difference) or an id (they do) that begins so; and
    whether there are more of them than were looked at."""
    if not isinstance(beginning, str) or not 0 < len(beginning) <= LONGEST or not printable(beginning):
        raise InputError(f"search is {shortened(beginning)}; expected the beginning of a name or id", field="search")
    name = sought(beginning)
    names = select(PLAYER.c.id).where(PLAYER.c.sought >= name, PLAYER.c.sought < name + _LAST)
    keys = list(connection.scalars(names.order_by(PLAYER.c.sought).limit(LOOKED_AT + 1)))
    found, cut = set(keys[:LOOKED_AT]), len(keys) > LOOKED_AT
    for start in (beginning, f'"{beginning}'):  # text that looks like a number stands in quotes
        keys = begins(connection, which, start, start + _LAST, LOOKED_AT + 1)
        found |= set(keys[:LOOKED_AT])
        cut |= len(keys) > LOOKED_AT
    return some_of(connection, which, sorted(found)), cut
