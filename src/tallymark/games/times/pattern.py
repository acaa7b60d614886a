"""Times as a pattern says they are written: `DD.MM.YYYY hh:mm`, `Month D, YYYY`, `CYYYY.MM.DD`."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.times.iso import check_offset, from_datetime
from tallymark.games.times.zones import instant_in

_SPRING: Final = ("January", "February", "March", "April", "May", "June")
_AUTUMN: Final = ("July", "August", "September", "October", "November", "December")
MONTHS: Final = (*_SPRING, *_AUTUMN)
_NUMBER_OF: Final = {name.casefold()[:3]: number for number, name in enumerate(MONTHS, 1)}

_TOKENS: Final[tuple[tuple[str, str, str], ...]] = (
    ("YYYY", "year", r"\d{4}"),
    ("Month", "name", "(?i:" + "|".join(MONTHS) + ")"),
    ("Mon", "name", "(?i:" + "|".join(name[:3] for name in MONTHS) + ")"),
    ("MM", "month", r"\d\d"),
    ("M", "month", r"\d\d?"),
    ("DD", "day", r"\d\d"),
    ("D", "day", r"\d\d?"),
    ("±hh:mm", "offset", r"(?:Z|[+-]\d\d(?::?\d\d)?)"),
    ("hh", "hour", r"\d\d"),
    ("h", "hour", r"\d\d?"),
    ("mm", "minute", r"\d\d"),
    ("ss", "second", r"\d\d"),
    ("f", "fraction", r"\d{1,9}"),
    ("am", "half", "(?i:[ap]m)"),
)
"""What stands for a part of a time: how it is written in a pattern, its name, and the characters it may have."""

_TOKEN: Final = re.compile(
    r"\((?P<century>\d\d)\)YY(?!YY)|(?P<token>"
    + "|".join(token for token, _, _ in _TOKENS)
    + r")|(?P<open>\[)|(?P<close>\])|(?P<quote>['\"])(?P<text>.+?)(?P=quote)|(?P<literal>[^'\"])"
)
_BY_TOKEN: Final = {token: (name, characters) for token, name, characters in _TOKENS}
_NEEDS: Final = {"minute": "hour", "second": "minute", "fraction": "second", "half": "hour", "offset": "hour"}
_EXAMPLES: Final = "for example DD.MM.YYYY hh:mm, M/D/YYYY, YYYYMMDD, D Mon YYYY or Month D, YYYY"


@dataclass(frozen=True)
class Pattern:
    """How the times of a column are written, each of them whole: `text` as said, `fits` as a regular expression.

    >>> Pattern.of("DD.MM.YYYY[ hh:mm]").instant("02.01.1970"), Pattern.of("Month D, YYYY").instant("May 1, 1970")
    (86400000000, 10368000000000)
    """

    text: str
    fits: re.Pattern[str]
    century: int
    """What stands before a year of two digits; 0 where years have four."""
    pieces: tuple[tuple[str, str], ...]
    """What it is made of, in its order: kinds and how they are written."""

    @classmethod
    @lru_cache(maxsize=256)
    def of(cls, text: str) -> "Pattern":
        """The pattern of a text of YYYY, MM or M or Mon or Month, DD or D, hh or h, mm, ss, f, am and ±hh:mm.

        All else stands for itself; letters in quotes do in any case, and of `'CET|CEST'` either. What is in brackets
        may be missing, and `(20)YY` is a year of two digits. InputError where that makes no time.
        """
        named: dict[str, str] = {}
        pieces = tuple(_pieces(text))
        written = "".join(_expressed(text, pieces, named))
        for names in (("year",), ("month", "name"), ("day",)):
            there = len(named.keys() & set(names))
            if there != 1:
                raise _no_pattern(text, f"it names {'no' if there == 0 else 'more than one'} {names[0]}")
        for name, needed in _NEEDS.items():
            if name in named and needed not in named:
                raise _no_pattern(text, f"it names the {name} and not the {needed}")
        try:
            fits = re.compile(written, re.ASCII)
        except re.error:  # a bracket without its other half
            raise _no_pattern(text, "its brackets do not match") from None
        return cls(text, fits, int(named["year"] or 0), pieces)

    @property
    def has_offset(self) -> bool:
        """Whether the times name their offset from UTC."""
        return "offset" in self.fits.groupindex

    def instant(self, text: str, zone: ZoneInfo | None = None) -> int:
        """One time as microseconds since 1970 UTC; InputError where it does not fit, or is none.

        In `zone` where the pattern has no offset; a date alone is its midnight in UTC wherever that may be.
        """
        plain = text.strip(" ")
        found = self.fits.fullmatch(plain)
        if found is None:
            raise InputError(f"{shortened(text)} is not {self.text}")
        part = found.groupdict()
        try:
            local = datetime(
                self.century * 100 + int(part["year"]),
                _NUMBER_OF[part["name"].casefold()[:3]] if "name" in part else int(part["month"]),
                int(part["day"]),
                _hour(part.get("hour"), part.get("half")),
                int(part.get("minute") or 0),
                int(part.get("second") or 0),
                int(((part.get("fraction") or "") + "000000")[:6]),
            )
        except ValueError as error:
            raise InputError(f"{shortened(text)} is not a time ({self.text}): {error}") from None
        if part.get("offset"):
            return from_datetime(local.replace(tzinfo=timezone(_offset(part["offset"], text))))
        if zone is None or part.get("hour") is None:
            return from_datetime(local)
        return instant_in(zone, local)


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """What a pattern is made of: the kind of each piece (token, century, text, literal, open, close), its letters."""
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _no_pattern(text, "a quotation mark is left open")
        at = found.end()
        kind = str(found.lastgroup)
        yield kind, found[kind]


def _expressed(text: str, pieces: Iterable[tuple[str, str]], named: dict[str, str]) -> Iterator[str]:
    """The regular expression of a pattern piece by piece; `named` takes the parts it names, the year its century."""
    for kind, written in pieces:
        if kind == "open":
            yield "(?:"
        elif kind == "close":
            yield ")?"
        elif kind == "text":
            yield "(?:" + "|".join(map(re.escape, written.split("|"))) + ")"
        elif kind == "literal":
            yield re.escape(written)
        else:
            name, characters = ("year", r"\d\d") if kind == "century" else _BY_TOKEN[written]
            if name in named:
                raise _no_pattern(text, f"it names the {name} twice")
            named[name] = written if kind == "century" else ""
            yield f"(?P<{name}>{characters})"


def _hour(hour: str | None, half: str | None) -> int:
    if half is None:
        return int(hour or 0)
    if not 1 <= int(hour or 0) <= 12:
        raise ValueError("hours of a.m. and p.m. are from 1 to 12")
    return int(hour or 0) % 12 + (12 if half[0] in "pP" else 0)


def _offset(written: str, text: str) -> timedelta:
    """The offset from UTC of `Z`, `+01`, `+0100` or `+01:00`; InputError where no place has it."""
    digits = "+0000" if written == "Z" else (written.replace(":", "") + "00")[:5]
    hours, minutes = int(digits[1:3]), int(digits[3:])
    if minutes > 59:
        raise InputError(f"{shortened(text)} is not a time: an hour has 60 minutes")
    size = timedelta(hours=hours, minutes=minutes)
    offset = -size if digits[0] == "-" else size
    check_offset(offset, text)
    return offset


def _no_pattern(text: str, why: str) -> InputError:
    return InputError(f"times is {shortened(text)}: {why}", hint=_EXAMPLES)
