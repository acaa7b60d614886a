"""Input columns: whatever a user has (lists, numpy, pandas, polars, Arrow) as lists or numpy arrays, and as numbers."""

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import as_float
from tallymark.errors import InputError
from tallymark.games.ids import is_missing

Cells = list[object] | NDArray[np.generic]
"""A column brought into one of two forms; a numpy array never mixes what the user kept apart."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


class ColumnLike(Protocol):
    """A column of values: a list, tuple, numpy array, pandas or polars Series, or Arrow array."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[object]: ...


def cells_of(values: ColumnLike, name: str) -> Cells:
    """The column as a list or a 1-D numpy array, without changing any value. InputError for what is no column.

    >>> cells_of((1, "1", None), "player_a")
    [1, '1', None]
    """
    if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise InputError(f"{name} is a single {type(values).__name__}; give a column: a list or an array")
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise InputError(f"{name} has {values.ndim} dimensions; a column has one")
        if isinstance(values, np.ma.MaskedArray) and values.mask.any():
            cells: np.ndarray = values.data.astype(object)
            cells[np.asarray(values.mask)] = None
            return list(cells)
        return np.asarray(values)
    library = type(values).__module__.partition(".")[0]
    if library == "pandas":
        return _from_pandas(values)
    # polars and pyarrow turn integers with gaps into floats on the way to numpy: such columns go by way of a list.
    if getattr(values, "null_count", 0):
        return list(_call(values, "to_pylist" if hasattr(values, "to_pylist") else "to_list"))
    if library == "polars":
        return np.asarray(_call(values, "to_numpy"))
    if library in ("pyarrow", "arro3"):
        return list(_call(values, "to_pylist"))
    return list(values)


def numbers(cells: Cells) -> tuple[NDArray[np.float64], dict[int, object]]:
    """float64 values (NaN = missing) and, by position, the cells that are no number. Text is read as decimal notation.

    >>> values, wrong = numbers(["0.5", "", "won"])
    >>> values.tolist(), wrong
    ([0.5, nan, nan], {2: 'won'})
    """
    if isinstance(cells, np.ndarray):
        if cells.dtype.kind in "fiub":
            return cells.astype(np.float64), {}
        cells = cells.tolist()
    known: dict[object, float] = {}
    wrong: dict[int, object] = {}
    out = np.full(len(cells), np.nan)
    kinds = set(map(type, cells))
    if kinds <= {float, int}:
        try:
            out[:] = cells
        except OverflowError:  # an integer beyond every double: infinite, for the caller to refuse
            out[:] = [as_float(cell) for cell in cells]
        return out, wrong
    if kinds <= {str, type(None)}:
        known = {text: _number(text) for text in set(cells)}
        out[:] = [known[text] for text in cells]
        bad = {text for text, value in known.items() if value != value and text not in (None, "")}
        return out, {row: text for row, text in enumerate(cells) if text in bad} if bad else {}
    for row, cell in enumerate(cells):
        if is_missing(cell):
            continue
        if isinstance(cell, int | float | np.integer | np.floating | np.bool_):
            out[row] = as_float(cell)
        else:
            out[row] = _number(cell)
            if np.isnan(out[row]):
                wrong[row] = cell
    return out, wrong


def words(cells: Cells) -> list[str | None]:
    """Text cells (None = missing); integers become their digits. InputError names what is neither."""
    items: list[object] = cells.tolist() if isinstance(cells, np.ndarray) else cells
    return [_word(item) for item in items]


def same_length(columns: dict[str, Cells]) -> int:
    """The common length of the columns; InputError names two that differ."""
    names = list(columns)
    for name in names[1:]:
        if len(columns[name]) != len(columns[names[0]]):
            raise InputError(f"{name} has {len(columns[name])} values and {names[0]} has {len(columns[names[0]])}")
    return len(columns[names[0]]) if names else 0


def _number(cell: object) -> float:
    if isinstance(cell, str) and _NUMBER.fullmatch(cell.strip(" ")):
        return float(cell)
    return float("nan")


def _word(item: object) -> str | None:
    if type(item) is str:
        return item or None
    if is_missing(item):
        return None
    if isinstance(item, str | int | np.integer) and not isinstance(item, bool):
        return str(item)
    raise InputError(f"{item!r} is not a word")


def _from_pandas(values: object) -> Cells:
    kind = getattr(values, "dtype", None)
    if getattr(kind, "kind", "O") == "M":  # with a time zone, to_numpy alone would give one Timestamp object a row
        return np.asarray(_call(values, "to_numpy", dtype="datetime64[us]"))
    if isinstance(kind, np.dtype) and kind.kind != "O":
        return np.asarray(_call(values, "to_numpy"))
    return list(_call(values, "to_numpy", dtype="object"))  # left to itself, Int64 with gaps would come as floats


def _call(values: object, method: str, **options: str) -> Sequence[object]:
    result: Sequence[object] = getattr(values, method)(**options)
    return result
