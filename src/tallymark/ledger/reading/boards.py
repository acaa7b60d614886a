"""Boards in pages: who stands where, of all time or of a week or month, frozen where that is over.

A page begins behind a cursor, which is a player's place in the order: rating, deviation, games, id. So whoever pages
through a board that nobody changes meanwhile meets everybody once, however many there are.
"""

import math
import re
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from sqlalchemy import ColumnElement, Table, func, select
from sqlalchemy import Row as Found
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.closings import first_of
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import id_of, key_of
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


class _Source(NamedTuple):
    """Where the players of a board stand: a table, and which of its rows they are."""

    table: Table
    where: tuple[ColumnElement[bool], ...]
    few: Sequence[str] | None = None
    """The keys of all who may be on it, where these are few."""


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
    stand, source, frozen = _source(connection, pool, head, window)
    rules = rulebook.at(connection, pool, stand.rules_at)
    if source is None:
        found, cursor, more = list[Found[Any]](), _BEGIN, False
    elif around is not None:
        found, cursor, more = _around(connection, source, rules, around, limit)
    else:
        cursor = _BEGIN if after is None else _cursor(after)
        found, more = _behind(connection, source, cursor.place, limit)
    table, last = _ranked(table_of(name, of_table(stand, rules, found), None, "interpreted"), found, cursor)
    return Board(table, str(last) if more else None, stand.position, window, frozen)


def _source(
    connection: Connection, pool: int, head: Stand, window: Window | None
) -> tuple[Stand, _Source | None, bool]:
    """Where the pool stood that the board is of, the rows, and whether they are frozen."""
    if window is None:
        return head, _Source(RATING, (RATING.c.pool == pool, RATING.c.rated > 0, RATING.c.games > 0)), False
    kind = CODES[window.span]
    over = connection.execute(
        select(WINDOW).where(WINDOW.c.pool == pool, WINDOW.c.kind == kind, WINDOW.c.start == window.start)
    ).one_or_none()
    if over is not None:
        stand = Stand.of(over.position, bytes(over.hash), bytes(over.stand))
        of = CLOSING.c.pool == pool, CLOSING.c.kind == kind, CLOSING.c.start == window.start
        return stand, _Source(CLOSING, (*of, CLOSING.c.settled >= over.first)), True
    if not window.start <= head.at < window.end:
        return head, None, window.end <= head.at
    first = first_of(connection, pool, window.span)
    few = _players_since(connection, pool, first, head) if head.position - first < PAGE else None
    return head, _Source(RATING, (RATING.c.pool == pool, RATING.c.settled >= first), few), False


def _players_since(connection: Connection, pool: int, first: int, head: Stand) -> list[str]:
    """Whoever has a state in an entry from a position on. Few entries are read sooner than a board of very many."""
    found: set[Id] = set()
    for entry in page(connection, pool, first, head.position):
        if entries.prefix(entry.body).kind in ("rated", "states"):
            found.update(one[0] for one in entries.after_in(entry.body))
    return sorted(map(key_of, found))


def _behind(connection: Connection, source: _Source, place: bytes, limit: int) -> tuple[list[Found[Any]], bool]:
    """The players behind a place, and whether there are more."""
    found = _read(connection, source, source.table.c.place > place, limit + 1, ahead=False)
    return found[:limit], len(found) > limit


def _around(
    connection: Connection, source: _Source, rules: Methodology, player: Id, limit: int
) -> tuple[list[Found[Any]], _Cursor, bool]:
    """The players around one, who stands in the middle where there are enough before and behind."""
    table = source.table
    centre = connection.execute(select(table).where(*source.where, table.c.player == key_of(player))).one_or_none()
    if centre is None:
        raise InputError(f"{shortened(player)} is not on this board")
    place = bytes(centre.place)
    before = _read(connection, source, table.c.place < place, limit, ahead=True)
    behind = _read(connection, source, table.c.place >= place, limit + 1, ahead=False)
    taken = min(len(before), max(limit // 2, limit - len(behind)))
    found = [*reversed(before[:taken]), *behind][:limit]
    cursor = _ranks_before(connection, source, rules, bytes(found[0].place))
    return found, cursor, taken + len(behind) > limit


def _read(
    connection: Connection, source: _Source, where: ColumnElement[bool], limit: int, ahead: bool
) -> list[Found[Any]]:
    """So many rows in the order of places, or, `ahead`, in the opposite order."""
    table = source.table
    if source.few is None:
        order = table.c.place.desc() if ahead else table.c.place
        return list(connection.execute(select(table).where(*source.where, where).order_by(order).limit(limit)))
    found: list[Found[Any]] = []
    for low in range(0, len(source.few), _AT_ONCE):
        some = table.c.player.in_(source.few[low : low + _AT_ONCE])
        found += connection.execute(select(table).where(*source.where, where, some))
    return sorted(found, key=lambda row: bytes(row.place), reverse=ahead)[:limit]


def _ranks_before(connection: Connection, source: _Source, rules: Methodology, place: bytes) -> _Cursor:
    """What the cursor says that ends before a place."""
    table = source.table
    bound = rules.published.rankable_deviation
    ranked = [*source.where, table.c.place < place]
    if bound is not None:  # as the deviation of somebody whose state is just that
        ranked.append(
            table.c.deviation <= shown(0.0, rules.system.scale.to_state(0.0, bound, 0.0).phi2, 0.0, rules.limits)[1]
        )
    count, rating = connection.execute(select(func.count(), func.min(table.c.rating)).where(*ranked)).one()
    if not count:
        return _BEGIN
    above = connection.scalar(select(func.count()).where(*ranked, table.c.rating > rating))
    return _Cursor(count, 1 + (above or 0), rating, b"")


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


def _cursor(text: str) -> _Cursor:
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise InputError(f"after is {shortened(text)}; expected what a page of this board has as next")
    return _Cursor(int(found[1]), int(found[2]), float.fromhex(found[3]), bytes.fromhex(found[4]))
