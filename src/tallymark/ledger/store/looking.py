"""Looking up many rows by key, on either store."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Row, bindparam, select, text
from sqlalchemy.engine import Connection

from tallymark.ledger.tables import RATING

_AT_ONCE: Final = 500
"""Keys of one statement on SQLite."""
_LISTED: Final = select(RATING).where(
    RATING.c.pool == bindparam("of"), RATING.c.player.in_(bindparam("players", expanding=True))
)
# One look into the index for each. Told `player IN (...)`, PostgreSQL reads all of a pool while it has no statistics,
# and a plan that was made then is kept. OFFSET 0: the inner part is not to be turned into a join.
_EACH: Final = text("""
    SELECT found.* FROM unnest(CAST(:players AS text[])) AS wanted (player), LATERAL (
        SELECT * FROM rating WHERE rating.pool = :of AND rating.player = wanted.player OFFSET 0
    ) AS found""")


def rating_rows(connection: Connection, pool: int, players: Sequence[str]) -> Iterator[Row[Any]]:
    """The rows of `rating` of those players, by key, who have one."""
    if connection.dialect.name == "postgresql":
        yield from connection.execute(_EACH, {"of": pool, "players": list(players)})
        return
    for low in range(0, len(players), _AT_ONCE):
        yield from connection.execute(_LISTED, {"of": pool, "players": players[low : low + _AT_ONCE]})
