"""What entries did to ratings: everybody's state after an entry, and the one before it, which an earlier entry has."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.rows import displayed, newcomer
from tallymark.ledger.reach import as_bytes, page
from tallymark.ledger.reading.states import everybody
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.tables import ENTRY
from tallymark.methodology import Methodology
from tallymark.systems import Rating

COMPARED: Final = 100
"""Players of an entry up to whom the states before it are looked up: a chunk of a large period has a thousand, each
perhaps with an entry of its own before it."""
_AT_ONCE: Final = 500
_BODIES: Final = select(ENTRY.c.position, ENTRY.c.body).where(
    ENTRY.c.pool == bindparam("of"), ENTRY.c.position.in_(bindparam("at", expanding=True))
)


class Effect(NamedTuple):
    """A player's rating after an entry and before it, as published; where numbers age, as after the last result.

    `before` is None where it was not looked up, in an entry of more than `COMPARED` players, and for who was imported.
    """

    player: Id
    before: Rating | None
    after: Rating


class Effects(NamedTuple):
    """An entry, its kind, when it was settled (microseconds since 1970 UTC), and whom it moved."""

    entry: Entry
    kind: str
    at: int
    players: list[Effect]


def effects(connection: Connection, pool: int, first: int, last: int, rulebook: Rulebook) -> list[Effects]:
    """What the entries of a pool from a position to another did: those that there are, in their order."""

    def rules_of(body: bytes) -> Methodology:
        return rulebook.at(connection, pool, entries.prefix(body).rules_at)

    found = page(connection, pool, first, last)
    states = {entry.position: everybody(entry.body, rules_of(entry.body)) for entry in found}
    compared = [some for some in states.values() if len(some) <= COMPARED]
    wanted = {one.before for some in compared for one in some.values() if one.before} - states.keys()
    known = states | {
        position: everybody(body, rules_of(body)) for position, body in bodies(connection, pool, sorted(wanted))
    }
    done = []
    for entry in found:
        begins, some = entries.prefix(entry.body), states[entry.position]
        compare = len(some) <= COMPARED and begins.kind != "imported"
        unrated = _newcomer(rules_of(entry.body))
        players = [
            Effect(
                player, (known[one.before][player].rating if one.before else unrated) if compare else None, one.rating
            )
            for player, one in some.items()
        ]
        done.append(Effects(entry, begins.kind, begins.at, players))
    return done


def _newcomer(rules: Methodology) -> Rating:
    return Rating(*displayed(newcomer(rules), rules))


def bodies(connection: Connection, pool: int, positions: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The bytes of entries at some positions, with these; in no order."""
    for low in range(0, len(positions), _AT_ONCE):
        for position, body in connection.execute(_BODIES, {"of": pool, "at": positions[low : low + _AT_ONCE]}):
            yield position, as_bytes(body)
