"""What a program keeps in tables of its own beside a ledger, written together with what it appends."""

from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy.engine import Connection

from tallymark.ledger import inbox
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.matches import Given, Item, match_item
from tallymark.ledger.store import Store


class Beside:
    """A transaction on the ledger's database. All of it is there for ever when it ends, or nothing is."""

    def __init__(
        self, store: Store, connection: Connection, number: Callable[[str], int], clock: Callable[[], int]
    ) -> None:
        self.connection: Final = connection
        self._store, self._number, self._clock = store, number, clock
        self.fresh = False
        """Whether anything was appended that was not there before."""

    def append(self, match: Given, *, pool: str) -> Receipt:
        """As `Ledger.append`, when the transaction ends. `ConflictError` where its id was used for another content."""
        (found,) = self.append_many([match_item(match)], pool=pool)
        if isinstance(found, Conflict):
            raise found.error()
        return found

    def append_many(self, matches: Sequence[Item], *, pool: str) -> list[Receipt | Conflict]:
        """As `Ledger.append_many`, when the transaction ends."""
        found = inbox.appended(self.connection, self._store, self._number(pool), pool, matches, self._clock())
        self.fresh |= any(isinstance(one, Receipt) and not one.again for one in found)
        return found
