import copy
import json
import pickle
from pathlib import Path
from typing import TypedDict

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import InputError
from tallymark.games import GameLog, read_games

PER_GAME = (
    "a",
    "b",
    "score",
    "pool",
    "time",
    "match",
    "game",
    "steps",
    "ending",
    "source",
    "board",
    "komi",
    "handicap",
    "band_a",
    "band_b",
)


def reasons(log: GameLog) -> list[tuple[int, str, str]]:
    rows = log.report.problems.rows()
    return [(int(str(row["row"])), str(row["kind"]), str(row["reason"])) for row in rows]


def messages(log: GameLog) -> list[str]:
    return [str(row["message"]) for row in log.report.problems.rows()]


def test_order_is_time_then_order_column_then_match_then_game_then_position() -> None:
    log = GameLog.from_arrays(
        player_a=["a"] * 7,
        player_b=["b"] * 7,
        score_a=[1] * 7,
        played_at=["2026-01-02", *["2026-01-01"] * 6],
        order=[0, 2, 1, 1, 1, 1, 1],
        match=[None, None, "m2", "m1", "m1", None, None],
        game=[None, None, "g0", "g2", "g1", None, None],
    )
    assert log.row.tolist() == [5, 6, 4, 3, 2, 1, 0]


def test_ids_come_back_as_they_came_in_rank_order() -> None:
    log = GameLog.from_arrays(player_a=["b", 10, "1"], player_b=[1, "a", 9], score_a=[1, 0, 0.5])
    assert log.players == [1, 9, 10, "1", "a", "b"]
    assert [log.players[code] for code in log.a] == ["b", 10, "1"]
    assert log.pools == [""]


def test_every_fault_of_a_row_has_its_reason() -> None:
    log = GameLog.from_arrays(
        player_a=["a", "", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a"],
        player_b=["b", "b", None, "a", "b", "b", "b", "b", "b", "b", "b", "b", "b"],
        score_a=[1, 1, 1, 1, None, 1.5, float("inf"), 1, 1, 1, 1, 1, "won"],
        played_at=["2026-01-01"] * 7 + [None, "soon"] + ["2026-01-01"] * 4,
        pool=["x"] * 9 + ["", "x", "x", "x"],
        ending=["normal"] * 10 + ["went home", None, None],
        steps=[None, *[3] * 10, 2.5, 3],
    )
    assert reasons(log) == [
        (1, "rejected", "missing-player"),
        (2, "rejected", "missing-player"),
        (3, "rejected", "self-play"),
        (4, "rejected", "no-result"),
        (5, "rejected", "bad-score"),
        (6, "rejected", "bad-score"),
        (7, "rejected", "missing-time"),
        (8, "rejected", "bad-time"),
        (9, "rejected", "missing-pool"),
        (10, "rejected", "unknown-ending"),
        (11, "rejected", "bad-number"),
        (12, "rejected", "bad-score"),
    ]
    assert log.row.tolist() == [0]
    assert (log.report.rows, log.report.accepted, log.report.held, log.report.rejected) == (13, 1, 0, 12)
    assert "score_a is 1.5; scores lie from 0 to 1" in messages(log)
    assert "12 rejected" in log.report.summary()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("steps", -1),
        ("board", 2.5),
        ("handicap", "two"),
        ("komi", float("inf")),
        ("komi", "six"),
        ("order", "x"),
        ("band_a", 5),
        ("band_b", "3k"),
    ],
)
def test_impossible_numbers_are_rejected(name: str, value: object) -> None:
    columns = {name: [value, 0]}
    log = GameLog.from_arrays(player_a=["a", "a"], player_b=["b", "b"], score_a=[1, 1], **columns)
    assert reasons(log) == [(0, "rejected", "bad-number")]


def test_a_game_told_twice_counts_once_and_told_otherwise_waits() -> None:
    log = GameLog.from_arrays(
        player_a=["a", "a", "c", "c", "a"],
        player_b=["b", "b", "d", "d", "b"],
        score_a=[1, 1, 1, 0, 1],
        game=["g1", "g1", "g2", "g2", None],
        komi=[None] * 5,
    )
    assert reasons(log) == [
        (1, "rejected", "duplicate-game"),
        (2, "held", "conflicting-game"),
        (3, "held", "conflicting-game"),
    ]
    assert messages(log) == [
        "game 'g1' is row 0 again",
        "game 'g2' is told otherwise in row 3",
        "game 'g2' is told otherwise in row 2",
    ]
    assert log.players == ["a", "b"]


