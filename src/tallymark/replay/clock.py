"""A methodology's time and its order-dependent published states, as the numbers that the fold takes."""

import math

from tallymark.methodology import Methodology
from tallymark.replay.columns import Clock, Shown
from tallymark.replay.schedule import DAY


def clock_of(methodology: Methodology) -> Clock:
    """How time passes."""
    ageing = methodology.ageing
    if ageing.kind == "none":
        return Clock(0.0, 1.0, 0.0, 0.0)
    if ageing.kind == "periods":
        return Clock(1.0, 1.0, 1.0, 0.0)
    assert ageing.periods_per_day is not None
    return Clock(2.0, float(DAY), ageing.periods_per_day, 1.0 if ageing.whole else 0.0)


def shown_of(methodology: Methodology) -> Shown:
    """Established and peak, on the scale of the states."""
    scale = methodology.system.scale
    published = methodology.published

    def phi2(points: float | None, off: float) -> float:
        return off if points is None else scale.to_state(0.0, points, 0.0).phi2

    return Shown(
        established_phi2=phi2(published.established_deviation, -1.0),
        peak_deviations=2.0 if published.peak == "lower-bound" else 0.0,
        peak_phi2=-1.0 if published.peak == "none" else phi2(published.peak_deviation, math.inf),
        peak_games=float(published.peak_games),
        peak_needs_established=0.0 if published.established_deviation is None else 1.0,
    )
