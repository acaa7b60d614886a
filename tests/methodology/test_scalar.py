"""One player at a time under a methodology: to the bit what a replay gives from an equal state, clamps included."""

from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark import GameLog, Snapshot, replay
from tallymark.errors import InputError
from tallymark.methodology import Methodology, methodology, shipped
from tallymark.methodology.limits import CLAMPS
from tallymark.methodology.scalar import Step
from tallymark.systems import Rating

# Glicko ages opponents before a period: by hand that goes over the display scale, so its bits are compared by match.
RULES: Final = [rules.with_(period="match") if rules.id == "glicko-1" else rules for rules in shipped()] + [
    methodology("votes").with_(rounding="half-up"),
    methodology("paper").with_(period="match", change_max=50.0, rating_min=100.0, rating_max=3000.0),
    methodology("elo").with_(quantum=1.0, k=24.0),
]
WIDE: Final = {"rating": (-30_000.0, 30_000.0), "deviation": (0.0, 2_000.0), "volatility": (0.0, 3.0)}


@st.composite
def a_rating(draw: st.DrawFn, rules: Methodology) -> Rating:
    """Inside the bounds, often on one."""
    numbers: list[float] = []
    for quantity, (least, most) in WIDE.items():
        if not getattr(rules.system, f"has_{quantity}", True):
            numbers.append(0.0)
            continue
        low, high = rules.bounds.of(quantity)
        low, high = least if low is None else low, most if high is None else high
        usual = st.floats(max(low, 1000.0), min(high, 2000.0)) if quantity == "rating" else st.floats(low, high)
        numbers.append(draw(st.one_of(usual, st.sampled_from([low, high, getattr(rules.initial(), quantity)]))))
    return Rating(*numbers)


@st.composite
def periods(draw: st.DrawFn) -> tuple[Methodology, Rating, list[tuple[Rating, float]]]:
    """A methodology, a player, and games of one period (one where each game is a period)."""
    rules = draw(st.sampled_from(RULES))
    several = 1 if rules.period.kind == "game" else 6
    scores = st.sampled_from([0.0, 0.5, 1.0] if rules.rated.draws else [0.0, 1.0])
    games = st.lists(st.tuples(a_rating(rules), scores), min_size=1, max_size=several)
    return rules, draw(a_rating(rules)), draw(games)


def bulk(rules: Methodology, player: Rating, games: list[tuple[Rating, float]], engine: Any = "interpreted") -> Step:
    """Player 0 after one unit of these games, by a replay from these ratings."""
    everyone = [player, *(opponent for opponent, _ in games)]
    start = Snapshot.from_arrays(
        player=list(range(len(everyone))),
        rating=[one.rating for one in everyone],
        deviation=[one.deviation for one in everyone],
        volatility=[one.volatility for one in everyone],
        at="2026-03-01" if rules.numbers.exact else None,
    )
    n = len(games)
    log = GameLog.from_arrays(
        player_a=[0] * n,
        player_b=list(range(1, n + 1)),
        score_a=[score for _, score in games],
        match=[7] * n if rules.period.kind == "match" else None,
        played_at=["2026-03-01"] * n,
    )
    history = replay(log, rules, start=start, history=True, predictions=True, engine=engine).history
    row: dict[str, Any] = next(dict(row) for row in history.rows() if row["player"] == 0)
    after = Rating(*(row[f"{quantity}_after"] for quantity in WIDE))
    clamped = str(row["clamped"])
    return Step(after, tuple(clamped.split("+")) if clamped else (), bool(row["converged"]))


@settings(max_examples=400)
@given(periods())
def test_scalar_equals_bulk(period: tuple[Methodology, Rating, list[tuple[Rating, float]]]) -> None:
    rules, player, games = period
    share = len(games) + 1 if rules.period.kind == "match" else None
    assert rules.step(player, games, players=share) == bulk(rules, player, games)


