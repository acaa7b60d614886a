"""The questions that a ledger answers."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import date
from typing import Final, NamedTuple

import numpy as np
from sqlalchemy import select
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import InputError, UnknownError
from tallymark.games.ids import Id
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import checked_id, key_of
from tallymark.ledger.people import KINDS, Kind
from tallymark.ledger.reach import page
from tallymark.ledger.reading.again import Again
from tallymark.ledger.reading.boards import MOST, PROVISIONAL, WHENS, Asked, Board, Provisional, When, read_board
from tallymark.ledger.reading.changes import Change, changes
from tallymark.ledger.reading.counted import Counting
from tallymark.ledger.reading.effects import Effects, effects
from tallymark.ledger.reading.items import Fate, fate_now
from tallymark.ledger.reading.moved import Moved, moved
from tallymark.ledger.reading.news import News, Tell
from tallymark.ledger.reading.notable import Corrected, Notable
from tallymark.ledger.reading.past import made_by, played_before, settled_before, stood_at
from tallymark.ledger.reading.pools import Backlog, PoolInfo, backlogs, pools
from tallymark.ledger.reading.published import Stood, of_table, table_of
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.store import Store
from tallymark.ledger.store.looking import rating_rows
from tallymark.ledger.tables import RATING
from tallymark.ledger.telling import instant_of
from tallymark.ledger.windows import EARLIEST, LATEST, SPANS, Rolling, Window, window_of
from tallymark.methodology import Methodology
from tallymark.replay.engines import Engine
from tallymark.replay.schedule import DAY
from tallymark.tables import Table

_FARTHEST: Final = 2**63 - 1
"""The last position that a database has a number for."""
LONGEST: Final = 3660
"""Days of a rolling window, at most."""


class Head(NamedTuple):
    """The last entry of a pool: its position, its hash, and when it was settled, in microseconds since 1970 UTC."""

    position: int
    hash: bytes
    at: int


class Reading(ABC):
    """What a ledger tells. Nothing here changes anything; each answer is of one state of the ledger."""

    _store: Store
    _rules: Rulebook
    _engine: Engine
    _news: News
    _notable: Notable
    _again: Again

    @abstractmethod
    def now(self) -> int:
        """The ledger's clock, in microseconds since 1970 UTC."""

    @abstractmethod
    def number(self, pool: str) -> int:
        """The number of a pool."""

    @abstractmethod
    def _where(self, connection: Connection, pool: int) -> tuple[Stand, Methodology]:
        """Where a pool stands, and its methodology."""

    @property
    def store(self) -> Store:
        """Its database, for a program that has tables of its own beside the ledger's."""
        return self._store

    @property
    def where(self) -> str:
        """The URL of the ledger, without a password."""
        return self._store.name

    def pools(self) -> list[PoolInfo]:
        """Every pool, in the order in which they were opened. It costs the same however many players they have."""
        with self._store.reading() as connection:
            return pools(connection, self._rules)

    def backlogs(self) -> list[Backlog]:
        """How far every pool has come, in the order in which they were opened."""
        with self._store.reading() as connection:
            return backlogs(connection)

    def ratings(
        self,
        pool: str,
        as_of: int | str | date | np.datetime64 | None = None,
        *,
        aged_to: str | date | np.datetime64 | None = None,
    ) -> Table:
        """Everybody who has a rating, best first, in the columns of `Replay.ratings`; starting bands stand there
        where states are felts, which hold them.

        `as_of`: the position of an entry, after which these were the ratings; or a time, and then it is the last entry
        before the first match played later: in a ledger that got its matches in their order, what `tallymark rate`
        makes of the matches up to then, a period that was open then included. For what was published at a time,
        `position_at`.

        `aged_to`: deviations aged to a time that is not before the last match, as in `Replay.ratings_at`.
        """
        number = self.number(pool)
        stood = self._stood(number) if as_of is None else self._stood_at(number, as_of)
        return table_of(pool, stood, None if aged_to is None else instant_of(aged_to), self._engine)

    def position_at(self, pool: str, settled: str | date | np.datetime64) -> int:
        """The position of the last entry that was settled at a time or before it: what was published then. 0 where the
        pool was not there yet."""
        number, instant = self.number(pool), instant_of(settled)
        with self._store.reading() as connection:
            return settled_before(connection, number, self._where(connection, number)[0], instant)

    def board(
        self,
        pool: str,
        window: When = "all-time",
        *,
        at: str | date | np.datetime64 | None = None,
        days: int | None = None,
        kind: Kind | None = None,
        provisional: Provisional = "with",
        search: str | None = None,
        after: str | None = None,
        around: Id | None = None,
        limit: int = 100,
        shared: bool = False,
    ) -> Board:
        """A page of a board: of all who have played, or of those who have a match that was settled in a week (from
        Monday 00:00 UTC on) or month, by the ratings at its end, or in the last `days` ("rolling").

        `at`: a time in the week or month, by default now. `kind`: players of whom that is known (`name`).
        `provisional`: "with" the others, "apart" or "without", as the player's last entry has it. `search`: who has a
        name or an id that begins so. `after`: the `next` of the page before, asked for with the same board; `around`: a
        player who is to stand in the middle. `limit`: players on the page, from 1 to 1000. `shared`: with the ranks
        that are shared where intervals overlap.

        Pages that follow each other have everybody once, in the order of the first one's entry, whatever is rated
        meanwhile; after some thousand entries, or when everybody was moved at once, `StaleError`.
        """
        _one_of("window", window, WHENS)
        _one_of("provisional", provisional, tuple(PROVISIONAL))
        if kind is not None:
            _one_of("kind", kind, KINDS)
        if window in ("all-time", "rolling") and at is not None:
            raise InputError("at is for weeks and months", hint="ratings(as_of=...) tells how it was")
        checked_limit(limit)
        if sum(one is not None for one in (after, around)) > 1 or (around is not None and search is not None):
            given = "after" if after is not None else "search"
            raise InputError(f"{given} and around are both given; a page begins in one way")
        number = self.number(pool)
        which: Window | Rolling | None = None
        if window == "rolling":
            which = self._rolling(days)
        elif days is not None:
            raise InputError("days is for rolling windows", hint='window="rolling"')
        elif window != "all-time":
            which = self.window(window, at)
        asked = Asked(which, kind, provisional, search, after, around, limit, shared)
        with self._store.reading() as connection:
            head = self._where(connection, number)[0]
            return read_board(connection, number, pool, head, self._rules, asked)

    def window(self, window: When, at: str | date | np.datetime64 | None = None) -> Window:
        """The week or month that a time lies in, by default now."""
        if window not in SPANS:
            raise InputError(f"window is {window!r}; expected week or month, which have an end")
        instant = self.now() if at is None else instant_of(at)
        if not EARLIEST <= instant <= LATEST:
            first, last = (f"{np.datetime64(one, 'us').astype('M8[D]')}" for one in (EARLIEST, LATEST))
            raise InputError(f"at is {at!r}; expected a time from {first} to {last}", field="at")
        return window_of(window, instant)

    def _rolling(self, days: int | None) -> Rolling:
        if type(days) is not int or not 1 <= days <= LONGEST:
            raise InputError(f"days is {shortened(days)}; expected a whole number from 1 to {LONGEST}")
        now = self.now()
        return Rolling(days, now - days * DAY, now)

    def history(self, player: Id, pool: str, limit: int = 50, before: int | None = None) -> list[Change]:
        """What changed a player's rating, the latest first; `before`: only entries before that position."""
        checked_id("player", player)
        if not isinstance(limit, int) or limit < 1:
            raise InputError(f"limit is {limit!r}; expected a whole number from 1 up")
        number = self.number(pool)
        with self._store.reading() as connection:
            counting = self._counting(connection, number)
            return changes(connection, number, player, limit, before, self._rules, counting)

    def moved(self, pool: str, since: int = 0) -> Moved:
        """Whose states may be other ones than they were after the entry at a position, as they stand now; for programs
        that keep them. Since 0, or too much ago, that is everybody."""
        number = self.number(pool)
        with self._store.reading() as connection:
            stand, rules = self._where(connection, number)
            return moved(connection, number, stand.position, rules, self._rules, since)

    def moved_since(self, pool: str, players: Iterable[Id], position: int) -> bool:
        """Whether any of these players has another entry since the one at a position."""
        keys = sorted(map(key_of, players))
        with self._store.reading() as connection:
            return any(row.position > position for row in rating_rows(connection, self.number(pool), keys))

    def entry(self, pool: str, position: int) -> Entry:
        """An entry: its position, hash, bytes, and the receipt of what it is about."""
        with self._store.reading() as connection:
            return self._entry(connection, self.number(pool), position)

    def entries(self, pool: str, after: int = 0, limit: int = 100) -> list[Entry]:
        """The next entries behind a position, in their order; none where there are none yet. `limit`: from 1 to 1000.

        However large, an entry comes whole: chunks of states have up to a thousand players each.
        """
        if type(after) is not int or after < 0:
            raise InputError(f"after is {shortened(after)}; expected a position, or 0 for the beginning")
        number, last = self.number(pool), after + checked_limit(limit)
        with self._store.reading() as connection:
            return page(connection, number, after + 1, last) if last <= _FARTHEST else []

    def effects(self, pool: str, after: int = 0, limit: int = 100) -> list[Effects]:
        """The next entries behind a position, as `entries`, and for each whom it moved from where to where."""
        if type(after) is not int or after < 0:
            raise InputError(f"after is {shortened(after)}; expected a position, or 0 for the beginning")
        number, last = self.number(pool), after + checked_limit(limit)
        with self._store.reading() as connection:
            return effects(connection, number, after + 1, last, self._rules) if last <= _FARTHEST else []

    def head(self, pool: str) -> Head:
        """The last entry of a pool, which every answer of this moment is as of: one look, however large the pool."""
        number = self.number(pool)
        with self._store.reading() as connection:
            stand = self._where(connection, number)[0]
            return Head(stand.position, stand.hash, stand.at)

    def wait_for(self, pool: str, position: int, timeout: float | None = None) -> int:
        """Waits until a pool has an entry beyond a position, or some seconds long; the position of its last one.

        Whoever rates, in this process or another. One thread looks for all who wait.
        """
        self.number(pool)
        return self._news.wait_for(pool, position, timeout)

    def telling(self, tell: Tell) -> AbstractContextManager[None]:
        """`tell` is called as long as the block lasts: first with the position of the head of every pool, by name, and
        then with those that have moved: for whoever has many readers, and no thread for each.

        It is called in another thread, one call after the other, and is to hand on what it is told at once. One that
        raises is not called again. What has come then, `entries` tells.
        """
        return self._news.telling(tell)

    def receipt(self, pool: str, id: Id) -> Fate:
        """What became of the match or command with that id, as it is now: `match` says the same state and reason."""
        number = self.number(pool)
        with self._store.reading() as connection:
            return fate_now(connection, number, pool, checked_id("id", id), lambda: self._named(connection, number, id))

    def _named(self, connection: Connection, number: int, id: Id) -> tuple[Counting, list[Corrected]]:
        """How matches of a pool count now, and the corrections that name one."""
        counting = self._counting(connection, number)
        return counting, self._notable.corrections(connection, number, counting.position, id)

    def _counting(self, connection: Connection, pool: int) -> Counting:
        """How matches of a pool count now."""
        head = self._where(connection, pool)[0]
        return Counting(connection, pool, head, self._rules, self._notable, self._again)

    def _entry(self, connection: Connection, number: int, position: int) -> Entry:
        last = self._where(connection, number)[0].position
        if type(position) is not int or not 1 <= position <= last:
            raise UnknownError(
                f"position is {shortened(position)}; expected a whole number from 1 to {last:,}", kind="entry"
            )
        return page(connection, number, position, position)[0]

    def _stood(self, number: int) -> Stood:
        with self._store.reading() as connection:
            stand, rules = self._where(connection, number)
            found = connection.execute(select(RATING).where(RATING.c.pool == number)).all()
            return of_table(stand, rules, found)

    def _stood_at(self, number: int, as_of: int | str | date | np.datetime64) -> Stood:
        with self._store.reading() as connection:
            head = self._where(connection, number)[0]
            if isinstance(as_of, int):
                self._entry(connection, number, as_of)
                return stood_at(self._store, number, as_of, self._rules, self._engine)
        position = played_before(self._store, number, head, instant_of(as_of))
        return made_by(self._store, number, position, self._rules, self._engine)


def _one_of(name: str, value: str, words: Sequence[str]) -> None:
    if value not in words:
        raise InputError(f"{name} is {shortened(value)}; expected {', '.join(words)}")


def checked_limit(limit: int) -> int:
    """The limit; `InputError` for what is none."""
    if type(limit) is not int or not 1 <= limit <= MOST:
        raise InputError(f"limit is {shortened(limit)}; expected a whole number from 1 to {MOST:,}")
    return limit
