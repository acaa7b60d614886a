"""An immutable table of columns: what replays, reports and scores hand back.

It stands on numpy alone; polars, pandas and duckdb take it through the Arrow stream protocol, and it writes itself as
CSV, Parquet or JSON.
"""

import csv
import html
import importlib
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.duck import connected
from tallymark.errors import InputError, MissingLibraryError, WriteError
from tallymark.files import written_beside
from tallymark.instants import FIRST, LAST, NO_TIME, microseconds

if TYPE_CHECKING:
    import arro3.core
    import pandas
    import polars
    import pyarrow

Value = float | int | bool | str | datetime | None
"""A plain Python value of a cell; datetimes are in UTC, a missing time or id is None."""


Column = NDArray[np.generic] | Sequence[str | int | None]
"""What a column is made of: a 1-D array, or a sequence of ids and words."""

_SHOWN = 10
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What text begins with that a spreadsheet takes for a formula."""
_APART = ".json, to_pandas() and rows() keep them apart"


class Named:
    """A column of ids or words as places in a table of them (-1: None), whose objects are made when somebody asks.

    Neither may change from then on.

    >>> Table({"player": Named(["ann", "bob"], np.array([1, 0, -1]))}).player.tolist()
    ['bob', 'ann', None]
    """

    __slots__ = ("_codes", "_names")

    def __init__(self, names: Sequence[str | int], codes: NDArray[np.integer]) -> None:
        self._names = names
        self._codes = codes

    def __len__(self) -> int:
        return len(self._codes)

    def between(self, start: int, stop: int) -> "Named":
        """Some of the rows."""
        return Named(self._names, self._codes[start:stop])

    def objects(self) -> np.ndarray:
        """The ids or words."""
        if len(self._codes) < len(self._names) // 8:
            few = np.empty(len(self._codes), dtype=object)
            few[:] = [None if code < 0 else self._names[code] for code in self._codes.tolist()]
            return few
        table = np.empty(len(self._names) + 1, dtype=object)
        table[:-1] = list(self._names)
        named: np.ndarray = table[self._codes]
        return named


class Table:
    """Named columns of equal length, by attribute or by name; never changed once built.

    Columns are 1-D numpy arrays: float, integer, bool, datetime64 (held as microseconds, UTC, years 1 to 9999) or
    object (str, int or None: ids and words). What the caller could still write to is copied. A column whose name is
    also a method (`rows`) is reached as `table["rows"]`.

    >>> table = Table({"player": ["ann", "bob"], "rating": np.array([1512.5, 1487.5])})
    >>> table.rating.max(), table["player"][0], len(table)
    (np.float64(1512.5), 'ann', 2)
    """

    __slots__ = ("_columns",)
    _columns: "_Columns"

    def __init__(self, columns: Mapping[str, Column | Named]) -> None:
        built = _Columns(columns)
        lengths = built.lengths()
        if len(set(lengths.values())) > 1:
            raise InputError(f"columns differ in length: {', '.join(f'{n} {k}' for n, k in lengths.items())}")
        object.__setattr__(self, "_columns", built)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self._columns)

    def __len__(self) -> int:
        return next(iter(self._columns.lengths().values()), 0)

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._columns[name]
        except KeyError:
            raise InputError(f"no column {name!r}; there are {', '.join(self._columns)}") from None

    def __getattr__(self, name: str) -> np.ndarray:
        if not name.startswith("_") and name in self._columns:
            return self._columns[name]
        raise AttributeError(f"no column {name!r}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a table does not change; build another")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns]

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Column]], "Table"], tuple[dict[str, np.ndarray]]]:
        return Table, (dict(self._columns),)

    def rows(self) -> Iterator[dict[str, Value]]:
        """Each row as a dict of plain Python values (times as aware UTC datetimes).

        >>> list(Table({"n": np.array([1, 2])}).rows())
        [{'n': 1}, {'n': 2}]
        """
        names = self.columns
        for cells in zip(*map(_python, self._columns.values()), strict=True):
            yield dict(zip(names, cells, strict=True))

    def head(self, n: int = 5) -> "Table":
        """The first `n` rows (all, if there are fewer)."""
        return self._rows_between(0, max(n, 0))

    def _rows_between(self, start: int, stop: int) -> "Table":
        return Table(self._columns.between(start, stop))

    def __repr__(self) -> str:
        size = f"Table: {len(self):,} rows, {len(self._columns)} columns"
        if not self._columns:
            return size
        rows = [[_shown(cell) for cell in row.values()] for row in self.head(_SHOWN).rows()]
        widths = [max(map(len, cells)) for cells in zip(self.columns, *rows, strict=True)]
        lines = ["  ".join(c.rjust(w) for c, w in zip(cells, widths, strict=True)) for cells in [self.columns, *rows]]
        more = [f"... {len(self) - _SHOWN:,} more"] if len(self) > _SHOWN else []
        return "\n".join([size, *lines, *more])

    def _repr_html_(self) -> str:
        def row(cells: Sequence[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        def body(part: Table) -> list[str]:
            return [row([_shown(cell) for cell in cells.values()], "td") for cells in part.rows()]

        rest = len(self) - 2 * _SHOWN
        if rest > 0:
            gap = f'<tr><td colspan="{len(self.columns)}">&hellip; {rest:,} more rows</td></tr>'
            lines = [*body(self.head(_SHOWN)), gap, *body(self._rows_between(len(self) - _SHOWN, len(self)))]
        else:
            lines = body(self)
        return (
            f"<table><caption>{len(self):,} rows, {len(self.columns)} columns</caption>"
            f"<thead>{row(self.columns, 'th')}</thead><tbody>{''.join(lines)}</tbody></table>"
        )

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table as an Arrow stream: times become timestamps in UTC, ids int64 or, if any is a string, strings.

        InputError for what Arrow has no place for: integers beyond 64 bits, text that is no Unicode, and a column in
        which both 7 and "7" would be "7".
        """
        return _arrow(self._columns).__arrow_c_stream__(requested_schema)

    def to_polars(self) -> "polars.DataFrame":
        """A polars DataFrame; MissingLibraryError where polars is not installed."""
        _require("polars")
        import polars

        return polars.DataFrame(_arrow(self._columns))

    def to_pandas(self) -> "pandas.DataFrame":
        """A pandas DataFrame, ids as object columns; MissingLibraryError where pandas is not installed."""
        _require("pandas")
        import pandas

        frame = {name: values.copy() for name, values in self._columns.items()}
        try:
            data = pandas.DataFrame(frame)
        except UnicodeEncodeError as error:
            raise InputError(f"{shortened(error.object)} is not valid Unicode text, which pandas asks for") from None
        for name, values in self._columns.items():
            if values.dtype.kind == "M":
                data[name] = data[name].dt.tz_localize("UTC")
        return data

    def to_arrow(self) -> "pyarrow.Table":
        """A pyarrow Table; MissingLibraryError where pyarrow is not installed."""
        _require("pyarrow")
        import pyarrow

        return pyarrow.table(_arrow(self._columns))

    def write(self, path: str | os.PathLike[str], *, for_spreadsheets: bool = False) -> None:
        """Write as the suffix says: .csv, .parquet or .json (an array of objects). WriteError leaves nothing behind.

        The file is written beside its target and renamed, so a reader sees the old one or the whole new one.
        CSV: floats by repr, times as ISO 8601 in UTC, a missing value is an empty cell. JSON: NaN and infinities are
        null, for JSON has no word for them. What a format cannot hold (in CSV and Parquet, both 7 and "7" in a column)
        is refused.

        `for_spreadsheets`, for CSV alone: text that a spreadsheet would run as a formula (it begins with =, +, -, @, a
        tab or a carriage return) has an apostrophe before it. Such a file is for the eye: read back, names differ.
        """
        target = Path(path)
        writers: dict[str, Callable[[Path], None]] = {
            ".csv": partial(self._write_csv, for_spreadsheets=for_spreadsheets),
            ".parquet": self._write_parquet,
            ".json": self._write_json,
        }
        writer = writers.get(target.suffix.lower())
        if writer is None:
            raise WriteError(f"{target}: cannot tell the format", hint=f"end the name in {', '.join(writers)}")
        if for_spreadsheets and target.suffix.lower() != ".csv":
            raise WriteError(f"{target}: only .csv is written for spreadsheets", hint="end the name in .csv")
        try:
            with written_beside(target) as beside:
                writer(beside)
        except InputError as error:
            raise WriteError(f"{target} cannot be written: {error}", hint=error.hint) from None
        except UnicodeEncodeError as error:
            broken = shortened(error.object[error.start : error.end])
            raise WriteError(f"{target} cannot be written: {broken} in a cell is not valid Unicode text") from None

    def _write_csv(self, path: Path, for_spreadsheets: bool) -> None:
        columns = {name: _csv_cells(name, values) for name, values in self._columns.items()}
        if for_spreadsheets:
            texts = [name for name, values in self._columns.items() if values.dtype == object]
            columns |= {name: list(map(_no_formula, columns[name])) for name in texts}
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(_EndedByNewlines(file), lineterminator=_EndedByNewlines.given)
            writer.writerow(self.columns)
            writer.writerows(zip(*columns.values(), strict=True))

    def _write_json(self, path: Path) -> None:
        with path.open("w", encoding="utf-8") as file:
            file.write("[")
            for count, row in enumerate(self.rows()):
                plain = {name: _json_value(cell) for name, cell in row.items()}
                file.write(("," if count else "") + "\n" + json.dumps(plain, ensure_ascii=False, allow_nan=False))
            file.write("\n]\n")

    def _write_parquet(self, path: Path) -> None:
        rows = _arrow(self._columns)
        with connected() as connection:
            connection.register("rows_to_write", rows)
            quoted = str(path).replace("'", "''")
            connection.execute(f"COPY (SELECT * FROM rows_to_write) TO '{quoted}' (FORMAT parquet)")


