"""Questions about single matches and pairs of players, and about what would be."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import date

import numpy as np
from sqlalchemy.engine import Connection

from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import checked_id
from tallymark.ledger.reading.changes import Played
from tallymark.ledger.reading.face import checked_limit
from tallymark.ledger.reading.foreseen import Foreseen, foreseen
from tallymark.ledger.reading.matches import MatchInfo, match_info
from tallymark.ledger.reading.meetings import HeadToHead, as_counted, head_to_head
from tallymark.ledger.reading.notable import Notable, Ruled
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.store import Store
from tallymark.methodology import Methodology


class Explaining(ABC):
    """What a ledger explains. Nothing here changes anything; each answer is of one state of the ledger."""

    _store: Store
    _rules: Rulebook
    _notable: Notable

    @abstractmethod
    def _number(self, pool: str) -> int:
        """The number of a pool."""

    @abstractmethod
    def _where(self, connection: Connection, pool: int) -> tuple[Stand, Methodology]:
        """Where a pool stands, and its methodology."""

    def match(self, pool: str, id: Id) -> MatchInfo:
        """A match: its sides and result, its entry, what it changed for everybody and what was expected, and the
        corrections that name it."""
        number = self._number(pool)
        with self._store.reading() as connection:
            head = self._where(connection, number)[0]
            return match_info(connection, number, pool, checked_id("id", id), head, self._rules, self._notable)

    def head_to_head(self, a: Id, b: Id, pool: str, limit: int = 10, before: int | None = None) -> HeadToHead:
        """Two players against each other, and their last meetings; `before`: only those of entries before that one."""
        if checked_id("a", a) == checked_id("b", b):
            raise InputError(f"a and b are both {a!r}; expected two players")
        number = self._number(pool)
        with self._store.reading() as connection:
            head = self._where(connection, number)[0]
            return head_to_head(
                connection, number, a, b, checked_limit(limit), before, head, self._rules, self._notable
            )

    def as_counted(self, player: Id, pool: str, played: Iterable[Played]) -> list[Played]:
        """Matches out of a player's history, the latest first, as they count now: as they were changed, and without
        those that are annulled."""
        checked_id("player", player)
        number = self._number(pool)
        with self._store.reading() as connection:
            head = self._where(connection, number)[0]
            return as_counted(connection, number, player, played, head, self._notable)

    def predict(self, pool: str, a: Id, b: Id, at: str | date | np.datetime64 | None = None) -> Foreseen:
        """What is expected of the next game of two players: what `tallymark.predict` says after a replay of the pool's
        games, to the bit. `at`: when it is played, by default as soon as everything known counts."""
        if checked_id("a", a) == checked_id("b", b):
            raise InputError(f"a and b are both {a!r}; expected two players")
        number = self._number(pool)
        with self._store.reading() as connection:
            stand, rules = self._where(connection, number)
            return foreseen(connection, number, a, b, at, stand, rules, self._rules)

    def rules_history(self, pool: str) -> list[Ruled]:
        """The methodologies that a pool was given, the first one first."""
        number = self._number(pool)
        with self._store.reading() as connection:
            return self._notable.rules(connection, number, self._where(connection, number)[0].position)
