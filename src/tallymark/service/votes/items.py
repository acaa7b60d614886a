"""The items of a pool: which may be voted on, and where each stands, in memory and up to date when it is asked."""

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.games.ids import Id
from tallymark.ledger.fold.rows import Row
from tallymark.ledger.ids import checked_id, id_of, key_of
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.tables import POOL
from tallymark.methodology import Methodology
from tallymark.service.votes.choosing import Field
from tallymark.service.votes.tables import ITEM
from tallymark.service.votes.teaching import Item, Teaching, teaching

_SINCE: Final = (
    select(ITEM.c.n, ITEM.c.item, ITEM.c.listed)
    .where(ITEM.c.pool == bindparam("of"), ITEM.c.n > bindparam("seen"))
    .order_by(ITEM.c.n)
)
_ANY: Final = select(ITEM.c.n).where(ITEM.c.pool == bindparam("of")).limit(1)
_TURN: Final = select(POOL.c.id).where(POOL.c.id == bindparam("of")).with_for_update(key_share=True)


class View(NamedTuple):
    """A pool at one entry: its items by place, where they stand, its rules, and what a vote would teach."""

    position: int
    ids: Sequence[Id]
    places: Mapping[Id, int]
    field: Field
    rules: Methodology
    teaches: Teaching

    @property
    def ties(self) -> bool:
        """Whether a tie may be chosen."""
        return self.rules.rated.draws


class Items:
    """The items of one pool. What was read is kept: another look reads what was added since, by whomever."""

    def __init__(self, ledger: Ledger, pool: str) -> None:
        self._ledger, self._pool = ledger, pool
        self._number = ledger.number(pool)
        self._turn = threading.Lock()
        self._seen = 0
        self._listed: dict[Id, None] = {}
        self._states: dict[Id, Item] = {}
        self._position = 0
        self._view: View | None = None
        self._begun = False

    def begun(self) -> bool:
        """Whether anything was ever put on the list: what costs no more where there are many players and no items."""
        if not self._begun:
            with self._ledger.store.reading() as connection:
                self._begun = connection.scalar(_ANY, {"of": self._number}) is not None
        return self._begun

    def view(self) -> View:
        """The pool as it stands now."""
        with self._turn:
            with self._ledger.store.reading() as connection:
                self._read(connection)
            moved = self._ledger.moved(self._pool, self._position)
            if self._view is not None and moved.rules.hash != self._view.rules.hash and not moved.everybody:
                moved = self._ledger.moved(self._pool)
            states = {player: _item(row) for player, row in moved.rows.items()}
            self._position = moved.position
            if moved.everybody:
                self._states, self._view = states, None
            else:
                self._states |= states
            if self._view is None:
                self._view = self._anew(moved.rules)
            elif moved.position != self._view.position:
                self._view = self._moved(self._view, states)
            return self._view

    def list(self, items: Iterable[Id]) -> int:
        """Puts items on the list of what is voted on; how many were not on it."""
        return self._write(items, True)

    def unlist(self, items: Iterable[Id]) -> int:
        """Takes items from it; how many were on it. Their ratings stay, and so do ballots that are open."""
        return self._write(items, False)

    def _write(self, items: Iterable[Id], listed: bool) -> int:
        told = dict.fromkeys(checked_id("items", one) for one in items)
        with self._ledger.store.writing() as connection:
            connection.execute(_TURN, {"of": self._number})  # numbers without a gap: one after the other
            with self._turn:
                self._read(connection)
                new = [one for one in told if (one in self._listed) != listed]
                last = self._seen
            if new:
                rows = [(self._number, last + n, key_of(one), int(listed)) for n, one in enumerate(new, 1)]
                self._ledger.store.insert(connection, ITEM, rows)
        return len(new)

    def _read(self, connection: Connection) -> None:
        for n, key, listed in connection.execute(_SINCE, {"of": self._number, "seen": self._seen}):
            if listed:
                self._listed[id_of(key)] = None
            else:
                self._listed.pop(id_of(key), None)
            self._seen, self._view = n, None

    def _anew(self, rules: Methodology) -> View:
        start = rules.entered(rules.initial())
        new = Item(start.mu, start.phi2, start.sigma2, 0)
        ids = list(self._listed)
        field = Field.of([self._states.get(one, new) for one in ids])
        return View(self._position, ids, {one: place for place, one in enumerate(ids)}, field, rules, teaching(rules))

    def _moved(self, view: View, states: dict[Id, Item]) -> View:
        """The view with some items elsewhere. Whoever looks at the one before is not disturbed."""
        some = [(view.places[one], item) for one, item in states.items() if one in view.places]
        field = view.field.moved(some) if some else view.field
        return view._replace(position=self._position, field=field)


def _item(row: Row) -> Item:
    return Item(row.mu, row.phi2, row.sigma2, row.games)
