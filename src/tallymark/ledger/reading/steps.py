"""A player's entries, each of which says which one was before it."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.errors import UnknownError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry, Prefix
from tallymark.ledger.fold.rows import displayed, newcomer
from tallymark.ledger.ids import key_of
from tallymark.ledger.reach import PAGE, page
from tallymark.ledger.reading.states import told
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.tables import RATING
from tallymark.methodology import Methodology
from tallymark.systems import Rating

_LAST: Final = select(RATING.c.position).where(RATING.c.pool == bindparam("of"), RATING.c.player == bindparam("who"))


class Step(NamedTuple):
    """An entry of a player: the state after it, and the entry before."""

    entry: Entry
    told: Prefix
    rating: Rating
    place: int
    previous: int


def path(connection: Connection, pool: int, player: Id, before: int | None, rulebook: Rulebook) -> Iterator[Step]:
    """The player's entries from the latest on; from the one before a position, where that is one of them."""
    position = connection.scalar(_LAST, {"of": pool, "who": key_of(player)}) or 0
    if not position:
        raise UnknownError(f"{player!r} has no rating in this pool", kind="player")
    if before is not None and before < position:
        there = _step(connection, pool, player, before, rulebook)
        position = position if there is None else there.previous
    while position:
        step = _step(connection, pool, player, position, rulebook)
        assert step is not None
        position = step.previous
        if before is None or step.entry.position < before:
            yield step


def _step(connection: Connection, pool: int, player: Id, position: int, rulebook: Rulebook) -> Step | None:
    """The player's state in an entry; None where the entry has none."""
    found = page(connection, pool, position, position) if position > 0 else []
    if not found:
        return None
    (entry,) = found
    begins = entries.prefix(entry.body)
    state = told(entry.body, player, rulebook.at(connection, pool, begins.rules_at))
    return None if state is None else Step(entry, begins, state.rating, state.place, state.before)


def published_newcomer(rules: Methodology) -> Rating:
    """Who has not played, as published."""
    return Rating(*displayed(newcomer(rules), rules))


def stream_of(connection: Connection, pool: int, header: Entry) -> list[Entry]:
    """The entries between one that says that a period was rated and the one before it that says so."""
    first = header.position
    stream: list[Entry] = []
    while first > 1:
        some = page(connection, pool, max(1, first - PAGE), first - 1)
        first = some[0].position
        for place, entry in reversed(list(enumerate(some))):
            if entries.prefix(entry.body).kind == "closed" and entries.rated_period(entry.body) is not None:
                some, first = some[place + 1 :], 1
                break
        stream = some + stream
    return stream
