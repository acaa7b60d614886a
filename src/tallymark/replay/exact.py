"""Games in Q32.32 integers, between states in doubles: whole games by the formulas of `tallymark.fixedpoint`.

mu and phi are below 2**37 / 2**32 and on a grid of 2**-32, so doubles hold them exactly, and phi too is exact in phi^2:
the square root of a double's rounded square is that double. So columns of states are those of every system.
"""

import math
from typing import Final, NamedTuple

from tallymark.fixedpoint.formulas import floored, game
from tallymark.fixedpoint.primitives import root
from tallymark.fixedpoint.units import Q
from tallymark.numeric import formula
from tallymark.replay.columns import NEVER

_SECOND: Final = 1_000_000
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
def seconds(last: int, now: int) -> int:
    """When a state is from, in whole seconds since 1970; who has no time has not aged by now. Both in microseconds.

    >>> seconds(1_999_999, 5_000_000), seconds(NEVER, 5_000_000)
    (1, 5)
    """
    return (now if last == NEVER else last) // _SECOND


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
    seen_a = value(floored(root(done.before_a.var)))
    seen_b = value(floored(root(done.before_b.var)))
    flags_a = 2 * (done.side_a.free != done.side_a.mu) + 4 * (done.side_a.root != done.side_a.phi)
    flags_b = 2 * (done.side_b.free != done.side_b.mu) + 4 * (done.side_b.root != done.side_b.phi)
    return Exact(
        Sided(seen_a * seen_a, value(done.side_a.mu), phi_a * phi_a, flags_a),
        Sided(seen_b * seen_b, value(done.side_b.mu), phi_b * phi_b, flags_b),
        value(done.chance.p),
        value(done.chance.z),
    )
