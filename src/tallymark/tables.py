"""An immutable table of columns: what replays, reports and scores hand back.

It stands on numpy alone; polars, pandas and duckdb take it through the Arrow stream protocol, and it writes itself as
CSV, Parquet or JSON.
"""

import html
import importlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError, MissingLibraryError
from tallymark.instants import FIRST, LAST, NO_TIME, microseconds
from tallymark.named import Named
from tallymark.table_cells import Value, arrow_table, integer_columns, python_cells, shown
from tallymark.table_files import write_columns

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Column = NDArray[np.generic] | Sequence[str | int | None]
"""What a column is made of: a 1-D array, or a sequence of ids and words."""

_SHOWN = 10
_PIECE = 1 << 18
"""So many rows are written at a time."""


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
        for cells in zip(*map(python_cells, self._columns.values()), strict=True):
            yield dict(zip(names, cells, strict=True))

    def head(self, n: int = 5) -> "Table":
        """The first `n` rows (all, if there are fewer)."""
        return self.rows_between(0, max(n, 0))

    def rows_between(self, start: int, stop: int) -> "Table":
        """The rows from `start` to before `stop`."""
        return Table(self._columns.between(start, stop))

    def __repr__(self) -> str:
        size = f"Table: {len(self):,} rows, {len(self._columns)} columns"
        if not self._columns:
            return size
        rows = [[shown(cell) for cell in row.values()] for row in self.head(_SHOWN).rows()]
        widths = [max(map(len, cells)) for cells in zip(self.columns, *rows, strict=True)]
        lines = ["  ".join(c.rjust(w) for c, w in zip(cells, widths, strict=True)) for cells in [self.columns, *rows]]
        more = [f"... {len(self) - _SHOWN:,} more"] if len(self) > _SHOWN else []
        return "\n".join([size, *lines, *more])

    def _repr_html_(self) -> str:
        def row(cells: Sequence[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        def body(part: Table) -> list[str]:
            return [row([shown(cell) for cell in cells.values()], "td") for cells in part.rows()]

        rest = len(self) - 2 * _SHOWN
        if rest > 0:
            gap = f'<tr><td colspan="{len(self.columns)}">&hellip; {rest:,} more rows</td></tr>'
            lines = [*body(self.head(_SHOWN)), gap, *body(self.rows_between(len(self) - _SHOWN, len(self)))]
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
        return arrow_table(self._columns, integer_columns(self._columns.ids())).__arrow_c_stream__(requested_schema)

    def to_polars(self) -> "polars.DataFrame":
        """A polars DataFrame; MissingLibraryError where polars is not installed."""
        _require("polars")
        import polars

        return polars.DataFrame(arrow_table(self._columns, integer_columns(self._columns.ids())))

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

        return pyarrow.table(arrow_table(self._columns, integer_columns(self._columns.ids())))

    def write(self, path: str | os.PathLike[str], *, for_spreadsheets: bool = False) -> None:
        """Write as the suffix says: .csv, .parquet or .json (an array of objects). WriteError leaves nothing behind.

        The file is written beside its target and renamed, so a reader sees the old one or the whole new one.
        CSV: floats by repr, times as ISO 8601 in UTC, a missing value is an empty cell. JSON: NaN and infinities are
        null, for JSON has no word for them. What a format cannot hold (in CSV and Parquet, both 7 and "7" in a column)
        is refused.

        `for_spreadsheets`, for CSV alone: text that a spreadsheet would run as a formula (it begins with =, +, -, @, a
        tab or a carriage return) has an apostrophe before it. Such a file is for the eye: read back, names differ.
        """
        write_columns(path, self._pieces(), self._columns.ids(), for_spreadsheets)

    def _pieces(self) -> Iterator[Mapping[str, np.ndarray]]:
        """The columns, so many rows at a time: made into cells all at once, they would need many times their memory."""
        for start in range(0, max(len(self), 1), _PIECE):
            piece = self._columns.between(start, start + _PIECE)
            yield {name: values.objects() if isinstance(values, Named) else values for name, values in piece.items()}


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

    def ids(self) -> dict[str, list[str | int | None]]:
        """Of the columns of ids and words what is in them, or enough to tell what it can be written as."""
        return {
            name: values.ids() if isinstance(values, Named) else values.tolist()
            for name, values in self._built.items()
            if isinstance(values, Named) or values.dtype == object
        }

    def between(self, start: int, stop: int) -> dict[str, np.ndarray | Named]:
        """Some of the rows."""
        return {
            name: values.between(start, stop) if isinstance(values, Named) else values[start:stop]
            for name, values in self._built.items()
        }


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


def _require(library: str) -> None:
    try:
        importlib.import_module(library)
    except ImportError as error:
        raise MissingLibraryError(f"{library} is not installed", hint=f"pip install {library}") from error
