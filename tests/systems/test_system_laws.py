"""Laws that every system keeps, whatever the players: symmetry, shifts, ageing, monotony, order."""

import math
import random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.errors import InputError
from tallymark.systems import SYSTEMS, Elo, Glicko, Glicko2, Glicko2HalfLife, Rating, System

ALL: Final[list[System]] = [
    Elo(),
    Elo(k=32.0, k_new=40.0, new_games=30, k_top=10.0, top_rating=2400.0),
    Glicko(),
    Glicko2(),
    Glicko2(tau=1.2),
    Glicko2(tau=0.5, solver="illinois", tolerance=1e-12),
    Glicko2HalfLife(),
]
SHIFTING: Final = [one for one in ALL if not isinstance(one, Glicko2HalfLife) and not getattr(one, "k_top", None)]
RATINGS: Final = st.builds(Rating, st.floats(0.0, 4000.0), st.floats(5.0, 500.0), st.floats(0.01, 0.15))
SCORES: Final = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.0, 1.0))
GAMES: Final = st.lists(st.tuples(RATINGS, SCORES), min_size=1, max_size=6)
SYSTEM: Final = st.sampled_from(ALL)


def known(system: System, rating: Rating) -> Rating:
    """A rating without what the system does not have."""
    return Rating(
        rating.rating,
        rating.deviation if system.has_deviation else 0.0,
        rating.volatility if system.has_volatility else 0.0,
    )


def moved(rating: Rating, points: float) -> Rating:
    return Rating(rating.rating + points, rating.deviation, rating.volatility)


def mirrored(rating: Rating) -> Rating:
    return Rating(3000.0 - rating.rating, rating.deviation, rating.volatility)


def close(one: Rating, two: Rating, points: float = 1e-9) -> bool:
    return (
        math.isclose(one.rating, two.rating, abs_tol=points, rel_tol=1e-12)
        and math.isclose(one.deviation, two.deviation, abs_tol=points, rel_tol=1e-12)
        and math.isclose(one.volatility, two.volatility, abs_tol=1e-12)
    )


def test_every_system_is_here() -> None:
    assert {type(one) for one in ALL} == set(SYSTEMS.values())


@given(SYSTEM, RATINGS, RATINGS)
def test_both_sides_expect_1_together(system: System, a: Rating, b: Rating) -> None:
    assert abs(system.expected(a, b) + system.expected(b, a) - 1.0) <= 1e-15
    assert system.logit(a, b) == -system.logit(b, a)
    assert (system.expected(a, b) > 0.5) <= (a.rating > b.rating)
    assert system.expected(a, a) == 0.5


@pytest.mark.parametrize("system", ALL, ids=lambda one: str(one.kind))
def test_an_expectation_is_never_certain(system: System) -> None:
    for gap in (10_000.0, 50_000.0, 100_000.0):
        low, high = Rating(1500.0 - gap, 30.0), Rating(1500.0, 30.0)
        assert 0.0 < system.expected(low, high) < 1e-20
        assert math.isfinite(system.logit(low, high))
        assert system.logit(high, low) > 50.0


@given(st.sampled_from(SHIFTING), RATINGS, GAMES)
def test_mirrored_players_with_swapped_scores_mirror(
    system: System, player: Rating, games: list[tuple[Rating, float]]
) -> None:
    player = known(system, player)
    one = system.update(player, games)
    two = system.update(mirrored(player), [(mirrored(b), 1.0 - s) for b, s in games])
    assert close(mirrored(one), two, 1e-8)


@given(st.sampled_from(SHIFTING), RATINGS, GAMES, st.floats(-2000.0, 2000.0))
def test_shifting_everyone_shifts_the_result(
    system: System, player: Rating, games: list[tuple[Rating, float]], points: float
) -> None:
    player = known(system, player)
    one = system.update(player, games)
    two = system.update(moved(player, points), [(moved(b, points), s) for b, s in games])
    assert close(moved(one, points), two, 1e-8)


@given(SYSTEM, RATINGS, GAMES, st.randoms(use_true_random=False))
def test_the_order_of_games_is_nothing(
    system: System, player: Rating, games: list[tuple[Rating, float]], chance: random.Random
) -> None:
    shuffled = list(games)
    chance.shuffle(shuffled)
    assert close(system.update(player, games), system.update(player, shuffled), 1e-8)


@given(SYSTEM, RATINGS, GAMES, SCORES)
def test_a_better_score_is_never_worse(
    system: System, player: Rating, games: list[tuple[Rating, float]], score: float
) -> None:
    (opponent, first), *rest = games
    low, high = sorted((first, score))
    worse = system.update(player, [(opponent, low), *rest])
    better = system.update(player, [(opponent, high), *rest])
    assert better.rating >= worse.rating - 1e-9


