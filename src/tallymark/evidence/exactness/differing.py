"""How far apart two replays of the same games are, measured in columns."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Difference:
    """How far a replay in integers is from the one in floats: P of games, mu and phi of players (natural scale).

    `largest` and `mean` are of sizes, |integers - floats|; `drift` is the mean of the differences with their signs,
    integers less floats: where errors go both ways they cancel there, and where all go one way nothing does. NaN over
    nothing.
    """

    p_largest: float
    p_mean: float
    mu_largest: float
    mu_mean: float
    mu_drift: float
    phi_largest: float
    phi_mean: float
    phi_drift: float


NAMES: tuple[str, ...] = tuple(one.name for one in fields(Difference))
"""What a difference tells, in order."""


def difference(p: Floats, mu: Floats, phi: Floats) -> Difference:
    """What differences of P, mu and phi come to.

    >>> d = difference(np.array([0.25]), np.array([-1.0, 0.5]), np.zeros(0))
    >>> d.p_mean, d.mu_largest, d.mu_mean, d.mu_drift, d.phi_largest
    (0.25, 1.0, 0.75, -0.25, nan)
    """
    return Difference(*_sizes(p), *_sizes(mu), _mean(mu), *_sizes(phi), _mean(phi))


def _sizes(values: Floats) -> tuple[float, float]:
    sizes = np.abs(values)
    return (float(sizes.max()) if len(sizes) else float("nan")), _mean(sizes)


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")
