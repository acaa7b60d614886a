"""A player's row: the state, its counts, and the entry that it is from."""

import math
import struct
from typing import Final, NamedTuple, overload

import numpy as np

from tallymark.fixedpoint.felt import NEVER_RATED, Player, pack
from tallymark.methodology import Methodology
from tallymark.methodology.limits import shown
from tallymark.replay.columns import NEVER, FloatColumn, IntColumn, Players
from tallymark.systems.q32 import value

DOUBLES: Final = struct.Struct(">3d")
"""mu, phi^2 and sigma^2, the higher bytes first."""
FELT_BYTES: Final = 30


class Row(NamedTuple):
    """Where a player stands in a pool: the columns of `replay.columns.Players`, the last entry, and a contract's felt.

    `position` is that of the entry that made it, and `settled` that of the last one that settled a match of the
    player's; 0 where none has.
    """

    mu: float
    phi2: float
    sigma2: float
    last: int
    rated: int
    games: int
    wins: int
    draws: int
    losses: int
    last_played: int
    established: int
    has_peak: int
    peak: float
    position: int = 0
    felt: int = 0
    settled: int = 0


def newcomer(rules: Methodology) -> Row:
    """Who has not played.

    >>> from tallymark.methodology import methodology
    >>> newcomer(methodology("elo")).games
    0
    """
    mu, phi2, sigma2 = rules.entered(rules.initial())
    return Row(mu, phi2, sigma2, NEVER, 0, 0, 0, 0, 0, NEVER, 0, 0, 0.0)


def columns_of(rows: list[Row]) -> Players:
    """Rows as the columns that a fold takes."""
    if not rows:
        return Players(*([] for _ in Players._fields))
    return Players(*map(list, list(zip(*rows, strict=True))[: len(Players._fields)]))


def rows_of(players: Players) -> list[Row]:
    """Columns as rows, without their entries.

    >>> from tallymark.methodology import methodology
    >>> one = newcomer(methodology("elo"))
    >>> rows_of(columns_of([one])) == [one]
    True
    """
    return [Row(*values) for values in zip(*(listed(column) for column in players), strict=True)]


@overload
def listed(column: FloatColumn) -> list[float]: ...
@overload
def listed(column: IntColumn) -> list[int]: ...
def listed(column: FloatColumn | IntColumn) -> list[float] | list[int]:
    """A column as a list, whichever engine it was for."""
    return column.tolist() if isinstance(column, np.ndarray) else column


def state_bytes(row: Row, rules: Methodology) -> bytes:
    """The exact state as it is kept: three doubles, or a felt."""
    return row.felt.to_bytes(FELT_BYTES, "big") if rules.numbers.exact else DOUBLES.pack(*row[:3])


def state_text(row: Row, rules: Methodology) -> str:
    """The exact state as entries have it: hexadecimal of the doubles or the felt; of scaled integers, the integers.

    >>> from tallymark.methodology import methodology
    >>> state_text(newcomer(methodology("votes")), methodology("votes"))
    '[150000,35000,60000]'
    >>> state_text(newcomer(methodology("arena")), methodology("arena"))[:17]
    '"0000000000000000'
    """
    if rules.numbers.scaled:
        return scaled_text(row[:3], rules)
    return f'"{state_bytes(row, rules).hex()}"'


def scaled_text(state: tuple[float, float, float], rules: Methodology) -> str:
    """Scaled integers, as stored."""
    numbers = rules.numbers
    rating, deviation, volatility = shown(*state, rules.limits)
    r = round(rating * numbers.rating_multiplier)
    d = round(deviation * numbers.deviation_multiplier)
    v = round(volatility * numbers.volatility_multiplier)
    return f"[{r},{d},{v}]"


def of_felt(player: Player, before: Row, played: int) -> Row:
    """The row of a contract's player after a game at `played`, in microseconds."""
    if player == NEVER_RATED:
        return before
    phi = value(player.phi)
    return Row(
        mu=value(player.mu),
        phi2=phi * phi,
        sigma2=0.0,
        last=max(before.last, played),
        rated=1,
        games=player.games,
        wins=player.wins,
        draws=player.draws,
        losses=player.losses,
        last_played=max(before.last_played, played),
        established=int(player.established),
        has_peak=int(player.has_peak),
        peak=value(player.peak),
        position=before.position,
        felt=pack(player),
        settled=before.settled,
    )


def displayed(row: Row, rules: Methodology) -> tuple[float, float, float]:
    """Rating, deviation and volatility, as published."""
    return shown(row.mu, row.phi2, row.sigma2, rules.limits)


def displayed_peak(row: Row, rules: Methodology) -> float | None:
    """The peak on the display scale; None where there is none."""
    if not row.has_peak:
        return None
    rating = shown(row.peak, 0.0, 0.0, rules.limits)[0]
    return rating if math.isfinite(rating) else None
