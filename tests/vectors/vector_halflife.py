"""The real-valued model of the Go contract in 60 digits: no volatility step, ageing by the half-life of the rank."""

from dataclasses import dataclass
from typing import NamedTuple

from mpmath import mpf
from vector_formulas import MP, SCALE, g2

VARIANCE_CAP = 4
KNOTS = [(525 * MP.exp(k / MP.mpf(23.15)) - 1500) / SCALE for k in range(40)]
"""mu at the whole ranks 30k (0) to 9d (38) and one beyond."""


class GoPlayer(NamedTuple):
    """Glicko-2 scale, and days since this player's own last game (phi 2.0 and 0 days for a newcomer)."""

    mu: float
    phi: float
    days: float


@dataclass(frozen=True)
class GoUpdate:
    """One side after the game, with its working: rank index, half-life in days and aged variance before the game."""

    mu: mpf
    phi: mpf
    rank: mpf
    half_life: mpf
    aged_variance: mpf
    clamped: list[str]


def rank_index(mu: mpf) -> mpf:
    """Piecewise linear between the knots, held at the ends."""
    if mu <= KNOTS[0]:
        return MP.mpf(0)
    for k in range(39):
        if mu < KNOTS[k + 1]:
            return k + (mu - KNOTS[k]) / (KNOTS[k + 1] - KNOTS[k])
    return MP.mpf(39)


def half_life(rank: mpf) -> mpf:
    """Days: 15 below rank 16, 45 from rank 30, linear between."""
    return 15 + 30 * min(max(rank - 16, MP.mpf(0)), MP.mpf(14)) / 14


def aged_variance(player: GoPlayer) -> mpf:
    """phi^2 + c(r)^2 days, at most 4."""
    c = MP.mpf(1.15) * 2 * MP.log(2) / half_life(rank_index(MP.mpf(player.mu)))
    return min(MP.mpf(VARIANCE_CAP), MP.mpf(player.phi) ** 2 + c**2 * MP.mpf(player.days))


def side(player: GoPlayer, opponent: GoPlayer, score: float) -> GoUpdate:
    """One side of a game; both sides start from the values before it."""
    variance, weight = aged_variance(player), g2(MP.sqrt(aged_variance(opponent)))
    mu, rank = MP.mpf(player.mu), rank_index(MP.mpf(player.mu))
    e = 1 / (1 + MP.exp(-weight * (mu - MP.mpf(opponent.mu))))
    new_variance = 1 / (1 / variance + weight**2 * e * (1 - e))
    new_mu = mu + new_variance * weight * (MP.mpf(score) - e)
    kept_mu = min(max(new_mu, (100 - 1500) / SCALE), (3500 - 1500) / SCALE)
    kept_phi = max(MP.sqrt(new_variance), MP.mpf(0.01))
    clamped = ["rating"] * (kept_mu != new_mu) + ["deviation"] * (kept_phi != MP.sqrt(new_variance))
    return GoUpdate(kept_mu, kept_phi, rank, half_life(rank), variance, clamped)


def win_probability(a: GoPlayer, b: GoPlayer) -> mpf:
    """The probability shown: both aged variances count."""
    weight = g2(MP.sqrt(aged_variance(a) + aged_variance(b)))
    return 1 / (1 + MP.exp(-weight * (MP.mpf(a.mu) - MP.mpf(b.mu))))