@given(SYSTEM, RATINGS, st.floats(0.0, 200.0), st.floats(0.0, 200.0))
def test_ageing_adds_up(system: System, player: Rating, one: float, two: float) -> None:
    player = known(system, player)
    at_once = system.age(player, one + two)
    assert close(system.age(system.age(player, one), two), at_once)
    assert at_once.deviation >= player.deviation * (1.0 - 1e-15)
    assert (at_once.rating, at_once.volatility) == (player.rating, player.volatility)
    assert system.age(player, 0.0) == player


@given(SYSTEM, RATINGS)
def test_a_period_without_games_only_ages(system: System, player: Rating) -> None:
    player = known(system, player)
    for n in (0.0, 1.0, 0.37):
        assert close(system.update(player, [], elapsed=n), system.age(player, n))
    if system.has_volatility:
        assert close(system.update(player, []), system.age(player))


@settings(max_examples=50)
@given(SYSTEM, RATINGS, RATINGS)
def test_a_game_teaches(system: System, player: Rating, opponent: Rating) -> None:
    player = known(system, player)
    won, lost = (system.update(player, [(opponent, s)], elapsed=0.0) for s in (1.0, 0.0))
    assert won.rating >= player.rating >= lost.rating
    if system.has_deviation:
        assert won.deviation <= player.deviation * (1.0 + 1e-15)


@given(RATINGS, RATINGS)
def test_equal_deviations_change_by_opposite_amounts(a: Rating, b: Rating) -> None:
    b = Rating(b.rating, a.deviation, a.volatility)
    for system in SHIFTING:
        up = system.update(a, [(b, 1.0)]).rating - a.rating
        down = system.update(b, [(a, 0.0)]).rating - b.rating
        assert up == pytest.approx(-down, abs=1e-9)


@pytest.mark.parametrize("system", ALL, ids=lambda one: str(one.kind))
@pytest.mark.parametrize("score", [-0.1, 1.5, math.nan, math.inf, True, "1", None])
def test_scores_outside_0_to_1_are_refused(system: System, score: float) -> None:
    with pytest.raises(InputError, match=r"score is .*; expected a number from 0 \(lost\) to 1 \(won\)"):
        system.update(system.initial(), [(system.initial(), score)])


@pytest.mark.parametrize("periods", [-1.0, math.nan, math.inf])
def test_periods_that_are_none_are_refused(periods: float) -> None:
    player = Rating(1500, 200, 0.06)
    with pytest.raises(InputError, match="periods is"):
        Glicko2().age(player, periods)
    with pytest.raises(InputError, match="elapsed is"):
        Glicko2().update(player, [], elapsed=periods)


def test_a_deviation_of_0_is_legal() -> None:
    anchor, player = Rating(1500, 0, 0.06), Rating(1500, 200, 0.06)
    for system in ALL:
        assert math.isfinite(system.update(anchor, [(player, 1.0)]).rating)
        assert system.update(player, [(anchor, 1.0)]).rating > 1500.0
    after = Glicko2().update(Rating(1500, 0, 0.06), [(Rating(1600, 50), 1.0)])
    assert after.deviation == pytest.approx(10.4192488509, abs=1e-8)
    assert Glicko().update(anchor, [(player, 1.0)]).rating == 1500.0


def test_ratings_are_finite_or_refused() -> None:
    nan, inf = math.nan, math.inf
    for numbers in ((nan, 1.0, 0.1), (1.0, inf, 0.1), (1.0, 1.0, nan), (1.0, -1.0, 0.1), (1.0, 1.0, -0.1)):
        with pytest.raises(InputError):
            Rating(*numbers)


def test_elo_k_by_games_and_rating() -> None:
    system = Elo(k=20.0, k_new=40.0, new_games=30, k_top=10.0, top_rating=2400.0)
    k = system.constants()
    for played, rating, change in ((0, 1500.0, 40.0), (29, 2500.0, 40.0), (30, 1500.0, 20.0), (30, 2400.0, 10.0)):
        assert system.formulas.settle(rating, 0.0, 0.0, 0.0, 0.5, 0.0, float(played), k)[0] == rating + change / 2


def test_elo_with_a_quantum_loses_no_point() -> None:
    system = Elo(k=25.0, quantum=1.0)
    a = b = Rating(1200, 0, 0)
    for n in range(1000):
        s = float(n % 2 == 0)
        a, b = system.update(a, [(b, s)]), system.update(b, [(a, 1.0 - s)])
        assert a.rating + b.rating == 2400.0


def test_elo_on_a_grid_rounds_the_change_and_not_the_sum() -> None:
    system = Elo(k=1.0, quantum=1.0)
    k = system.constants()
    for mu_a, mu_b, u in ((1201.0, 1200.0, 0.5), (1200.0, 1203.0, 1.5), (1200.0, 1201.0, 0.499)):
        a, b = (
            system.formulas.settle(mu, 0.0, 0.0, 0.0, s * u, 0.0, 0.0, k)[0] for mu, s in ((mu_a, 1.0), (mu_b, -1.0))
        )
        assert a - mu_a == mu_b - b == round(u)
