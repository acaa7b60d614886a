"""Boards of weeks and months that are over, frozen at the pool's head then: by the rater as it passes the boundary, and
again by whoever recounts."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, Table, bindparam, delete, func, insert, select
from sqlalchemy.engine import Connection

from tallymark.games.times import format_instant
from tallymark.ledger.closer import Closing
from tallymark.ledger.comparing import Difference, differing
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import key_of
from tallymark.ledger.people import recognised
from tallymark.ledger.ratings import values_of
from tallymark.ledger.store.base import Values
from tallymark.ledger.tables import CLOSING, RATING, WINDOW
from tallymark.ledger.windows import CODES, Span, Window, over

_AT_ONCE: Final = 5000
_ENDED: Final = select(func.max(WINDOW.c.position)).where(
    WINDOW.c.pool == bindparam("of"), WINDOW.c.kind == bindparam("kind_")
)
_COLUMNS: Final = [column for column in RATING.c if column.name != "pool"]
_CHANGED: Final = select(
    RATING.c.pool,
    bindparam("kind_", type_=CLOSING.c.kind.type),
    bindparam("start_", type_=CLOSING.c.start.type),
    *_COLUMNS,
).where(RATING.c.pool == bindparam("of"), RATING.c.position >= bindparam("first_"))
_FREEZE: Final = insert(CLOSING).from_select(["pool", "kind", "start", *(column.name for column in _COLUMNS)], _CHANGED)


def first_of(connection: Connection, pool: int, span: Span) -> int:
    """The position that the window which is not frozen yet begins with."""
    ended = connection.scalar(_ENDED, {"of": pool, "kind_": CODES[span]})
    return 1 if ended is None else ended + 1


def freeze(connection: Connection, pool: int, before: Stand, at: int) -> None:
    """Freezes the windows that are over where an entry settled at `at` comes next, before ratings are changed."""
    for window in over(before.at, at):
        first = first_of(connection, pool, window.span)
        connection.execute(insert(WINDOW), _head(pool, window, first, before))
        kind, start = CODES[window.span], window.start
        connection.execute(_FREEZE, {"of": pool, "kind_": kind, "start_": start, "first_": first})


def write(connection: Connection, pool: int, closing: Closing) -> None:
    """Writes a closing that was recounted, in the place of what stands there."""
    remove(connection, pool, closing.window.span, closing.window.start)
    connection.execute(insert(WINDOW), _head(pool, closing.window, closing.first, closing.stand))
    rows = _rows(pool, closing)
    for low in range(0, len(rows), _AT_ONCE):
        connection.execute(insert(CLOSING), rows[low : low + _AT_ONCE])
    recognised(connection, CLOSING, *_of(CLOSING, pool, closing.window.span, closing.window.start))


def remove(connection: Connection, pool: int, span: Span, start: int) -> None:
    """Removes what is frozen of a window."""
    for table in (WINDOW, CLOSING):
        connection.execute(delete(table).where(*_of(table, pool, span, start)))


def compare(connection: Connection, pool: int, closing: Closing) -> list[Difference]:
    """What of a closing is not what a recount gives."""
    span, start = closing.window.span, closing.window.start
    where = f"the {span} frozen at entry {closing.stand.position:,}"
    head = connection.execute(select(WINDOW).where(*_of(WINDOW, pool, span, start))).mappings().one_or_none()
    if head is None:
        return [Difference(where, "not there", "there")]
    found = differing(where, head, _head(pool, closing.window, closing.first, closing.stand))
    expected = {str(row["player"]): row for row in _rows(pool, closing)}
    for row in connection.execute(select(CLOSING).where(*_of(CLOSING, pool, span, start))).mappings():
        values = expected.pop(row["player"], None)
        name = f"player {row['player']} in {where}"
        found += [Difference(name, "there", "nobody")] if values is None else differing(name, row, values)
    return found + [Difference(f"player {key} in {where}", "nobody", "there") for key in expected]


class Frozen:
    """The windows of a pool that are frozen, looked at while it is recounted."""

    def __init__(self, pool: int) -> None:
        self._pool = pool
        self._known: set[tuple[Span, int]] = set()

    def look(self, connection: Connection, closings: Sequence[Closing]) -> list[tuple[Closing, list[Difference]]]:
        """Those of these closings that are not what stands there, each with what differs."""
        self._known.update((closing.window.span, closing.window.start) for closing in closings)
        found = ((closing, compare(connection, self._pool, closing)) for closing in closings)
        return [(closing, differ) for closing, differ in found if differ]

    def rest(self, connection: Connection) -> list[tuple[Span, int]]:
        """Windows that are frozen, and that no recount closes; to be asked when all closings were looked at."""
        found = connection.execute(select(WINDOW.c.kind, WINDOW.c.start).where(WINDOW.c.pool == self._pool))
        spans = {code: span for span, code in CODES.items()}
        return [(spans[kind], start) for kind, start in found if (spans[kind], start) not in self._known]


def no_window(span: Span, start: int) -> Difference:
    """What says that nothing closes a window that is frozen."""
    return Difference(f"the {span} that began at {format_instant(start)}", "frozen", "nothing that closes it")


def _rows(pool: int, closing: Closing) -> list[Values]:
    """The rows of the table, by key."""
    more = {"kind": CODES[closing.window.span], "start": closing.window.start}
    rows = sorted((key_of(player), player, row) for player, row in closing.rows.items())
    return [{**values_of(pool, key, player, row, closing.rules), **more} for key, player, row in rows]


def _of(table: Table, pool: int, span: Span, start: int) -> tuple[ColumnElement[bool], ...]:
    return table.c.pool == pool, table.c.kind == CODES[span], table.c.start == start


def _head(pool: int, window: Window, first: int, stand: Stand) -> Values:
    return {
        "pool": pool,
        "kind": CODES[window.span],
        "start": window.start,
        "first": first,
        "position": stand.position,
        "hash": stand.hash,
        "stand": stand.to_bytes(),
    }
