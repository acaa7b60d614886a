"""Append: one short transaction, safe to repeat whole or in part, from any number of processes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import orjson
from sqlalchemy import select
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import ConflictError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.ids import key_of
from tallymark.ledger.matches import Item, Json
from tallymark.ledger.store import Store
from tallymark.ledger.store.base import Cells, Enrolled
from tallymark.ledger.tables import ENTRY, INBOX, RECEIPT


class Receipt(NamedTuple):
    """What says that an item was received: its number, for ever, and the client's id of it.

    `again`: it was here before, with the same content.
    """

    pool: str
    number: int
    id: Id
    again: bool = False


class Conflict(NamedTuple):
    """An id that was used for another content before: nothing was appended."""

    pool: str
    number: int
    id: Id
    first: str
    second: str

    def error(self) -> ConflictError:
        """What says so."""
        return ConflictError(
            f"{shortened(self.id)} was appended to {self.pool!r} before, with other content: "
            f"{_cut(self.first)}, and now {_cut(self.second)}",
            first=self.first,
            second=self.second,
            hint="another match has another id; a wrong one is corrected by a new entry",
        )


_CUT: Final = 300
_AT_ONCE: Final = 500
_DATA: Final = b'"data"'


def append(store: Store, number: int, pool: str, items: Sequence[Item], now: int) -> list[Receipt | Conflict]:
    """A receipt or a conflict for each item, in their order. Returned is what is on the disk."""
    with store.writing() as connection:
        return appended(connection, store, number, pool, items, now)


def appended(
    connection: Connection, store: Store, number: int, pool: str, items: Sequence[Item], now: int
) -> list[Receipt | Conflict]:
    """`append` inside a transaction."""
    first: dict[str, Item] = {}
    keys = [key_of(item.id) for item in items]
    for key, item in zip(keys, items, strict=True):
        first.setdefault(key, item)  # twice in one call: the first counts
    ids = store.receipt_numbers(connection, len(first))
    new = dict(zip(first, ids, strict=True))  # numbers in the client's order: it is the order of the games
    # Locks in one order, or two clients wait for each other. Rows are in the order of the tables' columns.
    rows: dict[str, Cells] = {key: (new[key], number, key, first[key].digest, now) for key in sorted(new)}
    known = store.enroll(connection, number, rows)
    if len(known) < len(new):
        fresh = [(number, receipt, now, first[key].body) for key, receipt in new.items() if key not in known]
        store.insert(connection, INBOX, fresh)
    return _answers(connection, number, pool, list(zip(keys, items, strict=True)), known, new)


def standing(connection: Connection, number: int, pool: str, items: Sequence[Item]) -> list[Receipt | Conflict]:
    """What `append` would answer for each item, which is not appended: new ones get no number, but 0."""
    keys = [key_of(item.id) for item in items]
    known = _enrolled(connection, number, keys)
    return _answers(connection, number, pool, list(zip(keys, items, strict=True)), known, dict.fromkeys(keys, 0))


def _answers(
    connection: Connection,
    number: int,
    pool: str,
    items: Sequence[tuple[str, Item]],
    known: Mapping[str, Enrolled],
    new: Mapping[str, int],
) -> list[Receipt | Conflict]:
    """What is said of each item, by what is known under its key, or by what the first of this call has there."""
    others = {known[key].number for key, item in items if key in known and known[key].digest != item.digest}
    contents = _contents(connection, number, sorted(others))
    first: dict[str, Item] = {}
    out: list[Receipt | Conflict] = []
    for key, item in items:
        again = key in known or key in first
        stands = known.get(key) or Enrolled(new[key], first.setdefault(key, item).digest)
        if stands.digest == item.digest:
            out.append(Receipt(pool, stands.number, item.id, again))
        else:
            content = contents.get(stands.number, b"") if key in known else first[key].body
            out.append(Conflict(pool, stands.number, item.id, content.decode(), item.body.decode()))
    return out


def received(connection: Connection, pool: int, items: Sequence[Id]) -> dict[Id, bytes]:
    """The bytes of those items that a pool has received, folded or not."""
    known = _enrolled(connection, pool, [key_of(name) for name in items])
    contents = _contents(connection, pool, [one.number for one in known.values()])
    numbers = {name: known[key].number for name in items if (key := key_of(name)) in known}
    return {name: contents[receipt] for name, receipt in numbers.items() if receipt in contents}


def _enrolled(connection: Connection, pool: int, keys: Sequence[str]) -> dict[str, Enrolled]:
    """What a pool has received under these keys."""
    found: dict[str, Enrolled] = {}
    for low in range(0, len(keys), _AT_ONCE):
        some = RECEIPT.c.item.in_(keys[low : low + _AT_ONCE]), RECEIPT.c.pool == pool
        rows = connection.execute(select(RECEIPT.c.item, RECEIPT.c.id, RECEIPT.c.digest).where(*some))
        found |= {key: Enrolled(receipt, bytes(digest)) for key, receipt, digest in rows}
    return found


def _contents(connection: Connection, pool: int, receipts: Sequence[int]) -> dict[int, bytes]:
    """What was received first, by its number: it waits in the inbox, or stands in its entry."""
    found: dict[int, bytes] = {}
    for low in range(0, len(receipts), _AT_ONCE):
        some = receipts[low : low + _AT_ONCE]
        waiting = select(INBOX.c.receipt, INBOX.c.body).where(INBOX.c.pool == pool, INBOX.c.receipt.in_(some))
        found |= {receipt: bytes(body) for receipt, body in connection.execute(waiting)}
        # After that, or what is folded meanwhile is in neither.
        folded = [receipt for receipt in some if receipt not in found]
        for receipt, body in connection.execute(
            select(ENTRY.c.receipt, ENTRY.c.body).where(ENTRY.c.receipt.in_(folded))
        ):
            item = entries.item_in(bytes(body), entries.prefix(bytes(body)).kind)
            if item is not None:
                found[receipt] = item
    return found


def votes_of(connection: Connection, pool: int, voter: Json) -> Iterator[bytes]:
    """The matches of a pool whose `data` names the voter, folded or not. Every entry is looked at."""
    bodies = (
        select(ENTRY.c.body).where(ENTRY.c.pool == pool).order_by(ENTRY.c.position).execution_options(yield_per=5000)
    )
    waiting = select(INBOX.c.body).where(INBOX.c.pool == pool).order_by(INBOX.c.receipt)
    for body in connection.scalars(bodies.execution_options(yield_per=5000)):
        if _DATA in body:
            kind = entries.prefix(bytes(body)).kind
            item = entries.item_in(bytes(body), kind)
            if kind in entries.MATCHES and item is not None and _is_of(item, voter):
                yield item
    for body in connection.scalars(waiting):
        if _DATA in body and _is_of(bytes(body), voter):
            yield bytes(body)


def _is_of(item: bytes, voter: Json) -> bool:
    data = orjson.loads(item).get("data")
    return isinstance(data, dict) and data.get("voter") == voter


def _cut(text: str) -> str:
    return text if len(text) <= _CUT else text[:_CUT] + "..."
