"""The methodologies of a stored ledger, by the entries that brought them."""

from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.ledger.rules import rules_in
from tallymark.ledger.tables import ENTRY
from tallymark.methodology import Methodology

_BODY: Final = select(ENTRY.c.body).where(ENTRY.c.pool == bindparam("of"), ENTRY.c.position == bindparam("at"))


class Rulebook:
    """Reads each methodology once: entries never change."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Methodology] = {}

    def at(self, connection: Connection, pool: int, position: int) -> Methodology:
        """The methodology that the entry at a position brought."""
        key = pool, position
        if key not in self._known:
            self._known[key] = rules_in(bytes(connection.scalars(_BODY, {"of": pool, "at": position}).one()), position)
        return self._known[key]