def test_a_match_at_two_times_or_in_two_pools_is_rejected_whole() -> None:
    log = GameLog.from_arrays(
        player_a=["a"] * 6,
        player_b=["b"] * 6,
        score_a=[1] * 6,
        played_at=["2026-01-01", "2026-01-02", "2026-01-01", "2026-01-01", "2026-01-01", "2026-01-02"],
        pool=["x", "x", "x", "y", "x", "x"],
        match=["m1", "m1", "m2", "m2", None, None],
    )
    assert [row for row, _, reason in reasons(log) if reason == "match-differs"] == [0, 1, 2, 3]
    assert "played_at" in messages(log)[0]
    assert "pool" in messages(log)[2]
    assert len(log) == 2


def test_columns_of_different_lengths_are_named() -> None:
    with pytest.raises(InputError, match="score_a has 1 values and player_a has 2"):
        GameLog.from_arrays(player_a=["a", "b"], player_b=["b", "a"], score_a=[1])


def test_a_single_word_is_no_column() -> None:
    with pytest.raises(InputError, match="player_a is a single str"):
        GameLog.from_arrays(player_a="ab", player_b=["b", "a"], score_a=[1, 1])


def test_float_ids_are_refused_with_the_name_of_their_column() -> None:
    with pytest.raises(InputError, match="player_b"):
        GameLog.from_arrays(player_a=[1], player_b=np.array([2.0]), score_a=[1])


def test_every_kind_of_column_gives_the_same_log() -> None:
    a, b, score = [1, 2, 3], ["x", None, "y"], [1.0, None, 0.5]
    times = np.array(["2026-01-03", "2026-01-02", "2026-01-01"], dtype="datetime64[us]")
    plain = GameLog.from_arrays(player_a=a, player_b=b, score_a=score, played_at=times)
    zoned = pd.Series(times).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")
    others = [
        GameLog.from_arrays(
            player_a=pd.Series(a), player_b=pd.Series(b), score_a=pd.Series(score, dtype="Float64"), played_at=zoned
        ),
        GameLog.from_arrays(
            player_a=pl.Series(a), player_b=pl.Series(b), score_a=pl.Series(score), played_at=pl.Series(times)
        ),
        GameLog.from_arrays(
            player_a=pa.array(a), player_b=pa.array(b), score_a=pa.array(score), played_at=pa.array(times)
        ),
        GameLog.from_arrays(
            player_a=np.array(a),
            player_b=np.array(b, dtype=object),
            score_a=np.array([1.0, np.nan, 0.5]),
            played_at=times,
        ),
    ]
    for other in others:
        assert other.players == plain.players == [1, 3, "x", "y"]
        assert other.time is not None
        assert plain.time is not None
        assert other.time.tolist() == plain.time.tolist()
        assert (other.a.tolist(), other.score.tolist()) == (plain.a.tolist(), plain.score.tolist())


def test_integer_ids_with_gaps_stay_exact() -> None:
    big = 2**53 + 1
    for column in (pl.Series([big, None]), pa.array([big, None]), pd.Series([big, None], dtype="Int64")):
        log = GameLog.from_arrays(player_a=column, player_b=["x", "x"], score_a=[1, 1])
        assert log.players == [big, "x"]


def test_an_empty_log_is_a_log() -> None:
    log = GameLog.from_arrays(player_a=[], player_b=[], score_a=[], played_at=[], pool=[], game=[])
    assert len(log) == 0
    assert log.players == []
    assert len(log.to_table()) == 0
    assert "0 games" in repr(log)


def test_without_times_the_report_says_what_orders_the_games() -> None:
    plain = GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1], played_at=[None])
    assert plain.time is None
    assert plain.report.notes == ("no times: games are taken in the order of their rows",)
    named = GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1], game=["g"])
    assert named.report.notes == ("no times: games are taken in the order of their game ids",)


def test_winner_first_files_are_noticed() -> None:
    log = GameLog.from_arrays(player_a=list(range(200)), player_b=list(range(1, 201)), score_a=[1] * 200)
    assert any("winner is written first" in note for note in log.report.notes)


