"""Glicko (Glickman, *The Glicko system*): rating and deviation, the deviation growing by c between periods.

In units of 400/ln 10 points it is Glicko-2 without a volatility: the same g, E and step 7.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from tallymark.numeric import formula
from tallymark.systems.face import Constants, Formulas, System, formulas_over
from tallymark.systems.glicko2 import combine, g, game, logit
from tallymark.systems.parameters import accept_all, parameter
from tallymark.systems.rating import Rating, Scale

PAPER = "Glickman, The Glicko system"


class GlickoConstants(NamedTuple):
    """`Glicko` as its formulas take it: c^2 on the scale of mu, a period."""

    c2: float


@formula(inline=True)
def settle(
    mu: float, phi2: float, sigma2: float, w: float, u: float, elapsed: float, played: float, k: Constants
) -> tuple[float, float, float, bool]:
    """Step 2: the ratings after the period, from the deviation at its onset."""
    new_mu, new_phi2 = combine(mu, phi2, w, u)
    return new_mu, new_phi2, sigma2, True


@formula(inline=True)
def settle_quickly(
    mu: float, phi2: float, sigma2: float, w: float, u: float, elapsed: float, played: float, k: Constants
) -> tuple[float, float, float, float]:
    """`settle`, which never is in doubt."""
    new_mu, new_phi2, new_sigma2, _ = settle(mu, phi2, sigma2, w, u, elapsed, played, k)
    return new_mu, new_phi2, new_sigma2, 0.0


@formula(inline=True)
def growth(mu: float, phi2: float, sigma2: float, n: float, k: GlickoConstants) -> float:
    """Step 1: phi^2 + c^2 n. (The cap, 350 in the paper, is the methodology's bound.)"""
    return phi2 + n * k.c2


@dataclass(frozen=True)
class Glicko(System):
    """Glicko: rating and deviation.

    >>> after = Glicko().update(
    ...     Rating(1500, 200), [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    ... )
    >>> round(after.rating, 1), round(after.deviation, 1)
    (1464.1, 151.4)
    """

    kind: ClassVar[str] = "glicko"
    grows_first: ClassVar[bool] = True

    c: float = parameter(
        44.721359549995796,
        unit="points a square root of a period",
        low=0.0,
        high=1e4,
        source=PAPER + ", step 1",
        doc="How the deviation grows: c^2 is added to its square each period. sqrt((350^2 - 50^2) / 60) by default.",
    )
    rating: float = parameter(
        1500.0, unit="points", low=-1e9, high=1e9, source=PAPER + ", step 1", doc="Rating of a newcomer."
    )
    deviation: float = parameter(
        350.0, unit="points", low=0.0, high=1e9, source=PAPER + ", step 1", doc="Deviation of a newcomer."
    )
    unit: float = parameter(
        173.71779276130073,
        unit="points",
        low=1e-6,
        high=1e6,
        source=PAPER + ", q = ln 10 / 400",
        doc="Display points to one unit of mu: 1/q.",
    )

    def __post_init__(self) -> None:
        accept_all(self)

    @property
    def scale(self) -> Scale:
        return Scale(self.unit, 1500.0)

    @property
    def formulas(self) -> Formulas:
        return formulas_over(g, game, settle, settle_quickly, growth, logit)

    def constants(self, steps: float = 0.0) -> GlickoConstants:
        c = self.c / self.unit
        return GlickoConstants(c * c)

    def initial(self) -> Rating:
        return Rating(self.rating, self.deviation, 0.0)
