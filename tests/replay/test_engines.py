"""Interpreter and compiler run the same functions: real logs, every table, the same bits."""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tallymark import GameLog, InputError, Methodology, Replay, read_games, replay
from tallymark.replay.engines import SMALL

from .strategies import METHODOLOGIES

FOOTBALL = "football_international/football_international.csv.gz"
ATP = "tennis_atp_main/tennis_atp_main.csv.gz"
TYGEM = "go_tygem9d/tygem_2005_2011.parquet"
LOGS = [
    *((name, m) for name in (FOOTBALL, ATP) for m in METHODOLOGIES),
    *((TYGEM, m) for m in METHODOLOGIES if m.name in ("paper", "go-float")),
]
WHOLE = ("paper", "elo")
"""Tennis is rated to the end by these, period by period and in windows of games; football by all."""
HEADS = {ATP: 20_000, TYGEM: 100_000}
"""Games of the others, for it is the interpreter that takes the time; tygem's are more than a window of them."""


def everything(r: Replay) -> list[bytes]:
    tables = (r.ratings, r.predictions, r.history)
    return [
        np.ascontiguousarray(table[column]).tobytes()
        for table in tables
        for column in table.columns
        if table[column].dtype != object
    ]


@cache
def real(path: Path) -> GameLog:
    return read_games(path)


@pytest.mark.parametrize(("name", "m"), LOGS, ids=[f"{Path(name).parent}-{m.id}" for name, m in LOGS])
def test_real_logs_have_equal_bits_interpreted_and_compiled(name: str, m: Methodology, data: Path) -> None:
    """TALLYMARK_SETS=1: all games of each log under each methodology."""
    log = real(data / name)
    if name in HEADS and not (name == ATP and m.name in WHOLE) and not os.environ.get("TALLYMARK_SETS"):
        log = log.taken(np.arange(HEADS[name]))
    plain = replay(log, m, history=True, predictions=True, engine="interpreted")
    fast = replay(log, m, history=True, predictions=True, engine="compiled")
    assert (plain.report.engine, fast.report.engine) == ("interpreted", "compiled")
    assert plain.report.rated > 0
    assert everything(plain) == everything(fast)
    assert (plain.history.clamped == fast.history.clamped).all()


def test_auto_takes_the_interpreter_for_small_logs_only() -> None:
    n = SMALL + 1
    log = GameLog.from_arrays(player_a=np.zeros(n, int), player_b=np.ones(n, int), score_a=np.full(n, 0.5))
    small = GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[0.5])
    assert replay(log, "elo").report.engine == "compiled"
    assert replay(small, "elo").report.engine == "interpreted"


def test_an_unknown_engine_is_refused() -> None:
    log = GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[0.5])
    with pytest.raises(InputError, match="engine is 'gpu'; expected auto, interpreted or compiled"):
        replay(log, "elo", engine="gpu")  # type: ignore[call-overload]
