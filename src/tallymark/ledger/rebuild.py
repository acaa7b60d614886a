"""Rebuild: projections made again from the entries, and compared with what stood there."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, insert
from sqlalchemy.engine import Connection

from tallymark.ledger.closer import Closing
from tallymark.ledger.closings import Frozen, no_window, remove, write
from tallymark.ledger.comparing import Difference
from tallymark.ledger.export import Stream
from tallymark.ledger.ids import key_of
from tallymark.ledger.live import caught_up, differences, followed
from tallymark.ledger.people import recognised
from tallymark.ledger.ratings import values_of
from tallymark.ledger.recount import Recount
from tallymark.ledger.stairs import built
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
    ratings are not changed then.
    """
    frozen, differed = Frozen(stream.number), list[Difference]()
    for stretch in followed(store, stream, engine, closing=True):
        recount = stretch.recount
        closings = recount.closings()  # what is over does not change any more: each is made again by itself
        if closings:
            with store.writing() as connection:
                differed += _frozen(connection, stream.number, frozen, closings)
    with store.writing() as connection:  # no rater moves the head meanwhile
        caught_up(connection, stream.number, recount)
        differed += _frozen(connection, stream.number, frozen, recount.closings())
        for span, start in frozen.rest(connection):
            remove(connection, stream.number, span, start)
            differed.append(no_window(span, start))
        differed += differences(connection, stream.number, recount)
        connection.execute(delete(RATING).where(RATING.c.pool == stream.number))
        project(connection, stream.number, recount)
    return Rebuilt(recount.pool, recount.position, len(recount.players), differed)


def _frozen(connection: Connection, pool: int, frozen: Frozen, closings: Sequence[Closing]) -> list[Difference]:
    """Makes windows that are over again where they are not what they should be; what differed."""
    found: list[Difference] = []
    for closing, differ in frozen.look(connection, closings):
        write(connection, pool, closing)
        found += differ
    return found


def project(connection: Connection, pool: int, recount: Recount) -> None:
    """Writes the projections of a pool that has none."""
    rules = recount.methodology
    rows = sorted((key_of(player), player, row) for player, row in recount.players.items())
    for low in range(0, len(rows), _AT_ONCE):
        some = [values_of(pool, key, player, row, rules) for key, player, row in rows[low : low + _AT_ONCE]]
        connection.execute(insert(RATING), some)
    recognised(connection, RATING, RATING.c.pool == pool)
    built(connection, pool)
