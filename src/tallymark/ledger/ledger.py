"""The ledger: what a program that keeps ratings holds on to."""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from sqlalchemy import func, insert, select
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import InputError, LedgerError, UnknownError
from tallymark.games import GameLog
from tallymark.games.identity.names import alike
from tallymark.games.ids import Id
from tallymark.games.progress import Progress, silent
from tallymark.ledger import inbox, schema
from tallymark.ledger.appending import Appended, append_log, pools_of
from tallymark.ledger.beside import Beside
from tallymark.ledger.entries import GENESIS, chained, opened
from tallymark.ledger.export import Exported, export, streams
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import id_of, printable
from tallymark.ledger.imagining import Imagining
from tallymark.ledger.importing import import_bundle
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.matches import Given, Item, Json, match_item
from tallymark.ledger.people import People, Player, checked
from tallymark.ledger.rater import BATCH
from tallymark.ledger.raters import Raters, waited
from tallymark.ledger.reach import head_of
from tallymark.ledger.reading.again import Again
from tallymark.ledger.reading.computed import Computed
from tallymark.ledger.reading.explaining import Explaining
from tallymark.ledger.reading.face import Reading
from tallymark.ledger.reading.news import News
from tallymark.ledger.reading.notable import Notable
from tallymark.ledger.rebuild import Rebuilt, rebuild
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.store import Store
from tallymark.ledger.tables import ENTRY, HEAD, POOL, RATING, RECEIPT
from tallymark.ledger.windows import EARLIEST, LATEST
from tallymark.ledger.working import work
from tallymark.ledger.writing import Tell, Writing
from tallymark.methodology import Methodology, methodology
from tallymark.replay.engines import Engine

Clock: TypeAlias = Callable[[], int]
"""Microseconds since 1970 UTC."""


def wall_clock() -> int:
    """The time of this machine."""
    return time.time_ns() // 1000


def _sound(told: int) -> int:
    """What a clock tells; `LedgerError` where it is no time: entries have it for ever."""
    if type(told) is not int or not EARLIEST <= told <= LATEST:
        raise LedgerError(f"the clock says {told!r}; expected microseconds since 1970 UTC", hint="nothing was written")
    return told


