"""Games in Q32.32 integers between states in doubles, by the formulas of `tallymark.fixedpoint`: go-onchain-v2.

mu and phi are below 2**37 / 2**32 and on a grid of 2**-32, so doubles hold them exactly, and phi too is exact in phi^2:
the square root of a double's rounded square is that double. So columns of states are those of every system.
"""

import math
from typing import Final, NamedTuple

from tallymark.fixedpoint.formulas import Side, aged, floored, game
from tallymark.fixedpoint.primitives import root
from tallymark.fixedpoint.units import Q, W
from tallymark.numeric import formula, half_even
from tallymark.systems.rating import State

DAY: Final = 86400
"""Seconds."""
_ONE: Final = 4294967296.0


def fixed(x: float) -> Q:
    """A value as Q; it is on the grid. Below 2**19 in size.

    >>> fixed(-1.5)
    -6442450944
    """
    return int(x * _ONE)


def value(n: Q) -> float:
    """The value of a Q, exactly. |n| < 2**51.

    >>> value(6442450944)
    1.5
    """
    return n / _ONE


@formula(inline=True)
def bounds_hit(side: Side) -> int:
    """The flags of the bounds that an update hit, as `limits.CLAMPS` has them: 2 the rating, 4 the deviation."""
    return 2 * (side.free != side.mu) + 4 * (side.root != side.phi)


@formula(inline=True)
def seen_as(var: W) -> Q:
    """The deviation of an aged variance."""
    return floored(root(var))


class Sided(NamedTuple):
    """One side of a game in doubles: the deviation aged to it, squared, the state after it, what bounds were hit."""

    seen: float
    mu: float
    phi2: float
    flags: int


class Exact(NamedTuple):
    """A game in doubles, with the probability before it that a wins, and its logit."""

    a: Sided
    b: Sided
    p: float
    logit: float


@formula(inline=True)
def exact_game(
    mu_a: float, phi2_a: float, last_a: int, mu_b: float, phi2_b: float, last_b: int, s: float, t: int
) -> Exact:
    """One game at t, in seconds; s is a's score: 0, 0.5 or 1.

    >>> exact_game(0.0, 4.0, 0, 0.0, 4.0, 0, 1.0, 5).a.mu * 2**32
    3976162240.0
    """
    done = game(
        fixed(mu_a), fixed(math.sqrt(phi2_a)), last_a, fixed(mu_b), fixed(math.sqrt(phi2_b)), last_b, fixed(s), t
    )
    phi_a = value(done.side_a.phi)
    phi_b = value(done.side_b.phi)
    seen_a = value(seen_as(done.before_a.var))
    seen_b = value(seen_as(done.before_b.var))
    return Exact(
        Sided(seen_a * seen_a, value(done.side_a.mu), phi_a * phi_a, bounds_hit(done.side_a)),
        Sided(seen_b * seen_b, value(done.side_b.mu), phi_b * phi_b, bounds_hit(done.side_b)),
        value(done.chance.p),
        value(done.chance.z),
    )


@formula(inline=True)
def aged_exactly(mu: float, phi2: float, dt: int) -> float:
    """phi^2 after so many seconds without a game: that of the deviation as Q.

    >>> aged_exactly(0.0, 1.0, 10**9)
    4.0
    """
    phi = value(seen_as(aged(fixed(mu), fixed(math.sqrt(phi2)), 0, dt)))
    return phi * phi


def on_grid(state: State) -> State:
    """The nearest state that Q32.32 has, ties to even.

    >>> on_grid(State(0.1, 4.0, 0.0)).mu * 2**32
    429496730.0
    """
    phi = half_even(math.sqrt(state.phi2) * _ONE) / _ONE
    return State(half_even(state.mu * _ONE) / _ONE, phi * phi, 0.0)
