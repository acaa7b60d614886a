"""The formulas of go-onchain-v2, each once: plain Python integers here, and the very same functions compiled.

A formula is straight-line: `a if c else b`, no early return, each intermediate under a name of its own. Those with
intermediates worth comparing give them all as a named tuple; a caller that wants the value takes the one it needs, and
compiled code drops the rest. The spec's branches vanish exactly: exp_neg held at 33 LN2 gives 0 by its own last line,
the half-life held to its slope gives 15 and 45, phi = 0 is phi = 2 (which no drift moves from the cap).
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from tallymark.fixedpoint.constants import (
    DAYS_LOW,
    DAYS_SLOPE,
    DRIFT_Q,
    DT_MAX,
    LN2,
    MU_HI,
    MU_LO,
    PHI_MAX,
    PHI_MIN,
    RANK_FROM,
    RANK_TO,
)
from tallymark.fixedpoint.primitives import (
    add,
    drift,
    exp_table,
    floor_div,
    knot,
    knot_below,
    least,
    mul_high,
    mul_rdiv,
    over_pi_sq,
    precision,
    root,
    square,
    variance,
)
from tallymark.fixedpoint.units import ONE, Q, W


class Exp(NamedTuple):
    """e**-x = 2**-n e**(-j/16) e**-u, the last by six steps h6..h1; `whole` is what 2**n then divides."""

    n: int
    rest: Q
    j: int
    u: Q
    h6: Q
    h5: Q
    h4: Q
    h3: Q
    h2: Q
    h1: Q
    whole: Q
    value: Q


class Weight(NamedTuple):
    """g of a variance: 1 + 3 v / pi^2, its inverse, and the root of that."""

    ratio: Q
    square: W
    value: Q


class Ageing(NamedTuple):
    """How a variance grows until a game: `var` is phi^2 + `drift`, at most the cap."""

    rank: Q
    half_life: Q
    dt: int
    c: Q
    drift: W
    var: W


class Side(NamedTuple):
    """One side's update. `z` is g (mu - mu_opp), `gain` var' g, `free` mu' before its clamp, `root` phi' before its."""

    z: Q
    e: Q
    gg: Q
    ee: Q
    info: Q
    precision: Q
    var: W
    gain: Q
    step: Q
    free: Q
    mu: Q
    root: Q
    phi: Q


class Chance(NamedTuple):
    """The win probability that is shown, `p`, by both variances."""

    var: W
    g: Q
    z: Q
    p: Q


class Game(NamedTuple):
    """Both sides of one game, and the win probability of a before it."""

    before_a: Ageing
    before_b: Ageing
    g_a: Q
    g_b: Q
    side_a: Side
    side_b: Side
    chance: Chance
    last_a: int
    last_b: int


def shift_round(a: int, n: int) -> int:
    """a / 2**n, ties to even; a >= 0, and n = 0 too.

    >>> shift_round(5, 1), shift_round(7, 1), shift_round(5, 0)
    (2, 4, 5)
    """
    q = a >> n
    twice = (a - (q << n)) << 1
    return q + ((twice > 1 << n) | ((twice == 1 << n) & (q & 1)))


def exp_steps(x: Q) -> Exp:
    """e**-x for x >= 0, with every step.

    >>> exp_steps(1 << 32).value
    1580030168
    """
    held = x if x < 33 * LN2 else 33 * LN2
    n = floor_div(held, LN2)
    rest = held - n * LN2
    j = rest >> 28
    u = rest - (j << 28)
    h6 = ONE - mul_rdiv(u, ONE, 6 * ONE)
    h5 = ONE - mul_rdiv(u, h6, 5 * ONE)
    h4 = ONE - mul_rdiv(u, h5, 4 * ONE)
    h3 = ONE - mul_rdiv(u, h4, 3 * ONE)
    h2 = ONE - mul_rdiv(u, h3, 2 * ONE)
    h1 = ONE - mul_rdiv(u, h2, ONE)
    whole = mul_rdiv(exp_table(j), h1, ONE)
    return Exp(n, rest, j, u, h6, h5, h4, h3, h2, h1, whole, shift_round(whole, n))


def exp_neg(x: Q) -> Q:
    """e**-x for x >= 0; 0 from 33 LN2 on.

    >>> exp_neg(0) == 1 << 32, exp_neg(33 * LN2)
    (True, 0)
    """
    return exp_steps(x).value


def logistic(z: Q) -> Q:
    """1 / (1 + e**-z).

    >>> logistic(0) == 1 << 31
    True
    """
    e = exp_neg(abs(z))
    return mul_rdiv(ONE if z >= 0 else e, ONE, ONE + e)


def g_steps(var: W) -> Weight:
    """The weight of a game against somebody of this variance, with every step.

    >>> g_steps(square(0)).value == 1 << 32
    True
    """
    ratio = ONE + over_pi_sq(var)
    inverse = variance(ratio)
    return Weight(ratio, inverse, root(inverse))


def g(var: W) -> Q:
    """1 / sqrt(1 + 3 var / pi^2).

    >>> g(square(2 << 32))
    2885288670
    """
    return g_steps(var).value


def rank(mu: Q) -> Q:
    """The index of the rank, 0 = 30k and 30 = 1d: linear between the knots at whole ranks, held at the ends.

    >>> rank(knot(30)) == 30 << 32
    True
    """
    above = mu if mu > knot(0) else knot(0)
    held = above if above < knot(39) else knot(39)
    k = knot_below(held)
    low = knot(k)
    return k * ONE + mul_rdiv(held - low, ONE, knot(k + 1) - low)


def half_life(r: Q) -> Q:
    """Days in which knowledge of a player of rank r halves.

    >>> half_life(0) >> 32, half_life(23 << 32) >> 32, half_life(39 << 32) >> 32
    (15, 30, 45)
    """
    above = r if r > RANK_FROM * ONE else RANK_FROM * ONE
    held = above if above < RANK_TO * ONE else RANK_TO * ONE
    return DAYS_LOW * ONE + mul_rdiv(held - RANK_FROM * ONE, DAYS_SLOPE, RANK_TO - RANK_FROM)


def ageing(mu: Q, phi: Q, last: int, t: int) -> Ageing:
    """The variance at t, with every step; phi = 0 says never rated. Games before `last` add nothing.

    >>> ageing(0, 1 << 32, 0, 86400).dt
    86400
    """
    since = t - last
    short = since if since < DT_MAX else DT_MAX
    dt = short if short > 0 else 0
    r = rank(mu)
    days = half_life(r)
    c = mul_rdiv(DRIFT_Q, ONE, days)
    more = drift(c, dt)
    var = least(square(PHI_MAX), add(square(phi if phi > 0 else PHI_MAX), more))
    return Ageing(r, days, dt, c, more, var)


def aged(mu: Q, phi: Q, last: int, t: int) -> W:
    """The variance at t.

    >>> aged(0, 0, 0, 0) == 1 << 66, aged(0, 1 << 32, 5, 5) == 1 << 64
    (True, True)
    """
    return ageing(mu, phi, last, t).var


def floored(phi: Q) -> Q:
    """A deviation, at least PHI_MIN.

    >>> floored(5) == PHI_MIN
    True
    """
    return phi if phi > PHI_MIN else PHI_MIN


def side(mu: Q, var: W, g_other: Q, mu_other: Q, s: Q) -> Side:
    """One side's update against an opponent of weight g_other; s is its score: 0, HALF or ONE.

    >>> side(0, square(2 * ONE), g(square(2 * ONE)), 0, ONE).mu
    3976162240
    """
    z = mul_rdiv(g_other, mu - mu_other, ONE)
    e = logistic(z)
    gg = mul_rdiv(g_other, g_other, ONE)
    ee = mul_rdiv(e, ONE - e, ONE)
    info = mul_rdiv(gg, ee, ONE)
    known = precision(var)
    left = variance(known + info)
    gain = mul_high(left, g_other)
    step = mul_rdiv(gain, s - e, ONE)
    free = mu + step
    above = free if free > MU_LO else MU_LO
    rooted = root(left)
    return Side(
        z, e, gg, ee, info, known, left, gain, step, free, above if above < MU_HI else MU_HI, rooted, floored(rooted)
    )


def chance(mu_a: Q, var_a: W, mu_b: Q, var_b: W) -> Chance:
    """The win probability of a by both aged variances, with every step.

    >>> chance(0, square(ONE), 0, square(ONE)).p == 1 << 31
    True
    """
    var = add(var_a, var_b)
    weight = g(var)
    z = mul_rdiv(weight, mu_a - mu_b, ONE)
    return Chance(var, weight, z, logistic(z))


def game(mu_a: Q, phi_a: Q, last_a: int, mu_b: Q, phi_b: Q, last_b: int, s: Q, t: int) -> Game:
    """One game at t with the score s for a: both sides from what was before it.

    >>> game(0, 0, 0, 0, 0, 0, ONE, 5).side_b.mu
    -3976162240
    """
    before_a = ageing(mu_a, phi_a, last_a, t)
    before_b = ageing(mu_b, phi_b, last_b, t)
    g_a = g(before_a.var)
    g_b = g(before_b.var)
    side_a = side(mu_a, before_a.var, g_b, mu_b, s)
    side_b = side(mu_b, before_b.var, g_a, mu_a, ONE - s)
    odds = chance(mu_a, before_a.var, mu_b, before_b.var)
    return Game(
        before_a,
        before_b,
        g_a,
        g_b,
        side_a,
        side_b,
        odds,
        last_a if last_a > t else t,
        last_b if last_b > t else t,
    )


FORMULAS: Final[tuple[Callable[..., object], ...]] = (
    shift_round,
    exp_steps,
    exp_neg,
    logistic,
    g_steps,
    g,
    rank,
    half_life,
    ageing,
    aged,
    floored,
    side,
    chance,
    game,
)
"""Every formula, callees first, as whoever compiles them takes them."""
