"""The formulas of `tallymark.fixedpoint` handed to numba as they stand, and a second body for each of their primitives.

No 128-bit integer and no integer division anywhere: every operation is one of 64-bit integers or of doubles that a
vector unit has, and none can stop the process. How a quotient becomes exact: a double estimate x of n / d is off by far
less than 1/2, so the integer q nearest to x is off by at most 1. Then r = n - q d lies within +-1.5 d, and the low 64
bits of n and of q d give r itself, however wide n is; r says whether q is one too low, one too high, or a tie.

A variance (`W`) is a pair: its low 64 bits, and a double within 2**-51 of it, relatively. Together they determine any
value below 2**113. An estimate may round as it pleases: integers settle the result, so it is the same in registers of
any width. Importing this loads numba.
"""

import math
from collections.abc import Callable
from typing import Any, Final, TypeVar

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from tallymark.fixedpoint import primitives, truncating
from tallymark.fixedpoint.constants import DAY, EXP_TABLE, KNOTS, PI_SQ
from tallymark.fixedpoint.formulas import FORMULAS
from tallymark.numeric.formula import Marked
from tallymark.systems import q32

_INT: Final = ir.IntType(64)
_DOUBLE: Final = ir.DoubleType()
_MAGIC: Final = 6755399441055744.0  # 1.5 * 2**52: its last bit is worth 1
_MAGIC_BITS: Final = 0x4338000000000000

_TWO_16: Final = 65536.0
_TWO_32: Final = 4294967296.0
_TWO_64: Final = 18446744073709551616.0
_TWO_96: Final = 79228162514264337593543950336.0
_LOWEST: Final = -(1 << 63)
_APART: Final = 4.6e18
"""Doubles of two variances that are farther apart tell which is less; where they are nearer, low bits do, exactly."""


# numba's own types are untyped, so these bodies are too.


def _near_bits(context: Any, x: Any) -> Any:
    def body(context: Any, b: Any, signature: Any, args: Any) -> Any:
        shifted = b.fadd(args[0], _DOUBLE(_MAGIC))  # no float-to-int conversion: AVX2 has none for int64
        return b.sub(b.bitcast(shifted, _INT), _INT(_MAGIC_BITS))

    return types.int64(types.float64), body


def _double_bits(context: Any, n: Any) -> Any:
    def body(context: Any, b: Any, signature: Any, args: Any) -> Any:
        shifted = b.bitcast(b.add(args[0], _INT(_MAGIC_BITS)), _DOUBLE)
        return b.fsub(shifted, _DOUBLE(_MAGIC))

    return types.float64(types.int64), body


_Typed = TypeVar("_Typed", bound=Callable[..., object])


def _wrapping(operation: str) -> Any:
    """numba says of + - * on signed integers that they never overflow, and LLVM believes it: `a - b < 0` becomes
    `a < b`. These wrap."""

    def wrapped(context: Any, x: Any, y: Any) -> Any:
        def body(context: Any, b: Any, signature: Any, args: Any) -> Any:
            return getattr(b, operation)(*args)

        return types.int64(types.int64, types.int64), body

    return intrinsic(wrapped)


near: Final[Any] = intrinsic(_near_bits)
"""The nearest integer to a double below 2**51 in size, ties to even."""
double: Final[Any] = intrinsic(_double_bits)
"""An integer below 2**51 in size as a double, exactly."""
_add: Final[Any] = _wrapping("add")
_sub: Final[Any] = _wrapping("sub")
_mul: Final[Any] = _wrapping("mul")


def _settle(q: int, r: int, d: int) -> int:
    """q, or one more or less, so that it is nearest: r = n - q d as it stands, |r| < 1.5 d, d < 2**61."""
    r = r + r
    odd = q & 1
    return q + ((r > d) | ((r == d) & (odd != 0))) - ((r < -d) | ((r == -d) & (odd != 0)))


register_jitable(forceinline=True)(_settle)


def _body_of(primitive: Callable[..., object]) -> Callable[[_Typed], _Typed]:
    body: Callable[[_Typed], _Typed] = overload(primitive, jit_options={"forceinline": True})
    return body


