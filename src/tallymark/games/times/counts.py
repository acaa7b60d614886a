"""Times as numbers: days, seconds or parts of seconds since 1970, and the serial numbers of spreadsheets."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final
from zoneinfo import ZoneInfo

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.times.iso import EPOCH, MICROSECOND
from tallymark.games.times.zones import instant_in
from tallymark.instants import FIRST, LAST

_DAY: Final = 86_400_000_000
_UNITS: Final = {"days": _DAY, "seconds": 10**6, "milliseconds": 10**3, "microseconds": 1, "excel": _DAY}
_EXCEL_STARTS: Final = 25_569
"""The serial number of 1970-01-01, in the calendar of 1900."""
_EXCEL_FIRST: Final = 61
"""1900-03-01: the numbers before it count a 29 February that 1900 did not have."""
_MILLISECOND: Final = 1000
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,20}(?:\.[0-9]{1,20})?")

COUNTS: Final = tuple(_UNITS)
"""The words for numbers that are times."""


@dataclass(frozen=True)
class Count:
    """Times that are numbers of this unit since 1970; `excel` counts days as spreadsheets do, to the millisecond.

    >>> Count("days").instant("1"), Count("excel").instant("25569.5")
    (86400000000, 43200000000)
    """

    text: str

    has_offset = False

    def instant(self, text: str, zone: ZoneInfo | None = None) -> int:
        """One number as microseconds since 1970 UTC; InputError for what is none, or lies too far off.

        A spreadsheet's time of day is one of a clock in `zone`.
        """
        plain = text.strip(" ")
        if not _NUMBER.fullmatch(plain):
            raise InputError(f"{shortened(text)} is no number of {self.text}")
        number = Fraction(plain)
        if self.text == "excel":
            if number < _EXCEL_FIRST:
                raise InputError(f"{shortened(text)} is before 1900-03-01, where spreadsheets count a day too many")
            number -= _EXCEL_STARTS
            instant = round(number * _DAY / _MILLISECOND) * _MILLISECOND
        else:
            instant = int(number * _UNITS[self.text] // 1)
        if not FIRST <= instant <= LAST:
            raise InputError(f"{shortened(text)} {self.text} lies outside the years 1 to 9999")
        if zone is not None and instant % _DAY:
            return instant_in(zone, (EPOCH + instant * MICROSECOND).replace(tzinfo=None))
        return instant
