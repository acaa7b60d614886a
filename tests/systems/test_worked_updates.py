"""Worked updates from 60-digit arithmetic, through the scalar face and through a replay on both engines."""

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pytest

import tallymark as tm
from tallymark.methodology import Methodology, methodology
from tallymark.replay import Snapshot
from tallymark.replay.columns import NEVER, Players, filled
from tallymark.replay.engines import Engine
from tallymark.replay.schedule import Head
from tallymark.systems import Glicko, Glicko2, Rating, State

VECTORS: Final = Path(__file__).resolve().parent.parent / "vectors"
ENGINES: Final[tuple[Engine, ...]] = ("interpreted", "compiled")
DAY: Final = 86_400_000_000
NOW: Final = 1_780_000_000_000_000 // DAY * DAY
POINTS: Final = 1e-9
PAPER: Final = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
EXACT: Final = (1464.050670539089250574416, 151.5165241243043184371446, 0.05999598440067783341765501)


def vectors(name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((VECTORS / name).read_text(encoding="utf-8"))["vectors"]
    return loaded


def rating(numbers: dict[str, float]) -> Rating:
    return Rating(numbers["rating"], numbers.get("deviation", 0.0), numbers.get("volatility", 0.0))


def agree(found: Rating, expected: dict[str, str], points: float = POINTS) -> None:
    assert found.rating == pytest.approx(float(expected["rating"]), abs=points, rel=1e-13)
    if "deviation" in expected:
        assert found.deviation == pytest.approx(float(expected["deviation"]), abs=points, rel=1e-12)
    if "volatility" in expected:
        assert found.volatility == pytest.approx(float(expected["volatility"]), rel=1e-12)


class Outcome(NamedTuple):
    """Player 0 after the unit, what was clamped, and what was predicted of the first game."""

    rating: Rating
    clamped: list[str]
    p: float


def replayed(
    rules: Methodology, sides: list[State], elapsed: list[float], scores: list[float], engine: Engine, of: int = 0
) -> Outcome:
    """One unit of side 0 against each other side, everyone known, and away for as long as `elapsed` says."""
    n = len(sides)
    state = filled(Players, n)
    for column, values in zip((state.mu, state.phi2, state.sigma2), np.array(sides).T, strict=True):
        np.asarray(column)[:] = values
    np.asarray(state.rated)[:] = 1
    now, head = NOW, Head(origin=NEVER, closed=NEVER, last=NEVER)
    rate = 1.0
    if rules.period.kind == "calendar":
        now, head = 1000, Head(origin=NOW - 1000 * rules.period.length, closed=999, last=NEVER)
    elif rules.ageing.kind == "elapsed":
        assert rules.ageing.periods_per_day is not None
        rate = DAY / rules.ageing.periods_per_day
    np.asarray(state.last)[:] = now - np.rint(np.array(elapsed) * rate).astype(np.int64)
    start = Snapshot(rules.id, rules.hash, [""], [head], [""] * n, list(range(n)), state, None)
    log = tm.GameLog.from_arrays(
        player_a=[0] * (n - 1),
        player_b=list(range(1, n)),
        score_a=scores,
        match=[1] * (n - 1) if rules.period.kind == "match" else None,
        played_at=np.full(n - 1, NOW).astype("datetime64[us]"),
    )
    r = tm.replay(log, rules, start=start, history=True, predictions=True, engine=engine)
    row: dict[str, Any] = next(dict(row) for row in r.ratings.rows() if row["player"] == of)
    step = next(step for step in r.history.rows() if step["player"] == of)
    clamped = str(step["clamped"]).split("+") if step["clamped"] else []
    after = Rating(row["rating"], row["deviation"], row["volatility"])
    return Outcome(after, clamped, float(r.predictions["p_a"][0]))


def vector_replayed(rules: Methodology, one: dict[str, Any], engine: Engine) -> Outcome:
    """The player of a vector by `replayed`."""
    sides = [one["player"], *one["opponents"]]
    states = [rules.system.state(rating(side)) for side in sides]
    return replayed(rules, states, [side.get("elapsed", 0.0) for side in sides], one["scores"], engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["paper-1", "contest-1", "arena-v0", "arena-v1-draft"])
def test_the_papers_example(name: str, engine: Engine) -> None:
    rules = methodology(name)
    states = [rules.system.state(p) for p in (Rating(1500, 200, 0.06), *(opponent for opponent, _ in PAPER))]
    found, clamped, _ = replayed(rules, states, [1.0] * 4, [s for _, s in PAPER], engine)
    assert (found.rating, found.deviation) == pytest.approx(EXACT[:2], abs=1e-9)
    assert found.volatility == pytest.approx(EXACT[2], abs=1e-14)
    assert clamped == []


def test_the_papers_example_by_hand() -> None:
    after = Glicko2(tau=0.5).update(Rating(1500, 200, 0.06), PAPER)
    assert (after.rating, after.deviation, after.volatility) == pytest.approx(EXACT, abs=1e-11)


def test_glickmans_glicko_example() -> None:
    after = Glicko().update(Rating(1500, 200), PAPER)
    assert (round(after.rating, 1), round(after.deviation, 1)) == (1464.1, 151.4)
    assert (after.rating, after.deviation) == pytest.approx((1464.1064627569113, 151.39890244796934), abs=1e-11)


@pytest.mark.parametrize("one", vectors("glicko2_updates.json"), ids=lambda one: str(one["name"]))
def test_glicko2(one: dict[str, Any]) -> None:
    games = list(zip(map(rating, one["opponents"]), one["scores"], strict=True))
    after = Glicko2(tau=one["tau"]).update(rating(one["player"]), games, elapsed=one["elapsed"])
    agree(after, one["expected"])


@pytest.mark.parametrize("one", vectors("updates_lichess-1.json"), ids=lambda one: str(one["name"]))
def test_lichess(one: dict[str, Any]) -> None:
    rules = methodology("lichess-1")
    games = [
        (rules.age(rating(b), b["elapsed"]) if b["elapsed"] else rating(b), s)
        for b, s in zip(one["opponents"], one["scores"], strict=True)
    ]
    step = rules.step(rating(one["player"]), games, elapsed=one["player"]["elapsed"])
    agree(step.rating, one["expected"])
    assert list(step.clamped) == one["clamped"]


@pytest.mark.parametrize("one", vectors("updates_glicko-1.json"), ids=lambda one: str(one["name"]))
def test_glicko(one: dict[str, Any]) -> None:
    rules = methodology("glicko-1")
    games = [(rules.age(rating(b), b["elapsed"]), s) for b, s in zip(one["opponents"], one["scores"], strict=True)]
    step = rules.step(rating(one["player"]), games, elapsed=one["player"]["elapsed"])
    agree(step.rating, one["expected"])
    assert list(step.clamped) == one["clamped"]


@pytest.mark.parametrize("one", vectors("updates_elo-1.json"), ids=lambda one: str(one["name"]))
def test_elo(one: dict[str, Any]) -> None:
    games = list(zip(map(rating, one["opponents"]), one["scores"], strict=True))
    agree(methodology("elo-1").update(rating(one["player"]), games, players=len(games) + 1), one["expected"])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("name", "one"),
    [(name, one) for name in ("lichess-1", "glicko-1", "elo-1") for one in vectors(f"updates_{name}.json")],
    ids=lambda part: part if isinstance(part, str) else str(part["name"]),
)
def test_replayed(name: str, one: dict[str, Any], engine: Engine) -> None:
    found, clamped, _ = vector_replayed(methodology(name), one, engine)
    agree(found, one["expected"], points=1e-8 if name == "lichess-1" else POINTS)  # its clock ticks in microseconds
    assert clamped == one["clamped"]


