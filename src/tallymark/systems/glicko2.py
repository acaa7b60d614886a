"""Glicko-2 (Glickman, *Example of the Glicko-2 system*, 2013 form), written once.

A side is (mu, phi^2, sigma^2). Its games of a period come as two sums,
    w = sum g_j^2 E_j (1 - E_j)      (the paper's 1 / v, step 3)
    u = sum g_j (s_j - E_j)          (the paper's Delta / v, step 4)
and everything is written in w and u, so that no game (w = u = 0) and tau = 0 are ordinary values, not branches.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from tallymark.numeric import formula, logistic
from tallymark.systems.face import Constants, Formulas, System, formulas_over
from tallymark.systems.illinois import illinois
from tallymark.systems.parameters import SIGMA, accept_all, parameter, refuse_idle
from tallymark.systems.rating import Rating, Scale
from tallymark.systems.volatility import new_sigma2, quick

THREE_OVER_PI_SQUARED: Final = 0.3039635509270133
PAPER: Final = "Glickman, Example of the Glicko-2 system"


@formula(inline=True)
def g(phi2: float) -> float:
    """g(phi), step 3: how much a game against an opponent of that variance counts. Within 2.5 ulp for any finite phi^2.

    >>> g(0.0)
    1.0
    """
    return 1.0 / math.sqrt(1.0 + THREE_OVER_PI_SQUARED * phi2)


@formula(inline=True)
def information(g_other: float, e: float, not_e: float) -> float:
    """What a game adds to 1/v: g^2 E (1 - E), step 3. Within 7 ulp of what g and the logit give, E (1 - E) within 6."""
    return g_other * g_other * (e * not_e)


@formula(inline=True)
def surprise(g_other: float, e: float, not_e: float, s: float, not_s: float) -> float:
    """What a game adds to Delta/v: g (s - E), step 4, as s (1 - E) - (1 - s) E so that nothing cancels."""
    return g_other * (s * not_e - not_s * e)


@formula(inline=True)
def game(
    mu: float, mu_other: float, g_other: float, s: float, not_s: float, share: float, k: Constants
) -> tuple[float, float]:
    """What one game adds to (w, u), steps 3 and 4."""
    e, not_e = logistic(g_other * (mu - mu_other))
    return information(g_other, e, not_e), surprise(g_other, e, not_e, s, not_s)


@formula(inline=True)
def combine(mu: float, aged: float, w: float, u: float) -> tuple[float, float]:
    """(mu', phi'^2), step 7, from the pre-period variance `aged` (step 6). NaN where doubles end: the range check."""
    divisor = 1.0 + aged * w
    new_phi2 = aged / divisor if divisor < math.inf else math.nan
    return mu + new_phi2 * u, new_phi2


class Glicko2Constants(NamedTuple):
    """`Glicko2` as its formulas take it."""

    tau: float
    tau2: float
    least: float
    tolerance: float
    iterations: float


@formula(inline=False)
def settle(
    mu: float, phi2: float, sigma2: float, w: float, u: float, elapsed: float, played: float, k: Glicko2Constants
) -> tuple[float, float, float, bool]:
    """Steps 5 to 7 for a side with the sums w and u, the volatility by Newton."""
    w = w if w >= k.least else k.least
    sigma2 = new_sigma2(phi2, sigma2, w, u, k.tau2)
    new_mu, new_phi2 = combine(mu, phi2 + elapsed * sigma2, w, u)
    return new_mu, new_phi2, sigma2, True


@formula(inline=True)
def settle_quickly(
    mu: float, phi2: float, sigma2: float, w: float, u: float, elapsed: float, played: float, k: Glicko2Constants
) -> tuple[float, float, float, float]:
    """`settle` by straight-line code, and 1 where it needs the careful walk, else 0."""
    w = w if w >= k.least else k.least
    sigma2, doubt = quick(phi2, sigma2, w, u, k.tau2)
    new_mu, new_phi2 = combine(mu, phi2 + elapsed * sigma2, w, u)
    return new_mu, new_phi2, sigma2, doubt


@formula(inline=True)
def undone(
    mu: float, phi2: float, sigma2: float, w: float, u: float, elapsed: float, played: float, k: Constants
) -> tuple[float, float, float, float]:
    """For a `settle` that has no straight-line form: always in doubt."""
    return mu, phi2, sigma2, 1.0


@formula(inline=False)
def settle_by_illinois(
    mu: float, phi2: float, sigma2: float, w: float, u: float, elapsed: float, played: float, k: Glicko2Constants
) -> tuple[float, float, float, bool]:
    """Steps 5 to 7 for a side with the sums w and u, the volatility by the paper's Illinois run."""
    w = w if w >= k.least else k.least
    sigma2, converged = illinois(phi2, sigma2, w, u, k.tau, k.tolerance, k.iterations)
    new_mu, new_phi2 = combine(mu, phi2 + elapsed * sigma2, w, u)
    return new_mu, new_phi2, sigma2, converged


