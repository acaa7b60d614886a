"""The tour's games in a pool of weekly periods that close as time passes: what `tallymark rate` of them gives."""

import os
from pathlib import Path

import numpy as np
import pytest
from told import Clock, new

import tallymark as tm
from tallymark.games.times import format_instant
from tallymark.games.vocabulary import Ending
from tallymark.ledger.offering import offers
from tallymark.replay.schedule import DAY

WEEK = 7 * DAY
ENDINGS = {ending.code: ending for ending in Ending}
WHOLE = bool(os.environ.get("TALLYMARK_SETS"))
"""All of it, which takes minutes; else the first year."""
COLUMNS = ("rating", "deviation", "volatility", "games", "wins", "draws", "losses")
Standing = dict[object, tuple[object, ...]]


@pytest.fixture(scope="module")
def atp(data: Path) -> tm.GameLog:
    return tm.read_games(data / "tennis_atp_main" / "tennis_atp_main.csv.gz", until=None if WHOLE else "1969-01-01")


def standing(table: tm.Table) -> Standing:
    """Players who have played, and their columns."""
    rows = zip(*(table[name].tolist() for name in ("player", *COLUMNS)), strict=True)
    return {row[0]: row[1:] for row in rows if row[4]}


def part(log: tm.GameLog, games: np.ndarray) -> tm.GameLog:
    """Some of its games; their ids are their rows."""
    assert log.time is not None
    assert log.ending is not None
    return tm.GameLog.from_arrays(
        player_a=[log.players[n] for n in log.a[games]],
        player_b=[log.players[n] for n in log.b[games]],
        score_a=log.score[games],
        played_at=log.time[games].view("datetime64[us]"),
        ending=[ENDINGS[code].value for code in log.ending[games].tolist()],
        game=log.row[games],
    )


@pytest.mark.parametrize("late", ["refuse", "next-period", "recompute"])
def test_weeks_that_close_as_time_passes(late: str, atp: tm.GameLog, tmp_path: Path) -> None:
    assert atp.time is not None
    rules = tm.methodology("paper").with_(period="7d", late=late)
    rng = np.random.default_rng(7)
    first = int(atp.time[0]) // DAY * DAY
    week = (atp.time - first) // WEEK
    arrives = week + np.where(rng.random(len(atp)) < 0.02, rng.integers(1, 10, len(atp)), 0)
    # A replay knows no week that is over but those with games: late ones come in one, behind one, or in time.
    played = np.unique(week)
    behind = np.intersect1d(played, played + 1)
    arrives = np.where(
        (arrives == week) | (arrives > behind[-1]), week, np.append(behind, 0)[np.searchsorted(behind, arrives)]
    )
    on_time = arrives == week
    weeks = int(week.max()) + 1
    looked_at = {weeks // 9, weeks // 3, weeks - 1, weeks + 9}
    told = [offer.match for offer in offers(part(atp, np.arange(len(atp))))]

    clock = Clock(first)
    ledger = new(tmp_path, rules, clock=clock)
    replay: tm.Replay | None = None
    seen: dict[int, tuple[int, Standing]] = {}
    for n in range(weeks + 10):
        clock.now = first + (n + 1) * WEEK
        come = [np.flatnonzero((arrives == n) & on_time), np.flatnonzero((arrives == n) & ~on_time)]
        for some in come:
            ledger.append_many([match for k in some if (match := told[k]) is not None], pool="p")
        ledger.close_periods("p")
        ledger.settle()
        if late == "next-period":  # a week's own games first: they close the one before
            for some in filter(len, come):
                replay = tm.replay(part(atp, some), rules, start=replay.snapshot() if replay else None)
        if n not in looked_at:
            continue
        if late != "next-period":
            replay = tm.replay(part(atp, np.flatnonzero((arrives <= n) & (on_time | (late == "recompute")))), rules)
        assert replay is not None
        got = standing(ledger.ratings("p"))
        assert got == standing(replay.ratings_at(format_instant(clock.now)))
        seen[ledger.position_at("p", format_instant(clock.now))] = clock.now, got
    assert len(seen) == len(looked_at)
    for position, (now, got) in seen.items():
        assert standing(ledger.ratings("p", position)) == got, now
    if late == "refuse":  # what was in time is in its order: as of any day, an open week included
        for day in np.quantile(np.unique(atp.time), [0.02, 0.3, 0.31, 0.77, 0.99], method="lower").tolist():
            replay = tm.replay(part(atp, np.flatnonzero(on_time & (atp.time <= day))), rules)
            assert standing(ledger.ratings("p", format_instant(day))) == standing(replay.ratings)
