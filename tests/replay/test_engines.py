"""Interpreter and compiler run the same functions: whole logs, every table, the same bits."""

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
WHOLE = [
    *((name, m) for name in (FOOTBALL, ATP) for m in METHODOLOGIES),
    *((TYGEM, m) for m in METHODOLOGIES if m.name in ("paper", "go-float")),
]


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


@pytest.mark.parametrize(("name", "m"), WHOLE, ids=[f"{Path(name).parent}-{m.id}" for name, m in WHOLE])
def test_whole_logs_have_equal_bits_interpreted_and_compiled(name: str, m: Methodology, data: Path) -> None:
    log = real(data / name)
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
