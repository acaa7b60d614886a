"""A history that is made once more, piece by piece, is the history that was kept, in memory for one stretch."""

import subprocess
import sys
import weakref
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tallymark as tm
from tallymark import GameLog, Methodology, Replay, WriteError, replay
from tallymark.replay import histories
from tallymark.replay.engines import Machine, Work
from tallymark.replay.histories import history_columns, rated_again
from tallymark.replay.starting import players_at_start

from .strategies import Rows, methodologies, rows


def pieces(r: Replay, stretch: int) -> list[dict[str, np.ndarray]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(histories, "STRETCH", stretch)
        players = players_at_start(r._roster, r._schedule, r.methodology, r._start)
        again = rated_again(r._schedule, r._roster, r._machine.anew(players))
        return [history_columns(r.log, r.methodology, done) for done in again]


def same(r: Replay, stretch: int) -> None:
    found = pieces(r, stretch)
    for name in r.history.columns:
        column = np.concatenate([piece[name] for piece in found])
        assert column.dtype == r.history[name].dtype
        if column.dtype == object:
            assert column.tolist() == r.history[name].tolist(), name
        else:
            assert column.tobytes() == r.history[name].tobytes(), name


def log_of(games: Rows, pools: list[str] | None, matches: list[int] | None) -> GameLog:
    return GameLog.from_arrays(
        player_a=games.a,
        player_b=games.b,
        score_a=games.score,
        played_at=np.array(games.at, "datetime64[s]"),
        order=list(range(len(games))),
        pool=pools,
        match=matches,
    )


@given(rows(), methodologies(), st.integers(1, 9), st.integers(0, 60), st.sampled_from(["", "xy", "xyz"]), st.data())
def test_any_log_in_any_stretches(
    games: Rows, rules: Methodology, stretch: int, cut: int, pools: str, data: st.DataObject
) -> None:
    n = len(games)
    names = data.draw(st.lists(st.sampled_from(pools), min_size=n, max_size=n)) if pools else None
    matches = data.draw(st.none() | st.lists(st.integers(0, 9), min_size=n, max_size=n))
    log = log_of(games, names, matches)
    same(replay(log, rules, history=True), stretch)
    if len(log) > cut:
        first = log.taken(np.arange(cut))
        start = replay(first, rules).snapshot()
        if set(log.pools) == set(start.pools):
            same(replay(log.taken(np.arange(cut, len(log))), rules, start, history=True), stretch)


def spread(games: int, pools: int = 1) -> GameLog:
    """Synthetic games, four a day, in so many pools by turns."""
    made = tm.synthetic(games, 40, seed=5, draws=0.2)
    return GameLog.from_arrays(
        player_a=made.a,
        player_b=made.b,
        score_a=made.score,
        played_at=np.arange(games) * 21_600,
        pool=[f"pool {at % pools}" for at in range(games)] if pools > 1 else None,
    )


@pytest.mark.parametrize("pools", [1, 3])
@pytest.mark.parametrize("period", ["7d", "game"])
def test_by_compiled_code(period: str, pools: int) -> None:
    log = spread(3_000, pools)
    r = replay(log, tm.methodology("paper").with_(period=period), history=True, engine="compiled")
    same(r, 700)
    assert len(pieces(r, 700)) > 2


def test_a_unit_is_never_cut() -> None:
    r = replay(spread(500), tm.methodology("paper").with_(period="10000d"), history=True)
    assert len(pieces(r, 7)) == 1
    same(r, 7)


@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet"])
@pytest.mark.parametrize("ids", [[1, 2, 3], ["ann", "bob", "cid"], [1, "bob", 3]])
def test_the_file_is_that_of_the_table(suffix: str, ids: list[str | int], tmp_path: Path) -> None:
    log = GameLog.from_arrays(
        player_a=ids * 9, player_b=[*ids[1:], ids[0]] * 9, score_a=[1, 0, 0.5] * 9, game=list(range(27))
    )
    r = replay(log, "elo", history=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(histories, "STRETCH", 5)
        replay(log, "elo").write_history(tmp_path / f"pieces{suffix}")
    r.history.write(tmp_path / f"table{suffix}")
    one, two = (tmp_path / f"{name}{suffix}" for name in ("pieces", "table"))
    if suffix == ".parquet":
        assert pl.read_parquet(one).equals(pl.read_parquet(two))
        assert pl.read_parquet_schema(one) == pl.read_parquet_schema(two)
    else:
        assert one.read_bytes() == two.read_bytes()


def test_a_log_without_games_has_a_file_of_columns(tmp_path: Path) -> None:
    r = replay(GameLog.from_arrays(player_a=[], player_b=[], score_a=[]), "elo", history=True)
    for suffix in (".csv", ".parquet", ".json"):
        r.write_history(tmp_path / f"h{suffix}")
    assert (tmp_path / "h.csv").read_text().strip().split(",") == list(r.history.columns)
    assert pl.read_parquet(tmp_path / "h.parquet").columns == list(r.history.columns)


def test_for_spreadsheets(tmp_path: Path) -> None:
    log = GameLog.from_arrays(player_a=["=1+1"], player_b=["bob"], score_a=[1])
    replay(log, "elo").write_history(tmp_path / "h.csv", for_spreadsheets=True)
    assert "'=1+1" in (tmp_path / "h.csv").read_text()
    with pytest.raises(WriteError, match=r"only \.csv"):
        replay(log, "elo").write_history(tmp_path / "h.json", for_spreadsheets=True)


@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet"])
@pytest.mark.parametrize("failure", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_what_fails_midway_leaves_the_old_file_alone(
    suffix: str, failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"h{suffix}"
    path.write_text("old")
    r = replay(tm.synthetic(400, 20, seed=1), "elo")
    rate, done = Machine.rate, list[int]()

    def failing(machine: Machine, work: Work, first: int, last: int) -> None:
        done.append(last)
        if len(done) > 3:
            raise failure
        rate(machine, work, first, last)

    monkeypatch.setattr(histories, "STRETCH", 50)
    monkeypatch.setattr(Machine, "rate", failing)
    with pytest.raises((KeyboardInterrupt, WriteError)) as caught:
        r.write_history(path)
    assert isinstance(caught.value, KeyboardInterrupt) == isinstance(failure, KeyboardInterrupt)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("pools", [1, 3])
def test_few_stretches_are_held_however_many_there_are(pools: int, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[weakref.ref[np.ndarray]] = []
    most: list[int] = []
    work_of = Machine.work

    def watched(machine: Machine, *arguments: object) -> Work:
        most.append(sum(one() is not None for one in held))
        work = work_of(machine, *arguments)  # type: ignore[arg-type]
        assert isinstance(work.steps.mu_after, np.ndarray)
        held.append(weakref.ref(work.steps.mu_after))
        return work

    r = replay(spread(4_000, pools), tm.methodology("paper").with_(period="7d"), engine="compiled")
    monkeypatch.setattr(histories, "STRETCH", 100)
    monkeypatch.setattr(Machine, "work", watched)
    players = players_at_start(r._roster, r._schedule, r.methodology, r._start)
    waited = [len(done.score) for done in rated_again(r._schedule, r._roster, r._machine.anew(players))]
    assert len(held) > 20
    assert max(most) <= 2
    assert max(waited) <= 800
    assert sum(waited) == r.report.rated


PEAK = """
import resource, sys
import tallymark as tm

r = tm.replay(tm.synthetic(int(sys.argv[2]), 1000), "elo", threads=1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
r.write_history(sys.argv[1])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peaks of memory in KiB")
def test_memory_does_not_grow_with_the_games(tmp_path: Path) -> None:
    grown = []
    for games in (1 << 19, 1 << 21):
        command = [sys.executable, "-c", PEAK, str(tmp_path / "h.parquet"), str(games)]
        grown.append(int(subprocess.run(command, capture_output=True, check=True, timeout=300).stdout))
    assert grown[1] - grown[0] < 150_000  # the six stretches more are 128 bytes a game in steps alone, 200 MB
