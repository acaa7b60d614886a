"""Elo: one number a player, K points to win. The state is the rating itself; deviation and volatility are 0."""

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from tallymark.errors import InputError
from tallymark.numeric import formula, half_even, logistic
from tallymark.systems.face import Constants, Formulas, System, formulas_over
from tallymark.systems.parameters import accept_all, parameter, refuse_idle
from tallymark.systems.rating import Rating, Scale, State

SOURCE: Final = "Elo, The Rating of Chessplayers"
FIDE: Final = "FIDE rating regulations, 8.3"


class EloConstants(NamedTuple):
    """`Elo` as its formulas take it; beta in 1/points, steps a point (0: no grid)."""

    k: float
    k_new: float
    new_games: float
    k_top: float
    top_rating: float
    beta: float
    steps: float


@formula(inline=True)
def weight(phi2: float) -> float:
    """Every opponent counts in full: Elo knows no deviation."""
    return 1.0


@formula(inline=True)
def game(
    mu: float, mu_other: float, g_other: float, s: float, not_s: float, share: float, k: EloConstants
) -> tuple[float, float]:
    """What one game adds to (w, u): u is s - E, times 1/(n - 1) where n players met in the match."""
    e, not_e = logistic(k.beta * (mu - mu_other))
    return 0.0, share * (s * not_e - not_s * e)


@formula(inline=True)
def settle(
    mu: float, phi2: float, sigma2: float, w: float, u: float, elapsed: float, played: float, k: EloConstants
) -> tuple[float, float, float, bool]:
    """mu + K u. On a grid the change is rounded, half to even, never the sum: two opposite changes stay opposite."""
    rate = k.k_top if mu >= k.top_rating else k.k
    rate = k.k_new if played < k.new_games else rate
    change = rate * u
    gridded = k.steps > 0.0
    steps = k.steps if gridded else 1.0
    on_grid = (half_even(mu * steps) + half_even(change * steps)) / steps
    return (on_grid if gridded else mu + change), phi2, sigma2, True


@formula(inline=True)
def settle_quickly(
    mu: float, phi2: float, sigma2: float, w: float, u: float, elapsed: float, played: float, k: EloConstants
) -> tuple[float, float, float, float]:
    """`settle`, which never is in doubt."""
    new_mu, new_phi2, new_sigma2, _ = settle(mu, phi2, sigma2, w, u, elapsed, played, k)
    return new_mu, new_phi2, new_sigma2, 0.0


@formula(inline=True)
def growth(mu: float, phi2: float, sigma2: float, n: float, k: Constants) -> float:
    """Nothing grows."""
    return phi2


@formula(inline=True)
def logit(mu_a: float, mu_b: float, phi2_a: float, phi2_b: float, k: EloConstants) -> float:
    """The logit of the expected score: ln 10 / 400 a point."""
    return k.beta * (mu_a - mu_b)


@dataclass(frozen=True)
class Elo(System):
    """Elo with a fixed K, or K by games played and by rating.

    >>> Elo(k=32).update(Rating(1500), [(Rating(1500), 1.0)]).rating
    1516.0
    >>> Elo(k=20, k_new=40, new_games=30).update(Rating(1500), [(Rating(1500), 1.0)]).rating
    1520.0
    """

    kind: ClassVar[str] = "elo"
    grows_first: ClassVar[bool] = False
    has_deviation: ClassVar[bool] = False

    k: float = parameter(20.0, unit="points", low=0.0, high=1e4, source=SOURCE, doc="Points at stake in a game.")
    k_new: float = parameter(
        40.0, unit="points", low=0.0, high=1e4, source=FIDE, doc="K for a player with fewer than new_games games."
    )
    new_games: int = parameter(
        0, kind=int, unit="games", low=0, high=10**6, source=FIDE, doc="How many games k_new holds for; 0: never."
    )
    k_top: float | None = parameter(
        None, unit="points", low=0.0, high=1e4, optional=True, source=FIDE, doc="K from top_rating up; absent: K."
    )
    top_rating: float = parameter(2400.0, unit="points", source=FIDE, doc="Where k_top begins, if there is one.")
    rating: float = parameter(1500.0, unit="points", low=-1e9, high=1e9, source=SOURCE, doc="Rating of a newcomer.")
    unit: float = parameter(
        173.71779276130073,
        unit="points",
        low=1e-6,
        high=1e6,
        source=SOURCE,
        doc="Points that multiply the odds by e: 400/ln 10.",
    )
    quantum: float = parameter(
        0.0,
        unit="points",
        low=0.0,
        high=1e3,
        source="spec glicko2.md; case FIX-04",
        doc="Changes are rounded to a multiple of it, half to even, so that what one wins the other loses; 0: exact.",
    )

    def __post_init__(self) -> None:
        accept_all(self)
        if self.new_games == 0:
            refuse_idle(self, ("k_new",), "new_games is 0")
        if self.k_top is None:
            refuse_idle(self, ("top_rating",), "there is no k_top")
        if self.quantum > 0.0 and self.state(self.initial()).mu != self.rating:
            raise InputError(f"rating is {self.rating!r}; expected a multiple of the quantum, {self.quantum!r}")

    @property
    def scale(self) -> Scale:
        return Scale(1.0, 0.0)

    @property
    def formulas(self) -> Formulas:
        return formulas_over(weight, game, settle, settle_quickly, growth, logit)

    @property
    def counts_games(self) -> bool:
        return self.new_games > 0

    def constants(self, steps: float = 0.0) -> EloConstants:
        grid = 1.0 / self.quantum if self.quantum > 0.0 else steps
        k_top = self.k if self.k_top is None else self.k_top
        return EloConstants(self.k, self.k_new, float(self.new_games), k_top, self.top_rating, 1.0 / self.unit, grid)

    def initial(self) -> Rating:
        return Rating(self.rating, 0.0, 0.0)

    def state(self, rating: Rating) -> State:
        """The state of a displayed rating; with a quantum, of the nearest multiple of it."""
        state = super().state(rating)
        if not self.quantum > 0.0:
            return state
        steps = 1.0 / self.quantum
        return state._replace(mu=half_even(state.mu * steps) / steps)
