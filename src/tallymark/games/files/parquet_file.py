"""Games from Parquet, by duckdb: integer ids stay integers, times stay times, and text is coded as it is read."""

from collections.abc import Mapping, Sequence

import numpy as np

from tallymark.duck import connected
from tallymark.errors import ReadError
from tallymark.games.columns import Cells, cells_of
from tallymark.games.files.gathering import GatheredBytes, GatheredTimes
from tallymark.games.files.opening import Source
from tallymark.games.files.raw import SAMPLE, RawTable, without_gaps
from tallymark.games.files.scanning import gathered
from tallymark.games.ids import items_of
from tallymark.games.progress import Progress, silent
from tallymark.games.shapes.plan import Choose, Plan
from tallymark.games.texts import Text

# Types that numpy has no exact word for; as text they are exact ids.
_AS_TEXT = ("UUID", "ENUM", "HUGEINT", "UHUGEINT", "DECIMAL")


def read_parquet(source: Source, choose: Choose, progress: Progress = silent) -> RawTable:
    """The columns that `choose` picks. ReadError for bytes that are no Parquet; OSError where the system fails."""
    if not source.regular:
        raise ReadError(f"{source.name} is not a regular file, as Parquet has to be", hint="save it as a file first")
    # The file is opened here first: duckdb would take a name for a pattern or an address.
    with source.opened() as file:
        if file.read(4) != b"PAR1":
            raise ReadError(f"{source.name} is not a Parquet file", hint="a CSV file's name ends in .csv or .csv.gz")
    try:
        with connected() as connection:
            # Columns are taken by position: duckdb gives names of its own to those that differ in nothing or in case.
            path = literal(str(source.path))
            scan = f"read_parquet({path}, hive_partitioning = false)"
            described = connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()
            schema = connection.execute(f"SELECT name, num_children FROM parquet_schema({path})")
            header = _header(schema.fetchall())
            sample = connection.execute(f"SELECT * FROM {scan} LIMIT {SAMPLE}").fetchall()
            (rows,) = connection.execute(f"SELECT num_rows FROM parquet_file_metadata({path})").fetchone() or (0,)
            plan = choose(header, sample)
            kinds = {at: str(described[at][1]) for at in plan.positions}
            selected = {at: _selected(str(described[at][0]), kinds[at]) for at in plan.positions}
            text = {at: one for at, one in selected.items() if kinds[at] == "VARCHAR" or kinds[at].startswith(_AS_TEXT)}
            cells: dict[int, Cells] = dict(_texts(scan, text, plan, rows, progress)) if text else {}
            for at in plan.positions:  # one by one, for there is not always room for two forms of all
                if at not in cells:
                    found = connection.execute(f"SELECT {selected[at]} AS c FROM {scan}").fetchnumpy()
                    cells[at] = cells_of(np.ma.asarray(found["c"]), header[at])
    except OSError as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"{source.name} cannot be read as Parquet: {error}") from None
    for at, kind in kinds.items():
        if kind.startswith("STRUCT("):
            cells[at] = [without_gaps(cell) for cell in items_of(cells[at])]
    return RawTable(plan, cells, len(next(iter(cells.values()))), whole=lambda rows: _whole(path, rows))


def _texts(scan: str, selected: Mapping[int, str], plan: Plan, rows: int, progress: Progress) -> dict[int, Text]:
    """The columns of text by position, without those that must be read as objects."""
    times = plan.columns.get("played_at", ())
    columns = [GatheredTimes(rows) if at in times else GatheredBytes(rows) for at in selected]

    def go_on(read: int, all_taken: bool) -> bool:
        progress(read, read / rows if rows else None)
        return True

    found = gathered(f"SELECT {', '.join(selected.values())} FROM {scan}", columns, go_on)
    return {at: text for at, text in zip(selected, found or [], strict=True) if text is not None}


def _whole(path: str, rows: Sequence[int]) -> dict[int, object]:
    """All cells of each of these rows, in a form that can be compared."""
    with connected() as connection:
        numbered = f"SELECT row_number() OVER () - 1, * FROM read_parquet({path}, hive_partitioning = false)"
        found = connection.execute(f"FROM ({numbered}) AS t(n) WHERE t.n IN (SELECT unnest(?))", [list(rows)])
        return {row[0]: repr(row[1:]) for row in found.fetchall()}


def _header(schema: Sequence[Sequence[object]]) -> list[str]:
    """The names of the columns, out of a schema that lists each before what is inside of it, the whole table first."""
    names: list[str] = []
    inside = 0
    for name, children in schema[1:]:
        if inside:
            inside -= 1
        else:
            names.append(str(name))
        inside += children if isinstance(children, int) else 0
    return names


def _selected(column: str, kind: str) -> str:
    quoted = _quoted(column)
    return f"CAST({quoted} AS VARCHAR)" if kind.startswith(_AS_TEXT) else quoted


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(path: str) -> str:
    """A path as duckdb's SQL takes it for exactly this file, whatever its name looks like."""
    plain = "".join(f"[{letter}]" if letter in "*?[" else letter for letter in path)
    return "'" + plain.replace("'", "''") + "'"
