"""exp and log with stated error bounds, from basic operations and two exact primitives.

The bounds hold over the whole domain against mpmath (`tests/numeric`): exp, exp_normal and exp_small 0.95 ulp, log
0.9 ulp, log1p 1.3 ulp. ulp: the distance between the doubles around the exact value.
"""

import math
from typing import Final

from tallymark.numeric.formula import formula
from tallymark.numeric.primitives import pow2, split

_ROUND: Final = 6755399441055744.0  # 1.5 * 2**52: adding it rounds a float below 2**51 to an integer
_LOG2_E: Final = 1.4426950408889634
_LN2_HIGH: Final = 0.6931471805598903  # 42 bits, so n * _LN2_HIGH is exact for |n| < 2048
_LN2_LOW: Final = 5.497923018708371e-14
_SQRT_HALF: Final = 0.7071067811865476
_SMALLEST_NORMAL: Final = 2.2250738585072014e-308
_TWO_54: Final = 18014398509481984.0


@formula(inline=True)
def _exp_near_0(r: float, lost: float) -> float:
    """e**(r + lost) for |r| <= 0.3466 and a rounding error lost."""
    p = 2.5000158390345263e-08  # (e**r - 1 - r) / r**2, fitted to 4e-18
    p = p * r + 2.763025771055661e-07
    p = p * r + 2.755758611772252e-06
    p = p * r + 2.4801493070920877e-05
    p = p * r + 0.00019841269506787947
    p = p * r + 0.0013888888943659173
    p = p * r + 0.008333333333494418
    p = p * r + 0.04166666666653004
    p = p * r + 0.16666666666666413
    p = p * r + 0.5000000000000011
    return 1.0 + (r + (p * (r * r) + lost))


@formula(inline=True)
def exp_small(x: float) -> float:
    """`exp_normal`, to the bit, for |x| <= 0.34 only, at two thirds of its price.

    >>> exp_small(0.25) == exp_normal(0.25)
    True
    """
    return _exp_near_0(x, 0.0)


@formula(inline=True)
def _exp_parts(x: float) -> tuple[float, float]:
    """(y, n) with e**x = y * 2**n, 0.7 < y < 1.42 and n an integer."""
    n = (x * _LOG2_E + _ROUND) - _ROUND
    head = x - n * _LN2_HIGH  # exact
    tail = n * _LN2_LOW
    r = head - tail
    return _exp_near_0(r, (head - r) - tail), n  # with what rounding r dropped


@formula(inline=True)
def exp(x: float) -> float:
    """e**x within 0.95 ulp everywhere: 0 below -745.2, inf above 709.79, gradual from -745 to -708. NaN gives 0.

    >>> exp(2.0), exp(-800.0), exp(800.0)
    (7.38905609893065, 0.0, inf)
    """
    x = x if x > -746.0 else -746.0
    x = x if x < 710.0 else 710.0
    y, n = _exp_parts(x)
    half = (n * 0.5 + _ROUND) - _ROUND  # two factors: neither leaves the normal range
    return y * pow2(half) * pow2(n - half)


@formula(inline=True)
def exp_normal(x: float) -> float:
    """e**x within 0.95 ulp for |x| <= 708, held at the ends of that range: never 0, never inf. The one for formulas.

    NaN counts as the lower end: keep it out at the door, there is no place for it here.

    >>> exp_normal(0.0), exp_normal(-1e9) > 0.0
    (1.0, True)
    """
    x = x if x > -708.0 else -708.0
    x = x if x < 708.0 else 708.0
    y, n = _exp_parts(x)
    return y * pow2(n)


@formula(inline=True)
def _log_of(m: float, e: float) -> float:
    """log(m * 2**e) for 0.5 <= m < 1 and an integer e."""
    low = m < _SQRT_HALF
    e = e - 1.0 if low else e
    f = (m + m if low else m) - 1.0  # exact
    s = f / (2.0 + f)
    z = s * s
    p = 0.14796177283345233
    p = p * z + 0.15314029875370344
    p = p * z + 0.18183565047783984
    p = p * z + 0.22222198561102174
    p = p * z + 0.28571428742485977
    p = p * z + 0.3999999999941434
    p = p * z + 0.6666666666666734
    h = 0.5 * f * f
    return e * _LN2_HIGH + (f - (h - (s * (h + z * p) + e * _LN2_LOW)))


@formula(inline=True)
def log(x: float) -> float:
    """Natural logarithm within 0.9 ulp for x > 0, subnormals too; log(0) is -inf, inf stays. Not for negative x.

    >>> log(1.0), log(2.718281828459045), log(0.0)
    (0.0, 1.0, -inf)
    """
    tiny = x < _SMALLEST_NORMAL
    scaled = x * _TWO_54 if tiny else x
    usable = scaled > 0.0 and scaled < math.inf
    m, e = split(scaled if usable else 1.0)
    y = _log_of(m, e - 54.0 if tiny else e)
    return y if usable else (math.inf if scaled > 0.0 else -math.inf)


@formula(inline=True)
def log_normal(x: float) -> float:
    """`log`, to the bit, for positive normal x only, where nothing needs to be asked.

    >>> log_normal(2.5) == log(2.5)
    True
    """
    m, e = split(x)
    return _log_of(m, e)


@formula(inline=True)
def log1p(x: float) -> float:
    """log(1 + x) within 1.3 ulp for x from 0 to 1: what log-loss needs, -log E = log1p(e**-x).

    >>> log1p(1e-20)
    1e-20
    """
    y = 1.0 + x
    return log(y) + (x - (y - 1.0)) / y
