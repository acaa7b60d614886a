"""Import: an export becomes a ledger again, recounted while it is read; all of it is there then, or nothing."""

import hashlib
import os
from pathlib import Path

from sqlalchemy import insert, select
from sqlalchemy.engine import Connection

from tallymark.errors import LedgerError
from tallymark.games.progress import Progress
from tallymark.ledger import schema
from tallymark.ledger.closings import write
from tallymark.ledger.export import Exported
from tallymark.ledger.fold.items import Received
from tallymark.ledger.ids import checked_id, key_of
from tallymark.ledger.matches import Item, match_item
from tallymark.ledger.rebuild import project
from tallymark.ledger.recount import Followed, Recount
from tallymark.ledger.store import Store
from tallymark.ledger.store.base import Values
from tallymark.ledger.tables import ENTRY, HEAD, POOL, RECEIPT
from tallymark.ledger.verify import stretches
from tallymark.replay.engines import Engine


def import_bundle(store: Store, path: str | os.PathLike[str], engine: Engine, progress: Progress) -> list[Exported]:
    """Writes the pools of an export into a ledger that has none of them, with a receipt for all that was received."""
    with store.writing() as connection:
        return _imported(connection, store, path, engine, progress)


def import_anew(
    where: str | os.PathLike[str], path: str | os.PathLike[str], engine: Engine, progress: Progress
) -> tuple[str, list[Exported]]:
    """As `import_bundle`, into the ledger in a file or at a URL, which is made where there is none; that is undone too
    where the import fails. The ledger's URL comes first."""
    with schema.making(where) as (store, connection):
        return store.name, _imported(connection, store, path, engine, progress)


def _imported(
    connection: Connection, store: Store, path: str | os.PathLike[str], engine: Engine, progress: Progress
) -> list[Exported]:
    imported: list[Exported] = []
    pool = 0
    for recount, done, over in stretches(Path(path), engine, progress, closing=True):
        if not pool:
            pool = _new_pool(connection, recount)
        _write(connection, store, pool, done)
        for closing in recount.closings():
            write(connection, pool, closing)
        if over:
            head = {"pool": pool, "position": recount.position, "hash": recount.hash}
            connection.execute(insert(HEAD), {**head, "stand": recount.stand.to_bytes()})
            project(connection, pool, recount)
            imported.append(Exported(recount.pool, recount.position, recount.hash.hex()))
            pool = 0
    return imported


def _new_pool(connection: Connection, recount: Recount) -> int:
    if connection.scalar(select(POOL.c.id).where(POOL.c.name == recount.pool)) is not None:
        raise LedgerError(f"there is a pool {recount.pool!r} already", hint="an export goes into an empty ledger")
    number = connection.execute(insert(POOL).values(name=recount.pool)).inserted_primary_key
    assert number is not None
    return int(number[0])


def _write(connection: Connection, store: Store, pool: int, done: Followed) -> None:
    about = [(entry.position, item) for entry, item in zip(*done, strict=True) if item is not None]
    numbers = store.receipt_numbers(connection, len(about)) if about else []
    receipts = {position: number for (position, _), number in zip(about, numbers, strict=True)}
    rows = [_receipt(receipts[position], pool, received) for position, received in about]
    entries = [
        {"pool": pool, "position": e.position, "receipt": receipts.get(e.position), "hash": e.hash, "body": e.body}
        for e in done.entries
    ]
    if rows:
        connection.execute(insert(RECEIPT), rows)
    if entries:
        connection.execute(insert(ENTRY), entries)


def _receipt(number: int, pool: int, received: Received) -> Values:
    item = item_again(received)
    return {
        "id": number,
        "pool": pool,
        "item": key_of(item.id),
        "digest": item.digest,
        "received": received.received,
    }


def item_again(received: Received) -> Item:
    """The item that was appended, from its bytes: so that a second append of it is known."""
    if received.command is None:
        return match_item(received.body)
    return Item(checked_id("id", received.told["id"]), received.body, hashlib.sha256(received.body).digest())
