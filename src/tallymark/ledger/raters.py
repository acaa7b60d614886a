"""The raters of all pools of a ledger, in one process: settled when asked, or at work as items come."""

import logging
import math
import time
from collections.abc import Sequence
from typing import Final

from sqlalchemy import bindparam, exists, select

from tallymark.errors import LedgerError, ProjectionError, StuckError
from tallymark.ledger.bell import Bell
from tallymark.ledger.export import streams
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.orders import written
from tallymark.ledger.rater import BATCH, Rater, Step
from tallymark.ledger.rebuild import rebuild
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.store import Store
from tallymark.ledger.store.watch import Watch
from tallymark.ledger.tables import ENTRY, HEAD, INBOX, POOL
from tallymark.ledger.working import LOOK
from tallymark.ledger.writing import Writing
from tallymark.replay.engines import Engine

_PAUSE: Final = 0.005
"""Seconds between the first two looks for what another process rates."""
_HEADS: Final = select(HEAD.c.pool, HEAD.c.position).order_by(HEAD.c.pool)
_WAITING: Final = _HEADS.where(exists().where(INBOX.c.pool == HEAD.c.pool))
_STAND: Final = (
    select(POOL.c.name, HEAD.c.position, HEAD.c.hash, HEAD.c.stand)
    .join(HEAD, HEAD.c.pool == POOL.c.id)
    .where(POOL.c.id == bindparam("of"))
)
_LOG: Final = logging.getLogger("tallymark.ledger")
_PLACE: Final = select(ENTRY.c.position).where(ENTRY.c.receipt == bindparam("number"))


class Raters:
    """What `working.work` works on. `moved` rings when something was rated here."""

    def __init__(self, store: Store, rules: Rulebook, engine: Engine, writing: Writing) -> None:
        self._store, self._rules, self._engine, self._writing = store, rules, engine, writing
        self._raters: dict[int, Rater] = {}
        self.moved = Bell()

    def settle(self, pools: Sequence[int], most: int) -> int:
        """Rates all that waits in pools; how many items that were. `StuckError` when those that can go on are done."""
        done = 0
        stuck: StuckError | None = None
        for pool in pools:
            try:
                while (step := self._step(pool, most)) or self.recomputed(pool):
                    done += step.items
            except StuckError as error:
                stuck = stuck or error
        if stuck is not None:
            raise stuck
        return done

    def recomputed(self, pool: int) -> bool:
        """Where no calendar closes anything, what waits for a recomputation gets one now."""
        with self._store.reading() as connection:
            name, position, hash_, kept = connection.execute(_STAND, {"of": pool}).one()
            stand = Stand.of(position, bytes(hash_), bytes(kept))
            if not stand.waiting_from or self._rules.at(connection, pool, stand.rules_at).period.kind == "calendar":
                return False
        # Of several raters that see it, one appends it.
        item = written.close(f"~recompute {stand.waiting_from}", stand.at)
        (found,) = self._writing.append(pool, name, [item])
        return isinstance(found, Receipt) and not found.again

    def wait(self, receipt: int, timeout: float | None) -> int | None:
        """The position of an item's entry, when there is one; None after some seconds."""
        limit = math.inf if timeout is None else time.monotonic() + timeout
        pause = _PAUSE
        while True:
            heard = self.moved.count
            with self._store.reading() as connection:
                position: int | None = connection.scalar(_PLACE, {"number": receipt})
            left = limit - time.monotonic()
            if position is not None or left <= 0:
                return position
            self.moved.wait(heard, min(left, pause))
            pause = min(2 * pause, LOOK)

    def watch(self) -> Watch:
        """What hears of appends to this ledger."""
        return self._store.watch(self._writing.arrived)

    def heads(self, waiting: bool) -> dict[int, int]:
        """The position of each pool's head; `waiting`: of those with something in their inbox."""
        with self._store.reading() as connection:
            return {row.pool: row.position for row in connection.execute(_WAITING if waiting else _HEADS)}

    def clear(self) -> None:
        """What is remembered of players is read anew: somebody else wrote it."""
        self._raters.clear()

    def rated(self, pool: int) -> int:
        """Rates one batch, and recomputes where something waits for that and nothing else does; how many items that
        were, or 1 for what else there was to do. 0: nothing."""
        step = self._step(pool, BATCH)
        if step.lost or step.items == BATCH:
            return max(1, step.items)
        again = self.recomputed(pool) if step.recompute or not step.items else False
        return step.items or int(again)

    def _step(self, pool: int, most: int) -> Step:
        rater = self._raters.get(pool)
        if rater is None:
            rater = self._raters[pool] = Rater(self._store, pool, self._rules, self._engine)
        try:
            step = rater.step(most)
        except ProjectionError as error:  # whatever has written there: everything follows from the entries
            _LOG.warning("%s: the pool's projections are made again from its entries", error)
            (stream,) = (stream for stream in streams(self._store) if stream.number == pool)
            rebuild(self._store, stream, self._engine)
            rater = self._raters[pool] = Rater(self._store, pool, self._rules, self._engine)
            step = rater.step(most)
        if step.items:
            self.moved.ring()
        return step


def waited(receipt: Receipt, seconds: float) -> LedgerError:
    """What says that nobody has rated it."""
    return LedgerError(
        f"{receipt.id!r} of pool {receipt.pool!r} is not rated after {seconds:g} seconds",
        hint="is a rater at work? Ledger.run, or tallymark ledger rate",
    )
