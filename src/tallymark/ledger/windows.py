"""Weeks and months of a board: half-open spans of UTC. An entry lies in those that it was settled in."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from tallymark.instants import FIRST, LAST
from tallymark.replay.schedule import DAY

Span: TypeAlias = Literal["week", "month"]
"""A week of ISO 8601, from Monday 00:00 on, or a calendar month."""
SPANS: Final[tuple[Span, ...]] = get_args(Span)
CODES: Final[dict[Span, int]] = {"week": 1, "month": 2}
"""What the database calls them."""

_WEEK: Final = 7 * DAY
_MONDAY: Final = 4 * DAY
"""1970 began with a Thursday."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


EARLIEST: Final = FIRST + 40 * DAY
LATEST: Final = LAST - 40 * DAY
"""The first and the last instant that an entry may be settled at: its week and month have a beginning and an end."""


class Window(NamedTuple):
    """A week or a month: from `start` to before `end`, in microseconds since 1970 UTC."""

    span: Span
    start: int
    end: int


class Rolling(NamedTuple):
    """The last days, of 24 hours each: from `start` up to now, `end`, in microseconds since 1970 UTC."""

    days: int
    start: int
    end: int


def window_of(span: Span, at: int) -> Window:
    """The week or month that an instant lies in.

    >>> window_of("week", 4 * DAY - 1).end == window_of("week", 4 * DAY).start == 4 * DAY
    True
    >>> window_of("month", 31 * DAY).start // DAY
    31
    """
    if span == "week":
        start = (at - _MONDAY) // _WEEK * _WEEK + _MONDAY
        return Window(span, start, start + _WEEK)
    first = (_EPOCH + timedelta(microseconds=at)).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    after = (first + timedelta(days=31)).replace(day=1)
    return Window(span, (first - _EPOCH) // _MICROSECOND, (after - _EPOCH) // _MICROSECOND)


def end_of(at: int) -> int:
    """Where the first of the windows that an instant lies in is over.

    >>> end_of(0) == 4 * DAY
    True
    """
    return min(window_of(span, at).end for span in SPANS)


def over(before: int, at: int) -> list[Window]:
    """The windows of an earlier instant that a later one does not lie in.

    >>> [window.span for window in over(3 * DAY, 5 * DAY)]
    ['week']
    """
    return [window for window in (window_of(span, before) for span in SPANS) if at >= window.end]


def together(at: int, received: Sequence[int]) -> int:
    """How many of what was received in this order are settled in the same windows as the first of it. `at`: when the
    last entry before was settled.

    >>> together(0, [DAY, 2 * DAY, 4 * DAY, 3 * DAY])
    2
    """
    end = end_of(max(at, received[0]))
    return next((n for n, one in enumerate(received) if one >= end), len(received))