@pytest.mark.parametrize(
    "one",
    [one for one in vectors("glicko2_updates.json") if one["elapsed"] == 1.0 and one["scores"]],
    ids=lambda one: str(one["name"]),
)
def test_glicko2_replayed(one: dict[str, Any]) -> None:
    agree(vector_replayed(methodology("arena").with_(tau=one["tau"]), one, "interpreted").rating, one["expected"])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("one", vectors("half_life_updates.json"), ids=lambda one: str(one["name"]))
def test_half_life_replayed(one: dict[str, Any], engine: Engine) -> None:
    rules = methodology("go-float-v2")
    states = [State(one[side]["mu"], one[side]["phi"] ** 2, 0.0) for side in "ab"]
    days = [one[side]["days"] for side in "ab"]
    for at, side in enumerate("ab"):
        found, clamped, p = replayed(rules, states, days, [one["score_a"]], engine, of=at)
        expected = one["expected"][side]
        assert (found.rating - 1500.0) / 173.7178 == pytest.approx(float(expected["mu"]), abs=1e-10)
        assert found.deviation / 173.7178 == pytest.approx(float(expected["phi"]), abs=1e-10)
        assert clamped == expected["clamped"]
        assert p == pytest.approx(float(one["expected"]["p_a"]), abs=1e-11)


@pytest.mark.parametrize("one", vectors("half_life_updates.json"), ids=lambda one: str(one["name"]))
def test_half_life(one: dict[str, Any]) -> None:
    rules = methodology("go-float-v2")
    a, b = (rules.system.display(State(one[side]["mu"], one[side]["phi"] ** 2, 0.0)) for side in "ab")
    days_a, days_b = one["a"]["days"], one["b"]["days"]
    for player, opponent, days, away, score, side in (
        (a, b, days_a, days_b, one["score_a"], "a"),
        (b, a, days_b, days_a, 1.0 - one["score_a"], "b"),
    ):
        step = rules.step(player, [(rules.age(opponent, away), score)], elapsed=days)
        expected = one["expected"][side]
        assert (step.rating.rating - 1500.0) / 173.7178 == pytest.approx(float(expected["mu"]), abs=1e-11)
        assert step.rating.deviation / 173.7178 == pytest.approx(float(expected["phi"]), abs=1e-11)
    assert rules.expected(rules.age(a, days_a), rules.age(b, days_b)) == pytest.approx(
        float(one["expected"]["p_a"]), abs=1e-12
    )
