"""What a ledger could be told and is not: the same commands, checked in the same way, kept and written nowhere."""

from collections.abc import Sequence
from typing import Final

from tallymark.games.ids import Id
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.matches import Item, Json
from tallymark.ledger.telling import Telling
from tallymark.methodology import Methodology


class Foretelling(Telling):
    """Takes commands as a ledger does, and refuses them as it does; `items` are those that it would have received."""

    def __init__(self, ledger: Telling) -> None:
        self._ledger = ledger
        self.items: Final[list[Item]] = []

    def rules(self, pool: str) -> Methodology:
        """The methodology in force."""
        return self._ledger.rules(pool)

    def now(self) -> int:
        """The ledger's clock."""
        return self._ledger.now()

    def _tell(self, items: Sequence[Item], pool: str) -> list[Receipt | Conflict]:
        self.items.extend(items)
        return [Receipt(pool, 0, one.id) for one in items]

    def _received(self, matches: Sequence[Id], pool: str) -> dict[Id, bytes]:
        return self._ledger._received(matches, pool)

    def _matches_of(self, voter: Json, pool: str) -> list[bytes]:
        return self._ledger._matches_of(voter, pool)

    def _received_last(self) -> int:
        return self._ledger._received_last()
