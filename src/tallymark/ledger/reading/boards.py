"""Boards in pages: who stands where, of all time or of a week or month, frozen where that is over.

A page begins behind a cursor, which is a player's place in the order: rating, deviation, games, id. So whoever pages
through a board that nobody changes meanwhile meets everybody once, however many there are.
"""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias, get_args

import numpy as np
from sqlalchemy import ColumnElement, Table, func, select
from sqlalchemy import Row as Found
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import InputError, UnknownError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.closings import first_of
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import id_of, key_of
from tallymark.ledger.places import DEVIATION, deviation_bytes, place_of_rating, rating_of
from tallymark.ledger.reach import PAGE, page
from tallymark.ledger.reading.published import of_table, table_of
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.tables import CLOSING, RATING, WINDOW
from tallymark.ledger.windows import CODES, Window
from tallymark.methodology import Methodology
from tallymark.methodology.limits import shown
from tallymark.named import Named
from tallymark.tables import Column
from tallymark.tables import Table as Columns

When: TypeAlias = Literal["all-time", "week", "month"]
"""What a board is of."""
WHENS: Final[tuple[When, ...]] = get_args(When)
MOST: Final = 1000
"""Players of a page, at most."""
_AT_ONCE: Final = 500
_CURSOR: Final = re.compile(
    r"([0-9]{1,18})_([0-9]{1,18})_(-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}|inf)_((?:[0-9a-f]{2}){25,1000})"
)


class Board(NamedTuple):
    """A page of a board, best first.

    `table`: the columns of ratings, and `rank` behind the pool: equal ratings share one, who is not rankable has none.
    Of equal ratings the lower deviation stands first (as the player's last entry has it), then more games, then the id.
    `next`: what to ask for the page behind this one, None where this is the last. `position`: the entry that the board
    is as of; `frozen`: it will never be another. `window` is None where the board is of all time.
    """

    table: Columns
    next: str | None
    position: int
    window: Window | None
    frozen: bool


class _Cursor(NamedTuple):
    """The end of a page: how many up to there have a rank, the rank and the rating of the last one who has, and the
    place of the last player."""

    ranked: int
    rank: int
    rating: float
    place: bytes

    def __str__(self) -> str:
        return f"{self.ranked}_{self.rank}_{self.rating.hex()}_{self.place.hex()}"


_BEGIN: Final = _Cursor(0, 0, math.inf, b"")


class _Rows(Protocol):
    """The players of a board, in its order."""

    def behind(self, place: bytes, count: int) -> list[Found[Any]]:
        """The next so many behind a place."""
        ...

    def ahead(self, place: bytes, count: int) -> list[Found[Any]]:
        """The last so many before a place, the last one first."""
        ...

    def place(self, player: Id) -> bytes | None:
        """The place of a player; None for who is not on it."""
        ...

    def ranked(self, place: bytes, deviation: float | None) -> _Cursor:
        """How many before a place have a deviation that takes a rank (None: any), and the rank of the last of them."""
        ...


class _InOrder:
    """Out of a table, by the index of its places. All but the rows of a page stands in the index."""

    def __init__(self, connection: Connection, table: Table, *where: ColumnElement[bool]) -> None:
        self._connection, self._table, self._place = connection, table, table.c.place
        self._where = (*where, self._place.is_not(None))

    def behind(self, place: bytes, count: int) -> list[Found[Any]]:
        query = select(self._table).where(*self._where, self._place > place).order_by(self._place)
        return list(self._connection.execute(query.limit(count)))

    def ahead(self, place: bytes, count: int) -> list[Found[Any]]:
        query = select(self._table).where(*self._where, self._place < place).order_by(self._place.desc())
        return list(self._connection.execute(query.limit(count)))

    def place(self, player: Id) -> bytes | None:
        query = select(self._place).where(*self._where, self._table.c.player == key_of(player))
        found = self._connection.scalar(query)
        return None if found is None else bytes(found)

    def ranked(self, place: bytes, deviation: float | None) -> _Cursor:
        ranked = [*self._where, self._place < place]
        if deviation is not None:
            ranked.append(func.substr(self._place, DEVIATION.start + 1, 8) <= deviation_bytes(deviation))
        count, last = self._connection.execute(select(func.count(), func.max(self._place)).where(*ranked)).one()
        if not count:
            return _BEGIN
        rating = rating_of(bytes(last))
        better = select(func.count()).where(*ranked, self._place < place_of_rating(rating))
        return _Cursor(count, 1 + (self._connection.scalar(better) or 0), rating, b"")


class _Few:
    """Rows that are so few that they are put in order here."""

    def __init__(self, rows: Iterable[Found[Any]]) -> None:
        self._rows = sorted(rows, key=lambda row: bytes(row.place))
        self._places = [bytes(row.place) for row in self._rows]

    def behind(self, place: bytes, count: int) -> list[Found[Any]]:
        at = bisect_right(self._places, place)
        return self._rows[at : at + count]

    def ahead(self, place: bytes, count: int) -> list[Found[Any]]:
        return self._rows[: bisect_left(self._places, place)][::-1][:count]

    def place(self, player: Id) -> bytes | None:
        return next((bytes(row.place) for row in self._rows if row.player == key_of(player)), None)

    def ranked(self, place: bytes, deviation: float | None) -> _Cursor:
        before = self._rows[: bisect_left(self._places, place)]
        ratings = [row.rating for row in before if deviation is None or row.deviation <= deviation]
        return _Cursor(len(ratings), 1 + ratings.index(ratings[-1]), ratings[-1], b"") if ratings else _BEGIN


