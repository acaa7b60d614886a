"""Instants: whole microseconds since 1970-01-01T00:00:00 UTC, as int64.

Every way of writing a time is read exactly or refused, never guessed at. Without an offset a time is UTC; a date alone
is its midnight. Plain integers are Unix seconds.
"""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import is_missing, is_whole, items_of
from tallymark.instants import FIRST, LAST, NO_TIME, microseconds

__all__ = ["NO_TIME", "format_instant", "parse_instant", "parse_times"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# `fromisoformat` takes more than one would want to take for a time (weeks, "20240101") and more in each new Python:
# this says what counts, it only computes.
_ISO = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ](?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d(?::?[0-5]\d)?)?)?", re.ASCII
)
_OFFSETS = (timedelta(hours=-12), timedelta(hours=14))
"""No place has ever been further west or east of UTC on a clock of whole hours: what is beyond is a slip."""

_SECONDS_HINT = "milliseconds? divide by 1000"


def parse_instant(text: str) -> int:
    """One ISO 8601 time or date as microseconds since 1970 UTC; InputError otherwise. Digits past six are dropped.

    >>> parse_instant("1970-01-01T01:00+01:00"), parse_instant("1970-01-02")
    (0, 86400000000)
    """
    plain = text.strip(" ")
    if not _ISO.fullmatch(plain):
        raise InputError(f"{shortened(text)} is not an ISO 8601 time (like 2026-01-31 or 2026-01-31T18:30:00Z)")
    try:
        moment = datetime.fromisoformat(plain)
    except ValueError as error:
        raise InputError(f"{shortened(text)} is not a time: {error}") from None
    offset = moment.utcoffset() or timedelta(0)
    if not _OFFSETS[0] <= offset <= _OFFSETS[1]:
        raise InputError(f"{shortened(text)} is not a time: offsets from UTC lie from -12:00 to +14:00")
    return _from_datetime(moment)


def format_instant(instant: int) -> str:
    """An instant as `YYYY-MM-DDTHH:MM:SSZ`, with microseconds only where there are any.

    >>> format_instant(1_500_000)
    '1970-01-01T00:00:01.500000Z'
    """
    return (_EPOCH + instant * _MICROSECOND).isoformat().removesuffix("+00:00") + "Z"


def parse_times(values: Sequence[object] | NDArray[np.generic]) -> tuple[NDArray[np.int64], dict[int, str]]:
    """Instants (int64 microseconds, NO_TIME = missing) and, by position, what is wrong with those that are no time.

    Takes datetime64, datetime (naive = UTC), date, ISO 8601 text, integers (Unix seconds), None, "" and NaN.

    >>> instants, wrong = parse_times(["1970-01-01", None, "yesterday"])
    >>> instants.tolist()[0], sorted(wrong)
    (0, [2])
    """
    if isinstance(values, np.ndarray):
        if values.dtype.kind == "M":
            instants, outside = microseconds(values)
            far = np.flatnonzero(outside).tolist()
            return instants, {row: f"{values[row]} lies outside the years 1 to 9999" for row in far}
        if values.dtype.kind in "iu":
            seconds: np.ndarray = values
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
        return _from_datetime(item)
    if isinstance(item, date):
        return _from_datetime(datetime(item.year, item.month, item.day, tzinfo=UTC))
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


def _from_datetime(moment: datetime) -> int:
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    instant = (aware - _EPOCH) // _MICROSECOND
    if not FIRST <= instant <= LAST:
        raise InputError(f"{moment.isoformat()} lies outside the years 1 to 9999 in UTC")
    return instant


def _seconds_message(seconds: int) -> str:
    return f"{shortened(seconds)} seconds since 1970 lies outside the years 1 to 9999 ({_SECONDS_HINT})"
