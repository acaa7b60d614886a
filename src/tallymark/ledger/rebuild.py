"""Rebuild: projections made again from the entries, and compared with what stood there."""

from typing import NamedTuple

from sqlalchemy import delete, insert
from sqlalchemy.engine import Connection

from tallymark.ledger.export import Stream
from tallymark.ledger.ids import key_of
from tallymark.ledger.live import Difference, caught_up, differences, followed
from tallymark.ledger.ratings import values_of
from tallymark.ledger.recount import Recount
from tallymark.ledger.store import Store
from tallymark.ledger.tables import RATING
from tallymark.replay.engines import Engine

_AT_ONCE = 5000


class Rebuilt(NamedTuple):
    """A pool whose projections were made again: how far its stream goes, and what stood there and was not its."""

    pool: str
    position: int
    players: int
    differed: list[Difference]


def rebuild(store: Store, stream: Stream, engine: Engine) -> Rebuilt:
    """Recounts a pool, drops its projections and writes them anew. `BrokenChainError` where its entries do not follow:
    nothing is changed then.
    """
    for stretch in followed(store, stream, engine):
        recount = stretch.recount
    with store.writing() as connection:  # no rater moves the head meanwhile
        caught_up(connection, stream.number, recount)
        differed = differences(connection, stream.number, recount)
        connection.execute(delete(RATING).where(RATING.c.pool == stream.number))
        project(connection, stream.number, recount)
    return Rebuilt(recount.pool, recount.position, len(recount.players), differed)


def project(connection: Connection, pool: int, recount: Recount) -> None:
    """Writes the projections of a pool that has none."""
    rows = sorted((key_of(player), row) for player, row in recount.players.items())
    for low in range(0, len(rows), _AT_ONCE):
        some = [values_of(pool, key, row, recount.methodology) for key, row in rows[low : low + _AT_ONCE]]
        connection.execute(insert(RATING), some)
