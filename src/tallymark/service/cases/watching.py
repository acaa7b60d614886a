"""What follows the entries of all pools: a volatility that runs away opens a case (arena R7), once for ever; and a
clock that is far behind them is warned of.

How far each pool was followed is kept with the cases that came of it: a service that was stopped goes on where it was,
or a little before that; and entries that are seen twice, by it or by another process, open nothing twice.
"""

import logging
import math
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import bindparam, select, text

from tallymark.errors import LedgerError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.rows import DOUBLES
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.orders import read
from tallymark.ledger.tables import POOL
from tallymark.methodology import Methodology
from tallymark.service.cases.cases import Cases
from tallymark.service.cases.tables import FOLLOWED

HIGH: Final = 0.1
"""A volatility above this is one that runs away."""
_PAGE: Final = 1000
_KEPT: Final = 10_000
"""Entries after which it is kept how far they were followed: a commit is what a vote costs, too."""
_PAUSE: Final = 1.0
"""Seconds between two looks, at least."""
_PATIENCE: Final = 10.0
"""Seconds after which approved adjustments are looked for that a process which was killed has not told."""
_BEHIND: Final = 60_000_000
"""Microseconds that a clock may be behind what was settled: other machines have other clocks."""
_POOLS: Final = select(POOL.c.name).order_by(POOL.c.id)
_AT: Final = select(FOLLOWED.c.position).where(FOLLOWED.c.pool == bindparam("of"))
_THERE: Final = text("INSERT INTO followed (pool, position) VALUES (:of, 0) ON CONFLICT DO NOTHING")
_FORWARD: Final = text("UPDATE followed SET position = :at WHERE pool = :of AND position < :at")
_LOG: Final = logging.getLogger("tallymark.service")


class Watch:
    """Follows the entries of a ledger's pools, and finishes what is approved."""

    def __init__(self, ledger: Ledger, cases: Cases) -> None:
        self._ledger, self._cases = ledger, cases
        self._at: dict[int, int] = {}
        self._kept: dict[int, int] = {}
        self._warned: set[str] = set()
        self._stop, self._moved = threading.Event(), threading.Event()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """A thread of its own that does so, as long as the block lasts."""
        thread = threading.Thread(target=self._run, name="tallymark watches", daemon=True)
        with self._ledger.telling(lambda heads: self._moved.set()):
            thread.start()
            try:
                yield
            finally:
                self._stop.set()
                self._moved.set()
                thread.join()
                self._cases.background.stop()

    def look(self) -> int:
        """Tells what is due, has worked out what is not shown, and follows every pool to its head; how many cases that
        opened."""
        self._cases.finish()
        self._cases.show()
        with self._ledger.store.reading() as connection:
            pools = connection.scalars(_POOLS).all()
        return sum(self.follow(pool) for pool in pools)

    def follow(self, pool: str) -> int:
        """Follows one pool to its head; how many cases that opened."""
        number, rules = self._ledger.number(pool), self._ledger.rules(pool)
        opened = 0
        while not self._stop.is_set():
            some = self._ledger.entries(pool, self._position(number), _PAGE)
            if not some:
                break
            self._compare(pool, entries.prefix(some[-1].body).at)
            found: dict[Id, dict[str, Any]] = {}
            for entry in some:
                for player, sigma in volatilities(entry, rules):
                    if sigma > HIGH:
                        found.setdefault(player, {"position": entry.position, "volatility": sigma})
            opened += self._keep(number, some[-1].position, found)
        return opened

    def _compare(self, pool: str, settled: int) -> None:
        """Warns, once, where the clock is far behind what was settled: it was wrong then, or is now."""
        behind = settled - self._ledger.now()
        if behind <= _BEHIND:
            self._warned.discard(pool)
        elif pool not in self._warned:
            self._warned.add(pool)
            _LOG.warning(
                "the clock is %d seconds behind the last entry of the pool %r: it was wrong then, or is now; until it "
                "is there, entries have that time, and weeks, months and windows are told by it",
                behind // 1_000_000,
                pool,
            )

    def _keep(self, number: int, at: int, found: Mapping[Id, Mapping[str, Any]]) -> int:
        """Opens the cases of what was found up to an entry."""
        opened = 0
        if found or at - self._kept[number] >= _KEPT:
            with self._ledger.beside() as own:
                for player, record in found.items():
                    why = f"volatility {record['volatility']:.6f} is above {HIGH}"
                    opened += self._cases.open_once(own.connection, number, player, why, record)
                own.connection.execute(_THERE, {"of": number})
                own.connection.execute(_FORWARD, {"of": number, "at": at})
            self._kept[number] = at
        self._at[number] = at
        return opened

    def _position(self, number: int) -> int:
        if number not in self._at:
            with self._ledger.store.reading() as connection:
                self._at[number] = self._kept[number] = connection.scalar(_AT, {"of": number}) or 0
        return self._at[number]

    def _run(self) -> None:
        while not self._stop.is_set():
            self._moved.clear()
            try:
                self.look()
            except LedgerError as error:
                _LOG.warning("%s; looking again", error)
            except Exception:  # nobody else looks for what is due: a fault costs one round, not all that come
                _LOG.exception("cases cannot be followed; trying again")
            self._stop.wait(_PAUSE)
            self._moved.wait(_PATIENCE)


def volatilities(entry: Entry, rules: Methodology) -> Iterator[tuple[Id, float]]:
    """The players whose states an entry has, and their volatilities; 0 under systems without.

    >>> from tallymark.methodology import methodology
    >>> body = b'{"n":7,"kind":"adjusted","at":3,"rules":1,"item":{},"after":[["ann",[150000,35000,60000],2]]}'
    >>> list(volatilities(Entry(7, bytes(32), body), methodology("votes")))
    [('ann', 0.06)]
    """
    if rules.numbers.exact:
        return
    kind = entries.prefix(entry.body).kind
    if kind == "imported":
        item = entries.item_in(entry.body, kind)
        assert item is not None
        for player, row in read.imported(item, rules).items():
            yield player, math.sqrt(row.sigma2)
        return
    for player, state, _ in entries.after_in(entry.body):
        if isinstance(state, list):
            yield player, state[2] / rules.numbers.volatility_multiplier
        else:
            yield player, math.sqrt(DOUBLES.unpack(bytes.fromhex(state))[2])
