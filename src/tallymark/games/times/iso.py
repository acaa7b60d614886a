"""ISO 8601: the one way of writing a time that needs no word about it."""

import re
from datetime import UTC, datetime, timedelta

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.instants import FIRST, LAST

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
# `fromisoformat` takes more than one would want to take for a time (weeks, "20240101") and more in each new Python:
# this says what counts, it only computes.
ISO = re.compile(
    r"\d{4}-\d\d-\d\d(?P<time>[T ](?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?"
    r"(?P<offset>Z|[+-]\d\d(?::?[0-5]\d)?)?)?",
    re.ASCII,
)
_OFFSETS = (timedelta(hours=-12), timedelta(hours=14))
"""No place has ever been further west or east of UTC on a clock of whole hours: what is beyond is a slip."""


def parse_instant(text: str) -> int:
    """One ISO 8601 time or date as microseconds since 1970 UTC; InputError otherwise. Digits past six are dropped.

    >>> parse_instant("1970-01-01T01:00+01:00"), parse_instant("1970-01-02")
    (0, 86400000000)
    """
    plain = text.strip(" ")
    if not ISO.fullmatch(plain):
        raise InputError(f"{shortened(text)} is not an ISO 8601 time (like 2026-01-31 or 2026-01-31T18:30:00Z)")
    try:
        moment = datetime.fromisoformat(plain)
    except ValueError as error:
        raise InputError(f"{shortened(text)} is not a time: {error}") from None
    check_offset(moment.utcoffset() or timedelta(0), text)
    return from_datetime(moment)


def format_instant(instant: int) -> str:
    """An instant as `YYYY-MM-DDTHH:MM:SSZ`, with microseconds only where there are any.

    >>> format_instant(1_500_000)
    '1970-01-01T00:00:01.500000Z'
    """
    return (EPOCH + instant * MICROSECOND).isoformat().removesuffix("+00:00") + "Z"


def from_datetime(moment: datetime) -> int:
    """A datetime as microseconds since 1970 UTC; one that names no offset is UTC."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    instant = (aware - EPOCH) // MICROSECOND
    if not FIRST <= instant <= LAST:
        raise InputError(f"{moment.isoformat()} lies outside the years 1 to 9999 in UTC")
    return instant


def check_offset(offset: timedelta, text: str) -> None:
    """InputError for an offset from UTC that no place has."""
    if not _OFFSETS[0] <= offset <= _OFFSETS[1]:
        raise InputError(f"{shortened(text)} is not a time: offsets from UTC lie from -12:00 to +14:00")
