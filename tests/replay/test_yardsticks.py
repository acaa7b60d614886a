"""The six real sets whose scores a second implementation has counted: every cell within 5e-4."""

import csv
import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tallymark import GameLog, methodology, replay, score

Row = dict[str, str]


@dataclass(frozen=True)
class Yardstick:
    days: int
    games: int | None
    cells: tuple[tuple[float, float], ...]
    """(log-loss, accuracy) of Elo K20, Elo K32, Glicko-2."""
    keep: Callable[[Row], bool] = lambda row: True


NOT_PLAYED = ("walkover", "unknown", "unfinished", "abandoned")
YARDSTICKS = {
    "tennis_atp_main": Yardstick(
        7,
        193_668,
        ((0.5993, 0.6726), (0.5975, 0.6754), (0.5999, 0.6747)),
        lambda row: row["termination"] not in NOT_PLAYED,
    ),
    "football_international": Yardstick(30, 49_520, ((0.6039, 0.7175), (0.5998, 0.7207), (0.5963, 0.7257))),
    "tcec_engines": Yardstick(7, None, ((0.6442, 0.7423), (0.6419, 0.7449), (0.6582, 0.7050))),
    "ufc": Yardstick(30, 8_718, ((0.6863, 0.5616), (0.6838, 0.5625), (0.6910, 0.5704))),
    "volleyball_bundesliga": Yardstick(7, 1_696, ((0.5052, 0.7618), (0.4857, 0.7624), (0.4632, 0.7698))),
    "afl_with_odds": Yardstick(7, 675, ((0.6220, 0.6574), (0.6116, 0.6604), (0.6111, 0.6777))),
}


@pytest.mark.parametrize("name", YARDSTICKS)
def test_every_cell_of_the_yardstick_table(name: str, data: Path) -> None:
    yardstick = YARDSTICKS[name]
    with gzip.open(data / name / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        kept = [row for row in csv.DictReader(file) if yardstick.keep(row)]
    log = GameLog.from_arrays(
        **{column: [row[column] for row in kept] for column in ("player_a", "player_b", "score_a", "played_at")}
    )
    if yardstick.games is not None:
        assert len(log) == yardstick.games
    elo = methodology("elo")
    systems = [elo.with_(k=20), elo.with_(k=32), methodology("paper").with_(period=f"{yardstick.days}d")]
    for replayed, (log_loss, accuracy) in zip(replay(log, systems, predictions=True), yardstick.cells, strict=True):
        found = score(replayed.predictions)
        assert found.games == len(log)
        assert found.log_loss == pytest.approx(log_loss, abs=5e-4), replayed.methodology.id
        assert found.accuracy == pytest.approx(accuracy, abs=5e-4), replayed.methodology.id