# As in `compiled`: numba wants the signatures of an overload and of its body to be the same to the letter.


@_body_of(primitives.mul_rdiv)
def _mul_rdiv(a: Any, b: Any, d: Any) -> Any:
    def body(a: Any, b: Any, d: Any) -> Any:
        q = near(double(a) * double(b) * (1.0 / double(d)))  # off by 2**-51 |q| + 1/2 at most
        return _settle(q, _sub(_mul(a, b), _mul(q, d)), d)

    return body


@_body_of(primitives.floor_div)
def _floor_div(a: Any, d: Any) -> Any:
    def body(a: Any, d: Any) -> Any:
        q = near(double(a) * (1.0 / double(d)))
        return q - (q * d > a)

    return body


# Arrays: a tuple would become a switch.
_EXP_TABLE: Final = np.array(EXP_TABLE)
_KNOTS: Final = np.array(KNOTS)


_body_of(primitives.exp_table)(lambda j: lambda j: _EXP_TABLE[j])
_body_of(primitives.knot)(lambda k: lambda k: _KNOTS[k])


@_body_of(primitives.knot_below)
def _knot_below(mu: Any) -> Any:
    def body(mu: Any) -> Any:
        k = 0
        for i in range(1, 39):  # 38 comparisons one after the other, and no branch
            k += _KNOTS[i] <= mu
        return k

    return body


_body_of(primitives.square)(lambda phi: lambda phi: (_mul(phi, phi), double(phi) * double(phi)))
_body_of(primitives.add)(lambda v, w: lambda v, w: (_add(v[0], w[0]), v[1] + w[1]))


@_body_of(primitives.least)
def _least(v: Any, w: Any) -> Any:
    def body(v: Any, w: Any) -> Any:
        gap = v[1] - w[1]
        less = gap < 0.0 if abs(gap) > _APART else _sub(v[0], w[0]) < 0
        return (v[0] if less else w[0]), (v[1] if less else w[1])

    return body


@_body_of(primitives.drift)
def _drift(c: Any, dt: Any) -> Any:
    def body(c: Any, dt: Any) -> Any:
        # Long division in two digits of 32 bits. Any high digit near the quotient will do: what is left has a sign.
        cc = c * c
        head = cc >> 32
        tail = cc & 0xFFFFFFFF
        high = near(double(head) * double(dt) * (1.0 / DAY))
        rest = head * dt - high * DAY
        n = (rest << 32) + tail * dt  # below 2**62.4
        low = near((double(rest) * _TWO_32 + double(tail) * double(dt)) * (1.0 / DAY))
        low = _settle(low, n - low * DAY, DAY)  # high * 2**32 is even: low alone decides ties
        return _add(high << 32, low), double(high) * _TWO_32 + double(low)

    return body


@_body_of(primitives.over_pi_sq)
def _over_pi_sq(v: Any) -> Any:
    def body(v: Any) -> Any:
        q = near(v[1] * (3.0 / PI_SQ))
        return _settle(q, _sub(_mul(3, v[0]), _mul(q, PI_SQ)), PI_SQ)

    return body


@_body_of(primitives.precision)
def _precision(v: Any) -> Any:
    def body(v: Any) -> Any:
        # v may have 67 bits, so a remainder may have 66. The quotient x, off by less than 0.03, lies about `over` above
        # q + 1/2; 2**97 - (2 q + 1) v says so exactly, and its low 64 bits are all of it where `over` is small.
        x = _TWO_96 / v[1]
        q = near(x - 0.5)
        over = x - double(q) - 0.5
        twice = _mul(-(q + q + 1), v[0])
        tie = (twice == 0) & ((q & 1) != 0)
        return q + ((over > 0.0) if abs(over) > 0.04 else ((twice > 0) | tie))

    return body


@_body_of(primitives.variance)
def _variance(p: Any) -> Any:
    def body(p: Any) -> Any:
        # Long division again: 2**64 = high p + rest, and then 32 bits more.
        inverse = 1.0 / double(p)
        high = near(_TWO_64 * inverse)
        rest = _sub(0, _mul(high, p))
        low = near(double(rest) * _TWO_32 * inverse)
        low = _settle(low, _sub(rest << 32, _mul(low, p)), p)
        return _add(high << 32, low), double(high) * _TWO_32 + double(low)

    return body


