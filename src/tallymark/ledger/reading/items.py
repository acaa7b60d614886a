"""What became of an item that was appended: it waits, or an entry is about it."""

from typing import Final, NamedTuple

import orjson
from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.errors import UnknownError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.ids import key_of
from tallymark.ledger.tables import ENTRY, RECEIPT

_RECEIPT: Final = select(RECEIPT.c.id, RECEIPT.c.received).where(
    RECEIPT.c.item == bindparam("item_"), RECEIPT.c.pool == bindparam("of")
)
_ABOUT: Final = select(ENTRY.c.position, ENTRY.c.body).where(ENTRY.c.receipt == bindparam("number"))


class Fate(NamedTuple):
    """What became of an item.

    `state`: waiting, while nothing is; else the kind of its entry, of matches rated, accepted (it is rated with its
    period, or with the next recomputation) or not-rated. `reason` says why a match is not rated, and why a command was
    refused. `received` in microseconds since 1970 UTC; `number` is the receipt's.
    """

    pool: str
    id: Id
    number: int
    received: int
    state: str
    position: int | None
    reason: str | None


def fate(connection: Connection, pool: int, name: str, item: Id) -> Fate:
    """What became of an item of a pool; `UnknownError` for one that was never appended."""
    receipt = connection.execute(_RECEIPT, {"item_": key_of(item), "of": pool}).one_or_none()
    if receipt is None:
        raise UnknownError(f"{name!r} has received nothing with the id {item!r}", kind="match", hint="append it")
    about = connection.execute(_ABOUT, {"number": receipt.id}).one_or_none()
    if about is None:
        return Fate(name, item, receipt.id, receipt.received, "waiting", None, None)
    body = bytes(about.body)
    kind = entries.prefix(body).kind
    reason = str(orjson.loads(body)["reason"]) if kind in ("not-rated", "refused") else None
    return Fate(name, item, receipt.id, receipt.received, kind, about.position, reason)
