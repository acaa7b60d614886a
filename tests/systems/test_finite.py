"""Finite in, finite out: whatever the numbers, an update is a valid state or the range check catches it."""

import math
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import MPContext

from tallymark.methodology import Methodology, shipped
from tallymark.methodology.limits import HELD, bounded, grown_within, in_range, shown, stored
from tallymark.systems import Rating
from tallymark.systems.half_life import Glicko2HalfLife, rank
from tallymark.systems.illinois import illinois
from tallymark.systems.rating import LARGEST
from tallymark.systems.volatility import careful, new_sigma2

MP = MPContext()
MP.dps = 40
RULES: Final = shipped()
EDGES: Final = [0.0, 5e-324, 1e-300, 1e-154, 1e-17, 1e16, 1e154, 1e300, LARGEST]
SIZE: Final = st.one_of(
    st.sampled_from(EDGES), st.floats(-300.0, 300.0).map(lambda power: float(10.0**power)), st.floats(0.0, 100.0)
)
REAL: Final = st.one_of(SIZE, SIZE.map(lambda x: -x))


@settings(max_examples=1000)
@given(SIZE, SIZE, SIZE, REAL, SIZE)
def test_the_volatility_is_finite(phi2: float, sigma2: float, w: float, u: float, tau2: float) -> None:
    z = careful(phi2, sigma2, w, u, tau2)
    assert not z > 700.0  # NaN is for the range check
    after = new_sigma2(phi2, sigma2, w, u, tau2)
    assert not after < 0.0


@settings(max_examples=500)
@given(SIZE, SIZE, SIZE, REAL, SIZE, st.sampled_from([1e-15, 1e-7, 1.0]), st.sampled_from([1.0, 100.0]))
def test_illinois_ends(
    phi2: float, sigma2: float, w: float, u: float, tau: float, tolerance: float, cap: float
) -> None:
    after, converged = illinois(phi2, sigma2, w, u, tau, tolerance, cap)
    assert not after < 0.0
    assert converged in (True, False)


@settings(max_examples=500)
@given(st.sampled_from(RULES), REAL, SIZE, SIZE, SIZE, REAL, SIZE, st.integers(0, 100))
def test_an_update_is_a_state_or_held(
    rules: Methodology, mu: float, phi2: float, sigma2: float, w: float, u: float, elapsed: float, played: int
) -> None:
    limits = rules.limits
    k = rules.system.constants(limits.rating_steps)
    new_mu, new_phi2, new_sigma2, _ = rules.system.formulas.settle(mu, phi2, sigma2, w, u, elapsed, float(played), k)
    if in_range(new_mu, new_phi2, new_sigma2):
        new_mu, new_phi2, new_sigma2, flags = bounded(mu, new_mu, new_phi2, new_sigma2, limits)
        assert 0 <= flags < HELD
        state = stored(new_mu, new_phi2, new_sigma2, limits)
        assert all(map(math.isfinite, (*state, *shown(*state, limits))))
        assert in_range(*state)
        for quantity, value in zip(("rating", "deviation", "volatility"), shown(*state, limits), strict=True):
            low, high = rules.bounds.of(quantity)
            assert low is None or value >= low * (1.0 - 1e-14)
            assert high is None or value <= high * (1.0 + 1e-14)


@given(st.sampled_from(RULES), REAL, SIZE, SIZE, SIZE)
def test_growth_stays_in_range(rules: Methodology, mu: float, phi2: float, sigma2: float, n: float) -> None:
    grown = grown_within(rules.system.formulas.growth(mu, phi2, sigma2, n, rules.system.constants()), rules.limits)
    assert 0.0 <= grown <= LARGEST


@given(REAL)
def test_a_rank_is_on_the_scale(mu: float) -> None:
    assert 0.0 <= rank(mu, 173.7178, 1500.0) <= 39.0


def test_ranks_at_their_knots() -> None:
    system = Glicko2HalfLife()
    at = [system.scale.to_state(525.0 * math.exp(k / 23.15), 0.0, 0.0).mu for k in range(40)]
    found = [rank(mu, 173.7178, 1500.0) for mu in at]
    assert found == pytest.approx(list(range(40)), abs=1e-11)
    for k in range(39):
        middle = (at[k] + at[k + 1]) / 2
        assert rank(middle, 173.7178, 1500.0) == pytest.approx(k + 0.5, abs=1e-11)
    assert (rank(at[0] - 1.0, 173.7178, 1500.0), rank(at[39] + 1.0, 173.7178, 1500.0)) == (0.0, 39.0)
    assert (rank(-math.inf, 173.7178, 1500.0), rank(math.inf, 173.7178, 1500.0)) == (0.0, 39.0)


@given(st.floats(-7.0, 9.0))
def test_a_rank_lies_between_its_knots(mu: float) -> None:
    """The spec's own words, at forty digits: the smooth logarithm would be up to 0.0054 off."""
    points = MP.mpf(173.7178) * MP.mpf(mu) + 1500
    knots = [525 * MP.exp(k / MP.mpf("23.15")) for k in range(40)]
    points = max(knots[0], min(points, knots[39]))
    below = max(k for k in range(39) if knots[k] <= points)
    exact = below + (points - knots[below]) / (knots[below + 1] - knots[below])
    assert abs(MP.mpf(rank(mu, 173.7178, 1500.0)) - exact) < 2e-14


@given(st.integers(0, 39), st.integers(0, 200))
def test_a_rank_rises_through_a_knot(k: int, steps: int) -> None:
    """Up to what the rounding of a logarithm can turn round."""
    mu = (525.0 * math.exp(k / 23.15) - 1500.0) / 173.7178
    low = high = mu
    for _ in range(steps):
        low, high = math.nextafter(low, -math.inf), math.nextafter(high, math.inf)
    assert rank(high, 173.7178, 1500.0) - rank(low, 173.7178, 1500.0) > -2e-14


@pytest.mark.parametrize("state", [(math.nan, 1.0, 1.0), (0.0, math.nan, 1.0), (0.0, 1.0, math.nan)])
def test_nan_is_out_of_range(state: tuple[float, float, float]) -> None:
    assert not in_range(*state)


@pytest.mark.parametrize(
    "state", [(2e305, 1.0, 1.0), (-2e305, 1.0, 1.0), (0.0, -1e-300, 1.0), (0.0, math.inf, 1.0), (0.0, 1.0, -1.0)]
)
def test_what_is_no_state_is_out_of_range(state: tuple[float, float, float]) -> None:
    assert not in_range(*state)


@settings(max_examples=200)
@given(
    st.sampled_from(RULES),
    st.floats(-1e6, 1e6),
    st.floats(0.0, 1e6),
    st.floats(0.0, 100.0),
    st.floats(-1e6, 1e6),
    st.floats(0.0, 1e6),
    st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=30),
)
def test_a_scalar_update_never_raises(
    rules: Methodology, r: float, rd: float, sigma: float, other: float, rd_other: float, scores: list[float]
) -> None:
    scores = scores[:1] if rules.numbers.exact else scores  # in integers each game is an update of its own
    step = rules.step(Rating(r, rd, sigma), [(Rating(other, rd_other), s) for s in scores])
    assert all(map(math.isfinite, (step.rating.rating, step.rating.deviation, step.rating.volatility)))