class Ledger(Imagining, Reading, Explaining, People):
    """Pools of players, their results, and what these made of their ratings: on one file or one database.

    >>> import tempfile, os
    >>> ledger = Ledger.open(os.path.join(tempfile.mkdtemp(), "club.db"), create=True)
    >>> ledger.open_pool("ladder", "arena")
    >>> receipt = ledger.append({"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 1}, pool="ladder")
    >>> ledger.settle()
    1
    >>> ledger.close()
    """

    def __init__(self, store: Store, clock: Clock, engine: Engine) -> None:
        self._store, self._clock, self._engine = store, clock, engine
        self._rules = Rulebook()
        self._numbers: dict[str, int] = {}
        self._writing = Writing(store, self.now)
        self._raters = Raters(store, self._rules, engine, self._writing)
        self._notable = Notable()
        self._again = Again(self._notable)
        self._computed = Computed(engine)
        self._news = News(store, self._raters.moved)

    @classmethod
    def open(
        cls,
        where: str | os.PathLike[str],
        *,
        create: bool = False,
        clock: Clock = wall_clock,
        engine: Engine = "auto",
    ) -> "Ledger":
        """The ledger in a file or at a URL. `create`: make its tables where there are none, or bring older ones up to
        date. `LedgerError` says what is there instead of a ledger of this version.
        """
        return cls(schema.opened(where, create), clock, engine)

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Writes what is queued, and gives back what it holds of the database. Who waits for entries gets none."""
        self._news.close()
        self._writing.close()
        self._store.close()

    def open_pool(self, name: str, rules: Methodology | str) -> None:
        """A new pool under a methodology, whose text is its first entry."""
        if not isinstance(name, str) or not name or len(name) > 100 or not name.isprintable():
            raise InputError(f"pool is {shortened(name)}; expected a name of up to 100 characters", field="pool")
        if name in (".", "..") or "/" in name or "\\" in name:
            raise InputError(
                f"pool is {shortened(name)}; expected one that an address can have, not . or .., without slashes",
                field="pool",
            )
        rules = methodology(rules)
        at = self.now()
        body = opened(at, name, rules)
        link = chained(GENESIS, body)
        stand = Stand(1, link, 1, at)
        with self._store.writing() as connection:
            if connection.scalar(select(POOL.c.id).where(POOL.c.name == name)) is not None:
                raise InputError(f"there is a pool {name!r} already")
            number = connection.execute(insert(POOL).values(name=name)).inserted_primary_key
            assert number is not None
            pool = int(number[0])
            connection.execute(insert(ENTRY), {"pool": pool, "position": 1, "hash": link, "body": body})
            connection.execute(insert(HEAD), {"pool": pool, "position": 1, "hash": link, "stand": stand.to_bytes()})

    def append(self, match: Given, *, pool: str, id: Id | None = None) -> Receipt:
        """The receipt of one match, which is on the disk now and will be rated once. `ConflictError` where its id was
        used for another content.

        `id`: what the match is called where it does not say so itself; where it does, it must say the same.
        """
        (found,) = self._tell([match_item(match, id)], pool)
        if isinstance(found, Conflict):
            raise found.error()
        return found

    def append_soon(self, match: Item, *, pool: str, tell: Tell) -> None:
        """As `append`, without waiting: `tell` is called in another thread, when the match is on the disk, with its
        receipt, or with the error that `append` would raise. It is to hand that on at once, and raises nothing.

        For programs whose threads must not wait: a pool that this ledger has been asked about is not looked up again.
        """
        self._writing.append_soon(self.number(pool), pool, match, tell)

    def append_many(self, matches: "Iterable[Given | Item]", *, pool: str) -> list[Receipt | Conflict]:
        """A receipt, or what it conflicts with, for each match in their order. One transaction: all or none.

        An `Item` is a match that was checked already (`match_item`), by who wants to know which of many are wrong.
        """
        items = [match if isinstance(match, Item) else match_item(match) for match in matches]
        return self._writing.append(self.number(pool), pool, items) if items else []

    def standing(self, matches: Sequence[Item], *, pool: str) -> list[Receipt | Conflict]:
        """What `append_many` would answer for each match, none of which is appended: new ones have the number 0."""
        with self._store.reading() as connection:
            return inbox.standing(connection, self.number(pool), pool, matches)

    def alike(self, players: Iterable[Id], *, pool: str) -> list[tuple[str, str]]:
        """Those of these players whom nobody rated in the pool is, each with one who is and whose id looks like it."""
        with self._store.reading() as connection:
            keys = connection.scalars(select(RATING.c.player).where(RATING.c.pool == self.number(pool)))
            return alike(players, map(id_of, keys))

    @contextmanager
    def beside(self) -> Iterator[Beside]:
        """A transaction for what a program keeps in tables of its own, in which it can append: all of it or nothing.

        It does not share its price with others, as `append` does: it is for what people do one by one.
        """
        with self._store.writing() as connection:
            own = Beside(self._store, connection, self.number, self._clock)
            yield own
        if own.fresh:
            self._writing.arrived.ring()
            self._store.rouse()

    def append_log(self, log: GameLog, pool: str | None = None, progress: Progress = silent) -> Appended:
        """Appends the matches of a game log, in its order, a few thousand in a transaction: begun again, it goes on.

        Each has the id of its game, or of its match, or, where it has none, one that is made of its content: what was
        appended before is not appended again. `pool`: where to, by default the pool that the log names, or the only
        one that there is. Names of players that the log has are kept beside the chain.
        """
        pools = pools_of(log, pool, [one.pool for one in streams(self._store)])
        for player, name in (log.names or {}).items():  # before anything is appended
            checked(Player(player, name))
        found = append_log(log, pools, self._tell, progress)
        self.learn(log.names or {})
        return found

    def settle(self, pool: str | None = None, most: int = BATCH) -> int:
        """Rates all that waits, in one pool or in all; how many items that were.

        `StuckError` where a pool's next item cannot be folded, when the other pools are done.
        """
        return self._raters.settle(self._pools() if pool is None else [self.number(pool)], most)

    def run(self, stop: threading.Event) -> None:
        """Rates what comes, in all pools, as it comes, until `stop` is set; the batch at hand is finished first.

        Any number of processes may do so at once: on PostgreSQL one of them leads each pool, on a file they should be
        one. What goes wrong is told to the log `tallymark.ledger`, and tried again.
        """
        work(self._raters, stop)

    @contextmanager
    def rating(self) -> Iterator[None]:
        """A thread of its own that does so, as long as the block lasts."""
        stop = threading.Event()
        thread = threading.Thread(target=self.run, args=(stop,), name="tallymark rates", daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def settled(self, receipt: Receipt, timeout: float | None = None) -> int:
        """Waits until an item is rated, or what else becomes of it, by whoever does it; the position of its entry.

        `LedgerError` after `timeout` seconds.
        """
        position = self._raters.wait(receipt.number, timeout)
        if position is None:
            assert timeout is not None
            raise waited(receipt, timeout)
        return position

    def rules(self, pool: str) -> Methodology:
        """The methodology that the next match is rated by."""
        with self._store.reading() as connection:
            return self._where(connection, self.number(pool))[1]

    def now(self) -> int:
        return _sound(self._clock())

    def received(self, pool: str, id: Id) -> bytes | None:
        """The bytes of a match or command as the pool received it, rated or not; None where it did not."""
        return self._received([id], pool).get(id)

    def _tell(self, items: Sequence[Item], pool: str) -> list[Receipt | Conflict]:
        return self._writing.append(self.number(pool), pool, items)

    def _received(self, matches: Sequence[Id], pool: str) -> dict[Id, bytes]:
        with self._store.reading() as connection:
            return inbox.received(connection, self.number(pool), matches)

    def _received_last(self) -> int:
        with self._store.reading() as connection:
            return connection.scalar(select(func.max(RECEIPT.c.id))) or 0

    def _matches_of(self, voter: Json, pool: str) -> list[bytes]:
        with self._store.reading() as connection:
            return list(inbox.votes_of(connection, self.number(pool), voter))

    def _where(self, connection: Connection, pool: int) -> tuple[Stand, Methodology]:
        stand = head_of(connection, pool)
        return stand, self._rules.at(connection, pool, stand.rules_at)

    def export(
        self, path: str | os.PathLike[str], pool: str | None = None, progress: Progress = silent
    ) -> list[Exported]:
        """Writes a pool's stream, or all of them, to a file that anybody can recount (`verify`): whole or not at all.

        Packed where its name ends in .gz or .zst. What waits to be rated is not in it.
        """
        if pool is not None:
            self.number(pool)
        chosen = [stream for stream in streams(self._store) if pool in (None, stream.pool)]
        return export(self._store, chosen, path, progress)

    def import_bundle(self, path: str | os.PathLike[str], progress: Progress = silent) -> list[Exported]:
        """Takes in the pools of an export, recounted while they are read: all of them, or nothing where one does not
        follow or is here already. What was received stays received: appended again, it gets its receipt.
        """
        return import_bundle(self._store, path, self._engine, progress)

    def rebuild(self, pool: str) -> Rebuilt:
        """Makes a pool's projections again from its entries, and says what stood there otherwise."""
        self.number(pool)
        (stream,) = (stream for stream in streams(self._store) if stream.pool == pool)
        self._raters.clear()  # what they remember is from the projections
        return rebuild(self._store, stream, self._engine)

    def _pools(self) -> Sequence[int]:
        with self._store.reading() as connection:
            return connection.scalars(select(POOL.c.id).order_by(POOL.c.id)).all()

    def number(self, pool: str) -> int:
        """The number of a pool, by which tables name it that a program has beside the ledger's; `UnknownError` where
        there is none."""
        if pool not in self._numbers:
            with self._store.reading() as connection:
                # Text with a NUL cannot be asked for everywhere, and nothing is called so.
                named = select(POOL.c.id).where(POOL.c.name == pool)
                number = connection.scalar(named) if printable(pool) else None
                if number is None:
                    known = connection.scalars(select(POOL.c.name).order_by(POOL.c.name).limit(10)).all()
                    raise UnknownError(
                        f"there is no pool {shortened(pool)}",
                        kind="pool",
                        hint=f"known: {', '.join(known) or 'none yet'}",
                    )
            self._numbers[pool] = number
        return self._numbers[pool]
