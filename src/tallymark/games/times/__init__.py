"""Instants: whole microseconds since 1970-01-01T00:00:00 UTC, as int64.

Every way of writing a time is read exactly or refused, never guessed at. Without an offset a time is UTC; a date alone
is its midnight. Plain integers are Unix seconds.
"""

from tallymark.games.times.cells import parse_times
from tallymark.games.times.iso import format_instant, parse_instant
from tallymark.instants import NO_TIME

MISSING = (
    'played_at is empty, though other rows have a time; write it in, or map played_at to no column (""), so that no '
    "times are read"
)
"""What is said of a row without a time among others."""

__all__ = ["MISSING", "NO_TIME", "format_instant", "parse_instant", "parse_times"]
