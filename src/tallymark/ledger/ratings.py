"""Rows of players as the database keeps them."""

import struct
from functools import cache
from math import isfinite
from typing import Any, Final

from sqlalchemy import Row as Found
from sqlalchemy import bindparam, select, update
from sqlalchemy.engine import Connection

from tallymark.errors import ProjectionError
from tallymark.fixedpoint.felt import unpack
from tallymark.games.ids import Id
from tallymark.ledger.fold.rows import DOUBLES, Row, displayed, newcomer, of_felt, state_bytes
from tallymark.ledger.ids import id_of
from tallymark.ledger.places import place_of
from tallymark.ledger.store.base import Values
from tallymark.ledger.tables import RATING
from tallymark.methodology import Methodology
from tallymark.systems.rating import Scale

PEAK: Final = struct.Struct(">d")


def values_of(pool: int, key: str, player: Id, row: Row, rules: Methodology) -> Values:
    """What the table `rating` holds of a player's row; `key` is the player's."""
    rating, deviation, _ = displayed(row, rules)
    there = bool(row.rated and row.games)
    return {
        "pool": pool,
        "player": key,
        "state": state_bytes(row, rules),
        "last": row.last,
        "rated": row.rated,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "last_played": row.last_played,
        "established": row.established,
        "peak": PEAK.pack(row.peak) if row.has_peak else None,
        "position": row.position,
        "settled": row.settled,
        "rating": rating,
        "deviation": deviation,
        "place": place_of(rating, deviation, row.games, player) if there else None,
        "low": lower(rating, deviation) if there else None,
        "provisional": int(provisional(row.phi2, row.games, rules)),
    }


def lower(rating: float, deviation: float) -> float:
    """The lower end of the interval of two deviations.

    >>> lower(1500.0, 100.0)
    1300.0
    """
    return rating - 2.0 * deviation


def upper(rating: float, deviation: float) -> float:
    """The upper end of it.

    >>> upper(1500.0, 100.0)
    1700.0
    """
    return rating + 2.0 * deviation


def provisional(phi2: float, games: int, rules: Methodology) -> bool:
    """Whether a rating is provisional: what `replay.board.provisionally` says of many."""
    published = rules.published
    if published.provisional_deviation is not None:
        bound = _phi2(rules.system.scale, published.provisional_deviation)
        if phi2 > bound or (phi2 == bound and published.provisional_at == "from"):
            return True
    return published.provisional_games is not None and games < published.provisional_games


@cache
def _phi2(scale: Scale, deviation: float) -> float:
    """A deviation as states have it: asked of every row that is written."""
    return scale.to_state(0.0, deviation, 0.0).phi2


def judged(connection: Connection, pool: int, rules: Methodology) -> None:
    """Says of everybody whether the rating is provisional, where other rules say so otherwise."""
    found = connection.execute(select(RATING).where(RATING.c.pool == pool)).all()
    turned = [
        {"of": pool, "who_": row.player, "now": now}
        for row in found
        if (now := int(provisional((told := row_of(row, rules)).phi2, told.games, rules))) != row.provisional
    ]
    if turned:
        which = RATING.c.pool == bindparam("of"), RATING.c.player == bindparam("who_")
        connection.execute(update(RATING).where(*which).values(provisional=bindparam("now")), turned)


def rows_of(connection: Connection, pool: int, rules: Methodology) -> dict[Id, Row]:
    """The rows of all players of a pool."""
    found = connection.execute(select(RATING).where(RATING.c.pool == pool))
    return {id_of(row.player): row_of(row, rules) for row in found}


def damaged(player: Id) -> ProjectionError:
    """What says that a player's row holds what no fold writes."""
    return ProjectionError(
        f"the rating of {player!r} holds what is no number; its entries are not concerned",
        hint="tallymark ledger rebuild makes ratings again from entries",
    )


def row_of(found: Found[Any], rules: Methodology) -> Row:
    """The row that the table `rating` holds."""
    if rules.numbers.exact:
        felt = int.from_bytes(found.state, "big")
        row = of_felt(unpack(felt), newcomer(rules), found.last_played)
        return row._replace(last=found.last, position=found.position, settled=found.settled)
    mu, phi2, sigma2 = DOUBLES.unpack(found.state)
    if not (isfinite(mu) and isfinite(phi2) and isfinite(sigma2)):
        raise damaged(id_of(found.player))
    return Row(
        mu,
        phi2,
        sigma2,
        found.last,
        found.rated,
        found.games,
        found.wins,
        found.draws,
        found.losses,
        found.last_played,
        found.established,
        int(found.peak is not None),
        0.0 if found.peak is None else PEAK.unpack(found.peak)[0],
        found.position,
        0,
        found.settled,
    )
