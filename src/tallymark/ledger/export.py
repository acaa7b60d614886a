"""Export: a pool's stream as a file that a stranger can recount, or the streams of all pools."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import select

from tallymark.files import written_beside
from tallymark.games.progress import Progress, silent
from tallymark.ledger.bundle import end_line, packing, text_of
from tallymark.ledger.reach import pages
from tallymark.ledger.store import Store
from tallymark.ledger.tables import HEAD, POOL


class Exported(NamedTuple):
    """A pool in an export: its name, and the position and hash (in hex) of its last entry."""

    pool: str
    position: int
    hash: str


_HEADS = select(HEAD.c.pool, POOL.c.name, HEAD.c.position, HEAD.c.hash).join(POOL).order_by(HEAD.c.pool)


class Stream(NamedTuple):
    """A pool, and how far its stream goes."""

    number: int
    pool: str
    position: int
    hash: bytes


def streams(store: Store) -> list[Stream]:
    """Every pool of a ledger, in the order in which they were opened."""
    with store.reading() as connection:
        return [Stream(row.pool, row.name, row.position, bytes(row.hash)) for row in connection.execute(_HEADS)]


def export(
    store: Store, chosen: Sequence[Stream], path: str | os.PathLike[str], progress: Progress = silent
) -> list[Exported]:
    """Writes the streams, each as far as it went when it was asked for, to a file, whole or not at all."""
    target = Path(path)
    total, done = sum(stream.position for stream in chosen), 0
    with written_beside(target) as beside, packing(beside, target.name) as file:
        for stream in chosen:
            for page in pages(store, stream.number, 1, stream.position):
                file.write(text_of(page))
                done += len(page)
                progress(done, done / total)
            file.write(end_line(stream.position, stream.hash))
    return [Exported(stream.pool, stream.position, stream.hash.hex()) for stream in chosen]
