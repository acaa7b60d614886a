"""Glicko-2 without the volatility step, ageing by a half-life that depends on the player's Go rank.

The real-valued model of spec go-onchain.md: the deviation grows by c(r) a square root of a day, r being the player's
own rank before the game, and step 7 follows from the aged variance.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from tallymark.errors import InputError
from tallymark.numeric import exp, formula, half_even, log
from tallymark.systems.face import Formulas, System, formulas_over
from tallymark.systems.glicko import settle, settle_quickly
from tallymark.systems.glicko2 import PAPER, g, game, logit
from tallymark.systems.parameters import accept_all, parameter
from tallymark.systems.rating import Rating, Scale

SPEC: Final = "spec go-onchain.md, real-valued model"
_LN2: Final = 0.6931471805599453
_RANKS: Final = 40  # knots at whole ranks 0 (30k) to 39


class HalfLifeConstants(NamedTuple):
    """`Glicko2HalfLife` as its formulas take it; `unit` and `centre` place mu on the display scale."""

    drift: float
    days_low: float
    days_high: float
    rank_from: float
    rank_to: float
    unit: float
    centre: float


@formula(inline=True)
def knot(k: float, unit: float, centre: float) -> float:
    """mu at the whole rank k: rating 525 e^(k / 23.15)."""
    return (525.0 * exp(k / 23.15) - centre) / unit


@formula(inline=True)
def rank(mu: float, unit: float, centre: float) -> float:
    """The rank index of mu: linear between the knots at whole ranks 0 to 39, held at the ends.

    The whole rank below comes from the smooth logarithm and is then settled against the knots themselves.
    """
    points = unit * mu + centre
    smooth = 23.15 * log((points if points > 525.0 else 525.0) / 525.0)
    smooth = smooth if smooth < 38.0 else 38.0
    low = half_even(smooth - 0.5)
    low = low + 1.0 if low < 38.0 and mu >= knot(low + 1.0, unit, centre) else low
    low = low - 1.0 if low > 0.0 and mu < knot(low, unit, centre) else low
    start = knot(low, unit, centre)
    r = low + (mu - start) / (knot(low + 1.0, unit, centre) - start)
    r = r if r > 0.0 else 0.0
    return r if r < 39.0 else 39.0


@formula(inline=True)
def half_life(r: float, k: HalfLifeConstants) -> float:
    """Days in which knowledge of a player of rank r halves: flat, a slope, flat."""
    part = (r - k.rank_from) / (k.rank_to - k.rank_from)
    part = part if part > 0.0 else 0.0
    part = part if part < 1.0 else 1.0
    return k.days_low + (k.days_high - k.days_low) * part


@formula(inline=True)
def growth(mu: float, phi2: float, sigma2: float, n: float, k: HalfLifeConstants) -> float:
    """phi^2 + c(r)^2 n after n days, c(r) = drift 2 ln 2 / half_life(r). (The cap is the methodology's bound.)"""
    c = k.drift * 2.0 * _LN2 / half_life(rank(mu, k.unit, k.centre), k)
    return phi2 + c * c * n


@dataclass(frozen=True)
class Glicko2HalfLife(System):
    """Glicko-2 without the volatility step; a period of `age` and `elapsed` is a day.

    >>> a = Glicko2HalfLife()
    >>> won = a.update(a.initial(), [(a.initial(), 1.0)])
    >>> round(won.rating, 6), round(won.deviation, 6)
    (1660.823147, 288.40098)
    """

    kind: ClassVar[str] = "glicko2-half-life"
    grows_first: ClassVar[bool] = True

    rating: float = parameter(
        1500.0, unit="points", low=-1e9, high=1e9, source=SPEC, doc="Rating of a newcomer (band 3)."
    )
    deviation: float = parameter(
        347.4356, unit="points", low=0.0, high=1e9, source=SPEC, doc="Deviation of a newcomer: phi_0 = 2.0."
    )
    drift: float = parameter(
        1.15,
        unit="times",
        low=0.0,
        high=100.0,
        source=SPEC,
        doc="Multiplies the growth that a half-life alone would give.",
    )
    days_low: float = parameter(15.0, unit="days", low=1e-3, high=1e5, source=SPEC, doc="Half-life below rank_from.")
    days_high: float = parameter(45.0, unit="days", low=1e-3, high=1e5, source=SPEC, doc="Half-life from rank_to up.")
    rank_from: float = parameter(
        16.0, unit="rank index (0 = 30k, 30 = 1d)", low=0.0, high=39.0, source=SPEC, doc="Where the slope begins."
    )
    rank_to: float = parameter(
        30.0, unit="rank index (0 = 30k, 30 = 1d)", low=0.0, high=39.0, source=SPEC, doc="Where the slope ends."
    )
    unit: float = parameter(
        173.7178, unit="points", low=1e-6, high=1e6, source=PAPER + ", step 2", doc="Display points to one unit of mu."
    )

    def __post_init__(self) -> None:
        accept_all(self)
        if not self.rank_from < self.rank_to:
            raise InputError(f"rank_to is {self.rank_to!r}; expected more than rank_from, {self.rank_from!r}")

    @property
    def scale(self) -> Scale:
        return Scale(self.unit, 1500.0)

    @property
    def formulas(self) -> Formulas:
        return formulas_over(g, game, settle, settle_quickly, growth, logit)

    def constants(self, steps: float = 0.0) -> HalfLifeConstants:
        return HalfLifeConstants(
            self.drift, self.days_low, self.days_high, self.rank_from, self.rank_to, self.unit, self.scale.centre
        )

    def initial(self) -> Rating:
        return Rating(self.rating, self.deviation, 0.0)
