"""States in columns, as published: the bulk form of `limits.shown`, to the bit."""

import numpy as np
from numpy.typing import NDArray

from tallymark.methodology.limits import Limits

Floats = NDArray[np.float64]


def displayed(state: tuple[Floats, Floats, Floats], limits: Limits) -> tuple[Floats, Floats, Floats]:
    """Rating, deviation and volatility; numpy's * + sqrt and rint are exactly rounded, as the formula's are."""
    mu, phi2, sigma2 = state
    rating = limits.unit * mu + limits.centre
    deviation = limits.unit * np.sqrt(phi2)
    volatility = np.sqrt(sigma2)
    if not limits.rating_steps > 0.0:
        return rating, deviation, volatility
    return (
        np.rint(rating * limits.rating_steps) / limits.rating_steps,
        np.rint(deviation * limits.deviation_steps) / limits.deviation_steps,
        np.rint(volatility * limits.volatility_steps) / limits.volatility_steps,
    )
