"""Figures that README and docs claim are those that the package gives."""

import csv
import gzip
import re
from pathlib import Path

import pytest
from pages import REPOSITORY

import tallymark as tm

LOGS = {
    "tennis, men's tour": ("tennis_atp_main", 7),
    "football, national teams": ("football_international", 30),
    "chess programs": ("tcec_engines", 7),
    "mixed martial arts": ("ufc", 30),
    "volleyball": ("volleyball_bundesliga", 7),
    "Australian football": ("afl_with_odds", 7),
}
NOT_PLAYED = {"tennis_atp_main": ("walkover", "unknown", "unfinished", "abandoned")}


def claims(page: str, log: str) -> str:
    """The row of a page's table about one log, without the name."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    found = re.search(rf"^\| {re.escape(log)} \| (.*) \|$", text, re.MULTILINE)
    assert found, f"{page} says nothing about {log}"
    return found[1]


@pytest.mark.parametrize("log", LOGS)
def test_scores(log: str, data: Path) -> None:
    folder, days = LOGS[log]
    with gzip.open(data / folder / f"{folder}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row.get("termination") not in NOT_PLAYED.get(folder, ())]
    names = ("player_a", "player_b", "score_a", "played_at")
    games = tm.GameLog.from_arrays(**{name: [row[name] for row in rows] for name in names})
    elo = tm.methodology("elo")
    rules = [elo, elo.with_(k=32), tm.methodology("paper").with_(period=f"{days}d")]
    scores = [tm.score(r.predictions) for r in tm.replay(games, rules, predictions=True)]
    cells = [f"{len(games):,}", *(f"{s.log_loss:.4f} / {s.accuracy:.2%}".replace("%", " %") for s in scores)]
    cells.append(f"{days} days")
    assert claims("docs/guide/predictions.md", log) == " | ".join(cells)
    assert claims("README.md", log) == " | ".join(cells)