def test_the_table_restores_ids_words_and_times() -> None:
    log = GameLog.from_arrays(
        player_a=[7],
        player_b=["bob"],
        score_a=[0],
        played_at=["2026-01-01T12:00Z"],
        pool=["blitz"],
        game=["g"],
        ending=["walkover"],
        source=[None],
        steps=[12],
    )
    row = next(log.to_table().rows())
    assert str(row.pop("played_at")) == "2026-01-01 12:00:00+00:00"
    assert row == {
        "pool": "blitz",
        "game": "g",
        "player_a": 7,
        "player_b": "bob",
        "score_a": 0.0,
        "ending": "walkover",
        "source": None,
        "steps": 12,
        "row": 0,
    }
    assert "bob" in log._repr_html_()


def test_arrays_of_a_log_cannot_be_written_to() -> None:
    log = GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1])
    with pytest.raises(ValueError, match="read-only"):
        log.score[0] = 0.0


def same(log: GameLog, other: GameLog) -> bool:
    if (log.players, log.pools, log.matches, log.games) != (other.players, other.pools, other.matches, other.games):
        return False
    pairs = [(getattr(log, name), getattr(other, name)) for name in PER_GAME]
    return all(one is two is None or (one is not None and one.tobytes() == two.tobytes()) for one, two in pairs)


def test_logs_that_do_not_join() -> None:
    timed = GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1], played_at=["2026-01-01"], game=["g"])
    with pytest.raises(InputError, match="game 'g' is in both logs"):
        timed.followed_by(timed)
    with pytest.raises(InputError, match="one log has times"):
        timed.followed_by(GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1]))


def test_an_empty_log_joins_any() -> None:
    timed = GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1], played_at=["2026-01-01"], pool=["x"])
    empty = GameLog.from_arrays(player_a=[], player_b=[], score_a=[])
    for log in (timed.followed_by(empty), empty.followed_by(timed)):
        assert (len(log), log.pools, log.time is None) == (1, ["x"], False)


def test_joined_logs_may_have_different_columns() -> None:
    one = GameLog.from_arrays(player_a=["b"], player_b=[1], score_a=[1], steps=[3], game=["g"], komi=[6.5])
    two = GameLog.from_arrays(player_a=["a"], player_b=["b"], score_a=[0], pool=["x"], ending=["forfeit"], order=[1])
    log = one.followed_by(two)
    assert log.players == [1, "a", "b"]
    assert log.pools == ["", "x"]
    by_pool = {row["pool"]: row for row in log.to_table().rows()}
    assert (by_pool[""]["steps"], by_pool[""]["game"], by_pool[""]["ending"]) == (3, "g", None)
    assert (by_pool["x"]["steps"], by_pool["x"]["game"], by_pool["x"]["ending"]) == (None, None, "forfeit")
    assert same(log, restored(log))


def restored(log: GameLog) -> GameLog:
    """Through JSON, as a snapshot does it."""
    table = log.to_table()
    columns = {}
    for name in table.columns:
        values = table[name]
        plain = values.astype(np.int64).tolist() if values.dtype.kind == "M" else values.tolist()
        columns[name] = [None if value != value else value for value in plain]
    return GameLog.restored(json.loads(json.dumps(columns, allow_nan=False)))


@pytest.mark.parametrize(
    "columns",
    [
        {"player_a": [1], "player_b": [1], "score_a": [1.0]},
        {"player_a": [1], "player_b": [2], "score_a": [3.0]},
        {"player_a": [1], "player_b": [2], "score_a": [1.0], "played_at": ["x"]},
        {"player_a": [1], "player_b": [2], "score_a": [1.0], "pool": []},
        {"player_a": [1], "player_b": [2], "score_a": [1.0], "size_a": [None], "size_b": [1]},
        {"player_a": [1], "player_b": [2]},
    ],
)
def test_what_no_log_can_hold_is_not_restored(columns: dict[str, list[object]]) -> None:
    with pytest.raises(InputError):
        GameLog.restored(columns)


class Row(TypedDict):
    game: str
    player_a: str | int | None
    player_b: str | int | None
    score_a: float | None
    played_at: int
    match: str | None
    pool: str
    steps: int | None
    order: float | None


players = st.sampled_from(["a", "b", "7", 7, 8, None])
rows = st.lists(
    st.builds(
        Row,
        game=st.sampled_from("abcdefgh"),
        player_a=players,
        player_b=players,
        score_a=st.sampled_from([0.0, 0.5, 1.0, None, 2.0]),
        played_at=st.integers(0, 3),
        match=st.sampled_from([None, "m", "n"]),
        pool=st.sampled_from(["x", "y"]),
        steps=st.sampled_from([-1, 0, 1, None]),
        order=st.sampled_from([None, 0.5, 1]),
    ),
    max_size=20,
)