class _Columns(Mapping[str, np.ndarray]):
    """The columns of a table by name, each an array that does not change; those of names become one when asked for."""

    def __init__(self, columns: Mapping[str, Column | Named]) -> None:
        self._built = {
            name: values if isinstance(values, Named) else _freeze(name, values) for name, values in columns.items()
        }

    def __getitem__(self, name: str) -> np.ndarray:
        values = self._built[name]
        if isinstance(values, Named):
            values = values.objects()
            values.flags.writeable = False
            self._built[name] = values
        return values

    def __contains__(self, name: object) -> bool:
        return name in self._built

    def __iter__(self) -> Iterator[str]:
        return iter(self._built)

    def __len__(self) -> int:
        return len(self._built)

    def lengths(self) -> dict[str, int]:
        """How many rows each has."""
        return {name: len(values) for name, values in self._built.items()}

    def between(self, start: int, stop: int) -> dict[str, Column | Named]:
        """Some of the rows."""
        return {
            name: values.between(start, stop) if isinstance(values, Named) else values[start:stop]
            for name, values in self._built.items()
        }


class _EndedByNewlines:
    """A file that ends the rows it is given by line feeds alone.

    The csv module quotes a cell for the characters that end a row, so rows are ended by both there are: a bare carriage
    return would be read back as the end of one.
    """

    given = "\r\n"

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, row: str) -> int:
        return self._file.write(row.removesuffix(self.given) + "\n")


