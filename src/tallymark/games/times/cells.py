"""Columns of times that say themselves what they are: ISO 8601 text, datetimes, Unix seconds."""

from collections.abc import Sequence
from datetime import UTC, date, datetime

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import is_missing, is_whole, items_of
from tallymark.games.texts import Packed, Text
from tallymark.games.times.bulk import parse_bulk
from tallymark.games.times.iso import from_datetime, parse_instant
from tallymark.instants import FIRST, LAST, NO_TIME, microseconds

_SECONDS_HINT = "milliseconds? divide by 1000"
_AT_ONCE = 1 << 16


def parse_times(values: Sequence[object] | NDArray[np.generic]) -> tuple[NDArray[np.int64], dict[int, str]]:
    """Instants (int64 microseconds, NO_TIME = missing) and, by position, what is wrong with those that are no time.

    Takes datetime64, datetime (naive = UTC), date, ISO 8601 text, integers (Unix seconds), None, "" and NaN.

    >>> instants, wrong = parse_times(["1970-01-01", None, "yesterday"])
    >>> instants.tolist()[0], sorted(wrong)
    (0, [2])
    """
    if isinstance(values, Text):
        return values.spread(parse_times)
    if isinstance(values, Packed):
        return _parse_packed(values)
    if isinstance(values, np.ndarray):
        if values.dtype.kind == "M":
            instants, outside = microseconds(values)
            far = np.flatnonzero(outside).tolist()
            return instants, {row: f"{values[row]} lies outside the years 1 to 9999" for row in far}
        if values.dtype.kind in "iu":
            seconds: np.ndarray = values
            whole = _of_seconds(seconds)
            if whole is not None:
                return whole, {}
            small = (seconds >= FIRST // 10**6) & (seconds <= LAST // 10**6)
            micro = np.where(small, np.where(small, seconds, 0).astype(np.int64) * 10**6, NO_TIME)
            return micro, {row: _seconds_message(int(values[row])) for row in np.flatnonzero(~small).tolist()}
    items = items_of(values)
    if not set(map(type, items)) <= {str, type(None)}:
        return _parse_each(items)
    known: dict[object, int] = {None: NO_TIME, "": NO_TIME}
    messages: dict[object, str] = {}
    for text in set(items) - {None, ""}:
        try:
            known[text] = parse_instant(str(text))
        except InputError as error:
            known[text] = NO_TIME
            messages[text] = error.message
    instants = np.fromiter(map(known.__getitem__, items), np.int64, len(items))
    wrong = {row: messages[text] for row, text in enumerate(items) if text in messages} if messages else {}
    return instants, wrong


def _of_seconds(seconds: np.ndarray) -> NDArray[np.int64] | None:
    """Whole seconds as instants; None where any is outside the years 1 to 9999."""
    instants = np.empty(len(seconds), dtype=np.int64)
    for start in range(0, len(seconds), _AT_ONCE):
        part = seconds[start : start + _AT_ONCE]
        if part.min() < FIRST // 10**6 or part.max() > LAST // 10**6:
            return None
        np.multiply(part.astype(np.int64, copy=False), 10**6, out=instants[start : start + _AT_ONCE])
    return instants


def _parse_packed(texts: Packed) -> tuple[NDArray[np.int64], dict[int, str]]:
    instants, other = parse_bulk(texts)
    rows = np.flatnonzero(other)
    if not len(rows):
        return instants, {}
    found, wrong = parse_times(texts.taken(rows))
    instants[rows] = found
    return instants, {int(rows[at]): message for at, message in wrong.items()}


def _parse_each(items: list[object]) -> tuple[NDArray[np.int64], dict[int, str]]:
    out = np.full(len(items), NO_TIME, dtype=np.int64)
    wrong: dict[int, str] = {}
    for row, item in enumerate(items):
        try:
            out[row] = _parse_any(item)
        except InputError as error:
            wrong[row] = error.message
    return out, wrong


def _parse_any(item: object) -> int:
    if is_missing(item):
        return NO_TIME
    if isinstance(item, str):
        return parse_instant(item)
    if isinstance(item, datetime):
        return from_datetime(item)
    if isinstance(item, date):
        return from_datetime(datetime(item.year, item.month, item.day, tzinfo=UTC))
    if isinstance(item, np.datetime64):
        instants, outside = microseconds(np.array([item]))
        if outside[0]:
            raise InputError(f"{item} lies outside the years 1 to 9999")
        return int(instants[0])
    if is_whole(item):
        if FIRST <= int(item) * 10**6 <= LAST:
            return int(item) * 10**6
        raise InputError(_seconds_message(int(item)))
    raise InputError(f"{shortened(item)} is not a time: give ISO 8601 text, a datetime or whole Unix seconds")


def _seconds_message(seconds: int) -> str:
    return f"{shortened(seconds)} seconds since 1970 lies outside the years 1 to 9999 ({_SECONDS_HINT})"
