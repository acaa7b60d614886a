"""Where a pool stood after any of its entries: from the last week that was frozen before, by the very fold.

States of players stand in the entries; their counts, peaks and periods follow from the matches. Both come from folding
what was received again, and the hash of the entry that this ends with says that it gives what was published.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

import orjson
from sqlalchemy import bindparam, func, select
from sqlalchemy.engine import Connection

from tallymark.errors import BrokenChainError
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.folding import fold
from tallymark.ledger.fold.played import instant
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import id_of
from tallymark.ledger.imagined import if_closed
from tallymark.ledger.items import item_of
from tallymark.ledger.known import Known
from tallymark.ledger.ratings import row_of
from tallymark.ledger.reach import page, pages
from tallymark.ledger.reading.published import Stood, of_rows
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.store import Store
from tallymark.ledger.tables import CLOSING, ENTRY, WINDOW
from tallymark.ledger.windows import CODES
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER
from tallymark.replay.engines import Engine

_WEEKS: Final = (
    select(WINDOW.c.start, WINDOW.c.position, WINDOW.c.hash, WINDOW.c.stand)
    .where(WINDOW.c.pool == bindparam("of"), WINDOW.c.kind == CODES["week"])
    .order_by(WINDOW.c.start.desc())
)
_LAST: Final = (
    select(CLOSING.c.player, func.max(CLOSING.c.start).label("start"))
    .where(CLOSING.c.pool == bindparam("of"), CLOSING.c.kind == CODES["week"], CLOSING.c.start <= bindparam("until"))
    .group_by(CLOSING.c.player)
    .subquery()
)
_FROZEN: Final = (
    select(CLOSING)
    .join(_LAST, (CLOSING.c.player == _LAST.c.player) & (CLOSING.c.start == _LAST.c.start))
    .where(CLOSING.c.pool == bindparam("of"), CLOSING.c.kind == CODES["week"])
)
_ENTRY: Final = select(ENTRY.c.body).where(ENTRY.c.pool == bindparam("of"), ENTRY.c.position == bindparam("at"))


def stood_at(store: Store, pool: int, position: int, rulebook: Rulebook, engine: Engine) -> Stood:
    """Where a pool stood after an entry that it has. What one item brought about counts as one: after the first of
    several entries that close a period, the period is closed.
    """
    stand, rules, known = _folded(store, pool, position, rulebook, engine)
    return of_rows(stand, rules, known.players)


def made_by(store: Store, pool: int, position: int, rulebook: Rulebook, engine: Engine) -> Stood:
    """What a replay makes of the matches up to an entry: in calendar pools the period that is open then is rated too,
    and nobody ages beyond the last period that has matches, whatever was closed since.
    """
    stand, rules, known = _folded(store, pool, position, rulebook, engine)
    if rules.period.kind == "calendar":
        known.players |= if_closed(stand, rules, known, engine)
        last = max((row.last for row in known.players.values()), default=stand.closed)
        stand = stand.moved(closed=last)
    return of_rows(stand, rules, known.players)


def _folded(
    store: Store, pool: int, position: int, rulebook: Rulebook, engine: Engine
) -> tuple[Stand, Methodology, Known]:
    known = Known(partial(_again, store, pool))
    with store.reading() as connection:
        last = _whole(connection, pool, position)
        stand = _frozen(connection, pool, last, known, rulebook)
        rules = rulebook.at(connection, pool, stand.rules_at)
    for some in pages(store, pool, stand.position + 1, last):
        items = [item for entry in some if (item := item_of(entry.body)) is not None]
        folded = fold(stand, rules, known, items, engine)
        stand, rules = folded.stand, folded.rules
        known.players |= folded.rows
    with store.reading() as connection:
        (entry,) = page(connection, pool, stand.position, stand.position)
    if entry.hash != stand.hash:
        raise BrokenChainError(
            f"entry {entry.position:,} does not follow from those before it",
            position=entry.position,
            hint="tallymark verify names the first that does not",
        )
    return stand, rules, known


def settled_before(connection: Connection, pool: int, head: Stand, instant: int) -> int:
    """The position of the last entry that was settled at an instant or before it; 0 where none was."""
    low, high = 0, head.position
    while low < high:
        middle = (low + high + 1) // 2
        body = bytes(connection.scalars(_ENTRY, {"of": pool, "at": middle}).one())
        low, high = (middle, high) if entries.prefix(body).at <= instant else (low, middle - 1)
    return low


def played_before(store: Store, pool: int, head: Stand, until: int) -> int:
    """The position of the last item before the first match that was played after an instant and counted when it came;
    what that match brought about, the periods that it closed, is not in there."""
    if head.played <= until:
        return head.position
    first = 2
    with store.reading() as connection:
        for week in connection.execute(_WEEKS, {"of": pool}):
            stand = Stand.of(week.position, bytes(week.hash), bytes(week.stand))
            if stand.played <= until:
                first = stand.position + 1
                break
    for some in pages(store, pool, first, head.position):
        for entry in some:
            if _counts(entry.body) and _played(entry.body) > until:
                return _item_before(store, pool, entry.position)
    return head.position


def _item_before(store: Store, pool: int, position: int) -> int:
    with store.reading() as connection:
        while (position := position - 1) > 1:
            if item_of(page(connection, pool, position, position)[0].body) is not None:
                break
    return position


def _counts(body: bytes) -> bool:
    kind = entries.prefix(body).kind
    return kind == "rated" or (kind == "accepted" and not entries.is_late(body))


def _played(body: bytes) -> int:
    item = item_of(body)
    assert item is not None
    at = orjson.loads(item.body).get("played_at")  # nothing else of a match that was folded needs reading
    return NEVER if at is None else instant(at)


def _again(store: Store, pool: int, first: int, last: int) -> Iterator[Entry]:
    for some in pages(store, pool, first, last):
        yield from some


def _whole(connection: Connection, pool: int, position: int) -> int:
    """The entry of the item that brought an entry about: it may stand before it, or behind it."""
    body = bytes(connection.scalars(_ENTRY, {"of": pool, "at": position}).one())
    if position == 1 or item_of(body) is not None:
        return position
    if entries.prefix(body).kind == "states":
        header = entries.header_of(body)
        if item_of(bytes(connection.scalars(_ENTRY, {"of": pool, "at": header}).one())) is not None:
            return header
    while item_of(page(connection, pool, position, position)[0].body) is None:
        position += 1
    return position


def _frozen(connection: Connection, pool: int, last: int, known: Known, rulebook: Rulebook) -> Stand:
    """Where the pool stood when the last week before an entry was over, or in the beginning; `known` gets the rows."""
    week = connection.execute(_WEEKS.where(WINDOW.c.position <= last).limit(1), {"of": pool}).one_or_none()
    if week is None:
        first = page(connection, pool, 1, 1)[0]
        return Stand(1, first.hash, 1, entries.prefix(first.body).at)
    stand = Stand.of(week.position, bytes(week.hash), bytes(week.stand))
    rules = rulebook.at(connection, pool, stand.rules_at)
    for row in connection.execute(_FROZEN, {"of": pool, "until": week.start}):
        known.players[id_of(row.player)] = row_of(row, rules)
    return stand
