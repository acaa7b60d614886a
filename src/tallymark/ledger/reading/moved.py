"""Who stands elsewhere than at an entry, for whoever keeps where everybody stands."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.engine import Connection

from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.fold.rows import Row
from tallymark.ledger.ids import id_of
from tallymark.ledger.ratings import row_of
from tallymark.ledger.reach import PAGE, StoredReach, page
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.tables import RATING
from tallymark.methodology import Methodology

_ALL = ("imported", "rules")
"""Kinds of entries after which everybody is read: they say of many, or mean something else by a state."""


class Moved(NamedTuple):
    """Rows of players as they stand at the entry `position`, under `rules`. `everybody`: they are all that there are;
    else those whose row may be another than it was."""

    position: int
    rules: Methodology
    rows: dict[Id, Row]
    everybody: bool


def moved(
    connection: Connection, pool: int, position: int, rules: Methodology, rulebook: Rulebook, since: int
) -> Moved:
    """Who may have moved between an entry and the pool's last one, which has that position and those rules. Since 0, or
    too long ago, that is everybody."""
    players: set[Id] = set()
    everybody = since <= 0 or position - since > PAGE
    if not everybody:
        for entry in page(connection, pool, since + 1, position):
            if entries.prefix(entry.body).kind in _ALL:
                everybody = True
                break
            players.update(player for player, _, _ in entries.after_in(entry.body))
    if everybody:
        found = connection.execute(select(RATING).where(RATING.c.pool == pool))
        rows = {id_of(row.player): row_of(row, rules) for row in found}
    else:
        rows = StoredReach(connection, pool, rulebook, {}).rows(players, rules)
    return Moved(position, rules, rows, everybody)
