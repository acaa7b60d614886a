"""Snapshots: saved and read back to the bit, refused when they do not fit, and imported ratings."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from tallymark import (
    GameLog,
    InputError,
    Methodology,
    Rating,
    ReadError,
    Snapshot,
    SnapshotError,
    WriteError,
    methodology,
    replay,
)

from .strategies import Rows, methodologies, rows


def small(at: list[str], scores: list[float] | None = None, **more: object) -> GameLog:
    n = len(at)
    return GameLog.from_arrays(
        player_a=["ann", "bob", "ann", "cid"][:n],
        player_b=["bob", "cid", "cid", "dee"][:n],
        score_a=scores or [1.0, 0.5, 0.0, 1.0][:n],
        played_at=at,
        **more,  # type: ignore[arg-type]
    )


@given(rows(most=25), methodologies())
def test_a_saved_snapshot_is_the_snapshot(
    tmp_path_factory: pytest.TempPathFactory, games: Rows, m: Methodology
) -> None:
    path = tmp_path_factory.mktemp("snapshot") / "s.json.gz"
    first = replay(games.log(), m)
    first.snapshot().save(path)
    empty = GameLog.from_arrays(player_a=[], player_b=[], score_a=[])
    again = replay(empty, m, start=Snapshot.load(path))
    for name in first.ratings.columns:
        np.testing.assert_array_equal(first.ratings[name], again.ratings[name])


def test_ids_come_back_with_their_type(tmp_path: Path) -> None:
    log = GameLog.from_arrays(player_a=[1, "1"], player_b=["007", 7], score_a=[1, 0])
    replay(log, "contest").snapshot().save(tmp_path / "s.json")
    loaded = Snapshot.load(tmp_path / "s.json")
    assert sorted(map(repr, loaded.player)) == ["'007'", "'1'", "1", "7"]


def test_another_methodology_is_refused() -> None:
    snapshot = replay(small(["2024-01-01", "2024-01-02"]), "paper").snapshot()
    with pytest.raises(SnapshotError, match=r"the snapshot is of paper-1 .* not of paper-1\+"):
        replay(small(["2024-03-01"]), methodology("paper").with_(tau=0.3), start=snapshot)


DAMAGE: dict[str, Callable[[str], str]] = {
    "not json": lambda text: text[:-20],
    "not a snapshot": lambda text: '{"format": "other"}',
    "a list": lambda text: "[]",
    "a later version": lambda text: text.replace('"version":1', '"version":9'),
    "a column short": lambda text: text.replace('"games":[', '"games":[7,'),
    "a column gone": lambda text: text.replace('"sigma2":', '"sigma":'),
    "a number that is none": lambda text: text.replace('"mu":[', '"mu":["x",', 1),
    "a float for a count": lambda text: text.replace('"wins":[', '"wins":[1.5,'),
    "infinite": lambda text: text.replace('"mu":[0', '"mu":[1e999', 1).replace('"mu":[-', '"mu":[1e999,-', 1),
    "a player twice": lambda text: text.replace('"bob"', '"ann"', 1),
    "a foreign pool": lambda text: text.replace('"pools":[{"name":""', '"pools":[{"name":"x"'),
    "a variance below nothing": lambda text: text.replace('"phi2":[', '"phi2":[-5,').replace('"mu":[', '"mu":[1,'),
    "counts that do not add up": lambda text: text.replace('"wins":[', '"wins":[7,', 1).replace(",0]", "]", 1),
    "an origin of text": lambda text: text.replace('"origin":', '"origin":"x","old":'),
    "an origin beyond time": lambda text: text.replace('"origin":', f'"origin":{10**30},"old":'),
    "a list for a number": lambda text: text.replace('"closed":', '"closed":[1],"old":'),
    "true for a version": lambda text: text.replace('"version":1', '"version":true'),
    "text for a number": lambda text: text.replace('"mu":[0', '"mu":["0').replace('"mu":[-', '"mu":["-'),
    "a pool twice": lambda text: text.replace(
        '"pools":[', '"pools":[{"name":"","origin":0,"closed":0,"last":0,"imported":false},'
    ),
    "not a number": lambda text: text.replace('"sigma2":[', '"sigma2":[NaN,'),
    "nested without end": lambda text: "[" * 100_000,
    "open games broken": lambda text: text.replace('"score_a":[', '"score_a":["won",'),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "s.json"
    replay(small(["2024-01-01", "2024-02-02", "2024-02-03"]), "paper").snapshot().save(path)
    text = path.read_text(encoding="utf-8")
    broken = DAMAGE[damage](text)
    assert broken != text
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(SnapshotError, match=r"s\.json"):
        Snapshot.load(path)


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    snapshot = replay(small(["2024-01-01"]), "paper").snapshot()
    with pytest.raises(ReadError, match=r"none\.json"):
        Snapshot.load(tmp_path / "none.json")
    with pytest.raises(ReadError):
        Snapshot.load(tmp_path)
    with pytest.raises(ReadError, match="no name of a file"):
        Snapshot.load("a\0b")
    with pytest.raises(WriteError):
        snapshot.save(tmp_path / "no" / "folder.json")
    cut = tmp_path / "cut.json.gz"
    cut.write_bytes(gzip.compress(b"x" * 1000, mtime=0)[:-30])
    with pytest.raises((ReadError, SnapshotError)):
        Snapshot.load(cut)
    assert [p.name for p in tmp_path.iterdir()] == ["cut.json.gz"]


def test_the_file_says_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    replay(small(["2024-01-01", "2024-02-02"]), "paper").snapshot().save(path)
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["format"] == "tallymark-snapshot"
    assert document["methodology"] == ["paper-1", methodology("paper").hash]
    assert document["open_games"]["player_a"] == ["bob"]


LATE = ["2024-01-05", "2024-04-02", "2024-04-03"]


def test_a_late_game_is_refused_with_its_reason() -> None:
    snapshot = replay(small(["2024-01-01", "2024-03-15"]), "paper").snapshot()
    r = replay(small(LATE), "paper", start=snapshot)
    assert r.report.not_rated == {"late": 1}
    assert r.report.rated == 3  # two new games and the open period's one


def test_a_late_game_is_rated_in_the_open_period() -> None:
    m = methodology("paper").with_(late="next-period")
    snapshot = replay(small(["2024-01-01", "2024-03-15"]), m).snapshot()
    r = replay(small(LATE), m, start=snapshot)
    assert (r.report.late, r.report.not_rated) == (1, {})
    # The same as if it had been played on the first day of the open period.
    moved = replay(small(["2024-03-02", *LATE[1:]]), m, start=snapshot)
    shown = [{row["player"]: row["rating"] for row in one.ratings.rows()} for one in (r, moved)]
    assert shown[0] == pytest.approx(shown[1], abs=1e-9)


def test_a_late_game_that_wants_a_recomputation_is_an_error_that_says_what_to_do() -> None:
    m = methodology("paper").with_(late="recompute")
    snapshot = replay(small(["2024-01-01", "2024-03-15"]), m).snapshot()
    with pytest.raises(SnapshotError, match="row 0 was played in a period that the snapshot has closed") as error:
        replay(small(LATE), m, start=snapshot)
    assert error.value.hint == "replay the whole log"


def test_a_game_of_the_open_period_joins_it() -> None:
    whole = replay(small(["2024-01-01", "2024-03-15", "2024-03-16", "2024-03-17"]), "paper")
    first = replay(small(["2024-01-01", "2024-03-15"]), "paper").snapshot()
    table = small(["2024-01-01", "2024-03-15", "2024-03-16", "2024-03-17"]).to_table()
    rest = GameLog.from_arrays(**{c: table[c][2:] for c in ("player_a", "player_b", "score_a", "played_at")})
    resumed = replay(rest, "paper", start=first)
    for name in whole.ratings.columns:
        np.testing.assert_array_equal(whole.ratings[name], resumed.ratings[name])


def test_a_game_in_both_parts_is_refused() -> None:
    snapshot = replay(small(["2024-01-01", "2024-01-02"], game=["g1", "g2"]), "paper").snapshot()
    with pytest.raises(InputError, match="game 'g2' is in both logs"):
        replay(
            GameLog.from_arrays(player_a=["ann"], player_b=["dee"], score_a=[1], played_at=["2024-01-03"], game=["g2"]),
            "paper",
            start=snapshot,
        )


def test_imported_ratings_age_from_their_instant() -> None:
    m = methodology("paper")
    log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1], played_at=["2024-07-01"])
    plain = Snapshot.from_arrays(player=["ann", "bob"], rating=[1600, 1500], deviation=[60, 60])
    fresh = replay(log, m, start=plain, history=True)
    assert fresh.history.deviation_before[0] == pytest.approx(60.0, abs=1e-12)
    old = Snapshot.from_arrays(player=["ann", "bob"], rating=[1600, 1500], deviation=[60, 60], at="2024-01-01")
    aged = replay(log, m, start=old, history=True)
    # 2024-01-01 lies in period -7 of those counted from 2024-07-01 (182 days before): it and six more are empty.
    expected = m.age(Rating(1600, 60), 7).deviation
    assert aged.history.deviation_before[0] == pytest.approx(expected, abs=1e-12)
    lichess = replay(log, "lichess", start=old, history=True)
    expected = methodology("lichess").age(Rating(1600, 60, 0.09), 182 * 0.21436).deviation
    assert lichess.history.deviation_before[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"player": ["a", "a"], "rating": [1, 2]}, "player 'a' is there again in row 1"),
        ({"player": ["a", None], "rating": [1, 2]}, "player is missing in row 1"),
        ({"player": ["a", "b"], "rating": [1]}, "rating has 1 values for 2 players"),
        ({"player": ["a"], "rating": [float("nan")]}, "rating is nan in row 0; expected a finite number"),
        ({"player": ["a"], "rating": ["strong"]}, "rating is 'strong' in row 0; expected a number"),
        ({"player": ["a"], "rating": [1], "deviation": [-1]}, "deviation is -1.0 in row 0"),
        ({"player": ["a"], "rating": [1], "at": "yesterday"}, "at: "),
    ],
)
def test_impossible_ratings_are_refused(columns: dict[str, list[object]], message: str) -> None:
    with pytest.raises(InputError) as error:
        Snapshot.from_arrays(**columns)
    assert message in str(error.value)


def test_ratings_outside_the_bounds_or_of_no_pool_are_refused() -> None:
    start = Snapshot.from_arrays(player=["ann"], rating=[1500], deviation=[400])
    with pytest.raises(InputError, match="the deviation of 'ann' is 400; paper-1 holds it from -inf to 350"):
        replay(small(["2024-01-01"]), "paper", start=start)
    in_pool = small(["2024-01-01"], pool=["blitz"])
    with pytest.raises(InputError, match="of pool '', which the log does not have: its pools are 'blitz'"):
        replay(in_pool, "paper", start=Snapshot.from_arrays(player=["ann"], rating=[1500], deviation=[100]))
