"""What a methodology does to an update after step 8: the range check, the bounds, the storage grid."""

import math
from typing import Final, NamedTuple

from tallymark.methodology.sections import Bounds, Numbers
from tallymark.numeric import formula, half_even, half_up
from tallymark.systems import System
from tallymark.systems.rating import LARGEST

HELD: Final = 16
"""Flag: the numbers left the range of doubles, and the player stays at the last finite ones."""
CLAMPS: Final = ((1, "change"), (2, "rating"), (4, "deviation"), (8, "volatility"), (HELD, "held"))
"""Flag bits of one update, in the order in which the bounds are applied, and their words."""


class Limits(NamedTuple):
    """Bounds and storage grid as formulas take them, on the scale of the state. Infinite where a bound is off."""

    change: float
    mu_low: float
    mu_high: float
    phi2_low: float
    phi2_high: float
    sigma2_low: float
    sigma2_high: float
    unit: float
    centre: float
    rating_steps: float
    deviation_steps: float
    volatility_steps: float
    half_up: float


@formula(inline=True)
def in_range(mu: float, phi2: float, sigma2: float) -> bool:
    """Whether a state is one: finite on either scale, variances not negative. NaN is not."""
    return (
        (mu >= -LARGEST) & (mu <= LARGEST) & (phi2 >= 0.0) & (phi2 <= LARGEST) & (sigma2 >= 0.0) & (sigma2 <= LARGEST)
    )


@formula(inline=True)
def grown_within(grown: float, limits: Limits) -> float:
    """phi^2 after growth, at most the bound."""
    top = limits.phi2_high if limits.phi2_high < LARGEST else LARGEST
    return grown if grown < top else top


@formula(inline=True)
def bounded(mu_before: float, mu: float, phi2: float, sigma2: float, limits: Limits) -> tuple[float, float, float, int]:
    """An update inside its bounds, and the flags of those that were hit.

    In the order change, rating, deviation, volatility; a clamped volatility is not fed back into the others.
    """
    flags = 0
    change = mu - mu_before
    flags += 1 if change > limits.change or change < -limits.change else 0
    mu = mu_before + limits.change if change > limits.change else mu
    mu = mu_before - limits.change if change < -limits.change else mu
    flags += 2 if mu > limits.mu_high or mu < limits.mu_low else 0
    mu = limits.mu_high if mu > limits.mu_high else mu
    mu = limits.mu_low if mu < limits.mu_low else mu
    flags += 4 if phi2 > limits.phi2_high or phi2 < limits.phi2_low else 0
    phi2 = limits.phi2_high if phi2 > limits.phi2_high else phi2
    phi2 = limits.phi2_low if phi2 < limits.phi2_low else phi2
    flags += 8 if sigma2 > limits.sigma2_high or sigma2 < limits.sigma2_low else 0
    sigma2 = limits.sigma2_high if sigma2 > limits.sigma2_high else sigma2
    sigma2 = limits.sigma2_low if sigma2 < limits.sigma2_low else sigma2
    return mu, phi2, sigma2, flags


@formula(inline=True)
def on_grid(x: float, steps: float, up: float) -> float:
    """x as the whole number of steps that is stored, back on its own scale."""
    scaled = x * steps
    return (half_up(scaled) if up > 0.0 else half_even(scaled)) / steps


@formula(inline=True)
def stored(mu: float, phi2: float, sigma2: float, limits: Limits) -> tuple[float, float, float]:
    """The state that the stored integers give back: one rounding, on the display scale, at the end of an update."""
    if not limits.rating_steps > 0.0:
        return mu, phi2, sigma2
    rating = on_grid(limits.unit * mu + limits.centre, limits.rating_steps, limits.half_up)
    deviation = on_grid(limits.unit * math.sqrt(phi2), limits.deviation_steps, limits.half_up)
    volatility = on_grid(math.sqrt(sigma2), limits.volatility_steps, limits.half_up)
    phi = deviation / limits.unit
    return (rating - limits.centre) / limits.unit, phi * phi, volatility * volatility


@formula(inline=True)
def shown(mu: float, phi2: float, sigma2: float, limits: Limits) -> tuple[float, float, float]:
    """Rating, deviation and volatility as published; where integers are stored, exactly those."""
    rating = limits.unit * mu + limits.centre
    deviation = limits.unit * math.sqrt(phi2)
    volatility = math.sqrt(sigma2)
    if not limits.rating_steps > 0.0:
        return rating, deviation, volatility
    return (
        on_grid(rating, limits.rating_steps, 0.0),
        on_grid(deviation, limits.deviation_steps, 0.0),
        on_grid(volatility, limits.volatility_steps, 0.0),
    )


def limits_of(system: System, bounds: Bounds, numbers: Numbers) -> Limits:
    """Bounds and storage grid of a methodology on the scale of its states.

    >>> from tallymark.methodology import methodology
    >>> paper = methodology("paper")
    >>> round(limits_of(paper.system, paper.bounds, paper.numbers).phi2_high, 6)
    4.059265
    """
    scale = system.scale
    scaled = numbers.format == "scaled-integers"

    def mu(points: float | None, off: float) -> float:
        return off if points is None else scale.to_state(points, 0.0, 0.0).mu

    def phi2(points: float | None, off: float) -> float:
        return off if points is None else scale.to_state(0.0, points, 0.0).phi2

    def sigma2(value: float | None, off: float) -> float:
        return off if value is None else value * value

    return Limits(
        change=math.inf if bounds.change_max is None else bounds.change_max / scale.unit,
        mu_low=mu(bounds.rating_min, -math.inf),
        mu_high=mu(bounds.rating_max, math.inf),
        phi2_low=phi2(bounds.deviation_min, 0.0),
        phi2_high=phi2(bounds.deviation_max, math.inf),
        sigma2_low=sigma2(bounds.volatility_min, 0.0),
        sigma2_high=sigma2(bounds.volatility_max, math.inf),
        unit=scale.unit,
        centre=scale.centre,
        rating_steps=float(numbers.rating_multiplier) if scaled else 0.0,
        deviation_steps=float(numbers.deviation_multiplier) if scaled else 0.0,
        volatility_steps=float(numbers.volatility_multiplier) if scaled else 0.0,
        half_up=1.0 if scaled and numbers.rounding == "half-up" else 0.0,
    )
