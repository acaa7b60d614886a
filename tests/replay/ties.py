"""Arguments of the integer primitives where a rounding is hardest: ties, neighbours of halves, ends of domains.

`half` is 0 where a quotient is cut off: there the neighbours of whole numbers are.
"""

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from tallymark.fixedpoint import primitives, truncating
from tallymark.fixedpoint.constants import DAY, KNOTS, PHI_MAX, PI_SQ
from tallymark.fixedpoint.units import ONE

SEED: Final = 20261130
NEAR: Final = (-2, -1, 0, 1, 2)

Arguments = tuple[int, ...]


class Primitive(NamedTuple):
    """A primitive, which of its arguments and whether its result are variances, and what it is tried on."""

    function: Callable[..., object]
    wide: tuple[bool, ...]
    gives_wide: bool
    tries: Callable[[random.Random], Iterator[Arguments]]


def _quotients(draw: random.Random, half: int = 1) -> Iterator[Arguments]:
    """mul_rdiv: a b = k d + d / 2 + a little, the product as wide as it comes."""
    for _ in range(6000):
        d = draw.choice((ONE, ONE, draw.randrange(2, 2**51), draw.randrange(2, 2**34) & ~1, 6 * ONE, 14, 2))
        a = draw.randrange(1, 2 ** draw.randrange(2, 49)) | 1
        try:
            inverse = pow(a, -1, d)
        except ValueError:
            a, inverse = 1, 1
        for little in NEAR:
            b = (half * (d // 2) + little) * inverse % d or d
            yield draw.choice((-a, a)), draw.choice((-b, b)), d
    for a, b in ((2**51 - 1, 2**45), (-(2**51) + 1, 2**45), (0, 5), (5, 0)):
        yield a, b, 2**49 + 1
    for _ in range(5000):
        d = draw.randrange(1, 2**51)
        yield draw.randrange(-(2**47), 2**47), draw.randrange(-d, d), d


def _floors(draw: random.Random) -> Iterator[Arguments]:
    for _ in range(5000):
        d = draw.randrange(1, 2 ** draw.randrange(1, 51))
        q = draw.randrange(0, 2**51 // d)
        yield from ((a, d) for a in (q * d, q * d + d - 1, max(q * d - 1, 0)) if a < 2**51)


def _knots(draw: random.Random) -> Iterator[Arguments]:
    yield from ((knot + little,) for knot in KNOTS for little in NEAR)
    yield from ((mu,) for mu in (-(2**39), 2**39 - 1, 0))


def _deviations(draw: random.Random) -> Iterator[Arguments]:
    yield from ((phi,) for phi in (0, 1, ONE, PHI_MAX, PHI_MAX - 1))
    yield from ((draw.randrange(PHI_MAX),) for _ in range(1000))


def _pairs(draw: random.Random) -> Iterator[Arguments]:
    """add and least: variances as near as can be, about a double of one another, and far apart."""
    for _ in range(5000):
        v = draw.randrange(2 ** draw.randrange(50, 72))
        apart = draw.choice((0, 1, -1, 2**31, 2**62, 4_600_000_000_000_000_000 + draw.randrange(-4000, 4000), 2**66))
        yield v, max(0, min(v + draw.choice((-1, 1)) * apart, 2**72 - 1))
        yield v, draw.randrange(2**72)


def _drifts(draw: random.Random, half: int = 1) -> Iterator[Arguments]:
    """c^2 dt = k 86400 + 43200 and a little."""
    for _ in range(5000):
        c = draw.randrange(2 ** draw.randrange(3, 30))
        while c % 2 == 0 or c % 3 == 0 or c % 5 == 0:
            c += 1
        inverse = pow(c * c, -1, DAY)
        for little in NEAR:
            dt = (half * (DAY // 2) + little) * inverse % DAY
            yield min(c, 2**29 - 1), dt + DAY * draw.randrange(2**30 // DAY)
    yield from ((2**29 - 1, 2**30), (0, 0), (2**29 - 1, 0), (0, 2**30))


def _over_pi(draw: random.Random, half: int = 1) -> Iterator[Arguments]:
    """3 v is the nearest there is to a half of PI_SQ, which is odd."""
    inverse = pow(3, -1, PI_SQ)
    for _ in range(5000):
        for rest in range(half * (PI_SQ // 2) - 1, half * (PI_SQ // 2) + 3):
            yield (rest * inverse % PI_SQ + PI_SQ * draw.randrange(2 ** draw.randrange(15, 69) // PI_SQ + 1),)
    yield from ((0,), (2**68 - 1,))


def _precisions(draw: random.Random, half: int = 1) -> Iterator[Arguments]:
    """v on both sides of 2**97 over an odd number, or over an even one."""
    for _ in range(8000):
        twice = 2 * draw.randrange(1, 2 ** draw.randrange(31, 47)) + half
        for little in NEAR:
            v = 2**97 // twice + little
            if 2**50 <= v <= 2**66:
                yield (v,)
    yield from ((draw.randrange(2**64, 2**66),) for _ in range(1000))
    yield from ((2**50,), (2**66,), (2**66 - 1,))


def _variances(draw: random.Random, half: int = 1) -> Iterator[Arguments]:
    """p that leaves nearly half of itself of 2**96: divisors of numbers very near 2**97."""
    for little in range(-300 - half, 301 + half, 2):
        divisors, left = [1], 2**97 - little
        for prime in (p for p in range(3, 3000, 2) if all(p % q for q in range(3, int(p**0.5) + 1, 2))):
            while left % prime == 0:
                left //= prime
                divisors += [one * prime for one in divisors if one * prime < 2**46]
        divisors += [one * left for one in divisors if one * left < 2**46]
        yield from ((p,) for p in {*divisors} if 2**30 <= p < 2**46)
    yield from ((draw.randrange(2**30, 2 ** draw.randrange(31, 47)),) for _ in range(5000))
    yield from ((2**30,), (2**46 - 1,), (ONE,))


def _products(draw: random.Random, half: int = 1) -> Iterator[Arguments]:
    """mul_high: v b = k 2**64 + 2**63 and a little."""
    for _ in range(5000):
        b = draw.randrange(2 ** draw.randrange(1, 33)) | 1
        inverse = pow(b, -1, 2**64)
        for little in NEAR:
            v = (half * 2**63 + little) * inverse % 2**64 + 2**64 * draw.randrange(4)
            yield min(v, 2**66), b
    yield from ((2**66, ONE), (2**66, 0), (0, 5), (2**66, 1))


def _squares(draw: random.Random) -> Iterator[Arguments]:
    """root: s^2 + s is the last that rounds down."""
    for _ in range(5000):
        s = draw.randrange(1, 2 ** draw.randrange(1, 34))
        yield from ((v,) for v in (s * s + s, s * s + s + 1, s * s, s * s - 1, s * s + s - 1) if v <= 2**66)
    yield from ((v,) for v in (*range(10), 2**66, 2**66 - 1))


def _all_of(count: int) -> Callable[[random.Random], Iterator[Arguments]]:
    return lambda draw: ((at,) for at in range(count))


PRIMITIVES: Final = (
    Primitive(primitives.mul_rdiv, (False, False, False), False, _quotients),
    Primitive(primitives.floor_div, (False, False), False, _floors),
    Primitive(primitives.exp_table, (False,), False, _all_of(12)),
    Primitive(primitives.knot, (False,), False, _all_of(40)),
    Primitive(primitives.knot_below, (False,), False, _knots),
    Primitive(primitives.square, (False,), True, _deviations),
    Primitive(primitives.add, (True, True), True, _pairs),
    Primitive(primitives.least, (True, True), True, _pairs),
    Primitive(primitives.drift, (False, False), True, _drifts),
    Primitive(primitives.over_pi_sq, (True,), False, _over_pi),
    Primitive(primitives.precision, (True,), False, _precisions),
    Primitive(primitives.variance, (False,), True, _variances),
    Primitive(primitives.mul_high, (True, False), False, _products),
    Primitive(primitives.root, (True,), False, _squares),
)

TRUNCATING: Final = tuple(
    Primitive(truncating.PRIMITIVES[name], wide, gives_wide, tries)
    for name, wide, gives_wide, tries in (
        ("mul_rdiv", (False, False, False), False, partial(_quotients, half=0)),
        ("drift", (False, False), True, partial(_drifts, half=0)),
        ("over_pi_sq", (True,), False, partial(_over_pi, half=0)),
        ("precision", (True,), False, partial(_precisions, half=0)),
        ("variance", (False,), True, partial(_variances, half=0)),
        ("mul_high", (True, False), False, partial(_products, half=0)),
        ("root", (True,), False, _squares),
    )
)
