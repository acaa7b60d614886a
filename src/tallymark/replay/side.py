"""One side after its games, inside the bounds of its methodology: what the fold does once a participant."""

from collections.abc import Callable
from typing import TypeAlias

from tallymark.methodology.limits import HELD, Limits, bounded, in_range, stored
from tallymark.numeric import formula, named_after
from tallymark.systems import Constants, Formulas

Side: TypeAlias = Callable[
    [float, float, float, float, float, float, float, Constants, Limits], tuple[float, float, float, int, bool]
]
"""(mu, phi2, sigma2, w, u, elapsed, played, k, limits) -> (mu, phi2, sigma2, flags, converged)."""


def make_side(run: Formulas) -> Side:
    """The update over one system's formulas. What leaves the range of doubles stays at the values before."""
    settle = run.settle

    @formula(inline=True)
    @named_after(run)
    def side(
        mu: float,
        phi2: float,
        sigma2: float,
        w: float,
        u: float,
        elapsed: float,
        played: float,
        k: Constants,
        limits: Limits,
    ) -> tuple[float, float, float, int, bool]:
        new_mu, new_phi2, new_sigma2, converged = settle(mu, phi2, sigma2, w, u, elapsed, played, k)
        if not in_range(new_mu, new_phi2, new_sigma2):
            return mu, phi2, sigma2, HELD, converged
        new_mu, new_phi2, new_sigma2, flags = bounded(mu, new_mu, new_phi2, new_sigma2, limits)
        new_mu, new_phi2, new_sigma2 = stored(new_mu, new_phi2, new_sigma2, limits)
        return new_mu, new_phi2, new_sigma2, flags, converged

    return side
