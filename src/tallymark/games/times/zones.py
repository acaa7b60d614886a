"""Times of a clock on a wall as instants: every one of them once, or refused with both that it could be."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.times.iso import EPOCH, MICROSECOND, format_instant, from_datetime
from tallymark.instants import FIRST, LAST, NO_TIME

_OF_THE_MACHINE: Final = ("localtime", "posixrules")
"""Names that many a machine has for a zone of its own: what is read by them, nobody elsewhere could recount."""
_HOUR: Final = 3_600_000_000


def checked_zone(zone: str) -> ZoneInfo:
    """The time zone of a name of the tz database, or `InputError`.

    >>> checked_zone("Europe/Berlin").key
    'Europe/Berlin'
    """
    try:
        if zone in _OF_THE_MACHINE:
            raise ValueError(zone)
        return ZoneInfo(zone)
    except (KeyError, ValueError, TypeError, OSError):  # unknown, no such path, no text, a folder of the database
        hint = "for example Europe/Berlin, America/New_York, UTC"
        raise InputError(f"zone is {shortened(zone)}, which is no time zone of the tz database", hint=hint) from None


def instant_in(zone: ZoneInfo, local: datetime) -> int:
    """The instant at which clocks of the zone show this time; InputError where they never do, or do so twice.

    >>> format_instant(instant_in(checked_zone("Europe/Berlin"), datetime(2026, 7, 1, 12, 0)))
    '2026-07-01T10:00:00Z'
    """
    early, late = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() == late.utcoffset():
        return from_datetime(early)
    # Where clocks are put forward the two come in the other order.
    first, second = (format_instant(at) for at in sorted(map(from_datetime, (early, late))))
    there = early.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == local
    said = "is there twice" if there else "does not exist"
    raise InputError(f"{local.isoformat(' ')} {said} in {zone.key}: it is {first} or {second}; write the one meant")


def instants_in(zone: ZoneInfo, local: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The instants of many times of a clock (int64 microseconds), and which are sure; the others are to be looked at.

    Sure are those of hours in which the clock was not changed.

    >>> instants, sure = instants_in(checked_zone("Europe/Berlin"), np.array([0]))
    >>> instants.tolist(), sure.tolist()
    ([-3600000000], [True])
    """
    there = (local >= FIRST + 24 * _HOUR) & (local <= LAST - 24 * _HOUR)  # a missing one is none of these
    hours, at = np.unique(np.where(there, local, 0) // _HOUR, return_inverse=True)
    offsets = np.array([_offset_of(zone, hour) for hour in hours.tolist()], dtype=np.int64)[at.reshape(-1)]
    sure = there & (offsets != NO_TIME)
    return np.where(sure, local - np.where(sure, offsets, 0), NO_TIME), sure


@lru_cache(maxsize=1 << 17)
def _offset_of(zone: ZoneInfo, hour: int) -> int:
    """The offset of all times of an hour of the clock in microseconds, NO_TIME where they have several."""
    first = (EPOCH + hour * _HOUR * MICROSECOND).replace(tzinfo=zone)
    last = first + timedelta(microseconds=_HOUR - 1)
    found = {moment.replace(fold=fold).utcoffset() for moment in (first, last) for fold in (0, 1)}
    offset = found.pop()
    return NO_TIME if found or offset is None else offset // MICROSECOND
