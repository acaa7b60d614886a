"""Rows of players as the database keeps them."""

import struct
from typing import Any, Final

from sqlalchemy import Row as Found

from tallymark.fixedpoint.felt import unpack
from tallymark.ledger.fold.rows import DOUBLES, Row, displayed, newcomer, of_felt, state_bytes
from tallymark.ledger.ids import id_of
from tallymark.ledger.places import place_of
from tallymark.ledger.store.base import Values
from tallymark.methodology import Methodology

PEAK: Final = struct.Struct(">d")


def values_of(pool: int, key: str, row: Row, rules: Methodology) -> Values:
    """What the table `rating` holds of a row."""
    rating, deviation, _ = displayed(row, rules)
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
        "place": place_of(rating, deviation, row.games, id_of(key)) if row.rated and row.games else None,
    }


def row_of(found: Found[Any], rules: Methodology) -> Row:
    """The row that the table `rating` holds."""
    if rules.numbers.exact:
        felt = int.from_bytes(found.state, "big")
        row = of_felt(unpack(felt), newcomer(rules), found.last_played)
        return row._replace(last=found.last, position=found.position, settled=found.settled)
    mu, phi2, sigma2 = DOUBLES.unpack(found.state)
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
