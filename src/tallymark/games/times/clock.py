"""What somebody said about the times of a file: how they are written, and whose clock they are of."""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.times.counts import COUNTS, Count
from tallymark.games.times.pattern import Pattern
from tallymark.games.times.zones import checked_zone

Reading = Pattern | Count
"""One way of writing times."""


@dataclass(frozen=True)
class Clock:
    """How the times of a column are written (None: as the column itself decides), and the zone of those without offset.

    >>> Clock.of("DD.MM.YYYY hh:mm", "Europe/Berlin").zone
    zoneinfo.ZoneInfo(key='Europe/Berlin')
    """

    reading: Reading | None = None
    zone: ZoneInfo | None = None

    @classmethod
    def of(cls, times: str | None = None, zone: str | None = None) -> "Clock":
        """The clock of these options; InputError for what is no pattern, no zone, or contradicts the other."""
        place = None if zone is None else checked_zone(zone)
        if times is None:
            return cls(None, place)
        if not isinstance(times, str):
            raise InputError(f"times is {shortened(times)}; expected a pattern like 'DD.MM.YYYY hh:mm'")
        reading: Reading = Count(times) if times in COUNTS else Pattern.of(times)
        if place is not None and reading.has_offset:
            raise InputError(
                f"zone is {zone}, and times that are {times} name their offset", hint="leave one of them out"
            )
        if place is not None and isinstance(reading, Count) and times != "excel":
            raise InputError(f"zone is {zone}, and {times} since 1970 are counted in UTC", hint="leave one of them out")
        return cls(reading, place)
