"""Input columns: whatever a user has (lists, numpy, pandas, polars, Arrow) as lists or numpy arrays, and as numbers."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import as_float, shortened
from tallymark.errors import InputError
from tallymark.games.ids import is_missing, is_whole, items_of
from tallymark.games.texts import Packed, Text
from tallymark.instants import NO_TIME

Cells = list[object] | NDArray[np.generic] | Text
"""A column brought into one of three forms; a numpy array never mixes what the user kept apart, and text is coded."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_LEAST = float(np.finfo(np.float64).smallest_subnormal)
# What polars gives to numpy as it is, gaps being NaN or NaT; all else goes by way of a list.
_POLARS_ARRAYS = re.compile(r"Float(?:32|64)|Date|Datetime\(.*")
_ARRO3_TIMES = re.compile(r"<(?:Timestamp\(|Date)(s|ms|µs|ns|32|64)\b")
_POLARS_WITHOUT_GAPS = re.compile(r"U?Int(?:8|16|32|64)|Boolean")


class ColumnLike(Protocol):
    """A column of values: a list, tuple, numpy array, pandas or polars Series, or Arrow array."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[object]: ...


def cells_of(values: ColumnLike, name: str) -> Cells:
    """The column as a list or a 1-D numpy array, without changing any value. InputError for what is no column.

    >>> cells_of((1, "1", None), "player_a")
    [1, '1', None]
    """
    kind = type(values)
    if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise InputError(f"{name} is a single {kind.__name__}; give a column: a list or an array")
    shape = getattr(values, "shape", None)
    if isinstance(shape, tuple) and len(shape) != 1:
        raise InputError(f"{name} is a {kind.__name__} of {len(shape)} dimensions; a column has one")
    library = kind.__module__.partition(".")[0]
    convert = {"pandas": _from_pandas, "polars": _from_polars, "pyarrow": _from_pyarrow, "arro3": _from_arro3}
    try:
        cells = convert[library](values) if library in convert else values
        return _from_numpy(cells, name) if isinstance(cells, np.ndarray) else list(cells)
    except InputError:
        raise
    # Whatever a library says of values that it can hold and cannot hand over: pandas and polars of years past 9999
    # (ValueError, OverflowError), pyarrow in errors of its own, which are ValueError, TypeError, KeyError and
    # RuntimeError too.
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise InputError(f"{name} is a {kind.__name__} that cannot be read: {shortened(str(error))}") from error


def numbers(cells: Cells) -> tuple[NDArray[np.float64], dict[int, object]]:
    """float64 values (NaN = missing) and, by position, the cells that are no number. Text is read as decimal notation.

    Numbers below every double keep their sign: they become the least double above or below 0. There is no -0.

    >>> values, wrong = numbers(["0.5", "", "won"])
    >>> values.tolist(), wrong
    ([0.5, nan, nan], {2: 'won'})
    """
    if isinstance(cells, Text):
        return cells.spread(_numbers_of_texts)
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "fiub":
        values = cells.astype(np.float64, copy=False)
        if cells.dtype.itemsize <= values.itemsize:
            return values + 0.0, {}
        lost = (values == 0.0) & (cells != 0)
        return np.where(lost, np.copysign(_LEAST, values), values + 0.0), {}
    items = items_of(cells)
    wrong: dict[int, object] = {}
    out = np.full(len(items), np.nan)
    kinds = set(map(type, items))
    if kinds <= {float, int}:
        try:
            out[:] = items
        except OverflowError:  # an integer beyond every double: infinite, for the caller to refuse
            out[:] = [as_float(item) for item in items]
    elif kinds <= {str, type(None)}:
        known = {text: _number(text) for text in set(items)}
        out[:] = [known[text] for text in items]
        bad = {text for text, value in known.items() if value != value and text not in (None, "")}
        wrong = {row: text for row, text in enumerate(items) if text in bad} if bad else {}
    else:
        for row, item in enumerate(items):
            if not is_missing(item):
                out[row] = _number(item)
                if np.isnan(out[row]):
                    wrong[row] = item
    return out + 0.0, wrong


def words(cells: Cells, name: str) -> list[str | None]:
    """Text cells (None = missing); integers become their digits. InputError names the column and row otherwise."""
    if isinstance(cells, Text):
        found = np.array([text or None for text in cells.texts], dtype=object)
        return list(found[cells.codes].tolist())
    return [_word(item, row, name) for row, item in enumerate(items_of(cells))]


def same_length(columns: dict[str, Cells]) -> int:
    """The common length of the columns; InputError names two that differ."""
    names = list(columns)
    for name in names[1:]:
        if len(columns[name]) != len(columns[names[0]]):
            raise InputError(f"{name} has {len(columns[name])} values and {names[0]} has {len(columns[names[0]])}")
    return len(columns[names[0]]) if names else 0


def _numbers_of_texts(texts: Sequence[str]) -> tuple[NDArray[np.float64], dict[int, object]]:
    if not isinstance(texts, Packed):
        return numbers(list(texts))
    wrong: dict[int, object] = {}
    found: list[NDArray[np.float64]] = []
    start = 0
    for part in texts.slices():
        values, bad = numbers(list(part))
        wrong |= {start + row: cell for row, cell in bad.items()}
        start += len(part)
        found.append(values)
    return np.concatenate([np.zeros(0), *found]), wrong


def _number(item: object) -> float:
    """The double nearest to a cell but never across 0; NaN where it is no number."""
    if isinstance(item, str):
        text = item.strip(" ")
        if not _NUMBER.fullmatch(text):
            return float("nan")
        value = float(text)
        if value == 0.0 and re.search("[1-9]", re.split("[eE]", text)[0]):
            return -_LEAST if text[0] == "-" else _LEAST
        return value
    if isinstance(item, bool | np.bool_):
        return float(item)
    if not (is_whole(item) or isinstance(item, float | np.floating | Decimal | Fraction)):
        return float("nan")
    value = as_float(item)
    return (-_LEAST if item < 0 else _LEAST) if value == 0.0 and item != 0 else value


def _word(item: object, row: int, name: str) -> str | None:
    if type(item) is str:
        return item or None
    if is_missing(item):
        return None
    if isinstance(item, str) or (is_whole(item) and -(2**64) < item < 2**64):
        return str(item)
    raise InputError(f"{name} is {shortened(item)} in row {row}, which is no word: give text or whole numbers")


def _from_numpy(values: np.ndarray, name: str) -> Cells:
    if values.dtype.kind == "V" or values.ndim != 1:
        raise InputError(f"{name} holds {values.dtype} in {values.ndim} dimensions; give a column of single values")
    hidden = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    plain = np.asarray(values)
    if hidden is None or not hidden.any():
        return plain
    if values.dtype.kind in "Mm":  # as objects, nanoseconds and years beyond Python's would be bare integers
        return np.where(hidden, np.array("NaT", dtype=values.dtype), plain)
    cells = plain.astype(object)
    cells[hidden] = None
    return list(cells)


def _from_pandas(values: object) -> Sequence[object] | np.ndarray:
    dtype = getattr(values, "dtype", None)
    if hasattr(dtype, "pyarrow_dtype"):
        return _from_pyarrow(_call(getattr(values, "array", None), "__arrow_array__"))
    if hasattr(dtype, "tz"):  # with a time zone, to_numpy alone would give one Timestamp object a row
        return _call(values, "to_numpy", dtype=f"datetime64[{getattr(dtype, 'unit', 'ns')}]")
    if isinstance(dtype, np.dtype) and dtype.kind != "O":
        return _call(values, "to_numpy")
    return _call(values, "to_numpy", dtype="object")  # left to itself, Int64 with gaps would come as floats


def _from_polars(values: object) -> Sequence[object] | np.ndarray:
    kind = str(getattr(values, "dtype", None))
    if _POLARS_ARRAYS.fullmatch(kind) or (_POLARS_WITHOUT_GAPS.fullmatch(kind) and not _call(values, "null_count")):
        return _call(values, "to_numpy")
    return _call(values, "to_list")


def _from_pyarrow(values: object) -> Sequence[object] | np.ndarray:
    if str(getattr(values, "type", "")).startswith(("timestamp", "date")):
        return _call(values, "to_numpy", zero_copy_only=False)
    return _call(values, "to_pylist")


def _from_arro3(values: object) -> Sequence[object] | np.ndarray:
    found = _ARRO3_TIMES.search(str(getattr(values, "type", "")))
    if found is None:
        return _call(values, "to_pylist")
    from arro3.core import DataType

    # As datetimes, years past 9999 would be None.
    whole = _call(values, "cast", target_type=DataType.int32() if found[1] == "32" else DataType.int64())
    raw = [NO_TIME if moment is None else moment for moment in _call(whole, "to_pylist")]
    unit = {"32": "D", "64": "ms", "µs": "us"}.get(found[1], found[1])
    return np.array(raw, dtype=np.int64).view(f"datetime64[{unit}]")


def _call(values: object, method: str, **options: object) -> Sequence[object]:
    result: Sequence[object] = getattr(values, method)(**options)
    return result
