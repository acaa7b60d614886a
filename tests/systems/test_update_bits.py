"""Random updates of every system: interpreted and compiled, every bit of every column is the same.

`TALLYMARK_UPDATES=1000000` makes it a million updates a methodology (minutes each); the default is a twentieth of that.
"""

import os
from collections.abc import Callable
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

import tallymark as tm
from tallymark.methodology import Methodology, methodology
from tallymark.replay import Replay, Snapshot, compiled, passes
from tallymark.replay.columns import Players
from tallymark.replay.engines import compiled_loops

UPDATES: Final = int(os.environ.get("TALLYMARK_UPDATES", "50000"))
SEED: Final = 20260829
DAY: Final = 86_400_000_000
START: Final = 1_767_225_600_000_000  # 2026-01-01 in microseconds
RULES: Final = {
    "elo": methodology("elo-1"),
    "elo, K by games and rating": methodology("elo-1").with_(k_new=40.0, new_games=30, k_top=10.0, top_rating=2000.0),
    "glicko": methodology("glicko-1"),
    "glicko2 by match": methodology("arena-v0"),
    "glicko2 by period": methodology("paper-1"),
    "glicko2 by game": methodology("lichess-1"),
    "glicko2 by illinois, stored integers": methodology("votes-v1"),
    "glicko2 with a half-life": methodology("go-float-v2"),
}
Floats = NDArray[np.float64]


def within(values: Floats, low: float | None, high: float | None) -> Floats:
    """Brought to the nearer bound, so that a good part of the players stands on one."""
    return np.asarray(np.clip(values, -np.inf if low is None else low, np.inf if high is None else high), np.float64)


def players(rules: Methodology, n: int, chance: np.random.Generator) -> Snapshot:
    """Players from everywhere: most of them as they occur, every tenth where only runaways get."""
    far = chance.random(n) < 0.1
    rating = np.where(far, chance.uniform(-50_000.0, 50_000.0, n), chance.normal(1500.0, 300.0, n))
    deviation = np.exp(chance.uniform(0.0, np.where(far, 9.0, 6.0)))
    volatility = np.exp(chance.uniform(-7.0, np.where(far, 3.0, -1.5)))
    start = Snapshot.from_arrays(
        player=np.arange(n),
        rating=within(rating, *rules.bounds.of("rating")),
        deviation=within(deviation, *rules.bounds.of("deviation")),
        volatility=within(volatility, *rules.bounds.of("volatility")),
        at="2026-01-01",
    )
    np.asarray(start.state.games)[:] = chance.integers(0, 60, n)
    return start


def games(rules: Methodology, n: int, chance: np.random.Generator) -> tm.GameLog:
    """Everyone once against someone; where games are rated by period, twice, in any of ten periods."""
    rounds = 2 if rules.period.kind == "calendar" else 1
    pairs = np.concatenate([chance.permutation(n).reshape(-1, 2) for _ in range(rounds)])
    score = chance.integers(0, 2, len(pairs)).astype(np.float64)
    if rules.rated.draws:
        score = np.where(chance.random(len(pairs)) < 0.3, chance.choice([0.5, 0.25, 0.9], len(pairs)), score)
    at = START + chance.integers(0, 300 * DAY, len(pairs))
    return tm.GameLog.from_arrays(
        player_a=pairs[:, 0], player_b=pairs[:, 1], score_a=score, played_at=at.astype("datetime64[us]")
    )


def columns(r: Replay) -> dict[str, bytes]:
    """Everything that a replay wrote, as bytes."""
    state: Players = r.snapshot().state
    found = {name: np.asarray(column).tobytes() for name, column in state._asdict().items()}
    for table in ("history", "predictions", "ratings"):
        of: tm.Table = getattr(r, table)
        for name in of.columns:
            if of[name].dtype != object:
                found[f"{table}.{name}"] = of[name].tobytes()
    return found


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_random_updates_are_the_same(rules: Methodology) -> None:
    chance = np.random.default_rng(SEED)
    n = UPDATES // 2 * 2
    start, log = players(rules, n, chance), games(rules, n, chance)
    one, two = (
        columns(tm.replay(log, rules, start=start, history=True, predictions=True, engine=engine))
        for engine in ("interpreted", "compiled")
    )
    assert len(one) > 30
    assert [name for name in one if one[name] != two[name]] == []


@pytest.mark.parametrize("way", ["fold", "by_levels", "waves"])
def test_nothing_fused_and_no_vector_library(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RULES["glicko2 by game" if way == "waves" else "glicko2 by period"]
    chance = np.random.default_rng(SEED)
    made: list[compiled.Compiled] = []
    start = compiled.Compiled.__init__

    def noted(self: compiled.Compiled, function: Callable[..., object]) -> None:
        start(self, function)
        made.append(self)

    for known in (passes._sheets, passes._waves, compiled_loops):
        known.cache_clear()
    monkeypatch.setattr(compiled, "cache_folder", lambda module: None)  # cached code cannot be looked into
    monkeypatch.setattr(compiled.Compiled, "__init__", noted)
    if way == "fold":
        monkeypatch.setattr(passes, "passable", lambda games, units, players, rules: False)
    tm.replay(games(rules, 100, chance), rules, start=players(rules, 100, chance), engine="compiled")
    for known in (passes._sheets, passes._waves, compiled_loops):
        known.cache_clear()
    kernels = [one.kernel for one in made if one.kernel.signatures]  # type: ignore[attr-defined]
    assert way in {kernel.__name__ for kernel in kernels}
    for kernel in kernels:
        for assembly in kernel.inspect_asm().values():  # type: ignore[attr-defined]
            for word in ("vfmadd", "vfmsub", "vfnmadd", "fmadd", "svml"):
                assert word not in assembly
        assert not kernel.targetoptions.get("fastmath", False)  # type: ignore[attr-defined]
    assert any("div" in assembly for assembly in kernels[0].inspect_asm().values())  # type: ignore[attr-defined]