def read_board(
    connection: Connection,
    pool: int,
    name: str,
    head: Stand,
    rulebook: Rulebook,
    window: Window | None,
    after: str | None,
    around: Id | None,
    limit: int,
) -> Board:
    """A page of a board; `after` and `around` exclude each other."""
    stand, rows, frozen = _rows_of(connection, pool, head, window)
    rules = rulebook.at(connection, pool, stand.rules_at)
    cursor = _cursor(after) if around is None else _before(rows, rules, around, limit)
    found = rows.behind(cursor.place, limit + 1)
    more, found = len(found) > limit, found[:limit]
    table, last = _ranked(table_of(name, of_table(stand, rules, found), None, "interpreted"), found, cursor)
    return Board(table, str(last) if more else None, stand.position, window, frozen)


def _rows_of(connection: Connection, pool: int, head: Stand, window: Window | None) -> tuple[Stand, _Rows, bool]:
    """Where the pool stood that the board is of, its players, and whether they are frozen."""
    if window is None:
        return head, _InOrder(connection, RATING, RATING.c.pool == pool), False
    kind = CODES[window.span]
    over = connection.execute(
        select(WINDOW).where(WINDOW.c.pool == pool, WINDOW.c.kind == kind, WINDOW.c.start == window.start)
    ).one_or_none()
    if over is not None:
        stand = Stand.of(over.position, bytes(over.hash), bytes(over.stand))
        of = CLOSING.c.pool == pool, CLOSING.c.kind == kind, CLOSING.c.start == window.start
        return stand, _InOrder(connection, CLOSING, *of, CLOSING.c.settled >= over.first), True
    if not window.start <= head.at < window.end:
        return head, _Few([]), window.end <= head.at
    first = first_of(connection, pool, window.span)
    if head.position - first < PAGE:  # read sooner than a board of very many
        return head, _Few(_since(connection, pool, first, head)), False
    return head, _InOrder(connection, RATING, RATING.c.pool == pool, RATING.c.settled >= first), False


def _since(connection: Connection, pool: int, first: int, head: Stand) -> Iterator[Found[Any]]:
    """Who has a match that was settled by an entry from a position on."""
    people: set[Id] = set()
    for entry in page(connection, pool, first, head.position):
        if entries.prefix(entry.body).kind in ("rated", "states"):
            people.update(one[0] for one in entries.after_in(entry.body))
    keys = sorted(map(key_of, people))
    for low in range(0, len(keys), _AT_ONCE):
        some = RATING.c.player.in_(keys[low : low + _AT_ONCE])
        for row in connection.execute(select(RATING).where(RATING.c.pool == pool, some)):
            if row.settled >= first and row.place is not None:
                yield row


def _before(rows: _Rows, rules: Methodology, player: Id, limit: int) -> _Cursor:
    """Where the page begins that has a player in its middle, if there are enough before and behind."""
    place = rows.place(player)
    if place is None:
        raise UnknownError(f"{shortened(player)} is not on this board", kind="player")
    before = rows.ahead(place, limit)
    behind = len(rows.behind(place, limit))
    first = min(len(before), max(limit // 2, limit - 1 - behind))
    bound = rules.published.rankable_deviation
    # As that of somebody whose state is just there.
    bound = None if bound is None else shown(*rules.system.scale.to_state(0.0, bound, 0.0), rules.limits)[1]
    cursor = rows.ranked(bytes(before[first - 1].place) if first else place, bound)
    return cursor._replace(place=bytes(before[first].place) if first < len(before) else b"")


def _ranked(table: Columns, found: Sequence[Found[Any]], cursor: _Cursor) -> tuple[Columns, _Cursor]:
    """The table in the order of the rows, with ranks that go on from a cursor; and the cursor behind its last row."""
    at = {player: row for row, player in enumerate(table["player"].tolist())}
    order = np.array([at[id_of(row.player)] for row in found], np.int64)
    columns: dict[str, Column | Named] = {name: table[name][order] for name in table.columns}
    ratings = table["rating"][order].tolist()
    rankable = table["rankable"][order].tolist() if "rankable" in table.columns else [True] * len(found)
    ranks: list[int | None] = []
    ranked, rank, last, _ = cursor
    for rating, takes in zip(ratings, rankable, strict=True):
        ranked += takes
        if takes and rating != last:
            rank, last = ranked, rating
        ranks.append(rank if takes else None)
    names = list(columns)
    columns["rank"] = ranks
    place = bytes(found[-1].place) if found else b""
    ordered = [*names[:1], "rank", *names[1:]]
    return Columns({name: columns[name] for name in ordered}), _Cursor(ranked, rank, last, place)


def _cursor(text: str | None) -> _Cursor:
    if text is None:
        return _BEGIN
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise InputError(f"after is {shortened(text)}; expected what a page of this board has as next")
    return _Cursor(int(found[1]), int(found[2]), float.fromhex(found[3]), bytes.fromhex(found[4]))
