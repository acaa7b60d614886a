"""Formulas over quotients that are cut off: each primitive against exact fractions, whole games against the model."""

import math
from fractions import Fraction
from types import FunctionType
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.fixedpoint import formulas
from tallymark.fixedpoint.constants import DAY, PI_SQ
from tallymark.fixedpoint.truncating import FORMULAS, PRIMITIVES, game, rdiv, root, shift_round
from tallymark.fixedpoint.units import HALF, ONE, W
from tallymark.fixedpoint.vectors.drawing import NOW, Draw


@given(st.integers(-(1 << 100), 1 << 100), st.integers(1, 1 << 70))
def test_quotients_go_towards_zero(n: int, d: int) -> None:
    assert rdiv(n, d) == math.trunc(Fraction(n, d)) == -rdiv(-n, d)


@given(st.integers(0, 1 << 66), st.integers(0, 1 << 33), st.integers(0, 33))
def test_roots_and_shifts_go_down(n: int, a: int, by: int) -> None:
    assert root(W(n)) == math.isqrt(n)
    assert shift_round(a, by) == math.floor(Fraction(a, 1 << by))


@given(st.integers(1 << 50, 1 << 66), st.integers(0, ONE), st.integers(0, (1 << 29) - 1), st.integers(0, 1 << 30))
def test_primitives(v: int, b: int, c: int, dt: int) -> None:
    expected = {
        ("mul_rdiv", (-c, b, dt + 1)): Fraction(-c * b, dt + 1),
        ("drift", (c, dt)): Fraction(c * c * dt, DAY),
        ("over_pi_sq", (v,)): Fraction(3 * v, PI_SQ),
        ("precision", (v,)): Fraction(1 << 96, v),
        ("variance", (ONE + b,)): Fraction(1 << 96, ONE + b),
        ("mul_high", (v, b)): Fraction(v * b, 1 << 64),
    }
    for (name, arguments), exact in expected.items():
        assert PRIMITIVES[name](*arguments) == math.trunc(exact), name
    assert {name for name, _ in expected} | {"root"} == set(PRIMITIVES)


def test_every_formula_is_there() -> None:
    assert set(FORMULAS) == {one.__name__ for one in formulas.FORMULAS}
    rounding = [id(one) for one in formulas.FORMULAS]
    for name, one in FORMULAS.items():
        function = cast(FunctionType, one)
        called = [value for word, value in function.__globals__.items() if word in function.__code__.co_names]
        assert not any(id(value) in rounding for value in called), name


def test_compiled_code_can_tell_them_apart() -> None:
    """It is linked by module and name."""
    functions = [*formulas.FORMULAS, *FORMULAS.values(), *PRIMITIVES.values()]
    names = {(one.__module__, one.__qualname__) for one in functions}
    assert len(names) == len(functions)


@pytest.mark.parametrize("s", [0, HALF, ONE])
def test_games_are_near_those_that_round(s: int) -> None:
    draw = Draw(7)
    different = 0
    for _ in range(200):
        a, b = draw.state(NOW), draw.state(NOW)
        cut = game(*a, *b, s, NOW)
        rounded = formulas.game(*a, *b, s, NOW)
        different += cut.side_a.mu != rounded.side_a.mu
        assert abs(cut.side_a.mu - rounded.side_a.mu) < 1 << 12
        assert abs(cut.chance.p - rounded.chance.p) < 1 << 8
    assert different > 100
