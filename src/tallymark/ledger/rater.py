"""The rater: folds a pool's inbox in order, in batches; one transaction writes what a batch became.

The fence is the compare-and-swap on the head inside that transaction: of two raters that folded the same items, one
moves the head, and the other throws its work away and looks again. Whatever else keeps raters apart only saves work.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.engine import Connection

from tallymark.errors import ProjectionError, StuckError
from tallymark.games.ids import Id
from tallymark.ledger.closings import freeze
from tallymark.ledger.fold.folding import Folded, fold
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.rows import Row
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import key_of
from tallymark.ledger.people import newcomers
from tallymark.ledger.ratings import judged, values_of
from tallymark.ledger.reach import LazyReach, StoredReach
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.stairs import Measured, climbed, measured, stood
from tallymark.ledger.store import Store
from tallymark.ledger.store.base import Values, of_the_database
from tallymark.ledger.tables import ENTRY, HEAD, INBOX, POOL, RATING, RECEIPT
from tallymark.ledger.uncollected import uncollected
from tallymark.ledger.windows import together
from tallymark.methodology import Methodology
from tallymark.replay.engines import Engine

BATCH: Final = 2000
"""Items of a batch, at most: more gain little, and cost latency and, where a batch is lost, work."""
_REMEMBERED: Final = 1_000_000
"""Rows that a rater keeps, at most."""

_PENDING: Final = (
    select(INBOX.c.receipt, INBOX.c.received, INBOX.c.body)
    .where(INBOX.c.pool == bindparam("of"))
    .order_by(INBOX.c.receipt)
    .limit(bindparam("most"))
)
_DONE: Final = delete(INBOX).where(
    INBOX.c.pool == bindparam("of"), INBOX.c.receipt.between(bindparam("first"), bindparam("last"))
)
_HEAD: Final = select(HEAD.c.position, HEAD.c.hash, HEAD.c.stand).where(HEAD.c.pool == bindparam("of"))
_SWAP: Final = (
    update(HEAD)
    .where(HEAD.c.pool == bindparam("of"), HEAD.c.position == bindparam("was"), HEAD.c.hash == bindparam("link"))
    .values(position=bindparam("position_"), hash=bindparam("hash_"), stand=bindparam("stand_"))
)


class Step(NamedTuple):
    """What a step of a rater did: how many items it folded, whether another rater was first, and whether something
    waits for a recomputation now."""

    items: int
    lost: bool = False
    recompute: bool = False

    def __bool__(self) -> bool:
        """Whether there may be more to do."""
        return bool(self.items) or self.lost


class _Tried(NamedTuple):
    """The batch that a rater has taken: its size, its first receipt, and the head that it was for."""

    items: int
    receipt: int
    position: int


class Rater:
    """Folds one pool. Any number may run, in any number of processes: one batch gets through at a time."""

    def __init__(self, store: Store, pool: int, rules: Rulebook, engine: Engine = "auto") -> None:
        self._store, self._pool, self._rules, self._engine = store, pool, rules, engine
        self._stand: Stand | None = None
        self._rows: dict[Id, Row] = {}
        self._measured: dict[str, Measured] = {}
        self._new: set[str] = set()
        """Who has no row before the batch at hand, by key."""
        self._turn = threading.Lock()
        self._tried = _Tried(0, 0, 0)

    def step(self, most: int = BATCH) -> Step:
        """One batch. `StuckError` where the next item cannot be folded; all before it are rated first."""
        with self._turn:
            while True:
                try:
                    with uncollected():
                        return self._step(most)
                except Exception as error:
                    if isinstance(error, MemoryError | ProjectionError) or of_the_database(error):
                        raise
                    if self._overtaken():  # what it read while folding did not belong together
                        return Step(0, lost=True)
                    if self._tried.items <= 1:
                        raise self._stuck(error) from error
                    most = self._tried.items // 2

    def _step(self, most: int) -> Step:
        with self._store.reading() as connection:
            found = connection.execute(_PENDING, {"of": self._pool, "most": most})
            items = [Received(receipt, received, bytes(body)) for receipt, received, body in found]
            if not items:
                return Step(0)
            position, hash_, kept = connection.execute(_HEAD, {"of": self._pool}).one()
            self._tried = _Tried(len(items), items[0].receipt or 0, position)
            stand = Stand.of(position, bytes(hash_), bytes(kept))
            if stand != self._stand:  # another rater was here: what is remembered is of another head
                self._forget()
            # A batch never goes beyond the end of a week or month: what is over is frozen as it stood.
            items = items[: together(stand.at, [item.received for item in items])]
            receipts = [receipt for item in items if (receipt := item.receipt) is not None]
            self._stand = None  # whatever goes wrong from here on: look again
            self._tried = _Tried(len(items), receipts[0], position)
            rules = self._rules.at(connection, self._pool, stand.rules_at)
            reach = StoredReach(connection, self._pool, self._rules, self._rows)
            people = {player for item in items for player in item.people}
            self._rows |= reach.rows(people, rules)
            self._new = {key_of(player) for player in people if player not in self._rows}
        # Nothing is locked while it is folded; what the fold still asks for stands before the head, which is swapped.
        folded = fold(stand, rules, LazyReach(self._store, self._pool, self._rules, self._rows), items, self._engine)
        if not self._write(stand, rules, folded, receipts):
            self._forget()
            return Step(0, lost=True)
        self._stand = folded.stand
        self._rows |= folded.rows
        if len(self._rows) > _REMEMBERED or folded.rules is not rules:
            self._forget()
        return Step(len(items), recompute=folded.stand.waiting_from > 0)

    def _forget(self) -> None:
        self._rows.clear()
        self._measured.clear()

    def _overtaken(self) -> bool:
        with self._store.reading() as connection:
            position: int = connection.execute(_HEAD, {"of": self._pool}).one().position
        return position != self._tried.position

    def _stuck(self, error: Exception) -> StuckError:
        _, receipt, position = self._tried
        with self._store.reading() as connection:
            name = connection.scalar(select(POOL.c.name).where(POOL.c.id == self._pool))
            item = connection.scalar(select(RECEIPT.c.item).where(RECEIPT.c.id == receipt))
        return StuckError(
            f"pool {name!r} stands still at entry {position}: receipt {receipt} ({item}) cannot be folded: "
            f"{type(error).__name__}: {error}",
            receipt=receipt,
            position=position,
            hint="nothing is lost, and what is appended is kept; a version of tallymark that can fold it goes on",
        )

    def _write(self, before: Stand, rules: Methodology, folded: Folded, receipts: Sequence[int]) -> bool:
        after = folded.stand
        # In the order of its columns; all that can be made before is, for appends wait while this one writes.
        entries = [(self._pool, e.position, e.receipt, e.hash, e.body) for e in folded.entries]
        rows = self._rows_of(folded)
        with self._store.writing() as connection:
            swap = {
                "of": self._pool,
                "was": before.position,
                "link": before.hash,
                "position_": after.position,
                "hash_": after.hash,
                "stand_": after.to_bytes(),
            }
            if connection.execute(_SWAP, swap).rowcount != 1:
                connection.rollback()
                return False
            self._store.insert(connection, ENTRY, entries)
            freeze(connection, self._pool, before, after.at)
            if rows:
                self._project(connection, rows)
            if folded.rules is not rules:
                judged(connection, self._pool, folded.rules)
            connection.execute(_DONE, [{"of": self._pool, "first": low, "last": high} for low, high in runs(receipts)])
        return True

    def _rows_of(self, folded: Folded) -> dict[str, Values]:
        """The rows of the table `rating` that a batch made, by key and in the order of keys."""
        told = sorted((key_of(player), player, row) for player, row in folded.rows.items())
        return {key: values_of(self._pool, key, player, row, folded.rules) for key, player, row in told}

    def _project(self, connection: Connection, rows: Mapping[str, Values]) -> None:
        """Writes the rows that a batch made, and who went from step to step of the stairs."""
        now = {key: measured(row) for key, row in rows.items()}
        unknown = [key for key in rows if key not in self._measured]
        before = stood(connection, self._pool, [key for key in unknown if key not in self._new])
        fresh = [key for key in unknown if key not in before]
        self._measured |= before
        self._store.upsert(connection, RATING, rows.values())
        newcomers(connection, self._pool, fresh)
        climbed(connection, self._pool, self._measured, now)
        self._measured |= now


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending numbers as closed runs without holes: what is missing may be a row that nobody can see yet.

    >>> runs([3, 4, 5, 9])
    [(3, 5), (9, 9)]
    """
    out: list[tuple[int, int]] = []
    for number in numbers:
        if out and number == out[-1][1] + 1:
            out[-1] = (out[-1][0], number)
        else:
            out.append((number, number))
    return out
