"""A ledger recounted where it stands, and what it shows compared with what its entries say."""

import os
from collections.abc import Iterator
from functools import partial
from typing import Final

from sqlalchemy import bindparam, exists, select
from sqlalchemy.engine import Connection

from tallymark.errors import BrokenChainError, LedgerError, ProjectionError
from tallymark.games.progress import Progress
from tallymark.ledger.bundle import line_of
from tallymark.ledger.closings import Frozen, no_window
from tallymark.ledger.comparing import Difference, differing
from tallymark.ledger.entries import Entry
from tallymark.ledger.export import Stream, streams
from tallymark.ledger.ids import id_of, key_of
from tallymark.ledger.ratings import values_of
from tallymark.ledger.reach import PAGE, as_bytes, page, pages
from tallymark.ledger.recount import Followed, Recount, Stretch
from tallymark.ledger.schema import opened
from tallymark.ledger.stairs import Everybody
from tallymark.ledger.stairs import differences as uneven
from tallymark.ledger.store import Store
from tallymark.ledger.tables import ENTRY, HEAD, INBOX, RATING, RECEIPT
from tallymark.replay.engines import Engine

_HEAD: Final = select(HEAD.c.position, HEAD.c.hash, HEAD.c.stand).where(HEAD.c.pool == bindparam("of"))
_LOST: Final = (
    select(RECEIPT.c.id, RECEIPT.c.item)
    .where(
        RECEIPT.c.pool == bindparam("of"),
        ~exists().where(ENTRY.c.receipt == RECEIPT.c.id),
        ~exists().where(INBOX.c.pool == RECEIPT.c.pool, INBOX.c.receipt == RECEIPT.c.id),
    )
    .order_by(RECEIPT.c.id)
    .limit(1)
)
_RATINGS: Final = select(RATING).where(RATING.c.pool == bindparam("of"))


def recounted(where: str | os.PathLike[str], engine: Engine, progress: Progress) -> Iterator[Stretch]:
    """Every pool of a ledger from its first entry to its last, and then its projections."""
    store = opened(where)
    try:
        found = streams(store)
        total, done = sum(stream.position for stream in found), 0
        for stream in found:
            frozen, differ = Frozen(stream.number), list[Difference]()
            for stretch in followed(store, stream, engine, closing=True):
                yield stretch
                with store.reading() as connection:
                    differ += _frozen(connection, frozen, stretch.recount)
                done += len(stretch.done.entries)
                progress(done, min(1.0, done / total))
            recount = stretch.recount
            with store.reading() as connection:  # one state of it: what has come since, and all that is shown
                yield Stretch(recount, caught_up(connection, stream.number, recount), over=True)
                differ += differences(connection, stream.number, recount) + _frozen(connection, frozen, recount)
                differ += [no_window(span, start) for span, start in frozen.rest(connection)]
                refuse_lost(connection, stream)
            if differ:
                raise ProjectionError(
                    f"{stream.pool!r} shows {len(differ):,} values that its entries do not give: {differ[0]}",
                    hint="tallymark ledger rebuild",
                )
    finally:
        store.close()


def followed(store: Store, stream: Stream, engine: Engine, closing: bool = False) -> Iterator[Stretch]:
    """A pool's entries out of the database, as far as they went when that was asked; `closing`: windows too."""
    recount: Recount | None = None
    for low in range(1, stream.position + 1, PAGE):
        with store.reading() as connection:
            lines = _lines(connection, stream.number, low, min(low + PAGE - 1, stream.position))
        if recount is None:
            recount = Recount(lines.pop(0), engine, partial(_again, store, stream.number), closing)
            yield Stretch(recount, recount.first)
        yield Stretch(recount, recount.follow(lines))


def caught_up(connection: Connection, pool: int, recount: Recount) -> Followed:
    """The entries that have come since, in this state of the ledger; its head has to be the last of them."""
    position, link, stand = connection.execute(_HEAD, {"of": pool}).one()
    done = Followed([], [])
    for low in range(recount.position + 1, position + 1, PAGE):
        more = recount.follow(_lines(connection, pool, low, min(low + PAGE - 1, position)))
        done = Followed(done.entries + more.entries, done.items + more.items)
    recount.finish()
    if (as_bytes(link), as_bytes(stand)) != (recount.hash, recount.stand.to_bytes()):
        raise BrokenChainError(
            f"the head of {recount.pool!r} is not its entry {position:,}: it has {as_bytes(link).hex()[:16]}... and "
            f"{as_bytes(stand).decode(errors='backslashreplace')}; a recount has {recount.hash.hex()[:16]}... and "
            f"{recount.stand.to_bytes().decode()}",
            position=position,
        )
    return done


def refuse_lost(connection: Connection, stream: Stream) -> None:
    """`LedgerError` for a receipt whose item neither waits nor has an entry: what was acknowledged is gone."""
    lost = connection.execute(_LOST, {"of": stream.number}).first()
    if lost is not None:
        raise LedgerError(
            f"{id_of(lost.item)!r} was received by {stream.pool!r}, receipt {lost.id:,}, and neither waits nor has an "
            "entry",
            hint="somebody took it out of the database: it has to be restored from a backup",
        )


def differences(connection: Connection, pool: int, recount: Recount) -> list[Difference]:
    """Where rows of players are not what a recount gives, column by column; and steps are not what rows give."""
    found: list[Difference] = []
    expected = dict(recount.players)
    everybody = Everybody()
    for row in connection.execute(_RATINGS, {"of": pool}).mappings():
        player = id_of(row["player"])
        again = expected.pop(player, None)
        if again is None:
            found.append(Difference(f"player {row['player']}", "there", "nobody"))
            continue
        values = values_of(pool, row["player"], player, again, recount.methodology)
        everybody.add(values)
        found += differing(f"player {row['player']}", row, values)
    for player, again in expected.items():
        everybody.add(values_of(pool, key_of(player), player, again, recount.methodology))
        found.append(Difference(f"player {key_of(player)}", "nobody", "there"))
    return found + uneven(connection, pool, everybody)


def _frozen(connection: Connection, frozen: Frozen, recount: Recount) -> list[Difference]:
    return [one for _, differ in frozen.look(connection, recount.closings()) for one in differ]


def _lines(connection: Connection, pool: int, first: int, last: int) -> list[bytes]:
    entries = page(connection, pool, first, last)
    if len(entries) < last - first + 1:
        there = {entry.position for entry in entries}
        missing = next(n for n in range(first, last + 1) if n not in there)
        raise BrokenChainError(f"entry {missing:,} is missing", position=missing)
    return [line_of(entry) for entry in entries]


def _again(store: Store, pool: int, first: int, last: int) -> Iterator[Entry]:
    for entries in pages(store, pool, first, last):
        yield from entries
