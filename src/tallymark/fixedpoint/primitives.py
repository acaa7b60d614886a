"""What formulas are made of: exact operations, a line or two each.

Each is given a second body where the formulas are compiled, and may be: it takes and gives values whose widths its
docstring states, whatever passes 64 bits in between. A formula itself uses `+ - *`, shifts and comparisons only on
integers whose result stays below 2**63.
"""

from bisect import bisect_right
from math import isqrt
from typing import cast

from tallymark.fixedpoint.constants import DAY, EXP_TABLE, KNOTS, PI_SQ
from tallymark.fixedpoint.units import Q, W


def rdiv(n: int, d: int) -> int:
    """The nearest integer to n / d, ties to even; d > 0. Odd in n.

    >>> rdiv(1, 2), rdiv(3, 2), rdiv(5, 2), rdiv(7, 2), rdiv(-5, 2)
    (0, 2, 2, 4, -2)
    """
    q, r = divmod(n, d)  # ties to even is symmetric, so flooring serves a negative n too
    return q + (2 * r > d or (2 * r == d and q & 1))


def root(v: W) -> Q:
    """The nearest integer to the square root of v, from 0 to 2**66: the Q of a variance.

    >>> root(W(6)), root(W(7))
    (2, 3)
    """
    n = _int(v)
    s = isqrt(n)
    return s + (n - s * s > s)


def mul_rdiv(a: int, b: int, d: int) -> int:
    """a b / d, rounded once. |a|, |b| < 2**51, 0 < d < 2**51, |result| < 2**48; a b may be of any size.

    >>> mul_rdiv(3, -1, 2)
    -2
    """
    return rdiv(a * b, d)


def floor_div(a: int, d: int) -> int:
    """The integer below a / d. 0 <= a < 2**51, 0 < d < 2**51.

    >>> floor_div(7, 2)
    3
    """
    return a // d


def exp_table(j: int) -> Q:
    """e**(-j/16), j = 0..11.

    >>> exp_table(0)
    4294967296
    """
    return EXP_TABLE[j]


def knot(k: int) -> Q:
    """mu of the whole rank k = 0..39.

    >>> knot(16)
    -11177650347
    """
    return KNOTS[k]


def knot_below(mu: Q) -> int:
    """The last whole rank k = 0..38 whose mu is not above this one; 0 where there is none.

    >>> knot_below(0), knot_below(-(1 << 39)), knot_below(1 << 39)
    (24, 0, 38)
    """
    return bisect_right(KNOTS, mu, 1, 39) - 1


def square(phi: Q) -> W:
    """phi**2. 0 <= phi <= 2**33.

    >>> square(1 << 32) == 1 << 64
    True
    """
    return W(phi * phi)


def add(v: W, w: W) -> W:
    """v + w, each below 2**72.

    >>> add(W(1), W(2))
    3
    """
    return W(_int(v) + _int(w))


def least(v: W, w: W) -> W:
    """The smaller one.

    >>> least(W(1), W(2))
    1
    """
    return W(min(_int(v), _int(w)))


def drift(c: Q, dt: int) -> W:
    """c**2 dt / 86400. 0 <= c < 2**29, 0 <= dt <= 2**30.

    >>> drift(10, 86400)
    100
    """
    return W(rdiv(c * c * dt, DAY))


def over_pi_sq(v: W) -> Q:
    """3 v / PI_SQ, v < 2**68.

    >>> over_pi_sq(square(1 << 32))
    1305513510
    """
    return rdiv(3 * _int(v), PI_SQ)


def precision(v: W) -> Q:
    """1 / v as Q. 2**50 <= v <= 2**66.

    >>> precision(square(1 << 32)) == 1 << 32
    True
    """
    return rdiv(1 << 96, _int(v))


def variance(p: Q) -> W:
    """1 / p as W. 2**30 <= p < 2**46.

    >>> variance(1 << 32) == 1 << 64
    True
    """
    return W(rdiv(1 << 96, p))


def mul_high(v: W, b: Q) -> Q:
    """v b / 2**64: a variance times a Q, as Q. v <= 2**66, 0 <= b <= 2**32. The widest product there is, of 98 bits.

    >>> mul_high(square(1 << 32), 5)
    5
    """
    return rdiv(_int(v) * b, 1 << 64)


def _int(v: W) -> int:
    return cast(int, v)