def build(games: list[Row]) -> GameLog:
    columns = {name: [game[name] for game in games] for name in Row.__annotations__}  # type: ignore[literal-required]
    return GameLog.from_arrays(**columns)


@given(rows, st.randoms())
def test_shuffled_rows_of_identified_games_give_the_same_log(games: list[Row], random: st.DrawFn) -> None:
    shuffled = list(games)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    log, other = build(games), build(shuffled)
    assert same(log, other)
    assert (log.report.accepted, log.report.held) == (other.report.accepted, other.report.held)


@given(rows)
def test_no_row_is_lost(games: list[Row]) -> None:
    log = build(games)
    report = log.report
    assert report.accepted + report.held + report.rejected == len(games)
    named = [row for row, _, _ in reasons(log)]
    assert sorted([*named, *log.row.tolist()]) == list(range(len(games)))


@given(rows, st.integers(0, 20))
def test_a_log_split_and_joined_is_the_log(games: list[Row], at: int) -> None:
    log = build(games)
    both = log.taken(np.arange(min(at, len(log)))).followed_by(log.taken(np.arange(min(at, len(log)), len(log))))
    assert same(log, both)
    assert log.row.tolist() == both.row.tolist()
    assert not len(log) or same(log, restored(log))


def test_a_match_stays_in_one_piece_whatever_the_order_of_its_rows() -> None:
    log = GameLog.from_arrays(
        player_a=["a", "c", "a"], player_b=["b", "d", "b"], score_a=[1, 1, 0], match=["m", "n", "m"], order=[1, 2, 3]
    )
    assert log.row.tolist() == [0, 2, 1]


def test_what_players_are_called_is_kept_beside_their_ids(tmp_path: Path) -> None:
    rows = [
        "7,Ann,9,Bob,1-0,2026-01-02",
        "9,Robert,7,,1-0,2026-01-01",
        "9,,8,Cid,1-0,2026-01-03",
        "5,Dan,5,Dan,1-0,2026-01-01",
    ]
    (tmp_path / "g.csv").write_text("\n".join(["white_id,white,black_id,black,result,date", *rows]), encoding="utf-8")
    log = read_games(tmp_path / "g.csv")
    assert log.names == {"7": "Ann", "8": "Cid", "9": "Bob"}  # of several the last in time
    assert log.taken(np.array([0])).names == log.names
    (tmp_path / "r.csv").write_text("race,driver,position,called\n1,7,1,Ann\n1,9,2,Bob\n", encoding="utf-8")
    entries = read_games(tmp_path / "r.csv", columns={"name": "called"})
    assert entries.names == {"7": "Ann", "9": "Bob"}
    assert log.followed_by(
        GameLog.from_arrays(player_a=["1"], player_b=["2"], score_a=[1], played_at=["2026-02-01"])
    ).names
    assert GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1]).names is None


def test_copies_change_as_little_as_the_log_itself() -> None:
    """Compiled code reads codes of players without looking whether they are any."""
    log = GameLog.from_arrays(player_a=[1, 2], player_b=[2, 3], score_a=[1, 0], played_at=[5, 6], steps=[1, None])
    for again in (pickle.loads(pickle.dumps(log)), copy.copy(log), copy.deepcopy(log)):
        assert list(again.to_table().rows()) == list(log.to_table().rows())
        assert again.players == log.players
        arrays = [value for name in PER_GAME if (value := getattr(again, name)) is not None]
        assert len(arrays) == 6
        assert not any(array.flags.writeable for array in arrays)


def test_bands_stay_with_their_players(tmp_path: Path) -> None:
    """Winner and loser take their seats by id, and what is said of each goes with it."""
    file = tmp_path / "games.csv"
    file.write_text("winner,loser,band_a,band_b\nbob,ann,1,4\nann,bob,2,\nann,bob,0,5\n")
    log = read_games(file)
    assert log.band_a is not None
    assert log.band_b is not None
    assert [log.players[a] for a in log.a] == ["ann", "ann"]
    assert (log.band_a.tolist(), log.band_b.tolist()) == ([4, 2], [1, -1])
    assert messages(log) == ["band_b is 5; starting bands are 1 to 4, and 0 is none"]
    assert log.report.problems["line"].tolist() == [4]
    assert log.to_table()["band_b"].tolist() == [1, None]
    both = log.followed_by(GameLog.from_arrays(player_a=["cid"], player_b=["ann"], score_a=[1]))
    assert both.band_a is not None
    assert both.band_a.tolist() == [4, 2, -1]
