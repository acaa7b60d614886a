"""What the fold asks of a stored ledger: rows of players, methodologies, entries."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.games.ids import Id
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.rows import Row
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import key_of
from tallymark.ledger.ratings import row_of
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.store import Store
from tallymark.ledger.store.looking import rating_rows
from tallymark.ledger.tables import ENTRY, HEAD
from tallymark.methodology import Methodology

PAGE: Final = 5000
"""Entries read in one statement: no long transaction, for a stream only grows."""

_ENTRIES: Final = (
    select(ENTRY.c.position, ENTRY.c.hash, ENTRY.c.body, ENTRY.c.receipt)
    .where(ENTRY.c.pool == bindparam("of"), ENTRY.c.position.between(bindparam("first"), bindparam("last")))
    .order_by(ENTRY.c.position)
)

_HEAD: Final = select(HEAD.c.position, HEAD.c.hash, HEAD.c.stand).where(HEAD.c.pool == bindparam("of"))


class StoredReach:
    """Through one connection; `known` are rows that need not be asked for."""

    def __init__(self, connection: Connection, pool: int, rules: Rulebook, known: Mapping[Id, Row]) -> None:
        self._connection, self._pool, self._rules, self._known = connection, pool, rules, known

    def rows(self, players: Iterable[Id], rules: Methodology) -> dict[Id, Row]:
        """The rows of these players that there are."""
        found: dict[Id, Row] = {}
        keys: dict[str, Id] = {}
        for player in players:
            row = self._known.get(player)
            if row is None:
                keys[key_of(player)] = player
            else:
                found[player] = row
        for stored in rating_rows(self._connection, self._pool, list(keys)):
            found[keys[stored.player]] = row_of(stored, rules)
        return found

    def rules(self, position: int) -> Methodology:
        """The methodology that the entry at a position brought."""
        return self._rules.at(self._connection, self._pool, position)

    def entries(self, first: int, last: int) -> Iterator[Entry]:
        """The entries from a position to another."""
        for low in range(first, last + 1, PAGE):
            yield from page(self._connection, self._pool, low, min(low + PAGE - 1, last))


class LazyReach:
    """Through a connection of its own each time that it is asked."""

    def __init__(self, store: Store, pool: int, rules: Rulebook, known: Mapping[Id, Row]) -> None:
        self._store, self._pool, self._rules, self._known = store, pool, rules, known

    def rows(self, players: Iterable[Id], rules: Methodology) -> dict[Id, Row]:
        """As `StoredReach.rows`."""
        wanted = list(players)
        found = {player: self._known[player] for player in wanted if player in self._known}
        if len(found) < len(wanted):
            with self._store.reading() as connection:
                return StoredReach(connection, self._pool, self._rules, self._known).rows(wanted, rules)
        return found

    def rules(self, position: int) -> Methodology:
        """As `StoredReach.rules`."""
        with self._store.reading() as connection:
            return StoredReach(connection, self._pool, self._rules, self._known).rules(position)

    def entries(self, first: int, last: int) -> Iterator[Entry]:
        """As `StoredReach.entries`."""
        for entries in pages(self._store, self._pool, first, last):
            yield from entries


def head_of(connection: Connection, pool: int) -> Stand:
    """Where a pool stands."""
    position, hash_, kept = connection.execute(_HEAD, {"of": pool}).one()
    return Stand.of(position, bytes(hash_), bytes(kept))


def pages(store: Store, pool: int, first: int, last: int) -> Iterator[list[Entry]]:
    """A pool's entries from a position to another, page by page, each read by itself."""
    for low in range(first, last + 1, PAGE):
        with store.reading() as connection:
            entries = page(connection, pool, low, min(low + PAGE - 1, last))
        yield entries


def page(connection: Connection, pool: int, first: int, last: int) -> list[Entry]:
    """A pool's entries from a position to another, in one statement."""
    found = connection.execute(_ENTRIES, {"of": pool, "first": first, "last": last})
    return [Entry(position, as_bytes(link), as_bytes(body), receipt) for position, link, body, receipt in found]


def as_bytes(value: bytes | str) -> bytes:
    """What a column of bytes holds. SQLite keeps what it is given: text, where somebody got past the guards."""
    return value.encode() if isinstance(value, str) else value
