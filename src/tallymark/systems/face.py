"""The one face of every system: what a caller may ask, and the formulas a fold runs."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final, NamedTuple, Never, TypeAlias, TypeVar, cast

from tallymark.checked import checked, shortened
from tallymark.errors import InputError
from tallymark.numeric import logistic
from tallymark.systems.rating import LARGEST, Rating, Scale, State

PERIODS: Final = "a number of periods from 0 up"
"""What a length of time is expected to be."""

Constants: TypeAlias = tuple[float, ...]
"""A system's parameters as its formulas take them: a NamedTuple of floats, one class a system."""


class Formulas(NamedTuple):
    """What a fold runs for one system: pure functions over floats, `k` being the system's constants.

    weight(phi2) -> g: how much an opponent of that deviation counts.
    game(mu, mu_other, g_other, s, not_s, share, k) -> (w, u): what a game adds to the sums of a side.
    settle(mu, phi2, sigma2, w, u, elapsed, played, k) -> (mu, phi2, sigma2, converged): a side after its period.
    quick(mu, phi2, sigma2, w, u, elapsed, played, k) -> (mu, phi2, sigma2, doubt): the same bits by straight-line code
    where doubt is 0; where it is 1 they are not to be used. For loops over many sides.
    growth(mu, phi2, sigma2, n, k) -> phi2 after n periods without games.
    logit(mu_a, mu_b, phi2_a, phi2_b, k) -> logit of the probability that a wins.
    """

    weight: Callable[[float], float]
    game: Callable[[float, float, float, float, float, float, Constants], tuple[float, float]]
    settle: Callable[[float, float, float, float, float, float, float, Constants], tuple[float, float, float, bool]]
    quick: Callable[[float, float, float, float, float, float, float, Constants], tuple[float, float, float, float]]
    growth: Callable[[float, float, float, float, Constants], float]
    logit: Callable[[float, float, float, float, Constants], float]


K = TypeVar("K", bound=Constants)


def formulas_over(
    weight: Callable[[float], float],
    game: Callable[[float, float, float, float, float, float, K], tuple[float, float]],
    settle: Callable[[float, float, float, float, float, float, float, K], tuple[float, float, float, bool]],
    quick: Callable[[float, float, float, float, float, float, float, K], tuple[float, float, float, float]],
    growth: Callable[[float, float, float, float, K], float],
    logit: Callable[[float, float, float, float, K], float],
) -> Formulas:
    """A system's formulas, all over the same class of constants; which class it is, a fold need not know."""
    return Formulas(weight, *cast("tuple[Never, Never, Never, Never, Never]", (game, settle, quick, growth, logit)))