CLAMPED: Final[list[tuple[str, dict[str, Any], Rating, list[tuple[Rating, float]], str]]] = [
    ("lichess-1", {}, Rating(1500, 500, 0.09), [(Rating(2800, 45, 0.06), 1.0)], "change"),
    ("lichess-1", {}, Rating(410, 200, 0.06), [(Rating(410, 200, 0.06), 0.0)], "rating"),
    ("votes-v1", {}, Rating(3000, 350, 0.06), [(Rating(2900, 50, 0.06), 1.0)], "rating"),
    ("lichess-1", {}, Rating(1500, 45, 0.06), [(Rating(1500, 45, 0.06), 0.5)], "deviation"),
    ("votes-v1", {}, Rating(3000, 350, 0.06), [(Rating(0, 350, 0.06), 1.0)], "rating+deviation"),
    ("lichess-1", {"volatility_max": 0.09}, Rating(1000, 60, 0.09), [(Rating(2000, 45, 0.06), 1.0)], "volatility"),
    ("arena-v0", {}, Rating(1e300, 350, 0.06), [(Rating(-1e300, 350, 0.06), 0.0)], ""),
]


@pytest.mark.parametrize(("name", "changes", "player", "games", "words"), CLAMPED)
@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_a_bound_that_is_hit_is_named(
    name: str, changes: dict[str, Any], player: Rating, games: list[tuple[Rating, float]], words: str, engine: str
) -> None:
    rules = methodology(name).with_(**changes)
    step = rules.step(player, games)
    assert "+".join(step.clamped) == words
    assert step == bulk(rules, player, games, engine)


def test_the_words_are_those_of_the_spec_in_its_order() -> None:
    assert [word for _, word in CLAMPS] == ["change", "rating", "deviation", "volatility", "held"]


def test_out_of_the_range_of_doubles_the_player_is_held() -> None:
    rules = methodology("arena")
    player, games = Rating(1500, 350, 1e140), [(Rating(1500, 350, 0.06), 1.0)] * 3
    step = rules.step(player, games, elapsed=1e100)
    assert step.clamped == ("held",)
    assert (step.rating.rating, step.rating.volatility) == (1500.0, 1e140)
    assert step.rating.deviation == pytest.approx(350.0, rel=1e-15)


def test_what_would_leave_the_doubles_at_once_does_not_enter() -> None:
    for player in (Rating(1500, 1e200), Rating(1500, 350, 1e200), Rating(1e303)):
        with pytest.raises(InputError, match="is too large"):
            methodology("arena").update(player, [(Rating(1500), 1.0)])


def test_growth_is_one_period_by_period_and_none_by_game() -> None:
    player, games = Rating(1500, 100, 0.06), [(Rating(1500, 100, 0.06), 1.0)]
    for name in ("paper", "contest", "arena"):
        assert methodology(name).update(player, games) == methodology(name).update(player, games, elapsed=1.0)
    lichess = methodology("lichess")
    assert lichess.update(player, games) == lichess.update(player, games, elapsed=0.0)
    assert lichess.update(player, games).deviation < lichess.update(player, games, elapsed=1.0).deviation


def test_ageing_stops_at_the_bound() -> None:
    assert methodology("lichess").age(Rating(1500, 400, 0.1), 1e9).deviation == pytest.approx(500.0, rel=1e-15)
    assert methodology("glicko").age(Rating(1500, 50), 60.0).deviation == pytest.approx(350.0, rel=1e-12)
    assert methodology("elo").age(Rating(1500, 0, 0), 1e9) == Rating(1500, 0, 0)
    assert methodology("votes").age(Rating(1500, 100, 0.06), 1.0).deviation == 100.54
    assert methodology("arena").age(Rating(1500, 400, 0.1), 1e9).deviation > 1e5


def test_a_period_without_games_is_ageing() -> None:
    player = Rating(1777, 61, 0.07)
    for rules in RULES:
        known = Rating(1777, 61 if rules.system.has_deviation else 0, 0.07 if rules.system.has_volatility else 0)
        assert rules.step(known, [], elapsed=3.0) == Step(rules.age(known, 3.0), (), True)
    assert methodology("paper").update(player, []) == methodology("paper").age(player, 1.0)


