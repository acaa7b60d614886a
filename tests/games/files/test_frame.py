"""Tables in memory, of whatever library: ids as they are, times as they are, the same checks as for a file."""

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pytest

from tallymark import GameLog, InputError, ReadError, Table, read_frame, read_games
from tallymark.games.files.frame import ArrowStream

COLUMNS: dict[str, list[int] | list[float]] = {"player_a": [7, 9, 7], "player_b": [9, 8, 8], "score_a": [1.0, 0.5, 0.0]}


def same(log: GameLog) -> tuple[list[object], list[int], list[int], list[float]]:
    return list(log.players), log.a.tolist(), log.b.tolist(), log.score.tolist()


@pytest.mark.parametrize(
    "frame",
    [
        polars.DataFrame(COLUMNS),
        pandas.DataFrame(COLUMNS),
        pandas.DataFrame(COLUMNS).astype({"player_a": "Int64", "player_b": "int64[pyarrow]", "score_a": "Float64"}),
        pyarrow.table(COLUMNS),
        pyarrow.table({name: pyarrow.chunked_array([cells[:1], cells[1:]]) for name, cells in COLUMNS.items()}),
        pyarrow.table(COLUMNS).to_reader(),
        duckdb.from_arrow(pyarrow.table(COLUMNS)),
        Table({"player_a": [7, 9, 7], "player_b": [9, 8, 8], "score_a": pandas.Series([1.0, 0.5, 0.0]).to_numpy()}),
        polars.DataFrame({**COLUMNS, "ending": [None, None, None]}),
        polars.DataFrame({**COLUMNS, "wide": polars.Series([1, 2, 3], dtype=polars.Int128)}),
    ],
    ids=lambda frame: type(frame).__module__.split(".")[0],
)
def test_integers_stay_integers(frame: ArrowStream) -> None:
    assert same(read_frame(frame)) == ([7, 8, 9], [0, 2, 0], [2, 1, 1], [1.0, 0.5, 0.0])


def test_the_log_of_a_frame_is_that_of_its_file(tmp_path: Path) -> None:
    frame = polars.DataFrame(
        {
            "Date": [date(2026, 1, 31), date(2026, 2, 1), None],
            "home": polars.Series(["ann", "bob", "ann"], dtype=polars.Categorical),
            "away": ["bob", "cid", "cid"],
            "home_score": polars.Series([Decimal("2.5"), Decimal("0.5"), None]),
            "away_score": [1, 3, 4],
        }
    )
    frame.write_parquet(tmp_path / "g.parquet")
    frame.write_csv(tmp_path / "g.csv")
    logs = [read_frame(frame), read_games(tmp_path / "g.parquet"), read_games(tmp_path / "g.csv")]
    for log in logs[1:]:
        assert log.to_table().to_polars().equals(logs[0].to_table().to_polars())
        assert log.report.problems["reason"].tolist() == logs[0].report.problems["reason"].tolist()
        assert log.report.notes == logs[0].report.notes


def test_rows_are_named_by_position() -> None:
    log = read_frame(pandas.DataFrame({"player_a": ["x", ""], "player_b": ["y", "y"], "score_a": [1, 1]}))
    assert log.report.summary().splitlines()[1] == "  1 rejected: missing-player (row 1: player_a is missing)"
    assert "line" not in log.report.problems.columns


def test_columns_are_mapped_and_options_count() -> None:
    frame = polars.DataFrame(
        {"one": ["a", "b"], "two": ["b", "A"], "who": ["one", "zzz"], "t": ["1.2.2026", "13.2.2026"]}
    )
    log = read_frame(
        frame,
        columns={"player_a": "one", "player_b": "two", "result": "who", "played_at": "t"},
        results={"one": "win"},
        times="D.M.YYYY",
        aliases={"A": "a"},
    )
    assert (log.players, log.report.rejected) == (["a", "b"], 1)


def test_times_of_all_kinds() -> None:
    moment = datetime(2026, 1, 31, 12, tzinfo=UTC)
    for times in (
        polars.Series([moment]),
        polars.Series([moment]).dt.cast_time_unit("ms").dt.convert_time_zone("Asia/Tokyo"),
        polars.Series(["2026-01-31T12:00:00Z"]),
        polars.Series([moment.replace(tzinfo=None)]).dt.cast_time_unit("ns"),
    ):
        log = read_frame(polars.DataFrame({"player_a": ["x"], "player_b": ["y"], "score_a": [1], "played_at": times}))
        assert log.time is not None
        assert log.time.tolist() == [int(moment.timestamp()) * 10**6]


def test_words_and_numbers_in_a_column_of_pandas_are_exact() -> None:
    frame = pandas.DataFrame({"player_a": [1, "1"], "player_b": ["x", "x"], "score_a": [1, 0]})
    assert read_frame(frame).players == [1, "1", "x"]


def test_integers_that_pandas_made_floats_of_are_refused() -> None:
    with pytest.raises(InputError, match="no exact id") as error:
        read_frame(pandas.DataFrame({"player_a": [1, None], "player_b": ["x", "x"], "score_a": [1, 0]}))
    assert "astype('Int64')" in (error.value.hint or "")


def test_what_is_not_needed_need_not_be_readable() -> None:
    frame = pyarrow.table({**COLUMNS, "far": pyarrow.array([2**62, 1, 2], pyarrow.timestamp("s"))})
    assert len(read_frame(frame)) == 3


@pytest.mark.parametrize(
    "points",
    [
        ["{'ann': 3, 'bob': 1, 'cid': NULL}", "{'ann': NULL, 'bob': 2, 'cid': 2}"],
        ["MAP {'ann': 3, 'bob': 1}", "MAP {'bob': 2, 'cid': 2}"],
    ],
)
def test_structs_and_maps_of_points_are_matches(points: list[str], tmp_path: Path) -> None:
    query = f'SELECT * FROM (VALUES (1, {points[0]}), (2, {points[1]})) AS t("match", points)'
    duckdb.sql(f"COPY ({query}) TO '{tmp_path}/g.parquet'")
    frame = duckdb.sql(query)
    assert frame is not None
    for log in (read_frame(frame), read_games(tmp_path / "g.parquet"), read_frame(frame.to_arrow_table())):
        assert (log.players, log.score.tolist()) == (["ann", "bob", "cid"], [1.0, 0.5])


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (polars.DataFrame(COLUMNS).lazy(), "LazyFrame is no table"),
        (COLUMNS, "dict is no table"),
        (None, "NoneType is no table"),
        (duckdb.sql("SELECT error('oh') AS player_a"), "cannot be read: .*oh"),
    ],
)
def test_what_is_no_table(frame: ArrowStream, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_frame(frame)


def test_columns_that_are_missing_or_there_twice() -> None:
    with pytest.raises(ReadError, match="the frame has no column 'player_a'"):
        read_frame(polars.DataFrame({"x": [1]}))
    twice = pyarrow.table([[1], [2], [3], [1.0]], names=["player_a", "player_b", "player_b", "score_a"])
    with pytest.raises(ReadError, match="the frame has 2 columns 'player_b'"):
        read_frame(twice)


def test_empty_frames() -> None:
    assert len(read_frame(polars.DataFrame({name: [] for name in COLUMNS}))) == 0
    assert len(read_frame(pyarrow.table({name: pyarrow.array([], pyarrow.int64()) for name in COLUMNS}))) == 0
    with pytest.raises(ReadError):
        read_frame(polars.DataFrame())
