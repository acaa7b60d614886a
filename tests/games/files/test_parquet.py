"""Text of Parquet is coded as it is read, and gives what the same table gives cell by cell."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.games import GameLog, read_frame, read_games
from tallymark.games.files.gathering import LONGEST
from tallymark.games.files.opening import sources
from tallymark.games.files.parquet_file import read_parquet
from tallymark.games.files.raw import RawTable
from tallymark.games.form import Form
from tallymark.games.reading import choosing
from tallymark.games.texts import Text

TEXTS = st.one_of(
    st.none(),
    st.sampled_from(["", "ann", "bob", "B\u00f6b", "nul\0", "nul", "x" * LONGEST, "x" * (LONGEST + 1), "\U0001f600"]),
    st.text(st.characters(codec="utf-8"), max_size=9),
)


def raw(path: Path) -> RawTable:
    (source,) = sources([path])
    return read_parquet(source, choosing(Form.of(), source.name))


def contents(log: GameLog) -> object:
    table = log.to_table()
    problems = log.report.problems
    columns = [{name: one[name].tolist() for name in one.columns} for one in (table, problems)]
    return log.players, log.games, columns, log.report.notes


@settings(max_examples=50)
@given(rows=st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=12), group=st.integers(1, 5))
def test_any_text_is_the_same_cell_by_cell(
    rows: list[tuple[str | None, str | None, str | None]], group: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    columns = dict(zip(("player_a", "player_b", "game"), map(list, zip(*rows, strict=True)), strict=True))
    table = pa.table(
        {**{name: pa.array(cells, pa.string()) for name, cells in columns.items()}, "score_a": [1] * len(rows)}
    )
    path = tmp_path_factory.mktemp("any") / "games.parquet"
    pq.write_table(table, path, row_group_size=group)
    assert contents(read_games(path)) == contents(read_frame(table))


def test_columns_of_text_are_coded_and_numbers_and_times_are_arrays(tmp_path: Path) -> None:
    times = pa.array([0, 86_400_000_000], pa.timestamp("us", tz="UTC"))
    table = {"played_at": times, "player_a": ["ann", "bob"], "player_b": ["bob", "cid"], "score_a": [0.5, 1.0]}
    pq.write_table(pa.table(table), tmp_path / "games.parquet")
    read = raw(tmp_path / "games.parquet")
    kinds = {name: read.cells[at] for name, (at,) in read.plan.columns.items()}
    assert {name: cells.dtype.kind for name, cells in kinds.items() if isinstance(cells, np.ndarray)} == {
        "played_at": "M",
        "score_a": "f",
    }
    assert {name: list(cells) for name, cells in kinds.items() if isinstance(cells, Text)} == {
        "player_a": ["ann", "bob"],
        "player_b": ["bob", "cid"],
    }


def test_one_text_that_no_column_of_bytes_can_take_leaves_the_others_coded(tmp_path: Path) -> None:
    table = {"player_a": ["ann", "x" * (LONGEST + 1)], "player_b": ["bob", "cid"], "score_a": ["1", "0"]}
    pq.write_table(pa.table(table), tmp_path / "games.parquet", row_group_size=1)
    read = raw(tmp_path / "games.parquet")
    coded = {name: isinstance(read.cells[at], Text) for name, (at,) in read.plan.columns.items()}
    assert coded == {"player_a": False, "player_b": True, "score_a": True}
    log = read_games(tmp_path / "games.parquet")
    assert log.players == ["ann", "bob", "cid", "x" * (LONGEST + 1)]
    assert log.score.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("form", ["2026-01-{:02}", "{:02}.01.2026", "2026-01-{:02}T10:00:00+02:00"])
def test_times_as_text_are_read_as_those_of_csv(form: str, tmp_path: Path) -> None:
    times = [form.format(day) for day in range(1, 31)]
    table = pa.table({"played_at": times, "player_a": ["ann"] * 30, "player_b": ["bob"] * 30, "score_a": [1] * 30})
    pq.write_table(table, tmp_path / "games.parquet")
    lines = "".join(f"{time},ann,bob,1\n" for time in times)
    (tmp_path / "games.csv").write_text("played_at,player_a,player_b,score_a\n" + lines)
    one, two = (read_games(tmp_path / f"games.{suffix}") for suffix in ("parquet", "csv"))
    assert one.time is not None
    assert two.time is not None
    assert one.time.tolist() == two.time.tolist()
    assert one.report.notes == two.report.notes


def test_a_table_without_rows_has_no_games(tmp_path: Path) -> None:
    schema = pa.schema([("player_a", pa.string()), ("player_b", pa.string()), ("score_a", pa.float64())])
    pq.write_table(schema.empty_table(), tmp_path / "games.parquet")
    assert len(read_games(tmp_path / "games.parquet")) == 0


def test_progress_is_told_to_the_end(tmp_path: Path) -> None:
    table = pa.table({"player_a": ["ann"] * 9, "player_b": ["bob"] * 9, "score_a": [1] * 9})
    pq.write_table(table, tmp_path / "games.parquet")
    seen: list[tuple[int, float | None]] = []
    read_games(tmp_path / "games.parquet", progress=lambda rows, share: seen.append((rows, share)))
    assert seen[-1] == (9, 1.0)
