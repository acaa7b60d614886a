"""The same formulas over quotients and roots that are cut off: the evidence shows what rounding to the nearest buys.

No contract computes this. Each formula is the one of `tallymark.fixedpoint.formulas`, over the primitives below.
"""

from collections.abc import Callable
from math import isqrt
from typing import Final, cast

from tallymark.fixedpoint import formulas, primitives
from tallymark.fixedpoint.counting import rebound
from tallymark.fixedpoint.formulas import Game
from tallymark.fixedpoint.units import Q, W


def rdiv(n: int, d: int) -> int:
    """n / d without its fraction, towards zero; d > 0. Odd in n.

    >>> rdiv(7, 2), rdiv(-7, 2)
    (3, -3)
    """
    return n // d if n >= 0 else -(-n // d)


def root(v: W) -> Q:
    """The square root of v without its fraction.

    >>> root(W(8)), root(W(9))
    (2, 3)
    """
    return isqrt(cast(int, v))


def shift_round(a: int, n: int) -> int:
    """a / 2**n without its fraction; a >= 0.

    >>> shift_round(7, 1)
    3
    """
    return a >> n


def _named(functions: dict[str, Callable[..., object]]) -> dict[str, Callable[..., object]]:
    """Functions that compiled code, which is linked by names, cannot take for those that they were made of."""
    for name, one in functions.items():
        one.__qualname__ = f"truncating_{name}"
    return functions


_DIVIDING: Final = (
    primitives.mul_rdiv,
    primitives.drift,
    primitives.over_pi_sq,
    primitives.precision,
    primitives.variance,
    primitives.mul_high,
)
PRIMITIVES: Final = {**_named(rebound(primitives, _DIVIDING, {"rdiv": rdiv})), "root": root}
"""The primitives that round, by name; the others of `tallymark.fixedpoint.primitives` are exact as they are."""
_OVER_THEM: Final = [one for one in formulas.FORMULAS if one is not formulas.shift_round]
FORMULAS: Final = {
    **_named(rebound(formulas, _OVER_THEM, {**PRIMITIVES, "shift_round": shift_round})),
    "shift_round": shift_round,
}
"""Every formula, by name."""

game: Final = cast(Callable[[Q, Q, int, Q, Q, int, Q, int], Game], FORMULAS["game"])
"""One game at t with the score s for a, as `tallymark.fixedpoint.formulas.game`."""
