"""One player at a time under a methodology: the face of a system, with its bounds and its storage grid.

The bulk fold runs the same formulas in the same order, so that a scalar update from an equal state gives equal bits.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from tallymark.checked import checked, shortened
from tallymark.errors import InputError
from tallymark.methodology.exact import exact_step, seconds_of
from tallymark.methodology.limits import CLAMPS, HELD, Limits, bounded, grown_within, in_range, limits_of, shown, stored
from tallymark.methodology.sections import Ageing, Bounds, Numbers
from tallymark.systems import Rating, State, System
from tallymark.systems.face import PERIODS
from tallymark.systems.q32 import aged_exactly, exact_game, on_grid


class Step(NamedTuple):
    """What an update did: the player after it, the bounds it hit, and whether the solver converged."""

    rating: Rating
    clamped: tuple[str, ...]
    converged: bool


class ScalarFace:
    """`initial`, `expected`, `update`, `age` of a methodology."""

    system: System
    bounds: Bounds
    numbers: Numbers
    ageing: Ageing

    @cached_property
    def limits(self) -> Limits:
        """Bounds and storage grid on the scale of the states."""
        return limits_of(self.system, self.bounds, self.numbers)

    def initial(self, band: int = 0) -> Rating:
        """A player who has never played; `band`: the starting band that it declared, 0 for none.

        `InputError` for a band that there is not.

        >>> from tallymark.methodology import methodology
        >>> methodology("go-float").initial(band=4).deviation
        347.4356
        """
        starts = (self.system.initial(), *self.system.bands())
        if type(band) is not int or not 0 <= band < len(starts):
            bands = f"bands are 1 to {len(starts) - 1}" if len(starts) > 1 else "there are none"
            raise InputError(f"band is {shortened(band)}; {bands} under these rules, and 0 is none")
        return starts[band]

    def expected(self, a: Rating, b: Rating) -> float:
        """The probability that `a` wins, draws as half; both deviations count.

        >>> from tallymark.methodology import methodology
        >>> methodology("elo").expected(Rating(1900), Rating(1500))
        0.9090909090909091
        """
        if self.numbers.exact:
            one, two = self.entered(a), self.entered(b)
            return exact_game(one.mu, one.phi2, 0, two.mu, two.phi2, 0, 0.5, 0).p
        return self.system.expected(a, b)

    def update(
        self,
        player: Rating,
        games: Iterable[tuple[Rating, float]],
        elapsed: float | None = None,
        players: int | None = None,
    ) -> Rating:
        """`player` after one period of `games`, inside the bounds; see `step`.

        >>> from tallymark.methodology import methodology
        >>> new = methodology("votes").initial()
        >>> methodology("votes").update(new, [(new, 1.0)])
        Rating(rating=1662.31, deviation=290.32, volatility=0.06)
        """
        return self.step(player, games, elapsed, players).rating

    def step(
        self,
        player: Rating,
        games: Iterable[tuple[Rating, float]],
        elapsed: float | None = None,
        players: int | None = None,
        played: int = 0,
    ) -> Step:
        """`player` after one period of (opponent before it, score), with what was clamped.

        `elapsed`: periods of growth in this update. None: one in Glicko-2, whose step 6 adds it (none where growth
        goes by elapsed time); none in the systems that grow first, where a fold ages both players before: `age` them.
        `players`: how many met in the match, where that matters (Elo's K/(n - 1)). `played`: games before (Elo's K by
        games). Without games nothing but ageing happens.

        >>> from tallymark.methodology import methodology
        >>> strong, weak = Rating(3000), Rating(0)
        >>> methodology("votes").step(strong, [(weak, 0.0)])[:2]
        (Rating(rating=2527.97, deviation=350.0, volatility=0.060006), ('deviation',))
        """
        system, limits = self.system, self.limits
        usual = 0.0 if self.ageing.kind == "elapsed" else system.growth_in_update
        n = usual if elapsed is None else checked("elapsed", elapsed, PERIODS, low=0.0)
        if players is not None and players < 2:
            raise InputError(f"players is {players!r}; expected 2 or more")
        against = [(self.entered(opponent), score) for opponent, score in games]
        if not against:
            return Step(self.age(player, n), (), True)
        before = self.entered(player)
        if self.numbers.exact:
            after, clamped = exact_step(before, against, n)
            return Step(Rating(*shown(*after, limits)), clamped, True)
        share = 1.0 if players is None else 1.0 / (players - 1.0)
        sums = system.sums(before, against, share)
        if system.grows_first:
            before = before._replace(phi2=self._grown(before, n))
            n = 0.0
        after, converged = system.updated(before, sums, n, float(played), limits.rating_steps)
        if in_range(*after):
            mu, phi2, sigma2, flags = bounded(before.mu, *after, limits)
            after = State(*stored(mu, phi2, sigma2, limits))
        else:
            after, flags = before, HELD
        return Step(Rating(*shown(*after, limits)), tuple(word for bit, word in CLAMPS if flags & bit), converged)

    def entered(self, player: Rating) -> State:
        """The state of a displayed rating; where integers are stored, of the stored one."""
        if self.numbers.exact:
            return on_grid(self.system.state(player))
        return State(*stored(*self.system.state(player), self.limits))

    def age(self, player: Rating, periods: float = 1.0) -> Rating:
        """`player` after `periods` without games, the deviation inside its bound.

        >>> from tallymark.methodology import methodology
        >>> methodology("paper").age(Rating(1777, 61, 0.07), periods=804).deviation
        350.0
        """
        n = checked("periods", periods, PERIODS, low=0.0)
        if n == 0.0:
            return player
        before = self.entered(player)
        deviation = shown(before.mu, self._grown(before, n), before.sigma2, self.limits)[1]
        return Rating(player.rating, deviation, player.volatility)

    def _grown(self, state: State, periods: float) -> float:
        if self.numbers.exact:
            return aged_exactly(state.mu, state.phi2, seconds_of(periods))
        grown = self.system.formulas.growth(*state, periods, self.system.constants(self.limits.rating_steps))
        return grown_within(grown, self.limits)
