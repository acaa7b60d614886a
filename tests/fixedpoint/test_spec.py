"""Every row of the spec's tables, and the case of the smallest expectations."""

import json
from pathlib import Path

import pytest

from tallymark.fixedpoint import State, aged, logistic, rdiv, root, update
from tallymark.fixedpoint.constants import DAY, KNOTS, PHI_MAX, PHI_MIN
from tallymark.fixedpoint.formulas import g, half_life, rank, side
from tallymark.fixedpoint.primitives import square
from tallymark.fixedpoint.units import ONE

T = 1700000000
NEW = State(0, 0, 0)
A = State(KNOTS[22] + 12345, 1 << 31, T - 9 * DAY)
B = State(KNOTS[20] + 999, (1 << 32) // 3, T - 3 * DAY)


@pytest.mark.parametrize(("n", "d", "nearest"), [(1, 2, 0), (3, 2, 2), (5, 2, 2), (7, 2, 4), (-5, 2, -2)])
def test_rdiv(n: int, d: int, nearest: int) -> None:
    assert rdiv(n, d) == nearest


def test_two_new_players() -> None:
    a, b, p = update(NEW, NEW, 2, T)
    assert a == State(3976162240, 7130373381, T)
    assert b == State(-3976162240, 7130373381, T)
    assert p == 2147483648


@pytest.mark.parametrize(
    ("half_points", "mu_a", "mu_b"),
    [(2, -3127674924, -6466404596), (1, -3682925599, -6215595102), (0, -4238176273, -5964785608)],
)
def test_worked_update(half_points: int, mu_a: int, mu_b: int) -> None:
    a, b, p = update(A, B, half_points, T)
    assert a == State(mu_a, 2204362784, T)
    assert b == State(mu_b, 1498026208, T)
    assert p == 2783423771


@pytest.mark.parametrize("mu", [KNOTS[0], KNOTS[15], KNOTS[16]])
def test_boundary_seconds_of_a_half_life_of_15_days(mu: int) -> None:
    def after(dt: int) -> int:
        return root(aged(mu, 1 << 31, T - dt, T))

    assert half_life(rank(mu)) == 15 * ONE
    assert after(5736551) <= ONE < after(5736552)
    assert aged(mu, 1 << 31, T - 28682759, T) != square(PHI_MAX)
    assert aged(mu, 1 << 31, T - 28682760, T) == square(PHI_MAX)


def test_every_onchain_case_has_a_test(cases: Path) -> None:
    everything = json.loads((cases / "cases.json").read_text(encoding="utf-8"))
    assert {case["id"] for case in everything if case["for"] == "onchain"} == {"FIX-06"}


def test_FIX_06_the_smallest_expectations(cases: Path) -> None:
    everything = json.loads((cases / "cases.json").read_text(encoding="utf-8"))
    case = next(case for case in everything if case["id"] == "FIX-06")
    high, low = (round(mu * ONE) for mu in case["input"]["mu"])
    least = round(case["input"]["phi_opponent"] * ONE)
    assert least == PHI_MIN
    weight = g(square(least))
    done = side(low, square(least), weight, high, 0)
    expected, tolerance = case["expected"], case["tolerance"]["ulp"]
    assert done.e == pytest.approx(expected["E_low_in_ulp"], abs=tolerance)
    assert done.ee == pytest.approx(expected["E_times_1_minus_E_in_ulp"], abs=tolerance)
    other = side(high, square(least), weight, low, ONE)
    assert other.ee >= 1
    assert other.e <= ONE - 1
    assert logistic(-(83 << 30)) >= 1
