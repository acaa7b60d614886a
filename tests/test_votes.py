"""The six conversions of votes.md, to the digit."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark import votes
from tallymark.errors import InputError
from tallymark.methodology import methodology

METRICS = [
    (votes.RATING, votes.rating_to_storage, votes.rating_to_display),
    (votes.DEVIATION, votes.rd_to_storage, votes.rd_to_display),
    (votes.VOLATILITY, votes.volatility_to_storage, votes.volatility_to_display),
]
IDS = [metric.name for metric, _, _ in METRICS]


def test_defaults_of_the_table() -> None:
    assert (votes.rating_to_storage(1500.0), votes.rd_to_storage(350.0), votes.volatility_to_storage(0.06)) == (
        150000,
        35000,
        60000,
    )
    assert (votes.rating_to_display(150000), votes.rd_to_display(35000), votes.volatility_to_display(60000)) == (
        1500.0,
        350.0,
        0.06,
    )


def test_papers_example() -> None:
    assert votes.rating_to_storage(1464.05067054) == 146405
    assert votes.rd_to_storage(151.516524124) == 15152
    assert votes.volatility_to_storage(0.0599959844007) == 59996


def test_ties() -> None:
    assert 1500.005 * 100.0 == 150000.5
    assert votes.rating_to_storage(1500.005) == 150000
    assert votes.rating_to_storage(1500.005, rounding="half-up") == 150001
    assert votes.rd_to_storage(1.125, rounding="half-up") == 113
    assert votes.rd_to_storage(1.125) == 112
    assert votes.volatility_to_storage(0.0000015, rounding="half-up") == 2


def test_ranges_are_the_methodology_s() -> None:
    m = methodology("votes-v1")
    for metric, _, _ in METRICS:
        assert m.bounds.of(metric.name) == (metric.low, metric.high)
        assert getattr(m.numbers, f"{metric.name}_multiplier") == metric.multiplier


@pytest.mark.parametrize(("metric", "to_storage", "to_display"), METRICS, ids=IDS)
def test_ends_and_beyond(
    metric: votes.Metric, to_storage: Callable[[Any], int], to_display: Callable[[Any], float]
) -> None:
    low, high = to_storage(metric.low), to_storage(metric.high)
    assert (to_display(low), to_display(high)) == (metric.low, metric.high)
    beyond = (math.nextafter(metric.low, -1.0), math.nextafter(metric.high, math.inf))
    for wrong in (*beyond, math.nan, math.inf, -math.inf, True, "1", None):
        with pytest.raises(InputError, match=metric.name) as caught:
            to_storage(wrong)
        assert repr(wrong) in str(caught.value)
        assert f"from {metric.low} to {metric.high}" in str(caught.value)
    for stored in (low - 1, high + 1, 150.0, True, "150", None):
        with pytest.raises(InputError, match=f"stored {metric.name} is {stored!r}; expected a whole number from {low}"):
            to_display(stored)


def test_unknown_rounding() -> None:
    with pytest.raises(InputError, match="rounding is 'up'; expected half-even or half-up"):
        votes.rating_to_storage(1500.0, rounding="up")


@given(
    st.integers(0, 300000), st.integers(100, 35000), st.integers(1, 10**6), st.sampled_from(["half-even", "half-up"])
)
def test_stored_integers_come_back(rating: int, deviation: int, volatility: int, rounding: str) -> None:
    assert votes.rating_to_storage(votes.rating_to_display(rating), rounding=rounding) == rating
    assert votes.rd_to_storage(votes.rd_to_display(deviation), rounding=rounding) == deviation
    assert votes.volatility_to_storage(votes.volatility_to_display(volatility), rounding=rounding) == volatility


@given(st.floats(min_value=0.0, max_value=3000.0))
def test_stored_is_pythons_rounding_of_the_product(rating: float) -> None:
    assert votes.rating_to_storage(rating) == round(rating * 100.0)
