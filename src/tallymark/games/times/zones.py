"""Times of a clock on a wall as instants: every one of them once, or refused with both that it could be."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.times.iso import format_instant, from_datetime


def checked_zone(zone: str) -> ZoneInfo:
    """The time zone of a name of the tz database, or `InputError`.

    >>> checked_zone("Europe/Berlin").key
    'Europe/Berlin'
    """
    try:
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
