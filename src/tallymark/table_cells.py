"""Columns of a table as cells of Python, of text, of JSON, and as Arrow."""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from tallymark.errors import InputError
from tallymark.instants import NO_TIME

if TYPE_CHECKING:
    import arro3.core

Value = float | int | bool | str | datetime | None
"""A plain Python value of a cell; datetimes are in UTC, a missing time or id is None."""

Ids: TypeAlias = Mapping[str, Sequence[str | int | None]]
"""By column of ids or words, those that are in it, or enough to tell of which types they are and what they would be."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What text begins with that a spreadsheet takes for a formula."""
_APART: Final = ".json, to_pandas() and rows() keep them apart"


def python_cells(values: np.ndarray) -> list[Value]:
    """The cells as plain Python values.

    >>> python_cells(np.array(["2026-01-02", "NaT"], dtype="datetime64[us]"))
    [datetime.datetime(2026, 1, 2, 0, 0, tzinfo=datetime.timezone.utc), None]
    """
    if values.dtype.kind != "M":
        plain: list[Value] = values.tolist()
        return plain
    return [None if moment is None else moment.replace(tzinfo=UTC) for moment in values.tolist()]


def csv_cells(values: np.ndarray) -> list[Value]:
    """The cells as CSV has them, for the csv module to write: floats by repr, times in UTC, "" for what is missing."""
    if values.dtype.kind == "M":
        return [text_of(cell) for cell in python_cells(values)]
    if values.dtype.kind == "f":
        return ["" if math.isnan(cell) else repr(cell) for cell in values.tolist()]
    return python_cells(values)


def no_formula(cell: Value) -> Value:
    """A cell that no spreadsheet runs.

    >>> no_formula("=1+1"), no_formula("ann")
    ("'=1+1", 'ann')
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def shown(cell: Value) -> str:
    """A cell for the eye: numbers to seven digits; the exact ones are in the columns and in what is written."""
    if isinstance(cell, float) and math.isfinite(cell):
        return format(cell, ".7g")
    return text_of(cell)


def text_of(cell: Value) -> str:
    """A cell as text, a missing one empty.

    >>> text_of(0.1), text_of(datetime(2026, 1, 2, tzinfo=UTC)), text_of(None)
    ('0.1', '2026-01-02T00:00:00Z', '')
    """
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.isoformat().removesuffix("+00:00") + "Z"
    return repr(cell) if isinstance(cell, float) else str(cell)


def json_value(cell: Value) -> float | int | bool | str | None:
    """A cell as JSON has words for it.

    >>> json_value(float("inf")), json_value(7)
    (None, 7)
    """
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    return text_of(cell) if isinstance(cell, datetime) else cell


def integer_columns(ids: Ids) -> frozenset[str]:
    """Those columns of ids that are of integers alone; the others are text.

    InputError where an integer and a string of one column would be the same text.

    >>> sorted(integer_columns({"player": [7, None, 9], "match": [7, "x"], "game": [None]}))
    ['player']
    """
    for name, cells in ids.items():
        _refuse_one_text_for_two(name, cells)
    kinds = {name: {type(cell) for cell in cells} - {type(None)} for name, cells in ids.items()}
    return frozenset(name for name, found in kinds.items() if found and all(issubclass(kind, int) for kind in found))


def arrow_table(columns: Mapping[str, np.ndarray], integers: frozenset[str]) -> "arro3.core.Table":
    """The columns as Arrow; `integers` are the columns of ids that are no text.

    InputError for what Arrow has no place for.
    """
    import arro3.core

    arrays = []
    for name, values in columns.items():
        try:
            arrays.append(_arrow_array(values, name in integers))
        except OverflowError:
            raise InputError(
                f"column {name!r} holds integers beyond 64 bits", hint=".csv and .json keep them"
            ) from None
        except UnicodeEncodeError:
            raise InputError(f"column {name!r} holds text that is not valid Unicode") from None
    return arro3.core.Table.from_arrays(arrays, names=list(columns))


def _arrow_array(values: np.ndarray, integers: bool) -> "arro3.core.Array":
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
    if integers:
        return Array(cells, DataType.int64())
    return Array([None if cell is None else str(cell) for cell in cells], DataType.string())


def _refuse_one_text_for_two(name: str, cells: Sequence[str | int | None]) -> None:
    if not {int, str} <= set(map(type, cells)):
        return
    texts = {cell for cell in cells if isinstance(cell, str)}
    for cell in cells:
        if isinstance(cell, int) and str(cell) in texts:
            raise InputError(f"column {name!r} holds both {cell} and {str(cell)!r}, which would be one", hint=_APART)