def test_k_by_games_played() -> None:
    rules = methodology("elo").with_(k_new=40.0, new_games=30)
    new = rules.initial()
    assert rules.step(new, [(new, 1.0)]).rating.rating == 1520.0
    assert rules.step(new, [(new, 1.0)], played=30).rating.rating == 1510.0


def test_what_no_update_takes() -> None:
    rules = methodology("elo")
    new = rules.initial()
    with pytest.raises(InputError, match="players is 1; expected 2 or more"):
        rules.step(new, [(new, 1.0)], players=1)
    with pytest.raises(InputError, match=r"elapsed is -1\.0; expected a number of periods from 0 up"):
        rules.step(new, [(new, 1.0)], elapsed=-1.0)
    with pytest.raises(InputError, match="periods is nan; expected a number of periods from 0 up"):
        rules.age(new, float("nan"))
    with pytest.raises(InputError, match="score is 2"):
        rules.update(new, [(new, 2)])


def test_expected_is_the_systems() -> None:
    for rules in RULES:
        a, b = Rating(1650, 80, 0.06), Rating(1500, 120, 0.06)
        near = pytest.approx(rules.system.expected(a, b), abs=1e-8 if rules.numbers.exact else 0.0, rel=0.0)
        assert rules.expected(a, b) == near
        assert 0.5 < rules.expected(a, b) < 1.0


# Votes: the tables of the specification, in stored integers.
def in_storage(rating: Rating) -> tuple[int, int, int]:
    stored = (rating.rating * 100.0, rating.deviation * 100.0, rating.volatility * 1e6)
    assert all(abs(x - round(x)) < 1e-7 for x in stored)
    return round(stored[0]), round(stored[1]), round(stored[2])


NEW: Final = Rating(1500, 350, 0.06)
VOTES: Final[list[tuple[Rating, list[tuple[Rating, float]], tuple[int, int, int]]]] = [
    (
        Rating(1500, 200, 0.06),
        [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)],
        (146405, 15152, 59996),
    ),
    (NEW, [(NEW, 1.0)], (166231, 29032, 60000)),
    (NEW, [(NEW, 0.0)], (133769, 29032, 60000)),
    (NEW, [(NEW, 0.5)], (150000, 29032, 59999)),
]


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
@pytest.mark.parametrize(("player", "games", "expected"), VOTES)
def test_the_votes_table(
    player: Rating, games: list[tuple[Rating, float]], expected: tuple[int, int, int], engine: str
) -> None:
    rules = methodology("votes-v1").with_(draws=True)
    assert in_storage(rules.update(player, games)) == expected
    assert in_storage(bulk(rules, player, games, engine).rating) == expected


def test_the_floor_under_what_divides() -> None:
    rules = methodology("votes-v1")
    high, low = Rating(3000, 350, 0.06), Rating(0, 350, 0.06)
    fell = rules.step(high, [(low, 0.0)])
    assert (fell.rating.rating, fell.rating.deviation) == (2527.97, 350.0)
    assert "deviation" in fell.clamped
    assert rules.with_(minimum_information=0.0).update(high, [(low, 0.0)]).rating == 2527.79
    rose = rules.step(high, [(low, 1.0)])
    assert in_storage(rose.rating)[:2] == (300000, 35000)
    assert "rating" in rose.clamped
    paper = methodology("paper").with_(period="match", deviation_max=None)
    assert 350.0 < paper.update(high, [(low, 0.0)]).deviation < 350.5


def test_the_tolerance_is_part_of_the_stored_integers() -> None:
    chance = np.random.default_rng(20260829)
    rules = methodology("votes-v1")
    loose = rules.with_(tolerance=1e-6)
    different = 0
    for _ in range(2000):
        numbers = chance.uniform((0, 30, 0.01, 0, 30), (3000, 350, 1.0, 3000, 350)).round(2).tolist()
        player, opponent = Rating(*numbers[:3]), Rating(numbers[3], numbers[4])
        different += rules.update(player, [(opponent, 1.0)]) != loose.update(player, [(opponent, 1.0)])
    assert rules.hash != loose.hash
    assert 0 < different < 100
