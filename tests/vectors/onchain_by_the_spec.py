"""go-onchain-v2 transcribed from its spec, branch by branch, without a look at the package: a second opinion.

Nothing of it is shared with `tallymark.fixedpoint`: the constants come from exact expressions at 70 digits, rounding is
that of fractions, and the spec's early returns stand where it has them.
"""

import math
from fractions import Fraction

import mpmath

with mpmath.workdps(70):
    _UNIT = mpmath.mpf("173.7178")
    _LN2 = int(mpmath.nint(mpmath.log(2) * 2**32))
    _PI_SQ = int(mpmath.nint(mpmath.pi**2 * 2**32))
    _DRIFT = int(mpmath.nint(mpmath.mpf("1.15") * 2 * mpmath.log(2) * 2**32)) << 32
    _T = [int(mpmath.nint(mpmath.exp(-mpmath.mpf(j) / 16) * 2**32)) for j in range(12)]
    _M = [int(mpmath.nint((525 * mpmath.exp(k / mpmath.mpf("23.15")) - 1500) / _UNIT * 2**32)) for k in range(40)]
    _MU_LO, _MU_HI = (int(mpmath.nint((r - 1500) / _UNIT * 2**32)) for r in (100, 3500))
    _PHI_MIN = int(mpmath.nint(mpmath.mpf("0.01") * 2**32))


def rdiv(n: int, d: int) -> int:
    return round(Fraction(n, d))  # Python rounds a fraction to the nearest integer, ties to even


def root(n: int) -> int:
    s = math.isqrt(n)
    return s + 1 if n - s * s > s else s


def exp_neg(x: int) -> int:
    n = x // _LN2
    if n >= 33:
        return 0
    rest = x - n * _LN2
    j = rest >> 28
    u = rest - (j << 28)
    h = 2**32
    for k in range(6, 0, -1):
        h = 2**32 - rdiv(u * h, k * 2**32)
    e = rdiv(_T[j] * h, 2**32)
    return rdiv(e, 2**n) if n else e


def logistic(z: int) -> int:
    if z >= 0:
        return rdiv(2**64, 2**32 + exp_neg(z))
    e = exp_neg(-z)
    return rdiv(e * 2**32, 2**32 + e)


def g(var: int) -> int:
    return root(rdiv(2**96, 2**32 + rdiv(3 * var, _PI_SQ)))


def rank(mu: int) -> int:
    if mu <= _M[0]:
        return 0
    if mu >= _M[39]:
        return 39 * 2**32
    k = max(k for k in range(39) if _M[k] <= mu)
    return k * 2**32 + rdiv((mu - _M[k]) * 2**32, _M[k + 1] - _M[k])


def half_life(r: int) -> int:
    if r < 16 * 2**32:
        return 15 * 2**32
    if r >= 30 * 2**32:
        return 45 * 2**32
    return 15 * 2**32 + rdiv(30 * (r - 16 * 2**32), 14)


def aged(mu: int, phi: int, last: int, t: int) -> int:
    if phi == 0:
        return 2**66
    dt = min(t - last, 2**30)
    if dt <= 0:
        return phi * phi
    c = rdiv(_DRIFT, half_life(rank(mu)))
    return min(phi * phi + rdiv(c * c * dt, 86400), 2**66)


def side(mu: int, var: int, g_opp: int, mu_opp: int, s: int) -> tuple[int, int]:
    e = logistic(rdiv(g_opp * (mu - mu_opp), 2**32))
    info = rdiv(rdiv(g_opp * g_opp, 2**32) * rdiv(e * (2**32 - e), 2**32), 2**32)
    new = rdiv(2**96, rdiv(2**96, var) + info)
    moved = mu + rdiv(rdiv(new * g_opp, 2**64) * (s - e), 2**32)
    return min(max(moved, _MU_LO), _MU_HI), max(_PHI_MIN, root(new))


State = tuple[int, int, int]


def update(a: State, b: State, half_points: int, t: int) -> tuple[State, State, int]:
    var_a, var_b = aged(*a, t), aged(*b, t)
    s = half_points * 2**31
    new_a = side(a[0], var_a, g(var_b), b[0], s)
    new_b = side(b[0], var_b, g(var_a), a[0], 2**32 - s)
    p = logistic(rdiv(g(var_a + var_b) * (a[0] - b[0]), 2**32))
    return (*new_a, max(a[2], t)), (*new_b, max(b[2], t)), p
