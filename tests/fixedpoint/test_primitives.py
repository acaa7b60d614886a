"""Each primitive against exact fractions, on constructed ties and their neighbours: whole updates see no wrong tie."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.fixedpoint import formulas, primitives, update
from tallymark.fixedpoint.constants import DAY, DT_MAX, EXP_TABLE, KNOTS, MU_HI, MU_LO, PHI_MAX, PHI_MIN, PI_SQ
from tallymark.fixedpoint.formulas import shift_round
from tallymark.fixedpoint.primitives import (
    add,
    drift,
    floor_div,
    knot_below,
    least,
    mul_high,
    mul_rdiv,
    over_pi_sq,
    precision,
    rdiv,
    root,
    square,
    variance,
)
from tallymark.fixedpoint.units import W
from tallymark.fixedpoint.vectors.drawing import NOW, Draw
from tallymark.fixedpoint.vectors.edges import UPDATES


def nearest(n: int, d: int) -> int:
    """Python rounds a fraction to the nearest integer, ties to even."""
    return round(Fraction(n, d))


def plain(v: W) -> int:
    return cast(int, v)


@given(st.integers(-(1 << 40), 1 << 40), st.integers(1, 1 << 64), st.sampled_from([-1, 0, 1]))
def test_ties_and_their_neighbours(k: int, half: int, by: int) -> None:
    n = (2 * k + 1) * half + by
    assert rdiv(n, 2 * half) == nearest(n, 2 * half)
    assert rdiv(-n, 2 * half) == -rdiv(n, 2 * half)


@given(st.integers(-(1 << 100), 1 << 100), st.integers(1, 1 << 70))
def test_anything(n: int, d: int) -> None:
    assert rdiv(n, d) == nearest(n, d)
    assert -(d // 2) <= n - rdiv(n, d) * d <= d // 2


@given(st.integers(0, 1 << 33), st.sampled_from([0, 1]))
def test_roots_about_a_half(s: int, by: int) -> None:
    """s + 1/2 squared is s^2 + s + 1/4: no integer is a tie, and s^2 + s is the last that goes down."""
    assert root(W(s * s + s + by)) == s + by


@given(st.integers(0, 1 << 66))
def test_roots(n: int) -> None:
    s = root(W(n))
    assert (2 * s - 1) ** 2 <= 4 * n or s == 0
    assert 4 * n <= (2 * s + 1) ** 2


@given(st.integers(-(1 << 50), 1 << 50), st.integers(-(1 << 50), 1 << 50), st.integers(1, (1 << 51) - 1))
def test_products_by_quotients(a: int, b: int, d: int) -> None:
    assert mul_rdiv(a, b, d) == nearest(a * b, d)


@given(st.integers(0, (1 << 33) - 1), st.integers(0, 33), st.sampled_from([-1, 0, 1]))
def test_shifts(q: int, n: int, by: int) -> None:
    a = max((2 * q + 1 << n >> 1) + by, 0)
    assert shift_round(a, n) == nearest(a, 1 << n)


@given(st.integers(0, (1 << 51) - 1), st.integers(1, (1 << 51) - 1))
def test_floors(a: int, d: int) -> None:
    assert floor_div(a, d) == math.floor(Fraction(a, d))


@given(st.integers(0, (1 << 29) - 1), st.integers(0, DT_MAX))
def test_drift(c: int, dt: int) -> None:
    assert plain(drift(c, dt)) == nearest(c * c * dt, DAY)


@pytest.mark.parametrize("c", [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120])
def test_ties_of_the_drift(c: int) -> None:
    """c^2 dt / 86400 is a tie where c^2 dt is an odd multiple of 43200."""
    for k in range(1, 16, 2):
        dt = 43200 // (c * c) * k
        assert c * c * dt == 43200 * k
        assert [plain(drift(c, dt + by)) for by in (-1, 0, 1)] == [nearest(c * c * (dt + by), DAY) for by in (-1, 0, 1)]


@given(st.integers(0, 1 << 68))
def test_three_over_pi_squared(v: int) -> None:
    assert over_pi_sq(W(v)) == nearest(3 * v, PI_SQ)


@given(st.integers(1 << 50, 1 << 66))
def test_precision(v: int) -> None:
    assert precision(W(v)) == nearest(1 << 96, v)


@given(st.integers(1 << 30, (1 << 46) - 1))
def test_variance(p: int) -> None:
    assert plain(variance(p)) == nearest(1 << 96, p)


@given(st.integers(31, 63), st.integers(0, 1 << 60), st.sampled_from([-1, 0, 1]))
def test_the_high_part_of_a_product_about_its_ties(k: int, odd: int, by: int) -> None:
    v, b = 2 * (odd >> k) + 1 << k, 1 << 63 - k  # v b is an odd multiple of 2**63
    assert mul_high(W(v + by), b) == nearest((v + by) * b, 1 << 64)


@given(st.integers(0, 1 << 66), st.integers(0, 1 << 32))
def test_the_high_part_of_a_product(v: int, b: int) -> None:
    assert mul_high(W(v), b) == nearest(v * b, 1 << 64)


@given(st.integers(0, 1 << 72), st.integers(0, 1 << 72), st.integers(0, PHI_MAX))
def test_sums_squares_and_the_smaller(v: int, w: int, phi: int) -> None:
    assert plain(add(W(v), W(w))) == v + w
    assert plain(least(W(v), W(w))) == min(v, w)
    assert plain(square(phi)) == phi**2


@given(st.integers(MU_LO, MU_HI) | st.sampled_from(KNOTS).flatmap(lambda mu: st.integers(mu - 2, mu + 2)))
def test_the_knot_below(mu: int) -> None:
    assert knot_below(mu) == max((k for k in range(39) if KNOTS[k] <= mu), default=0)


# What each primitive says of its arguments and results; a compiled body relies on it.

INT = 1 << 51
DOMAINS: dict[str, Callable[..., bool]] = {
    "mul_rdiv": lambda q, a, b, d: abs(a) < INT and abs(b) < INT and 0 < d < INT and abs(q) < 1 << 48,
    "floor_div": lambda q, a, d: 0 <= a < INT and 0 < d < INT,
    "exp_table": lambda e, j: 0 <= j < len(EXP_TABLE),
    "knot": lambda mu, k: 0 <= k < len(KNOTS),
    "knot_below": lambda k, mu: abs(mu) < INT,
    "square": lambda v, phi: 0 <= phi <= PHI_MAX,
    "add": lambda s, v, w: 0 <= v < 1 << 72 and 0 <= w < 1 << 72,
    "least": lambda m, v, w: 0 <= v < 1 << 72 and 0 <= w < 1 << 72,
    "drift": lambda v, c, dt: 0 <= c < 1 << 29 and 0 <= dt <= DT_MAX,
    "over_pi_sq": lambda q, v: 0 <= v < 1 << 68,
    "precision": lambda p, v: 1 << 50 <= v <= 1 << 66,
    "variance": lambda v, p: 1 << 30 <= p < 1 << 46,
    "mul_high": lambda q, v, b: 0 <= v <= 1 << 66 and 0 <= b <= 1 << 32,
    "root": lambda s, v: 1 <= v <= 1 << 66,
}


def test_every_primitive_has_a_domain() -> None:
    own = {name for name, one in vars(primitives).items() if getattr(one, "__module__", "") == primitives.__name__}
    assert own - {"rdiv", "_int"} == set(DOMAINS)


def test_formulas_stay_inside_the_domains(monkeypatch: pytest.MonkeyPatch) -> None:
    called: set[str] = set()

    def guarded(name: str) -> Callable[..., object]:
        body = getattr(primitives, name)

        def run(*arguments: int) -> object:
            called.add(name)
            result = body(*arguments)
            assert DOMAINS[name](result, *arguments), f"{name}{arguments} = {result}"
            return result

        return run

    for name in DOMAINS:
        monkeypatch.setattr(formulas, name, guarded(name))
    for edge, (a, b, half_points, t) in UPDATES.items():
        if not edge.startswith("refused"):
            update(a, b, half_points, t)
    draw = Draw(8)
    ends = (PHI_MIN, PHI_MIN + 1, PHI_MAX - 1, PHI_MAX, 0)
    for mu_a in (MU_LO, -(1 << 39), 0, (1 << 39) - 1):
        for mu_b in (MU_HI, MU_LO, 0, mu_a):
            for phi_a in ends:
                for phi_b in ends:
                    a, b = draw.state(NOW)._replace(mu=mu_a, phi=phi_a), draw.state(NOW)._replace(mu=mu_b, phi=phi_b)
                    update(a, b, draw.between(0, 2), NOW)
    for _ in range(1000):
        update(draw.state(NOW), draw.state(NOW), draw.between(0, 2), NOW)
    assert called == set(DOMAINS)


def test_variances_and_q_are_told_apart() -> None:
    """By the type checker: each of these is an error that it must report, or mypy says so of the comment."""
    assert root(W(4)) == 2
    root(4)  # type: ignore[arg-type]
    rdiv(W(4), 2)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        W(4) + "2"  # type: ignore[operator]
