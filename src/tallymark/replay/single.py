"""One game between two, rated by itself: what the fold does where no time passes and no order decides what is shown.

One at a time for the interpreter, without the columns that are most of what the fold costs then; one after the other
for the compiler, without what a pass does for all players before it begins. A property holds that the bits are the
fold's.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tallymark.methodology import Methodology
from tallymark.methodology.limits import HELD, Limits, in_range
from tallymark.numeric import formula, named_after
from tallymark.replay.clock import clock_of, shown_of
from tallymark.replay.side import Side, make_side
from tallymark.systems import Constants, Formulas

After: TypeAlias = tuple[float, float, float, int, bool]
"""(mu, phi2, sigma2, flags, converged)."""
Game: TypeAlias = Callable[
    [float, float, float, float, float, float, float, float, float, Constants, Limits], tuple[After, After]
]
"""(mu, phi2, sigma2, games before) of a, the same of b, a's score, k, limits -> both after it."""


class Single(NamedTuple):
    """A methodology's one game, and the numbers that it takes."""

    game: Game
    k: Constants
    limits: Limits


class Rated(NamedTuple):
    """Both sides after each of some games, a's row before b's."""

    states: NDArray[np.float64]
    """mu, phi^2 and sigma^2."""
    outcome: NDArray[np.int64]
    """The flags of bounds that were hit, and 1 where the solver converged."""


Wholes: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = Callable[[Wholes, Wholes, Floats, Wholes, Floats, Wholes, Floats, Wholes, Constants, Limits], None]

COUNTS: Final = ("last", "rated", "games", "wins", "draws", "losses", "last_played")
"""Columns of `replay.columns.Players` that a game changes besides the state."""
LAST, RATED, GAMES, WINS, DRAWS, LOSSES, LAST_PLAYED = range(len(COUNTS))


def single(rules: Methodology) -> Single | None:
    """One game under a methodology; None where rating it takes more than both states, their counts and the score.

    >>> from tallymark.methodology import methodology
    >>> elo = single(methodology("elo"))
    >>> elo.game(1500.0, 0.0, 0.0, 0, 1500.0, 0.0, 0.0, 0, 1.0, elo.k, elo.limits)
    ((1510.0, 0.0, 0.0, 0, True), (1490.0, 0.0, 0.0, 0, True))
    >>> single(methodology("lichess")) is None
    True
    """
    shown = shown_of(rules)
    if (
        rules.period.kind == "calendar"
        or rules.numbers.exact
        or clock_of(rules).kind > 0.0
        or shown.established_phi2 >= 0.0
        or shown.peak_phi2 >= 0.0
    ):
        return None
    k = rules.system.constants(rules.limits.rating_steps)
    return Single(_made(rules.system.formulas, _bounds_nothing(rules.limits)), k, rules.limits)


def rate_singles(
    rules: Methodology, state: Floats, counts: Wholes, a: Wholes, b: Wholes, score: Floats, at: Wholes
) -> Rated:
    """Games rated by compiled code, each from what the one before left, for methodologies that have a `single`.

    `state` has mu, phi^2 and sigma^2 of each player in a row, `counts` what `COUNTS` says; both change. `at`: when each
    game was played, in microseconds since 1970 UTC.
    """
    rated = Rated(np.empty((2 * len(a), 3)), np.empty((2 * len(a), 2), np.int64))
    k = rules.system.constants(rules.limits.rating_steps)
    _compiled(rules.system.formulas)(a, b, score, at, state, counts, *rated, k, rules.limits)
    return rated


def _bounds_nothing(limits: Limits) -> bool:
    """Whether every state that is one is inside the bounds, and there is no grid."""
    ends = (limits.change, limits.mu_high, -limits.mu_low, limits.phi2_high, limits.sigma2_high)
    return all(end == math.inf for end in ends) and (limits.phi2_low == limits.sigma2_low == limits.rating_steps == 0.0)


def _free_side(run: Formulas) -> Side:
    """`replay.side.make_side` where bounds bound nothing: without asking them."""
    settle = run.settle

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
        return new_mu, new_phi2, new_sigma2, 0, converged

    return side


@cache
def _made(run: Formulas, free: bool) -> Game:
    weight, game = run.weight, run.game
    side_after = _free_side(run) if free else make_side(run)

    @formula(inline=True)
    @named_after(run, free)
    def both(
        mu_a: float,
        phi2_a: float,
        sigma2_a: float,
        games_a: float,
        mu_b: float,
        phi2_b: float,
        sigma2_b: float,
        games_b: float,
        s: float,
        k: Constants,
        limits: Limits,
    ) -> tuple[After, After]:
        t = 1.0 - s
        w_a, u_a = game(mu_a, mu_b, weight(phi2_b), s, t, 1.0, k)
        w_b, u_b = game(mu_b, mu_a, weight(phi2_a), t, s, 1.0, k)
        # The fold's sums begin at 0: -0.0 becomes 0.0 there.
        return (
            side_after(mu_a, phi2_a, sigma2_a, 0.0 + w_a, 0.0 + u_a, 1.0, games_a, k, limits),
            side_after(mu_b, phi2_b, sigma2_b, 0.0 + w_b, 0.0 + u_b, 1.0, games_b, k, limits),
        )

    return both


def make_singles(run: Formulas) -> Singles:
    """The loop over one system's formulas."""
    rate = _made(run, free=False)

    @named_after(run)
    def singles(
        a: Wholes,
        b: Wholes,
        score: Floats,
        at: Wholes,
        state: Floats,
        counts: Wholes,
        states: Floats,
        outcome: Wholes,
        k: Constants,
        limits: Limits,
    ) -> None:
        for i in range(len(a)):
            x, y, s, now = a[i], b[i], score[i], at[i]
            after_a, after_b = rate(
                state[x, 0],
                state[x, 1],
                state[x, 2],
                counts[x, GAMES],
                state[y, 0],
                state[y, 1],
                state[y, 2],
                counts[y, GAMES],
                s,
                k,
                limits,
            )
            for side in range(2):
                z = x if side == 0 else y
                after = after_a if side == 0 else after_b
                own = s if side == 0 else 1.0 - s
                row = 2 * i + side
                state[z, 0] = states[row, 0] = after[0]
                state[z, 1] = states[row, 1] = after[1]
                state[z, 2] = states[row, 2] = after[2]
                outcome[row, 0] = after[3]
                outcome[row, 1] = 1 if after[4] else 0
                counts[z, LAST] = now if now > counts[z, LAST] else counts[z, LAST]
                counts[z, RATED] = 1
                counts[z, GAMES] += 1
                counts[z, WINS] += 1 if own > 0.5 else 0
                counts[z, DRAWS] += 1 if own == 0.5 else 0
                counts[z, LOSSES] += 1 if own < 0.5 else 0
                counts[z, LAST_PLAYED] = now if now > counts[z, LAST_PLAYED] else counts[z, LAST_PLAYED]

    return singles


@cache
def _compiled(run: Formulas) -> Singles:
    from tallymark.replay.compiled import compiled

    return compiled(make_singles(run))