class System(ABC):
    """A rating system with its parameters. No state, no time: a player before, the games, the player after."""

    kind: ClassVar[str]
    """The name of the system in a methodology."""
    grows_first: ClassVar[bool]
    """Whether ageing is added before an update (Glicko) rather than in it (step 6 of Glicko-2)."""
    has_deviation: ClassVar[bool] = True
    has_volatility: ClassVar[bool] = False
    undeclared: ClassVar[int] = 0
    """The starting band of who declares none, counted from 1; 0 where there are no bands."""

    @property
    @abstractmethod
    def scale(self) -> Scale:
        """Where the display scale lies on the system's own."""

    @property
    @abstractmethod
    def formulas(self) -> Formulas:
        """The functions a fold runs."""

    @property
    def counts_games(self) -> bool:
        """Whether an update asks how many games the player had before."""
        return False

    @abstractmethod
    def constants(self, steps: float = 0.0) -> Constants:
        """The parameters as the formulas take them. `steps` a point: the storage grid, 0 for none (Elo uses it)."""

    @abstractmethod
    def initial(self) -> Rating:
        """A player who has never played.

        >>> from tallymark.systems import Glicko
        >>> Glicko().initial()
        Rating(rating=1500.0, deviation=350.0, volatility=0.0)
        """

    def bands(self) -> tuple[Rating, ...]:
        """Players who have never played, by the starting band that they declared, from 1; empty where there are none.

        >>> from tallymark.systems import Glicko, Glicko2HalfLife
        >>> [round(newcomer.rating) for newcomer in Glicko2HalfLife().bands()], Glicko().bands()
        ([710, 921, 1500, 1837], ())
        """
        return ()

    def expected(self, a: Rating, b: Rating) -> float:
        """The probability that `a` wins, draws as half; both deviations count. expected(a, b) + expected(b, a) = 1.

        >>> from tallymark.systems import Glicko2
        >>> round(Glicko2().expected(Rating(1650, 80), Rating(1500, 120)), 6)
        0.686785
        """
        return logistic(self.logit(a, b))[0]

    def logit(self, a: Rating, b: Rating) -> float:
        """log(P / (1 - P)) of `expected`: finite at any gap.

        >>> from tallymark.systems import Elo
        >>> round(Elo().logit(Rating(1900), Rating(1500)), 6)
        2.302585
        """
        one, two = self.state(a), self.state(b)
        return self.formulas.logit(one.mu, two.mu, one.phi2, two.phi2, self.constants())

    def update(self, player: Rating, games: Iterable[tuple[Rating, float]], elapsed: float | None = None) -> Rating:
        """`player` after one period of `games`: (opponent before the period, score from 0 to 1).

        `elapsed`: periods of growth that the update adds; None for what the system's own paper says. Raises
        `InputError` for a score outside [0, 1] or a negative `elapsed`. No bounds: those are a methodology's.

        >>> from tallymark.systems import Glicko2
        >>> newcomer = Glicko2().initial()
        >>> round(Glicko2().update(newcomer, [(newcomer, 1.0)]).rating, 2)
        1662.31
        """
        before = self.state(player)
        n = self.growth_in_update if elapsed is None else checked("elapsed", elapsed, PERIODS, low=0.0)
        against = [(self.state(opponent), score) for opponent, score in games]
        if not against:
            return self.age(player, n)
        return self.display(self.updated(before, self.sums(before, against), n, played=0.0)[0])

    growth_in_update: ClassVar[float] = 0.0
    """Periods of growth in an update where the caller names none."""

    def sums(self, before: State, games: Sequence[tuple[State, float]], share: float = 1.0) -> tuple[float, float]:
        """The sums (w, u) of one side over its games, in the order given; `share` as in `Formulas.game`."""
        k = self.constants()
        run = self.formulas
        w = u = 0.0
        for other, score in games:
            s = checked("score", score, "a number from 0 (lost) to 1 (won)", low=0.0, high=1.0)
            more_w, more_u = run.game(before.mu, other.mu, run.weight(other.phi2), s, 1.0 - s, share, k)
            w += more_w
            u += more_u
        return w, u

    def updated(
        self, before: State, sums: tuple[float, float], elapsed: float, played: float, steps: float = 0.0
    ) -> tuple[State, bool]:
        """The state after a period with these sums, and whether the solver converged."""
        k = self.constants(steps)
        phi2 = before.phi2
        if self.grows_first:
            phi2 = self.formulas.growth(before.mu, phi2, before.sigma2, elapsed, k)
        mu, phi2, sigma2, converged = self.formulas.settle(
            before.mu, phi2, before.sigma2, sums[0], sums[1], elapsed, played, k
        )
        return State(mu, phi2, sigma2), converged

    def age(self, player: Rating, periods: float = 1.0) -> Rating:
        """`player` after `periods` without games, whole or fractional. In closed form: 3 then 4 is 7 up to rounding.

        >>> from tallymark.systems import Glicko2
        >>> round(Glicko2().age(Rating(1777, 61, 0.07), periods=48).deviation, 4)
        104.0136
        """
        n = checked("periods", periods, PERIODS, low=0.0)
        mu, phi2, sigma2 = self.state(player)
        if n == 0.0:
            return player
        grown = self.formulas.growth(mu, phi2, sigma2, n, self.constants())
        return Rating(player.rating, self.scale.to_display(mu, grown, sigma2)[1], player.volatility)

    def state(self, rating: Rating) -> State:
        """The state of a displayed rating."""
        if not isinstance(rating, Rating):
            raise InputError(f"{shortened(rating)} is no Rating", hint="tm.Rating(rating, deviation, volatility)")
        state = self.scale.to_state(rating.rating, rating.deviation, rating.volatility)
        if max(abs(state.mu), state.phi2, state.sigma2) > LARGEST:
            raise InputError(f"{rating} is too large; expected numbers whose squares are below {LARGEST:g}")
        return state

    def display(self, state: State) -> Rating:
        """The displayed rating of a state."""
        return Rating(*self.scale.to_display(*state))
