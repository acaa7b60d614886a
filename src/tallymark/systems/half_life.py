"""Glicko-2 without the volatility step, ageing by a half-life that depends on the player's Go rank.

The real-valued model of spec go-onchain.md: the deviation grows by c(r) a square root of a day, r being the player's
own rank before the game, and step 7 follows from the aged variance.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from tallymark.errors import InputError
from tallymark.numeric import exp, formula, half_even, log_normal
from tallymark.systems.face import Formulas, System, formulas_over
from tallymark.systems.glicko import settle, settle_quickly
from tallymark.systems.glicko2 import PAPER, g, game, logit
from tallymark.systems.parameters import accept_all, parameter
from tallymark.systems.rating import Rating, Scale

SPEC: Final = "spec go-onchain.md, real-valued model"
_BANDS: Final = "spec go-onchain.md, Rules"
_RANK: Final = "rank index (0 = 30k, 30 = 1d)"
_LN2: Final = 0.6931471805599453
_PER_FIRST: Final = 1.0 / 525.0
_ENOUGH: Final = 5.4  # a little more than the last knot, e^(39 / 23.15) = 5.391 times the first one


class HalfLifeConstants(NamedTuple):
    """`Glicko2HalfLife` as its formulas take it; `unit` and `centre` place mu on the display scale."""

    growth: float
    """drift 2 ln 2: c(r) times the half-life."""
    days_low: float
    days_more: float
    """From the lower half-life to the upper one."""
    rank_from: float
    per_rank: float
    """1 / (rank_to - rank_from)."""
    unit: float
    centre: float


@formula(inline=True)
def rank(mu: float, unit: float, centre: float) -> float:
    """The rank index of mu: linear between the knots at whole ranks 0 to 39, held at the ends. Within 2e-14.

    The knot of rank k is the rating 525 e^(k / 23.15). With x = 23.15 ln(rating / 525), the smooth logarithm, and
    u = x - k from a knot to the next, the line is k + (e^(u / 23.15) - 1) / (e^(1 / 23.15) - 1): it lies below x by
    u (1 - u) p(u), which is the same between any two knots, so no knot has to be made or looked for.
    """
    ratio = (unit * mu + centre) * _PER_FIRST
    ratio = ratio if ratio > 1.0 else 1.0
    smooth = 23.15 * log_normal(ratio if ratio < _ENOUGH else _ENOUGH)
    smooth = smooth if smooth < 39.0 else 39.0
    u = smooth - half_even(smooth - 0.5)
    p = 2.0887521110620202e-10  # fitted to 6e-16
    p = p * u + 2.8595197659307827e-08
    p = p * u + 3.3150109269047e-06
    p = p * u + 0.0003076367535032672
    p = p * u + 0.021442781853977414
    return smooth - u * (1.0 - u) * p


@formula(inline=True)
def half_life(r: float, k: HalfLifeConstants) -> float:
    """Days in which knowledge of a player of rank r halves: flat, a slope, flat."""
    part = (r - k.rank_from) * k.per_rank
    part = part if part > 0.0 else 0.0
    return k.days_low + k.days_more * (part if part < 1.0 else 1.0)


@formula(inline=True)
def growth(mu: float, phi2: float, sigma2: float, n: float, k: HalfLifeConstants) -> float:
    """phi^2 + c(r)^2 n after n days, c(r) = drift 2 ln 2 / half_life(r). (The cap is the methodology's bound.)"""
    c = k.growth / half_life(rank(mu, k.unit, k.centre), k)
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
    undeclared: ClassVar[int] = 3

    rating: float = parameter(
        1500.0, unit="points", low=-1e9, high=1e9, source=SPEC, doc="Rating of a newcomer of band 3, or of none."
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
    rank_from: float = parameter(16.0, unit=_RANK, low=0.0, high=39.0, source=SPEC, doc="Where the slope begins.")
    rank_to: float = parameter(30.0, unit=_RANK, low=0.0, high=39.0, source=SPEC, doc="Where the slope ends.")
    band_1: int = parameter(
        7, kind=int, unit=_RANK, low=0, high=39, source=_BANDS, doc="Rank at which a newcomer of band 1 starts: 23k."
    )
    band_2: int = parameter(
        13, kind=int, unit=_RANK, low=0, high=39, source=_BANDS, doc="Rank at which a newcomer of band 2 starts: 17k."
    )
    band_4: int = parameter(
        29, kind=int, unit=_RANK, low=0, high=39, source=_BANDS, doc="Rank at which a newcomer of band 4 starts: 1k."
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
            growth=self.drift * 2.0 * _LN2,
            days_low=self.days_low,
            days_more=self.days_high - self.days_low,
            rank_from=self.rank_from,
            per_rank=1.0 / (self.rank_to - self.rank_from),
            unit=self.unit,
            centre=self.scale.centre,
        )

    def initial(self) -> Rating:
        return Rating(self.rating, self.deviation, 0.0)

    def bands(self) -> tuple[Rating, ...]:
        low, middle, high = (
            Rating(525.0 * exp(knot / 23.15), self.deviation, 0.0) for knot in (self.band_1, self.band_2, self.band_4)
        )
        return low, middle, self.initial(), high
