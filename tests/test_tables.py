import csv
import json
import math
import pickle
import sys
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tallymark.errors import InputError, MissingLibraryError, WriteError
from tallymark.tables import Table

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def table() -> Table:
    return Table(
        {
            "player": ["ann", None, "<bob>"],
            "id": [1, None, 2],
            "mixed": [1, "1", None],
            "rating": np.array([1500.1, np.nan, np.inf]),
            "games": np.array([1, 2, 3], dtype=np.int32),
            "provisional": np.array([True, False, True]),
            "last_played": np.array(["2026-01-01T12:00", "NaT", "2026-01-01T12:00:00.5"], dtype="datetime64[us]"),
        }
    )


def test_columns_by_attribute_and_by_name(table: Table) -> None:
    assert table.rating is table["rating"]
    assert len(table) == 3
    assert table.columns[:2] == ("player", "id")
    assert "rating" in dir(table)
    with pytest.raises(AttributeError, match="no column 'rank'"):
        _ = table.rank
    with pytest.raises(InputError, match="there are player"):
        _ = table["rank"]


def test_a_table_does_not_change(table: Table) -> None:
    with pytest.raises(ValueError, match="read-only"):
        table.games[0] = 5
    with pytest.raises(AttributeError, match="does not change"):
        table.games = np.zeros(3)
    assert pickle.loads(pickle.dumps(table)).player.tolist() == table.player.tolist()


def test_columns_of_one_length_and_one_dimension() -> None:
    with pytest.raises(InputError, match="a 2, b 1"):
        Table({"a": [1, 2], "b": [1]})
    with pytest.raises(InputError, match="2 dimensions"):
        Table({"a": np.zeros((2, 2))})


def test_rows_are_plain_values(table: Table) -> None:
    first, second, _ = table.rows()
    assert first["last_played"] == NOON
    assert second["last_played"] is None
    assert [type(value) for value in first.values()] == [str, int, int, float, int, bool, datetime]


def test_frames(table: Table) -> None:
    polars = table.to_polars()
    assert isinstance(polars, pl.DataFrame)
    assert polars["id"].to_list() == [1, None, 2]
    assert polars["mixed"].to_list() == ["1", "1", None]
    assert polars["last_played"].dtype == pl.Datetime("us", "UTC")
    assert math.isnan(polars["rating"][1])
    pandas = table.to_pandas()
    assert isinstance(pandas, pd.DataFrame)
    assert pandas["last_played"][0] == pd.Timestamp(NOON)
    arrow = table.to_arrow()
    assert arrow.schema.field("last_played").type == pa.timestamp("us", "UTC")
    assert arrow["player"].to_pylist() == ["ann", None, "<bob>"]
    assert arrow["games"].type == pa.int32()
    assert pa.table(table).schema == arrow.schema


def test_empty_tables_travel() -> None:
    empty = Table({"player": [], "rating": np.zeros(0), "at": np.zeros(0, dtype="datetime64[us]")})
    assert empty.to_arrow().num_rows == 0
    assert "0 rows" in repr(empty)
    assert len(Table({})) == 0
    assert list(empty.rows()) == []


def test_a_missing_library_is_named_with_the_way_to_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingLibraryError) as caught:
        table.to_polars()
    assert caught.value.hint == "pip install polars"


def test_showing(table: Table) -> None:
    assert "&lt;bob&gt;" in table._repr_html_()
    assert "<bob>" in repr(table)
    long = Table({"n": np.arange(1000)})
    assert "980 more rows" in long._repr_html_()
    assert "<td>999</td>" in long._repr_html_()
    assert "990 more" in repr(long)
    assert long.head(3).n.tolist() == [0, 1, 2]


def test_csv(table: Table, tmp_path: Path) -> None:
    table.write(tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[1] == ["ann", "1", "1", "1500.1", "1", "True", "2026-01-01T12:00:00Z"]
    assert rows[2] == ["", "", "1", "", "2", "False", ""]
    assert rows[3][3] == "inf"


def test_json(table: Table, tmp_path: Path) -> None:
    def refuse(token: str) -> float:
        raise AssertionError(token)

    table.write(tmp_path / "t.json")
    rows = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"), parse_constant=refuse)
    assert [row["rating"] for row in rows] == [1500.1, None, None]
    assert rows[2]["last_played"] == "2026-01-01T12:00:00.500000Z"
    Table({"a": []}).write(tmp_path / "empty.json")
    assert json.loads((tmp_path / "empty.json").read_text(encoding="utf-8")) == []


def test_parquet(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "it's.parquet"
    table.write(path)
    back = pl.read_parquet(path)
    assert back.equals(table.to_polars())
    assert duckdb.from_arrow(table.to_arrow()).fetchall()


@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    suffix: str, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"t{suffix}"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(WriteError, match="No space left"):
        table.write(path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_where_nothing_can_be_written(table: Table, tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="cannot tell the format") as caught:
        table.write(tmp_path / "t.xlsx")
    assert ".parquet" in str(caught.value.hint)
    for suffix in (".csv", ".json", ".parquet"):
        with pytest.raises(WriteError):
            table.write(tmp_path / "none" / f"t{suffix}")
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(WriteError, match="directory"):
        table.write(tmp_path / "d.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["d.csv"]
