"""Whole numbers: against Python's own round and exact fractions, at ties and where doubles become whole."""

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tallymark.numeric import half_even, half_up

WHOLE = 2.0**52
ANY = st.floats(allow_nan=False, allow_infinity=False)
TIES = st.integers(-(2**52), 2**52).map(lambda n: n + 0.5)
NEAR = st.integers(-(2**51), 2**51).flatmap(
    lambda n: st.sampled_from([math.nextafter(n + 0.5, math.inf), math.nextafter(n + 0.5, -math.inf), float(n)])
)
EDGES = st.sampled_from([sign * edge for sign in (1.0, -1.0) for edge in (WHOLE, 2 * WHOLE, 0.5 * WHOLE)]).flatmap(
    lambda edge: st.integers(-8, 8).map(lambda k: edge + k * 0.5)
)
NUMBERS = st.one_of(ANY, TIES, NEAR, EDGES, st.floats(-1e7, 1e7))


@given(NUMBERS)
@example(0.49999999999999994)
@example(-0.49999999999999994)
@example(4503599627370495.5)
@example(4503599627370494.5)
@example(-4503599627370495.5)
@example(9007199254740991.0)
@example(1.7976931348623157e308)
@example(5e-324)
def test_half_even_is_pythons_round(x: float) -> None:
    assert half_even(x) == round(x)
    assert half_even(-x) == -half_even(x)


@given(NUMBERS)
@example(0.49999999999999994)
@example(-0.49999999999999994)
@example(-0.5)
@example(4503599627370495.5)
@example(-4503599627370495.5)
@example(4503599627370497.0)
@example(-1.7976931348623157e308)
def test_half_up_is_the_floor_of_x_and_a_half(x: float) -> None:
    assert half_up(x) == math.floor(Fraction(x) + Fraction(1, 2))


@pytest.mark.parametrize(
    ("x", "even", "up"),
    [
        (0.5, 0.0, 1.0),
        (1.5, 2.0, 2.0),
        (2.5, 2.0, 3.0),
        (-0.5, 0.0, 0.0),
        (-1.5, -2.0, -1.0),
        (-2.5, -2.0, -2.0),
        (150000.5, 150000.0, 150001.0),
        (WHOLE - 0.5, WHOLE, WHOLE),
        (WHOLE - 1.5, WHOLE - 2.0, WHOLE - 1.0),
        (math.inf, math.inf, math.inf),
        (-math.inf, -math.inf, -math.inf),
    ],
)
def test_ties(x: float, even: float, up: float) -> None:
    assert (half_even(x), half_up(x)) == (even, up)


def test_nan_stays() -> None:
    assert math.isnan(half_even(math.nan))
    assert math.isnan(half_up(math.nan))
