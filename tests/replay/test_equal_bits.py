"""Interpreter, plain compiled loop, and passes of 1, 2 and 3 threads: the same bits, whatever is played."""

import os
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from tallymark import Methodology, ReadError, methodology, read_games, replay
from tallymark.replay import passes

from .ways import SEED, VARIANTS, equal, every_way, log_of, plain, schedules

SETS: Final = (
    "afl_with_odds/afl_with_odds.csv.gz",
    "f1_races/f1_races.csv.gz",
    "football_international/football_international.csv.gz",
    "go_tygem9d/tygem_2005_2011.parquet",
    "llm_judge_alpaca_eval/llm_judge_alpaca_eval.parquet",
    "llm_step_game/llm_step_game.csv.gz",
    "riichi_mahjong_4p/riichi_mahjong_4p.csv.gz",
    "tcec_engines/tcec_engines.csv.gz",
    "team_killer_queen/team_killer_queen.csv.gz",
    "tennis_atp_main/tennis_atp_main.csv.gz",
    "ufc/ufc.csv.gz",
    "volleyball_bundesliga/volleyball_bundesliga.csv.gz",
    "wmt13_votes/wmt13_pairwise.csv.gz",
    "wmt13_votes/wmt13_rank5_long.csv.gz",
)
LISTS: Final = ("football_international/former_names.csv.gz", "tennis_atp_main/players.csv.gz")
"""Of names and of players: nobody plays in them."""
SMALL_SETS: Final = ("afl_with_odds", "riichi_mahjong_4p", "volleyball_bundesliga")
FAMILIES: Final = ("paper", "glicko", "elo", "lichess", "go-float", "votes", "arena")
"""One of each family of formulas and of units, published states among them."""


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: f"{rules.id}-{rules.hash[:6]}")
@pytest.mark.parametrize("shape", list(schedules(40)))
def test_adversarial_schedules(rules: Methodology, shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One player in every game, a chain, two players, at random, heavy tails; many windows, so that threads meet."""
    monkeypatch.setattr(passes, "WINDOW", 700)
    a, b = schedules(3000)[shape]
    every_way(log_of(a, b, np.random.default_rng(SEED), 400 * 86400), rules)


@pytest.mark.parametrize("shape", list(schedules(40)))
def test_threads_of_many_windows(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "WINDOW", 1_500)
    a, b = schedules(20_000)[shape]
    every_way(log_of(a, b, np.random.default_rng(SEED), 86400, times=False), methodology("paper").with_(period="match"))


@pytest.mark.parametrize("name", ["paper", "glicko"])
@pytest.mark.parametrize("shape", list(schedules(40)))
def test_threads_of_large_periods(shape: str, name: str) -> None:
    """Two periods that several threads share, and a small one that they do not."""
    a, b = schedules(90_000)[shape]
    rules = methodology(name)
    log = log_of(a, b, np.random.default_rng(SEED), 60 * 86400 + 40 * 60)
    with plain():
        expected = replay(log, rules, history=True, predictions=True, engine="compiled")
    for threads in (1, 2, 3):
        equal(replay(log, rules, history=True, predictions=True, engine="compiled", threads=threads), expected)


def test_every_set_is_games_or_a_list(data: Path) -> None:
    """So that no set can be passed over in silence."""
    there = {path.relative_to(data).as_posix() for kind in ("csv.gz", "parquet") for path in data.glob(f"*/*.{kind}")}
    assert there == {*SETS, *LISTS}
    for name in LISTS:
        with pytest.raises(ReadError):
            read_games(data / name)


@pytest.mark.parametrize("name", SETS)
def test_real_sets(name: str, data: Path) -> None:
    """Small sets, and the heads of others, under a methodology of each family; TALLYMARK_SETS=1: all of each under all.

    Football and tennis are in `test_engines` as a whole whenever tests run, and more of tygem.
    """
    everything = bool(os.environ.get("TALLYMARK_SETS"))
    log = read_games(data / name)
    if not everything and not name.startswith(SMALL_SETS):
        log = log.taken(np.arange(1500))
    for rules in VARIANTS if everything else [methodology(one) for one in FAMILIES]:
        if log.time is not None or (rules.period.kind != "calendar" and rules.ageing.kind != "elapsed"):
            every_way(log, rules)


def test_a_set_by_pools(data: Path) -> None:
    log = read_games(data / SETS[11], columns={"pool": "pool"})
    assert len(log.pools) == 2
    for name in FAMILIES:
        every_way(log, methodology(name))
