"""Who has moved on a board while somebody pages through it, and where they stood when the first page was read.

An entry says for each player which one was before it, and that one has the state before. So whoever follows the pages
of a board meets everybody once, in the order of the first page, whatever is rated meanwhile.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy.engine import Connection

from tallymark.errors import StaleError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.fold.played import Match
from tallymark.ledger.places import place_of
from tallymark.ledger.ratings import provisional
from tallymark.ledger.reach import PAGE, page
from tallymark.ledger.reading.effects import bodies
from tallymark.ledger.reading.rows import Rows, by_player
from tallymark.ledger.reading.states import Told, rated_match, told
from tallymark.ledger.rulebook import Rulebook
from tallymark.methodology import Methodology

_ALL: Final = ("states", "restated", "imported", "rules")
"""Kinds of entries that move everybody, or make of a state another number."""


class Was(NamedTuple):
    """Where a player stood then; `place` is None for who was on no board. `settled`: the last entry until then that
    settled a match of theirs."""

    place: bytes | None
    settled: int
    provisional: bool


def moved(
    connection: Connection, pool: int, since: int, until: int, rules: Methodology, rulebook: Rulebook, rows: Rows
) -> dict[Id, Was]:
    """Everybody who has an entry between two, and where they stood after the first of these; `rows` stand at the
    second."""
    if until - since > PAGE:
        raise stale(f"{until - since:,} entries have come since")
    before: dict[Id, int] = {}
    games: Counter[Id] = Counter()
    for entry in page(connection, pool, since + 1, until):
        kind = entries.prefix(entry.body).kind
        if kind in _ALL:
            raise stale(f"entry {entry.position:,} has moved everybody")
        for player, _, previous in entries.after_in(entry.body):
            before.setdefault(player, previous)
        if kind == "rated":
            games.update(_games(rated_match(entry.body)))
    now = by_player(rows.rows(list(before)))
    bodies_at = dict(bodies(connection, pool, sorted({position for position in before.values() if position})))
    found: dict[Id, Was] = {}
    for player, previous in before.items():
        played = now[player].games - games[player]
        found[player] = _was(connection, pool, player, previous, played, bodies_at, rules, rulebook)
    return found


def stale(why: str) -> StaleError:
    """What says that the pages of a board cannot be followed any further."""
    return StaleError(f"this board is another one than when its first page was read: {why}", hint="begin again")


def _was(
    connection: Connection,
    pool: int,
    player: Id,
    position: int,
    played: int,
    bodies_at: Mapping[int, bytes],
    rules: Methodology,
    rulebook: Rulebook,
) -> Was:
    if not position or played <= 0:
        return Was(None, 0, True)
    body = bodies_at[position]

    def state() -> Told:
        found = told(body, player, rulebook.at(connection, pool, entries.prefix(body).rules_at))
        assert found is not None
        return found

    now = state()
    place = place_of(now.rating.rating, now.rating.deviation, played, player)
    is_provisional, previous = provisional(now.phi2, played, rules), now.before
    while entries.prefix(body).kind not in ("rated", "states") and previous:  # set by people: matches are before it
        position = previous
        body = page(connection, pool, position, position)[0].body
        previous = state().before
    return Was(place, position, is_provisional)


def _games(match: Match) -> dict[Id, int]:
    """How many games a match is for each of its players: one against each of another side."""
    if not match.sides:
        return {match.a: 1, match.b: 1}
    everybody = sum(len(side.players) for side in match.sides)
    return {player: everybody - len(side.players) for side in match.sides for player in side.players}