@formula(inline=True)
def growth(mu: float, phi2: float, sigma2: float, n: float, k: Constants) -> float:
    """phi^2 after n periods without games, step 6 in closed form."""
    return phi2 + n * sigma2


@formula(inline=True)
def logit(mu_a: float, mu_b: float, phi2_a: float, phi2_b: float, k: Constants) -> float:
    """The logit of a's winning probability: both deviations count (spec, not the paper's E)."""
    return g(phi2_a + phi2_b) * (mu_a - mu_b)


@dataclass(frozen=True)
class Glicko2(System):
    """Glicko-2: rating, deviation and volatility.

    >>> p = Rating(1500, 200, 0.06)
    >>> after = Glicko2(tau=0.5).update(
    ...     p, [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    ... )
    >>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
    (1464.05, 151.52, 0.06)
    """

    kind: ClassVar[str] = "glicko2"
    grows_first: ClassVar[bool] = False
    has_volatility: ClassVar[bool] = True
    growth_in_update: ClassVar[float] = 1.0

    tau: float = parameter(
        0.5,
        unit="of ln sigma^2, a square root of a period",
        low=0.0,
        high=10.0,
        source=PAPER + ", step 1",
        doc="How fast volatility may change; 0 keeps it.",
    )
    rating: float = parameter(
        1500.0, unit="points", low=-1e9, high=1e9, source=PAPER + ", step 1", doc="Rating of a newcomer."
    )
    deviation: float = parameter(
        350.0, unit="points", low=0.0, high=1e9, source=PAPER + ", step 1", doc="Deviation of a newcomer."
    )
    volatility: float = parameter(
        0.06, unit=SIGMA, low=0.0, high=10.0, source=PAPER + ", step 1", doc="Volatility of a newcomer."
    )
    unit: float = parameter(
        173.7178,
        unit="points",
        low=1e-6,
        high=1e6,
        source=PAPER + ", step 2",
        doc="Display points to one unit of mu, as the paper prints it; 400/ln 10 gives other bits.",
    )
    solver: str = parameter(
        "newton",
        kind=str,
        choices=("newton", "illinois"),
        source="spec glicko2.md, Volatility",
        doc="newton: the nearest root to 1e-13; illinois: the paper's own run with its tolerance and cap.",
    )
    tolerance: float = parameter(
        1e-6,
        unit="ln sigma^2",
        low=1e-15,
        high=1.0,
        source=PAPER + ", step 5",
        doc="Where an Illinois run stops. Only with illinois.",
    )
    iterations: int = parameter(
        100,
        kind=int,
        unit="iterations",
        low=1,
        high=10000,
        source="spec votes.md",
        doc="Cap of an Illinois run. Only with illinois.",
    )
    minimum_information: float = parameter(
        0.0,
        unit="1/phi^2",
        low=0.0,
        high=1.0,
        source="spec votes.md",
        doc="Floor of what divides in step 3, the sum of g^2 E (1 - E); 0 for none.",
    )

    def __post_init__(self) -> None:
        accept_all(self)
        if self.solver != "illinois":
            refuse_idle(self, ("tolerance", "iterations"), "it goes with the solver illinois")

    @property
    def scale(self) -> Scale:
        return Scale(self.unit, 1500.0)

    @property
    def formulas(self) -> Formulas:
        if self.solver == "newton":
            return formulas_over(g, game, settle, settle_quickly, growth, logit)
        return formulas_over(g, game, settle_by_illinois, undone, growth, logit)

    def constants(self, steps: float = 0.0) -> Glicko2Constants:
        return Glicko2Constants(
            self.tau, self.tau * self.tau, self.minimum_information, self.tolerance, float(self.iterations)
        )

    def initial(self) -> Rating:
        return Rating(self.rating, self.deviation, self.volatility)
