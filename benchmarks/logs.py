"""The game logs that are measured: football, which comes with the project, made ones, and larger ones at hand."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

import tallymark as tm

_REPOSITORY: Final = Path(__file__).resolve().parent.parent
_SHARED: Final = Path(os.environ.get("TALLYMARK_DATA") or _REPOSITORY.parent / "shared" / "data")
_FOOTBALL: Final = _REPOSITORY / "examples" / "football" / "football_international.csv.gz"
_MADE: Final = partial(tm.synthetic, 100_000, 10_000, draws=0.05, seed=20260101)


class NamedLog(NamedTuple):
    """A log of games, and the days of a period that suit it."""

    name: str
    days: int
    read: Callable[[], tm.GameLog]


def logs() -> Iterator[NamedLog]:
    """The logs that are there, football first."""
    yield NamedLog("football", 30, partial(tm.read_games, _FOOTBALL))
    for name, days, file in (
        ("tennis", 7, "tennis_atp_main/tennis_atp_main.csv.gz"),
        ("tygem", 7, "go_tygem9d/tygem_2005_2011.parquet"),
    ):
        if (_SHARED / file).is_file():
            yield NamedLog(name, days, partial(tm.read_games, _SHARED / file))
    yield NamedLog("uniform", 7, _MADE)
    yield NamedLog("zipf", 7, partial(_MADE, zipf=1.0))


def plain(log: tm.GameLog, most: int) -> tm.GameLog:
    """Its first games, and of them no more than who, when and the result, which is what everybody rates."""
    head = log.taken(np.arange(min(most, len(log))))
    alone = replace(head, match=None, matches=None, game=None, games=None, order=None, steps=None)
    return replace(alone, ending=None, source=None, board=None, komi=None, handicap=None)
