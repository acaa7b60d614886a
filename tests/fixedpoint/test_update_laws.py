"""What holds of every update, whatever the numbers."""

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import InputError
from tallymark.fixedpoint import RefusedError, State, Update, aged, half_life, logistic, rank, update
from tallymark.fixedpoint.constants import DT_MAX, KNOTS, MU_HI, MU_LO, PHI_MAX, PHI_MIN
from tallymark.fixedpoint.primitives import root
from tallymark.fixedpoint.units import ONE

NOW = 1700000000
mus = st.integers(MU_LO, MU_HI) | st.sampled_from(KNOTS)
phis = st.integers(PHI_MIN, PHI_MAX) | st.sampled_from([0, PHI_MIN, PHI_MAX])
times = st.integers(NOW - DT_MAX - 5, NOW + 5) | st.integers(NOW - 10**7, NOW)
states = st.builds(State, mus, phis, times)
outcomes = st.integers(0, 2)


@given(states, states, outcomes)
def test_both_sides_are_rated_alike(a: State, b: State, half_points: int) -> None:
    done = update(a, b, half_points, NOW)
    other = update(b, a, 2 - half_points, NOW)
    assert (done.a, done.b) == (other.b, other.a)
    assert abs(done.p + other.p - ONE) <= 1


@given(states, states, outcomes)
def test_a_rating_stays_valid(a: State, b: State, half_points: int) -> None:
    done = update(a, b, half_points, NOW)
    assert 0 < done.p < ONE
    for before, after in ((a, done.a), (b, done.b)):
        assert MU_LO <= after.mu <= MU_HI
        assert PHI_MIN <= after.phi <= max(PHI_MIN, root(aged(*before, NOW)))
        assert after.last == max(before.last, NOW)


@given(states, states)
def test_a_better_result_is_never_worse(a: State, b: State) -> None:
    lost, drawn, won = (update(a, b, half_points, NOW) for half_points in range(3))
    assert lost.a.mu <= drawn.a.mu <= won.a.mu
    assert lost.b.mu >= drawn.b.mu >= won.b.mu
    assert lost.a.phi == drawn.a.phi == won.a.phi
    assert lost.a.mu <= a.mu <= won.a.mu


@given(states, states, outcomes)
def test_a_trace_is_the_update(a: State, b: State, half_points: int) -> None:
    done = update(a, b, half_points, NOW, trace=True)
    assert done[:3] == update(a, b, half_points, NOW)
    for side, state in (("a", done.a), ("b", done.b)):
        assert tuple(done.steps[f"{side}.{name}"] for name in State._fields) == state
        assert done.steps[f"{side}.exp"] == min(done.steps[f"{side}.exp.whole"], done.steps[f"{side}.exp"])
    assert done.steps["p.p"] == done.p
    assert len(done.steps) == 88
    assert all(type(value) is int for value in done.steps.values())


@given(states, st.integers(0, DT_MAX), st.integers(0, 10**6))
def test_ageing_only_grows(state: State, since: int, more: int) -> None:
    mu, phi, _ = state
    now, later = (cast(int, aged(mu, phi, 0, t)) for t in (since, since + more))
    assert now <= later <= PHI_MAX**2
    assert (phi or PHI_MAX) ** 2 <= now
    for t in (5, 3):
        assert cast(int, aged(mu, phi, 5, t)) == (phi or PHI_MAX) ** 2


@given(st.integers(-(1 << 40), 1 << 40), st.integers(0, 1 << 33))
def test_the_logistic(z: int, more: int) -> None:
    """It grows but for the last unit: the pieces of e^-x meet within one."""
    assert 0 <= logistic(z) <= logistic(z + more) + 1 <= ONE + 1
    assert abs(logistic(z) + logistic(-z) - ONE) <= 1


@given(mus, mus)
def test_ranks_and_half_lives_grow(one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert 0 <= rank(low) <= rank(high) <= 39 * ONE
    assert 15 * ONE <= half_life(rank(low)) <= half_life(rank(high)) <= 45 * ONE


def test_whole_ranks() -> None:
    assert [rank(mu) for mu in KNOTS] == [k * ONE for k in range(40)]


@pytest.mark.parametrize(
    ("wrong", "what", "message"),
    [
        (lambda a: (a._replace(mu=1 << 39), a, 2, NOW), "a.mu", "a.mu is 549755813888; expected a whole number from"),
        (lambda a: (a, a._replace(phi=PHI_MAX + 1), 2, NOW), "b.phi", "b.phi is 8589934593; expected 0 (never rated)"),
        (lambda a: (a, a._replace(phi=PHI_MIN - 1), 2, NOW), "b.phi", "b.phi is 42949672; expected 0 (never rated)"),
        (lambda a: (a._replace(last=-1), a, 2, NOW), "a.last", "a.last is -1; expected a whole number from 0 to"),
        (lambda a: (a, a, 3, NOW), "half_points", "half_points is 3; expected 0 (a lost), 1 (drawn) or 2 (a won)"),
        (lambda a: (a, a, 0.5, NOW), "half_points", "half_points is 0.5; expected 0"),
        (lambda a: (a, a, True, NOW), "half_points", "half_points is True; expected 0"),
        (lambda a: (a, a, 2, 1 << 40), "t", "t is 1099511627776; expected a whole number from 0 to 1099511627775"),
        (lambda a: (a, a, 2, 10**100), "t", "t is a whole number of more than 256 bits; expected"),
        (lambda a: (a, a, 2, "now"), "t", "t is 'now'; expected a whole number"),
    ],
)
def test_refusals(wrong: "object", what: str, message: str) -> None:
    arguments = wrong(State(0, ONE, NOW))  # type: ignore[operator]
    with pytest.raises(RefusedError) as caught:
        update(*arguments)
    assert caught.value.what == what
    assert str(caught.value).startswith(message)
    assert isinstance(caught.value, InputError)


def test_other_whole_numbers_are_taken() -> None:
    """numpy's, for instance: whatever has an index."""
    numpy = pytest.importorskip("numpy")
    one = State(numpy.int64(5), numpy.int64(ONE), numpy.int64(0))
    done = update(one, one, numpy.int8(2), numpy.int64(NOW))
    assert isinstance(done, Update)
    assert done == update(State(5, ONE, 0), State(5, ONE, 0), 2, NOW)
    assert type(done.a.mu) is int


def test_names_of_steps_are_in_order() -> None:
    names = list(update(State(0, 0, 0), State(0, 0, 0), 2, NOW, trace=True).steps)
    assert names[:6] == ["a.rank", "a.half_life", "a.dt", "a.c", "a.drift", "a.var"]
    assert [name for name in names if name.count(".") == 1][-4:] == ["p.g", "p.z", "p.exp", "p.p"]
    assert names.index("a.z") < names.index("a.exp.n") < names.index("a.exp") < names.index("a.e")