def _freeze(name: str, values: Column) -> np.ndarray:
    if isinstance(values, np.ndarray):
        array: np.ndarray = values.copy() if values.flags.writeable else values
    else:
        array = np.empty(len(values), dtype=object)
        array[:] = list(values)
    if array.ndim != 1 or array.dtype.kind not in "fiubMOU":
        raise InputError(f"column {name!r} is {array.dtype} of {array.ndim} dimensions; a column is a 1-D array")
    if array.dtype.kind == "M" and not _is_settled(array):
        instants, outside = microseconds(array)
        if outside.any():
            raise InputError(f"column {name!r} has {array[outside][0]}, which lies outside the years 1 to 9999")
        array = instants.view("datetime64[us]")
    elif array.dtype.kind == "U":
        array = array.astype(object)
    array.flags.writeable = False
    return array


def _is_settled(times: np.ndarray) -> bool:
    """Whether times are microseconds of the years 1 to 9999 already, or missing."""
    if times.dtype != "datetime64[us]":
        return False
    instants = times.view(np.int64)
    return bool((((instants >= FIRST) & (instants <= LAST)) | (instants == NO_TIME)).all())


def _python(values: np.ndarray) -> list[Value]:
    if values.dtype.kind != "M":
        plain: list[Value] = values.tolist()
        return plain
    return [None if moment is None else moment.replace(tzinfo=UTC) for moment in values.tolist()]


