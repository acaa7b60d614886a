"""Questions about single matches and pairs of players, and about what would be."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import date

import numpy as np
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import InputError, UnknownError
from tallymark.games.ids import Id
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import checked_id
from tallymark.ledger.reading.again import Recomputation
from tallymark.ledger.reading.computed import Computed, Values
from tallymark.ledger.reading.counted import Counting
from tallymark.ledger.reading.face import checked_limit
from tallymark.ledger.reading.foreseen import Foreseen, foreseen
from tallymark.ledger.reading.matches import MatchInfo, match_info
from tallymark.ledger.reading.meetings import HeadToHead, Records, head_to_head, records
from tallymark.ledger.reading.notable import Notable, Ruled
from tallymark.ledger.reading.said import Said, said
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.store import Store
from tallymark.methodology import Methodology


class Explaining(ABC):
    """What a ledger explains. Nothing here changes anything; each answer is of one state of the ledger."""

    _store: Store
    _rules: Rulebook
    _notable: Notable
    _computed: Computed

    @abstractmethod
    def number(self, pool: str) -> int:
        """The number of a pool."""

    @abstractmethod
    def _where(self, connection: Connection, pool: int) -> tuple[Stand, Methodology]:
        """Where a pool stands, and its methodology."""

    @abstractmethod
    def _counting(self, connection: Connection, pool: int) -> Counting:
        """How matches of a pool count now."""

    def match(self, pool: str, id: Id) -> MatchInfo:
        """A match: its sides and result, its entry, what it changed for everybody and what was expected, and the
        corrections that name it."""
        number = self.number(pool)
        with self._store.reading() as connection:
            head = self._where(connection, number)[0]
            counting = self._counting(connection, number)
            return match_info(
                connection, number, pool, checked_id("id", id), head, self._rules, self._notable, counting,
                self._computed,
            )  # fmt: skip

    def said(self, pool: str, ids: Sequence[Id]) -> dict[Id, Said]:
        """Who played in some matches and how they ended, as it was said last, and what corrections said of them, by
        their ids; those that the pool has not received are not there."""
        number = self.number(pool)
        with self._store.reading() as connection:
            head = self._where(connection, number)[0]
            return said(connection, number, head.position, self._notable, ids)

    def recomputations(self, pool: str) -> list[Recomputation]:
        """When everything was computed again, and for which late matches and corrections; the first time first."""
        number = self.number(pool)
        with self._store.reading() as connection:
            return self._counting(connection, number).again()

    def computed(self, pool: str, recomputation: int) -> Values | None:
        """Every value as it counts since a recomputation of a pool, by the position of its entry; None where the pool
        has too many entries to compute them once more for who asks."""
        number = self.number(pool)
        with self._store.reading() as connection:
            head = self._where(connection, number)[0]
            if all(one.position != recomputation for one in self._counting(connection, number).again()):
                raise UnknownError(f"entry {shortened(recomputation)} of {pool!r} computed nothing again", kind="entry")
            return self._computed.values(connection, number, recomputation, head, self._rules)

    def head_to_head(self, a: Id, b: Id, pool: str, limit: int = 10, before: int | None = None) -> HeadToHead:
        """Two players against each other, and their last meetings; `before`: only those of entries before that one."""
        if checked_id("a", a) == checked_id("b", b):
            raise InputError(f"a and b are both {a!r}; expected two players")
        number = self.number(pool)
        with self._store.reading() as connection:
            counting = self._counting(connection, number)
            return head_to_head(connection, number, a, b, checked_limit(limit), before, counting)

    def records(self, player: Id, pool: str) -> Records:
        """What stands against each opponent of a player, as matches count now: corrections that are in the ratings are
        in here, and others are not."""
        checked_id("player", player)
        number = self.number(pool)
        with self._store.reading() as connection:
            return records(player, self._counting(connection, number))

    def predict(self, pool: str, a: Id, b: Id, at: str | date | np.datetime64 | None = None) -> Foreseen:
        """What is expected of the next game of two players: what `tallymark.predict` says after a replay of the pool's
        games, to the bit. `at`: when it is played, by default as soon as everything known counts."""
        if checked_id("a", a) == checked_id("b", b):
            raise InputError(f"a and b are both {a!r}; expected two players")
        number = self.number(pool)
        with self._store.reading() as connection:
            stand, rules = self._where(connection, number)
            return foreseen(connection, number, a, b, at, stand, rules, self._rules)

    def rules_history(self, pool: str) -> list[Ruled]:
        """The methodologies that a pool was given, the first one first."""
        number = self.number(pool)
        with self._store.reading() as connection:
            return self._notable.rules(connection, number, self._where(connection, number)[0].position)
