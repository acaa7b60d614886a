import csv
import json
import math
import pickle
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import InputError, MissingLibraryError, WriteError
from tallymark.named import Named
from tallymark.tables import Column, Table

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def table() -> Table:
    return Table(
        {
            "player": ["ann", None, "<bob>"],
            "id": [1, None, 2],
            "mixed": [1, "x", None],
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
    assert polars["mixed"].to_list() == ["1", "x", None]
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
    assert rows[2] == ["", "", "x", "", "2", "False", ""]
    assert rows[3][3] == "inf"


NAMES = ["/\\ssa", "=2+3", "@bot", "-dash", "+1", "\tx", "\rx", 'O\'Neil, "Al"']


def test_names_that_look_like_formulas(tmp_path: Path) -> None:
    table = Table({"player": [*NAMES, -7, None], "rating": np.full(len(NAMES) + 2, -1.5)})
    table.write(tmp_path / "exact.csv")
    table.write(tmp_path / "eye.csv", for_spreadsheets=True)

    def players(name: str) -> list[str]:
        with (tmp_path / name).open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert {row["rating"] for row in rows} == {"-1.5"}
        return [row["player"] for row in rows]

    assert players("exact.csv") == [*NAMES, "-7", ""]
    marked = ["/\\ssa", "'=2+3", "'@bot", "'-dash", "'+1", "'\tx", "'\rx", 'O\'Neil, "Al"']
    assert players("eye.csv") == [*marked, "-7", ""]


@pytest.mark.parametrize("name", ["t.json", "t.parquet"])
def test_only_csv_is_for_spreadsheets(table: Table, tmp_path: Path, name: str) -> None:
    with pytest.raises(WriteError, match=r"only \.csv is written for spreadsheets"):
        table.write(tmp_path / name, for_spreadsheets=True)
    assert not list(tmp_path.iterdir())


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


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1))
def test_any_text_reads_back_from_csv(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        several: list[dict[str, Column]] = [{"id": texts}, {"id\r": texts, "n": np.arange(len(texts))}]
        for columns in several:
            Table(columns).write(Path(folder, "t.csv"))
            with Path(folder, "t.csv").open(newline="", encoding="utf-8") as file:
                header, *rows = csv.reader(file, strict=True)
            assert header == list(columns)
            assert [row[0] for row in rows] == texts


def test_an_id_with_a_carriage_return_is_one_cell(tmp_path: Path) -> None:
    Table({"id": ["a\rb", "c"], "n": np.array([1, 2])}).write(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b'id,n\n"a\rb",1\nc,2\n'


def test_two_ids_do_not_become_one(tmp_path: Path) -> None:
    table = Table({"player": [7, "x", "7"]})
    for suffix in (".csv", ".parquet"):
        with pytest.raises(WriteError, match="'player' holds both 7 and '7'") as refused:
            table.write(tmp_path / f"t{suffix}")
        assert ".json" in str(refused.value.hint)
    for frame in (table.to_polars, table.to_arrow):
        with pytest.raises(InputError, match="both 7 and '7'"):
            frame()
    assert list(tmp_path.iterdir()) == []
    table.write(tmp_path / "t.json")
    assert [row["player"] for row in json.loads((tmp_path / "t.json").read_text())] == [7, "x", "7"]
    assert list(table.to_pandas()["player"]) == [7, "x", "7"]
    assert "both" not in repr(table)


@pytest.mark.parametrize(
    ("cells", "refused", "message"),
    [
        ([2**63, 1], {".parquet"}, "beyond 64 bits"),
        (["ok", "\ud800"], {".csv", ".json", ".parquet"}, "not valid Unicode"),
    ],
)
def test_what_a_format_cannot_hold(
    cells: list[str | int | None], refused: set[str], message: str, tmp_path: Path
) -> None:
    table = Table({"id": cells})
    for suffix in (".csv", ".json", ".parquet"):
        if suffix in refused:
            with pytest.raises(WriteError, match=message):
                table.write(tmp_path / f"t{suffix}")
        else:
            table.write(tmp_path / f"t{suffix}")
    assert {file.suffix for file in tmp_path.iterdir()} == {".csv", ".json", ".parquet"} - refused
    with pytest.raises(InputError, match=message):
        table.to_polars()
    if "Unicode" in message:
        with pytest.raises(InputError, match=message):
            table.to_pandas()


def test_times_that_python_has_no_word_for_are_refused() -> None:
    for far in (np.array(["12026-01-01"], "M8[D]"), np.array([2**62], "M8[s]"), np.array(["0000-12-31"], "M8[us]")):
        with pytest.raises(InputError, match=r"'at' has .* outside the years 1 to 9999"):
            Table({"at": far})
    assert "9999" in repr(Table({"at": np.array(["9999-12-31T23:59:59.999999", "NaT"], "M8[us]")}))


def test_what_is_written_to_the_callers_array_does_not_reach_the_table() -> None:
    given = {
        "n": np.array([1.0, 2.0]),
        "at": np.array(["2026-01-01", "2026-01-02"], "M8[us]"),
        "id": np.array(["a", "b"], dtype=object),
    }
    table = Table(given)
    before = list(table.rows())
    given["n"][0], given["at"][0], given["id"][0] = 9.0, np.datetime64("2030-01-01"), "z"
    assert list(table.rows()) == before
    for name in given:
        assert not table[name].flags.writeable
    frozen = np.arange(3)
    frozen.flags.writeable = False
    assert np.shares_memory(Table({"n": frozen}).n, frozen)


def test_an_interrupted_query_is_an_interrupted_program(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error in (
        duckdb.InterruptException("INTERRUPT Error: Interrupted!"),
        RuntimeError("Query interrupted"),
        duckdb.InvalidInputException("reading the schema of the object registered as 'x' failed: KeyboardInterrupt: "),
    ):

        def interrupted(*_: object, error: Exception = error, **__: object) -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(duckdb, "connect", interrupted)
            with pytest.raises(KeyboardInterrupt):
                table.write(tmp_path / "t.parquet")
    assert list(tmp_path.iterdir()) == []


def test_the_eye_gets_seven_digits_and_the_column_all() -> None:
    table = Table({"rating": np.array([1662.3108939063002, 1e300, 0.05999967537308716])})
    assert "1662.311" in repr(table)
    assert "1662.3108939063002" not in table._repr_html_()
    assert table.rating[0] == 1662.3108939063002


def test_named_columns_are_as_those_of_objects(tmp_path: Path) -> None:
    names: list[str | int] = ["ann", "bob", 7, *map(str, range(100))]
    codes = np.array([1, -1, 2, 0, 1])
    expected = ["bob", None, 7, "ann", "bob"]
    table = Table({"n": np.arange(5), "player": Named(names, codes)})
    assert table.head(2).player.tolist() == expected[:2]
    assert len(table) == 5
    assert "player" in repr(table)
    assert table.player.tolist() == expected
    assert table.player is table["player"]
    with pytest.raises(ValueError, match="read-only"):
        table.player[0] = "eva"
    assert Table({"player": Named(names, codes)}).to_arrow()["player"].to_pylist() == ["bob", None, "7", "ann", "bob"]
    assert pickle.loads(pickle.dumps(Table({"player": Named(names, codes)}))).player.tolist() == expected
    many = Table({"player": Named(["ann", "bob"], np.resize(codes % 2, 50))})
    assert many.player.tolist() == [["ann", "bob"][code % 2] for code in np.resize(codes, 50)]
    with pytest.raises(InputError, match="n 1, player 5"):
        Table({"n": [1], "player": Named(names, codes)})


def test_times_in_microseconds_need_no_other_form() -> None:
    times = np.array(["2026-01-01", "NaT", "0001-01-01", "9999-12-31T23:59:59.999999"], dtype="datetime64[us]")
    assert Table({"at": times}).at.tolist() == times.tolist()
    for far in ("10000-01-01", "0000-12-31"):
        with pytest.raises(InputError, match="outside the years 1 to 9999"):
            Table({"at": np.array(["NaT", far], dtype="datetime64[us]")})
