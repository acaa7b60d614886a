"""What became of an item that was appended: it waits, or an entry is about it."""

from collections.abc import Callable
from typing import Final, NamedTuple

import orjson
from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.errors import UnknownError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.ids import key_of
from tallymark.ledger.reach import page
from tallymark.ledger.reading.counted import Counting
from tallymark.ledger.tables import ENTRY, RECEIPT

_RECEIPT: Final = select(RECEIPT.c.id, RECEIPT.c.received).where(
    RECEIPT.c.item == bindparam("item_"), RECEIPT.c.pool == bindparam("of")
)
_ABOUT: Final = select(ENTRY.c.position, ENTRY.c.body).where(ENTRY.c.receipt == bindparam("number"))


class Fate(NamedTuple):
    """What became of an item.

    `state`: waiting, while nothing is; else the kind of its entry, of matches rated, accepted (it is rated with its
    period, or with the next recomputation) or not-rated; a late match is rated when a recomputation has rated it.
    `position`: of the entry that says so, which of such a late match is that of the recomputation; `entry`: of its own.
    `reason` says why a match is not rated, and why a command was refused. `received` in microseconds since 1970 UTC;
    `number` is the receipt's.
    """

    pool: str
    id: Id
    number: int
    received: int
    state: str
    position: int | None
    reason: str | None
    entry: int | None


def fate(connection: Connection, pool: int, name: str, item: Id) -> Fate:
    """What became of an item of a pool, as its own entry has it; `UnknownError` for one that was never appended."""
    receipt = connection.execute(_RECEIPT, {"item_": key_of(item), "of": pool}).one_or_none()
    if receipt is None:
        raise UnknownError(f"{name!r} has received nothing with the id {item!r}", kind="match", hint="append it")
    about = connection.execute(_ABOUT, {"number": receipt.id}).one_or_none()
    if about is None:
        return Fate(name, item, receipt.id, receipt.received, "waiting", None, None, None)
    body = bytes(about.body)
    kind = entries.prefix(body).kind
    reason = str(orjson.loads(body)["reason"]) if kind in ("not-rated", "refused") else None
    return Fate(name, item, receipt.id, receipt.received, kind, about.position, reason, about.position)


def fate_now(connection: Connection, pool: int, name: str, item: Id, counting: Callable[[], Counting]) -> Fate:
    """The same, with what became of it since: a late match that a recomputation has rated is rated, by that."""
    found = fate(connection, pool, name, item)
    if found.state != "accepted" or found.entry is None:
        return found
    (entry,) = page(connection, pool, found.entry, found.entry)
    if not entries.is_late(entry.body):
        return found
    counts = counting()
    by = counts.taken(found.entry)
    if by is None or not counts.now([entry], by.position):  # it may have been annulled before
        return found
    return found._replace(state="rated", position=by.position)