def _whole_high(v: tuple[int, float], b: int) -> tuple[int, int]:
    """v b / 2**64 to the nearest, a tie upwards, and the rest."""
    low = _mul(v[0], b)
    return near((v[1] * double(b) - double(low >> 16) * _TWO_16) * (1.0 / _TWO_64)), low


register_jitable(forceinline=True)(_whole_high)


@_body_of(primitives.mul_high)
def _mul_high(v: Any, b: Any) -> Any:
    def body(v: Any, b: Any) -> Any:
        # v b = q 2**64 + low, and low with its sign is the remainder: its one tie lies at the lower end.
        q, low = _whole_high(v, b)
        return q - ((low == _LOWEST) & ((q & 1) != 0))

    return body


@_body_of(primitives.root)
def _root(v: Any) -> Any:
    def body(v: Any) -> Any:
        s = near(math.sqrt(v[1]))
        r = _sub(v[0], _mul(s, s))
        return s + (r > s) - ((r <= -s) & (s != 0))

    return body


_body_of(q32.fixed)(lambda x: lambda x: near(x * _TWO_32))
_body_of(q32.value)(lambda n: lambda n: double(n) * (1.0 / _TWO_32))


# Quotients that are cut off: the nearest integer, one less where it lies above the quotient. What is left of n then is
# at most half of d, so its low 64 bits have its sign.

_nearest: Final[Any] = primitives  # whose variances are pairs here


@_body_of(truncating.PRIMITIVES["mul_rdiv"])
def _cut_mul_rdiv(a: Any, b: Any, d: Any) -> Any:
    def body(a: Any, b: Any, d: Any) -> Any:
        q = _nearest.mul_rdiv(a, b, d)
        r = _sub(_mul(a, b), _mul(q, d))
        return q - ((q > 0) & (r < 0)) + ((q < 0) & (r > 0))

    return body


@_body_of(truncating.PRIMITIVES["drift"])
def _cut_drift(c: Any, dt: Any) -> Any:
    def body(c: Any, dt: Any) -> Any:
        low, near_it = _nearest.drift(c, dt)
        above = int(_sub(_mul(c * c, dt), _mul(low, DAY)) < 0)
        return _sub(low, above), near_it - double(above)

    return body


@_body_of(truncating.PRIMITIVES["over_pi_sq"])
def _cut_over_pi_sq(v: Any) -> Any:
    def body(v: Any) -> Any:
        q = _nearest.over_pi_sq(v)
        return q - (_sub(_mul(3, v[0]), _mul(q, PI_SQ)) < 0)

    return body


@_body_of(truncating.PRIMITIVES["precision"])
def _cut_precision(v: Any) -> Any:
    def body(v: Any) -> Any:
        # Half of v may have 65 bits. The double says the sign of what is left but where it is small, and 64 bits there.
        q = _nearest.precision(v)
        over = _TWO_96 / v[1] - double(q)
        return q - ((over < 0.0) if abs(over) > 0.04 else (_mul(-q, v[0]) < 0))

    return body


@_body_of(truncating.PRIMITIVES["variance"])
def _cut_variance(p: Any) -> Any:
    def body(p: Any) -> Any:
        low, near_it = _nearest.variance(p)
        above = int(_mul(-low, p) < 0)
        return _sub(low, above), near_it - double(above)

    return body


@_body_of(truncating.PRIMITIVES["mul_high"])
def _cut_mul_high(v: Any, b: Any) -> Any:
    def body(v: Any, b: Any) -> Any:
        q, low = _whole_high(v, b)
        return q - (low < 0)

    return body


@_body_of(truncating.PRIMITIVES["root"])
def _cut_root(v: Any) -> Any:
    def body(v: Any) -> Any:
        s = _nearest.root(v)
        return s - (_sub(v[0], _mul(s, s)) < 0)

    return body


MARKED: Final = tuple(
    Marked(function, inline=True, allocates=False) for function in (*FORMULAS, *truncating.FORMULAS.values())
)
"""Every formula of the fixed point, as those of doubles are marked."""
