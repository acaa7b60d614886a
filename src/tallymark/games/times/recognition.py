"""The way in which a column of times is written, where nobody said it: taken if one fits alone, else asked for."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from tallymark.errors import InputError, ReadError
from tallymark.games.times.counts import COUNTS, Count
from tallymark.games.times.iso import ISO, format_instant
from tallymark.games.times.pattern import Pattern

_DATE: Final = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{8}|[A-Za-z]{3,9} \d\d?,? \d{4}|\d\d?[ -][A-Za-z]{3,9}[ -]\d{4}", re.ASCII
)
_TAIL: Final = re.compile(
    r"(?P<between>[T ]|, )(?P<hour>\d\d?):\d\d(?P<second>:\d\d)?(?P<fraction>\.\d{1,9})?"
    r"(?P<half> ?[AaPp][Mm])?(?P<offset> ?(?:Z|[+-]\d\d(?::?\d\d)?))?(?P<word> [A-Za-z][\w./ ]*)?",
    re.ASCII,
)
_ZEROS: Final = str.maketrans("123456789", "0" * 9)
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)
_SHAPES: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (re.compile(shape, re.ASCII), readings)
    for shape, readings in (
        (r"\d{8}", ("YYYYMMDD",)),
        (r"\d{4}([-/.])\d\d?\1\d\d?", ("YYYY{0}M{0}D",)),
        (r"\d\d?([-/.])\d\d?\1\d{4}", ("D{0}M{0}YYYY", "M{0}D{0}YYYY")),
        (r"\d\d?([-/.])\d\d?\1\d\d", ("D{0}M{0}(20)YY", "M{0}D{0}(20)YY", "(20)YY{0}M{0}D")),
        (r"[A-Za-z]+ \d\d?(,?) \d{4}", ("Month D{0} YYYY", "Mon D{0} YYYY")),
        (r"\d\d?([ -])[A-Za-z]+\1\d{4}", ("D{0}Month{0}YYYY", "D{0}Mon{0}YYYY")),
    )
)
_OF_UTC: Final = ("UTC", "GMT")


def reading_of(texts: Iterable[tuple[str, int]], where: str) -> Pattern | None:
    """The pattern of texts (and how many rows have each), None where ISO 8601 or nothing fits more of them.

    ReadError for a column that could be read in several ways, naming them.

    >>> reading_of([("31/01/2026", 1), ("01/02/2026 10:00", 1)], "played_at").text
    'DD/MM/YYYY[ hh:mm]'
    """
    shapes: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    tails: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    iso, numbers, number = 0, 0, ""
    known = _Known()
    for text, rows in texts:
        plain = text.strip(" ")
        found = known.split(plain)
        if plain[4:5] == "-" and ISO.fullmatch(plain):
            iso += rows
        if found:
            readings, date, tail = found
            shapes[readings][date] += rows
            tails[readings][tail] += rows
        elif _NUMBER.fullmatch(plain):
            numbers, number = numbers + rows, number or plain
    readings = max(shapes, key=lambda shape: shapes[shape].total(), default=())
    most = shapes[readings].total() if readings else 0
    if numbers > max(iso, most):
        raise _of_numbers(number, where)
    if most <= iso:
        return None
    fitting = {reading: {date for date in shapes[readings] if _fits(reading, date)} for reading in readings}
    if not any(fitting.values()):
        return None
    date = _date(fitting, shapes[readings], where)
    return Pattern.of(date + _time(tails[readings], date, where))


def looks_dated(texts: Iterable[str]) -> bool:
    """Whether there are texts and all of them look like a date, with or without a time of day.

    >>> looks_dated(["05.09.2025", "2025-09-06 18:30"]), looks_dated(["05.09.2025", "3:1"]), looks_dated([])
    (True, False, False)
    """
    known = _Known()
    plain = [text.strip(" ") for text in texts]
    return bool(plain) and all(ISO.fullmatch(text) or known.split(text) is not None for text in plain)


class _Known:
    """Texts taken apart, each date and each form of what follows it looked at once."""

    def __init__(self) -> None:
        self._readings: dict[str, tuple[str, ...] | None] = {}
        self._tails: dict[str, str | None] = {"": ""}

    def split(self, text: str) -> tuple[tuple[str, ...], str, str] | None:
        """The patterns that the date of a text may be of, the date, and the pattern of its time of day."""
        found = _DATE.match(text)
        if found is None:
            return None
        date, rest = found[0], text[found.end() :]
        form = rest.translate(_ZEROS)
        if date not in self._readings:
            self._readings[date] = _readings(date)
        if form not in self._tails:
            time = _TAIL.fullmatch(rest)
            self._tails[form] = _tail(time) if time else None
        readings, tail = self._readings[date], self._tails[form]
        return None if readings is None or tail is None else (readings, date, tail)


def _readings(date: str) -> tuple[str, ...] | None:
    """The patterns that a date of this shape may be of."""
    for shape, readings in _SHAPES:
        found = shape.fullmatch(date)
        if found:
            return tuple(reading.format(*found.groups()) for reading in readings)
    return None


def _date(fitting: Mapping[str, set[str]], rows: Mapping[str, int], where: str) -> str:
    """The one pattern that all dates fit which fit any; ReadError where there is none or are several."""
    together = set().union(*fitting.values())
    alone = [reading for reading in fitting if fitting[reading] == together]
    if any("Mon" in reading for reading in fitting):  # of long and short names, what most rows have
        alone = [max(fitting, key=lambda reading: sum(rows[date] for date in fitting[reading]))]
    choices = {reading: _padded(reading, together) for reading in alone or fitting}
    meant = " or ".join(f"times={choice!r}" for choice in choices.values())
    shown = repr(min(together))
    if any("(20)" in reading for reading in fitting):
        raise ReadError(
            f"{where} has years of two digits, as in {shown}", hint=f"say the century, (19) or (20): {meant}"
        )
    if not alone:
        examples = ", ".join(
            f"{min(together - dates)!r} is not {choices[reading]}" for reading, dates in fitting.items()
        )
        raise ReadError(f"{where} has dates of both kinds: {examples}", hint=f"choose one: {meant}")
    if len(alone) > 1:
        raise ReadError(f"{where} has {shown}, which may be the day or the month first", hint=f"choose one: {meant}")
    return choices[alone[0]]


def _fits(reading: str, date: str) -> bool:
    try:
        Pattern.of(reading).instant(date)
    except InputError:
        return False
    return True


def _padded(reading: str, dates: Iterable[str]) -> str:
    """The reading with two digits for days and months, where all dates have them."""
    if any(re.search(r"(?<!\d)\d(?!\d)", date) for date in dates):
        return reading
    return re.sub(r"\b(?:D|M)\b", lambda one: one[0] * 2, reading)


def _tail(time: re.Match[str]) -> str:
    """How the time of day after a date is written, as a pattern; the word of a time zone in quotes."""
    half = f"{time['half'][:-2]}am" if time["half"] else ""
    offset = " ±hh:mm" if time["offset"] and time["offset"][0] == " " else "±hh:mm" if time["offset"] else ""
    word = f" {time['word'][1:]!r}" if time["word"] else ""
    parts = ":mm", ":ss" if time["second"] else "", ".f" if time["fraction"] else "", half, offset, word
    return time["between"] + ("h" if len(time["hour"]) == 1 else "hh") + "".join(parts)


def _time(tails: Mapping[str, int], date: str, where: str) -> str:
    """The pattern of the times of day that most rows have, in brackets where others have a date alone."""
    merged: Counter[str] = Counter()
    short = any(re.match("[T, ]+h:", tail) for tail in tails)
    for tail, rows in tails.items():
        merged[re.sub("^([T, ]+)hh:", r"\1h:", tail) if short else tail] += rows
    timed = Counter({tail: rows for tail, rows in merged.items() if tail})
    if not timed:
        return ""
    best, _ = timed.most_common(1)[0]
    word = re.search(" '(.*)'$", best)
    if word and word[1] not in _OF_UTC:
        raise ReadError(
            f"{where} names a time zone in words, {word[1]!r}, which does not say how far from UTC it was",
            hint=f"if all are of one place, name it: zone='Europe/Berlin', times=\"{date}{best}\"",
        )
    other = best.replace(":ss", "") if ":ss" in best else best.replace(":mm", ":mm:ss", 1)
    if other in timed and ".f" not in best:
        best = min(best, other, key=len).replace(":mm", ":mm[:ss]", 1)
    return f"[{best}]" if "" in merged else best


def _of_numbers(shown: str, where: str) -> ReadError:
    """The error for a column of numbers: what one of them would be as each kind of count."""
    readings = {}
    for word in COUNTS:
        try:
            readings[word] = format_instant(Count(word).instant(shown)).replace("T00:00:00Z", "")
        except InputError:
            continue
    meant = " or ".join(f"times={word!r} ({instant})" for word, instant in readings.items())
    return ReadError(f"{where} has numbers such as {shown!r}", hint=f"say of what: {meant}" if meant else None)
