"""The reference values are what the generator makes, agree with the reference replay, and it with the yardsticks."""

import json
import math
import os
from pathlib import Path
from typing import Any

import generate
import pytest
import reference_replay
from reference_replay import LICHESS_BOUNDS, SCALE, State

HERE = Path(__file__).parent
QUICK_SETS = ("afl_with_odds", "volleyball_bundesliga", "ufc", "football_international")


def vectors(name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((HERE / name).read_text(encoding="utf-8"))["vectors"]
    return loaded


def state(numbers: dict[str, float]) -> State:
    return State(numbers["rating"], numbers["deviation"], numbers["volatility"])


def agree(found: State, expected: dict[str, str]) -> None:
    assert found.rating == pytest.approx(float(expected["rating"]), rel=1e-10, abs=1e-8)
    assert found.deviation == pytest.approx(float(expected["deviation"]), rel=1e-10)
    assert found.volatility == pytest.approx(float(expected["volatility"]), rel=1e-10)


def test_the_files_are_what_the_generator_makes() -> None:
    assert generate.main(["--check"]) == 0


def test_the_files_hold_what_they_promise() -> None:
    for name, count in (("lichess-1", 10), ("glicko-1", 10), ("elo-1", 10)):
        assert len(vectors(f"updates_{name}.json")) == count
    unbounded = vectors("glicko2_updates.json")
    assert len(unbounded) == 200
    assert sum(one["working"]["roots"] == 3 for one in unbounded) >= 60
    assert len(vectors("half_life_updates.json")) == 60
    hit = {name for one in vectors("updates_lichess-1.json") for name in one["clamped"]}
    assert hit == {"change", "rating", "deviation", "volatility"}


@pytest.mark.parametrize("one", vectors("glicko2_updates.json"), ids=lambda one: str(one["name"]))
def test_the_scan_in_doubles_finds_the_same_update(one: dict[str, Any]) -> None:
    opponents = [state(numbers) for numbers in one["opponents"]]
    games = list(zip(opponents, one["scores"], strict=True))
    agree(reference_replay.glicko2(state(one["player"]), games, one["tau"]), one["expected"])


@pytest.mark.parametrize("one", vectors("updates_lichess-1.json"), ids=lambda one: str(one["name"]))
def test_the_bounded_update_in_doubles_is_the_same(one: dict[str, Any]) -> None:
    before, numbers = state(one["player"]), one["opponents"][0]
    deviation = reference_replay.grown(numbers["deviation"], numbers["volatility"], numbers["elapsed"], 500.0)
    games = [(state(numbers)._replace(deviation=deviation), one["scores"][0])]
    after = reference_replay.glicko2(before, games, 0.75, one["player"]["elapsed"])
    found, clamped = reference_replay.bounded(before, after, LICHESS_BOUNDS)
    agree(found, one["expected"])
    assert clamped == one["clamped"]


def test_calendar_ends_where_sixty_digit_arithmetic_does() -> None:
    """400 one-game periods of two newcomers who win in turn: a published case; then ten empty periods."""
    games = [reference_replay.Game(day * reference_replay.DAY, "A", "B", 1.0 - day % 2) for day in range(400)]
    ratings = reference_replay.calendar(games, days=1).ratings
    assert ratings["A"][:2] == pytest.approx((1494.704518, 60.31254071), abs=1e-6)
    assert ratings["B"][:2] == pytest.approx((1505.295482, 60.31254071), abs=1e-6)
    assert ratings["A"].volatility == pytest.approx(0.06004822066, abs=1e-9)
    later = reference_replay.calendar(
        [*games, reference_replay.Game(409 * reference_replay.DAY, "C", "D", 1.0)], days=1
    )
    aged = SCALE * math.sqrt((ratings["A"].deviation / SCALE) ** 2 + 10 * ratings["A"].volatility ** 2)
    assert later.ratings["A"].deviation == pytest.approx(aged, rel=1e-12)


def test_by_game_ages_both_players_to_the_game() -> None:
    games = [
        reference_replay.Game(0, "a", "b", 1.0),
        reference_replay.Game(reference_replay.DAY * 5 // 2, "b", "c", 0.5),
        reference_replay.Game(reference_replay.DAY * 4, "a", "b", 0.0),
    ]
    first = reference_replay.by_game(games[:1]).ratings
    replay = reference_replay.by_game(games)
    # b's deviation at the last game: since the second game, not since the first
    b = reference_replay.by_game(games[:2]).ratings["b"]
    aged = [
        math.sqrt((one.deviation / SCALE) ** 2 + days * 0.21436 * one.volatility**2)
        for one, days in ((first["a"], 4), (b, 1.5))
    ]
    g = 1 / math.sqrt(1 + 3 * (aged[0] ** 2 + aged[1] ** 2) / math.pi**2)
    assert replay.logit_a[2] == pytest.approx(g * (first["a"].rating - b.rating) / SCALE, rel=1e-12)


@pytest.mark.parametrize("name", QUICK_SETS)
def test_the_reference_replay_reproduces_the_yardsticks(name: str) -> None:
    folder = Path(os.environ.get("TALLYMARK_DATA", HERE.parents[2] / "shared" / "data"))
    if not folder.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail("no shared game sets: set TALLYMARK_DATA")
        pytest.skip("no shared game sets: set TALLYMARK_DATA to their folder")
    published = reference_replay.YARDSTICKS[name][1].replace("/", " ").split()
    found = [number for pair in reference_replay.yardstick(folder, name) for number in pair]
    assert found == pytest.approx([float(number) for number in published], abs=5e-4)
