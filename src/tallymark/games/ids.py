"""Exact ids: a player, match or game is a string or an integer, and comes back as it came.

Nothing is trimmed, folded or converted: `"007"`, `"7"` and `7` are three ids. A table of ids is in *rank order*,
integers numerically and then strings by code point, so a code (the position in the table) sorts as its id does.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from functools import partial
from typing import TypeGuard, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.id_table import IdTable, NumberTable
from tallymark.games.texts import SLICE, Packed, Text, by_row
from tallymark.games.threads import at_once

Id = str | int

T = TypeVar("T")

MISSING = -1
"""The code of a missing id: None, an empty string or a NaN."""

MANY: int = 1 << 17
"""More texts than these are sorted as bytes."""

_INT64 = range(-(2**63), 2**63)
# Integers have a place each where no more are possible than so many times those there are, or so many at all.
_SPARSE = 4
_SMALL = 1 << 20
_AT_ONCE = 1 << 16
_FLOAT_HINT = "write ids as integers or strings; a pandas integer column with gaps becomes exact by .astype('Int64')"


def encode(values: Sequence[object] | NDArray[np.generic], name: str = "id") -> tuple[NDArray[np.int32], list[Id]]:
    """Codes (int32, one a value, -1 = missing) and the distinct ids in rank order.

    `name` is the column that errors speak of. InputError for a value that is neither a string nor an integer.

    >>> codes, table = encode(["b", 10, "a", 9, None])
    >>> codes.tolist(), table
    ([3, 1, 2, 0, -1], [9, 10, 'a', 'b'])
    """
    codes, table = encode_many(values, name)
    return codes, table if isinstance(table, list) else list(table)


def encode_many(
    values: Sequence[object] | NDArray[np.generic], name: str = "id"
) -> tuple[NDArray[np.int32], Sequence[Id]]:
    """As `encode`; very many ids stay bytes, or an array of numbers, until somebody asks for one."""
    if isinstance(values, Text):
        ranks, table = _ranked(values.texts, name)
        return by_row(ranks, values.codes), table
    if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
        (codes,), integers = encode_integers([values], name)
        return codes, integers
    return _encode_items(values, name)


def encode_texts(columns: Sequence[Text], name: str) -> tuple[list[NDArray[np.int32]], list[Id]]:
    """As `encode`, of several columns of text.

    >>> codes, table = encode_texts([Text(np.array([0, 0]), ["b"]), Text(np.array([1, 0]), ["a", ""])], "player")
    >>> [column.tolist() for column in codes], table
    ([[1, 1], [-1, 0]], ['a', 'b'])
    """
    ranks, table = _ranked(Text.joined([column[:0] for column in columns]).texts, name)
    parts = np.split(ranks, np.cumsum([len(column.texts) for column in columns[:-1]]))
    pairs = list(zip(parts, (column.codes for column in columns), strict=True))
    coded = at_once(lambda pair: by_row(*pair), pairs)
    return coded, table if isinstance(table, list) else list(table)


def _encode_items(values: Sequence[object] | NDArray[np.generic], name: str) -> tuple[NDArray[np.int32], list[Id]]:
    items = exact_items(values, name)
    table = rank_order(set(items) - {None, ""}, name)
    index: dict[object, int] = {item: code for code, item in enumerate(table)}
    index[None] = index[""] = MISSING
    return np.fromiter(map(index.__getitem__, items), np.int32, len(items)), table


def exact_items(values: Sequence[object] | NDArray[np.generic], name: str) -> list[object]:
    """The cells as strings, Python integers and None or ""; InputError names the column and the row otherwise.

    >>> exact_items(np.array([7, 8]), "player_a"), exact_items(["x", float("nan")], "player_a")
    ([7, 8], ['x', None])
    """
    if isinstance(values, np.ndarray):
        _refuse_inexact(values, name)
    items = items_of(values)
    if set(map(type, items)) <= {str, int, type(None)}:
        return items
    return [_exact(item, row, name) for row, item in enumerate(items)]


def items_of(values: Sequence[object] | NDArray[np.generic]) -> list[object]:
    """The cells of a column one by one; times stay times, where `tolist` would make bare integers of nanoseconds.

    >>> items_of(np.array([1, 2], dtype="datetime64[ns]"))[0]
    np.datetime64('1970-01-01T00:00:00.000000001')
    """
    if isinstance(values, np.ndarray) and values.dtype.kind not in "Mm":
        return list(values.tolist())
    return list(values)


def is_whole(value: object) -> TypeGuard[int | np.integer]:
    """Whether a cell is an integer. To numpy a span of time is one too, and to Python a boolean: not here.

    >>> is_whole(np.int8(7)), is_whole(True), is_whole(np.timedelta64(7, "s"))
    (True, False, False)
    """
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def is_missing(value: object) -> bool:
    """Whether a cell holds nothing: None, an empty string, a NaN or NaT, or the NA and NaT of pandas (told by name).

    >>> is_missing(""), is_missing(float("nan")), is_missing(0)
    (True, True, False)
    """
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, np.datetime64 | np.timedelta64):
        return bool(np.isnat(value))
    if isinstance(value, Decimal):
        return value.is_nan()
    return value == "" if isinstance(value, str) else isinstance(value, float | np.floating) and value != value


def rank_order(ids: Iterable[object], name: str = "id") -> list[Id]:
    """The ids sorted: integers numerically, then strings by code point. InputError for what cannot be stored exactly.

    >>> rank_order(["b", 2, "a", 10])
    [2, 10, 'a', 'b']
    """
    integers: list[int] = []
    strings: list[str] = []
    for item in ids:
        if isinstance(item, str):
            strings.append(item)
        elif isinstance(item, int):
            integers.append(item)
    integers.sort()
    strings.sort()
    for end in integers[:1] + integers[-1:]:
        if end not in _INT64:
            raise InputError(f"{name} is {shortened(end)}, beyond 64-bit integers", hint="write such ids as strings")
    try:
        "".join(strings).encode()
    except UnicodeEncodeError:
        broken = next(text for text in strings if not _is_unicode(text))
        raise InputError(f"{name} is {shortened(broken)}, which is not valid Unicode text") from None
    return [*integers, *strings]


@overload
def compact(columns: Sequence[NDArray[np.int32]], table: list[Id]) -> tuple[list[NDArray[np.int32]], list[Id]]: ...
@overload
def compact(
    columns: Sequence[NDArray[np.int32]], table: Sequence[Id]
) -> tuple[list[NDArray[np.int32]], Sequence[Id]]: ...
def compact(columns: Sequence[NDArray[np.int32]], table: Sequence[Id]) -> tuple[list[NDArray[np.int32]], Sequence[Id]]:
    """Columns of codes over the ids that are used in any, and those ids: what is left after rows were taken out.

    >>> columns, table = compact([np.array([2, -1, 0], dtype=np.int32)], ["a", "b", "c"])
    >>> columns[0].tolist(), table
    ([1, -1, 0], ['a', 'c'])
    """
    used = _used(columns, len(table))
    if used[:MISSING].all():
        return list(columns), table
    new = np.cumsum(used, dtype=np.int32) - np.int32(1)
    new[MISSING] = MISSING
    coded, used = [new[codes] for codes in columns], used[:MISSING]
    if isinstance(table, IdTable | NumberTable):
        return coded, table.kept(used)
    return coded, [table[code] for code in np.flatnonzero(used).tolist()]


def _used(columns: Sequence[NDArray[np.int32]], count: int) -> NDArray[np.bool_]:
    """Which of so many codes are in any of the columns, and at the end whether MISSING is."""
    used = np.zeros(count + 1, dtype=bool)
    at_once = max(SLICE, count)
    for codes in columns:
        for start in range(0, len(codes), at_once):
            used[codes[start : start + at_once]] = True
            if used[:MISSING].all():  # mostly seen long before the end
                return used
    return used


def _ranked(texts: list[str] | Packed, name: str) -> tuple[NDArray[np.int32], list[Id] | IdTable]:
    """The code of each text, and the distinct ones in rank order."""
    if isinstance(texts, Packed) and len(texts) > MANY:
        return _ranked_bytes(texts)
    items = list(texts)
    table = rank_order(set(items) - {""}, name)
    index: dict[object, int] = {item: code for code, item in enumerate(table)}
    index[""] = MISSING
    return np.fromiter(map(index.__getitem__, items), np.int32, len(items)), table


def _ranked_bytes(texts: Packed) -> tuple[NDArray[np.int32], IdTable]:
    """The same of many texts, by their bytes: UTF-8 sorts by code point."""
    order, first = texts.ranked()
    code = np.cumsum(first, dtype=np.int32) - np.int32(1 + bool(texts.lengths.min() == 0))
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[order] = code
    return ranks, IdTable(texts, order[first & (code >= 0)])


def encode_integers(columns: Sequence[np.ndarray], name: str) -> tuple[list[NDArray[np.int32]], Sequence[Id]]:
    """As `encode`, of several columns of integers that are of one type. Very many ids stay an array.

    >>> columns, table = encode_integers([np.array([7, 5]), np.array([9, 7])], "player")
    >>> [codes.tolist() for codes in columns], table
    ([[1, 0], [2, 1]], [5, 7, 9])
    """
    if not any(map(len, columns)):
        return [np.zeros(0, dtype=np.int32) for _ in columns], []
    for_each = at_once if max(map(len, columns)) > MANY else _one_by_one
    # Where few numbers are possible, each has a place of its own: mostly itself, else how far it lies above the least.
    there = np.zeros(max(_SMALL, sum(map(len, columns))), dtype=bool)  # what nobody marks takes no memory
    small = [found for found in for_each(partial(_small, there), columns) if found is not None]
    if len(small) == len(columns):
        coded, least, most = [column for column, _ in small], 0, max(most for _, most in small)
    else:
        ends = [end for column in columns for end in _ends(column)]
        least, most = min(ends), max(ends)
        rank_order([least, most], name)  # refuses what no table may hold
        if most - least + 1 > _SPARSE * sum(map(len, columns)) + _SMALL:
            distinct, codes = np.unique(np.concatenate(columns), return_inverse=True)
            coded = np.split(codes.reshape(-1).astype(np.int32), np.cumsum([len(column) for column in columns[:-1]]))
            return coded, _numbers(distinct)
        there = np.zeros(most - least + 1, dtype=bool)
        coded = for_each(partial(_above, there, least), columns)
    there = there[: most - least + 1]
    full = bool(there.all())
    if not full:
        code = np.cumsum(there, dtype=np.int32)
        code -= np.int32(1)
        for_each(partial(_closed_up, code), coded)
    distinct = np.arange(len(there)) if full else np.flatnonzero(there)
    distinct += least
    return coded, _numbers(distinct)


def _one_by_one(function: Callable[[np.ndarray], T], columns: Sequence[np.ndarray]) -> list[T]:
    return list(map(function, columns))


def _numbers(distinct: NDArray[np.integer]) -> Sequence[Id]:
    """The table of distinct integers, which are in order."""
    table: list[Id] = []
    return NumberTable(distinct.astype(np.int64, copy=False)) if len(distinct) > MANY else table + distinct.tolist()


def _ends(column: np.ndarray) -> Iterator[int]:
    """The least and the greatest number of each part of a column."""
    for start in range(0, len(column), _AT_ONCE):
        part = column[start : start + _AT_ONCE]
        yield int(part.min())
        yield int(part.max())


def _small(there: NDArray[np.bool_], column: np.ndarray) -> tuple[NDArray[np.int32], int] | None:
    """The numbers of a column as they are, with the greatest; marks their places. None if any has no place."""
    out = np.empty(len(column), dtype=np.int32)
    full = looked = 0
    most = -1
    for start in range(0, len(column), _AT_ONCE):
        part = column[start : start + _AT_ONCE]
        high = int(part.max())
        if high >= len(there) or part.min() < 0:
            return None
        out[start : start + _AT_ONCE] = part
        most = max(most, high)
        if high < full:
            continue
        there[part] = True
        if start >= looked:  # seldom, for that takes as long as some numbers do
            full = most + 1 if there[: most + 1].all() else 0
            looked = 2 * start + _AT_ONCE
    return out, most


def _above(there: NDArray[np.bool_], least: int, column: np.ndarray) -> NDArray[np.int32]:
    """How far numbers lie above the least; marks those places. What has no room in its type wraps around, and is right
    without a sign."""
    out = np.empty(len(column), dtype=np.int32)
    for start in range(0, len(column), _AT_ONCE):
        far = column[start : start + _AT_ONCE] - column.dtype.type(least)
        places = far.view(f"u{far.itemsize}")
        there[places] = True
        out[start : start + _AT_ONCE] = places
    return out


def _closed_up(code: NDArray[np.int32], places: NDArray[np.int32]) -> None:
    """Puts the code of each place in its stead."""
    for start in range(0, len(places), _AT_ONCE):
        part = places[start : start + _AT_ONCE]
        part[:] = code.take(part, mode="clip")  # all are places in it, which "clip" does not look at once more


def _refuse_inexact(values: NDArray[np.generic], name: str) -> None:
    """InputError if the array's type cannot hold exact ids (one of floats that are all NaN is a column of gaps)."""
    if values.dtype.kind == "f" and not np.all(np.isnan(values)):
        raise InputError(f"{name} holds floating-point numbers, which are no exact ids", hint=_FLOAT_HINT)
    if values.dtype.kind not in "iuOUf":
        raise InputError(f"{name} holds {values.dtype}; ids are strings or integers")


def _exact(item: object, row: int, name: str) -> Id | None:
    if is_missing(item):
        return None
    if isinstance(item, bool | np.bool_):
        raise InputError(f"{name} is {item!r} in row {row}; ids are strings or integers")
    if isinstance(item, str):
        return str(item)
    if is_whole(item):
        return int(item)
    if isinstance(item, float | np.floating):
        raise InputError(f"{name} is {item!r} in row {row}, which is no exact id", hint=_FLOAT_HINT)
    raise InputError(f"{name} is of type {type(item).__name__} in row {row}; ids are strings or integers")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