def _csv_cells(name: str, values: np.ndarray) -> list[Value]:
    if values.dtype.kind == "M":
        return [_text(cell) for cell in _python(values)]
    if values.dtype.kind == "f":
        return ["" if math.isnan(cell) else repr(cell) for cell in values.tolist()]
    if values.dtype == object:
        _refuse_one_text_for_two(name, values.tolist())
    return _python(values)


def _no_formula(cell: Value) -> Value:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def _shown(cell: Value) -> str:
    """A cell for the eye: numbers to seven digits; the exact ones are in the columns and in what is written."""
    if isinstance(cell, float) and math.isfinite(cell):
        return format(cell, ".7g")
    return _text(cell)


def _text(cell: Value) -> str:
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.isoformat().removesuffix("+00:00") + "Z"
    return repr(cell) if isinstance(cell, float) else str(cell)


def _json_value(cell: Value) -> float | int | bool | str | None:
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    return _text(cell) if isinstance(cell, datetime) else cell


def _arrow(columns: Mapping[str, np.ndarray]) -> "arro3.core.Table":
    import arro3.core

    arrays = []
    for name, values in columns.items():
        try:
            arrays.append(_arrow_array(name, values))
        except OverflowError:
            raise InputError(
                f"column {name!r} holds integers beyond 64 bits", hint=".csv and .json keep them"
            ) from None
        except UnicodeEncodeError:
            raise InputError(f"column {name!r} holds text that is not valid Unicode") from None
    return arro3.core.Table.from_arrays(arrays, names=list(columns))


def _arrow_array(name: str, values: np.ndarray) -> "arro3.core.Array":
    from arro3.core import Array, DataType

    if values.dtype.kind == "M":
        if not np.isnat(values).any():
            whole = Array.from_numpy(values.astype(np.int64))
        else:
            instants = [None if moment == NO_TIME else moment for moment in values.astype(np.int64).tolist()]
            whole = Array(instants, DataType.int64())
        return whole.cast(DataType.timestamp("us", tz="UTC"))
    if values.dtype != object:
        return Array.from_numpy(np.ascontiguousarray(values))
    cells = values.tolist()
    if all(cell is None or isinstance(cell, int) for cell in cells) and not all(cell is None for cell in cells):
        return Array(cells, DataType.int64())
    _refuse_one_text_for_two(name, cells)
    return Array([None if cell is None else str(cell) for cell in cells], DataType.string())


def _refuse_one_text_for_two(name: str, cells: list[object]) -> None:
    """InputError where an integer and a string of a column would be the same text."""
    if not {int, str} <= set(map(type, cells)):
        return
    texts = {cell for cell in cells if isinstance(cell, str)}
    for cell in cells:
        if isinstance(cell, int) and str(cell) in texts:
            raise InputError(f"column {name!r} holds both {cell} and {str(cell)!r}, which would be one", hint=_APART)


def _require(library: str) -> None:
    try:
        importlib.import_module(library)
    except ImportError as error:
        raise MissingLibraryError(f"{library} is not installed", hint=f"pip install {library}") from error
