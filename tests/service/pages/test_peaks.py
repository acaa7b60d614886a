"""UX-05: the peak, and why a higher point is none."""

import math

import pytest

import tallymark as tm
from tallymark.service.pages.peaks import at_most, peak_of, rule_of

PATH = [(1500, 350), (1712, 260), (1655, 190), (1590, 120), (1604, 108), (1598, 95), (1611, 111)]


def test_ux_05_a_peak_reached_while_provisional_does_not_count_and_says_why() -> None:
    found = peak_of(PATH, at_most(110))
    assert (found.rating, found.place) == (1604, 4)
    assert [(one.rating, one.why) for one in found.higher] == [
        (1712, "provisional at the time"),
        (1655, "provisional at the time"),
        (1611, "provisional at the time"),
    ]
    assert found.reason == "1712, 1655, 1611 do not count as the peak: provisional at the time (RD 260, 190, 111)"


def test_nothing_counts_yet() -> None:
    found = peak_of(PATH[:2], at_most(110))
    assert (found.rating, found.place) == (None, None)
    assert found.reason == "1712, 1500 do not count as the peak: provisional at the time (RD 260, 350)"


def test_where_all_count_nothing_has_to_be_said() -> None:
    found = peak_of(PATH, at_most(math.inf))
    assert (found.rating, found.reason) == (1712, None)


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, {110.0: True, 110.01: False}),
        ({"published.provisional_at": "from"}, {109.99: True, 110.0: False}),
        ({"published.peak": "rating", "published.peak_deviation": 75.0}, {75.0: True, 75.01: False}),
        ({"published.peak": "rating"}, {350.0: True}),
    ],
)
def test_what_counts_is_the_methodologys(changes: dict[str, object], counts: dict[float, bool]) -> None:
    rule = rule_of(tm.methodology("arena-v0").with_(changes))  # type: ignore[arg-type]
    assert rule is not None
    assert {deviation: rule(1500.0, deviation) is None for deviation in counts} == counts


def test_a_peak_of_games_cannot_be_told_by_deviations() -> None:
    assert rule_of(tm.methodology("go-float")) is None
    assert rule_of(tm.methodology("elo")) is None
