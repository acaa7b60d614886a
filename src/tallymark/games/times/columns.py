"""A column of times read by one way of writing them: the one that was said, ISO 8601, or the one that fits alone."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from itertools import accumulate, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import InputError, ReadError
from tallymark.games.columns import Cells
from tallymark.games.ids import is_missing, items_of
from tallymark.games.texts import SLICE, Packed, Text
from tallymark.games.times.cells import parse_times
from tallymark.games.times.clock import Clock, Reading
from tallymark.games.times.counts import Count
from tallymark.games.times.fixed import Bulk, bulk_of, iso_in
from tallymark.games.times.iso import ISO, parse_instant
from tallymark.games.times.pattern import Pattern
from tallymark.games.times.recognition import reading_of
from tallymark.games.times.zones import instant_in
from tallymark.instants import NO_TIME

_SAY = "times says how they are written (times='DD.MM.YYYY hh:mm')"
_LOOKED_AT = 100
_SECONDS = (1e8, 1e10)
"""1973 to 2286: numbers with fractions that lie there are seconds since 1970."""
_TWO_YEARS = 2 * 365 * 86_400_000_000


class Times(NamedTuple):
    """int64 microseconds (NO_TIME = missing or wrong), what is wrong by position, and what was recognised."""

    instants: NDArray[np.int64]
    wrong: dict[int, str]
    notes: list[str]


def read_times(cells: Cells, clock: Clock, file: str, name: str = "played_at") -> Times:
    """The instants of a column of a file, all by one way of writing.

    ReadError, with the choices as its hint, where several ways fit the column: nothing is guessed.

    >>> read_times(["31.01.2026", "01.02.2026", "soon"], Clock.of(), "games.csv").wrong
    {2: "'soon' is not DD.MM.YYYY"}
    """
    kind = cells.dtype.kind if isinstance(cells, np.ndarray) else "O"
    if (kind != "O" and clock.zone) or (kind == "M" and clock.reading):
        said = "zone" if clock.zone else "times"
        raise ReadError(f"{file}: {name} holds instants already, and {said} is for text", hint=f"leave out {said}")
    if clock.reading is not None:
        return _by(clock.reading, _items(cells), clock, [])
    if kind in "fO" and (found := _in_fractions(_items(cells), name)) is not None:
        return found
    if isinstance(cells, np.ndarray) and cells.dtype.kind != "O":
        instants, wrong = parse_times(cells)
        return Times(instants, wrong, _announced(cells, instants, name))
    items = _items(cells)
    text = isinstance(items, Text) or set(map(type, items)) <= {str, type(None)}
    looks = text and _looks_other(items)
    reading = reading_of(_counted(items), f"{file}: {name}") if looks else None
    if reading is not None:
        return _by(reading, items, clock, [f"{name}: {reading.text}"])
    if text and clock.zone is not None:
        instants, wrong = _each_text(items, lambda one: _iso_in(clock, one), iso_in(clock.zone))
    else:
        instants, wrong = parse_times(items)
    if not isinstance(items, Text) and not text:
        return Times(instants, wrong, _announced(np.array(_whole(items)), instants, name))
    there = len(wrong) + int(np.count_nonzero(instants != NO_TIME))
    if wrong and 2 * len(wrong) >= there and not looks:
        reading = reading_of(_counted(items), f"{file}: {name}")
        if reading is not None:
            return _by(reading, items, clock, [f"{name}: {reading.text}"])
    none = wrong and len(wrong) == there
    return Times(instants, wrong, [f"{name}: no row is a time that is known; {_SAY}"] if none else [])


def _in_fractions(items: list[object] | Text, name: str) -> Times | None:
    """Seconds since 1970 with a fraction, to the microsecond; None where a cell is something else, or far from today.

    Numbers of days, which have fractions too, lie far below those of seconds, and milliseconds far above.
    """
    if isinstance(items, Text) or not any(isinstance(item, float | np.floating) for item in items):
        return None
    there = {
        at: float(item)
        for at, item in enumerate(items)
        if isinstance(item, int | float | np.number) and not isinstance(item, bool)
    }
    numbers = {at: number for at, number in there.items() if not is_missing(items[at])}
    others = len(items) - len(there) - sum(is_missing(item) for at, item in enumerate(items) if at not in there)
    if others or not numbers or not all(_SECONDS[0] <= number < _SECONDS[1] for number in numbers.values()):
        return None
    instants = np.full(len(items), NO_TIME)
    for at, number in numbers.items():
        instants[at] = Count("seconds").instant(format(Decimal(repr(number)), "f"))
    return Times(instants, {}, [f"{name}: seconds since 1970, with fractions to the microsecond"])


def _looks_other(items: Iterable[object]) -> bool:
    """Whether the first texts are not ISO 8601, so that there is no use in reading all of them as if they were."""
    first = list(islice((str(item).strip(" ") for item in items if item), _LOOKED_AT))
    return 2 * sum(ISO.fullmatch(text) is None for text in first) > len(first)


def _items(cells: Cells) -> list[object] | Text:
    return cells if isinstance(cells, Text) else items_of(cells)


def _by(reading: Reading, items: list[object] | Text, clock: Clock, notes: list[str]) -> Times:
    texts: Sequence[object] = items
    if not isinstance(items, Text):
        texts = [None if is_missing(item) else item if isinstance(item, str) else str(item) for item in items]
    bulk = bulk_of(reading, clock.zone) if isinstance(reading, Pattern) else None
    return Times(*_each_text(texts, lambda text: reading.instant(text, clock.zone), bulk), notes)


def _each_text(
    cells: Sequence[object], parse: Callable[[str], int], bulk: Bulk | None = None
) -> tuple[NDArray[np.int64], dict[int, str]]:
    """Each text parsed once, however many rows have it; of packed ones most by `bulk`, so many at a time."""
    if isinstance(cells, Text):
        return cells.spread(lambda texts: _each_text(texts, parse, bulk))
    if isinstance(cells, Packed) and len(cells) > SLICE:
        parts = [_each_text(part, parse, bulk) for part in cells.slices()]
        starts = accumulate((len(instants) for instants, _ in parts), initial=0)
        wrong = {start + row: said for start, (_, bad) in zip(starts, parts, strict=False) for row, said in bad.items()}
        return np.concatenate([instants for instants, _ in parts]), wrong
    if isinstance(cells, Packed) and bulk is not None:
        instants, other = bulk(cells)
        rows = np.flatnonzero(other)
        instants[rows], wrong = _each_text(cells.taken(rows) if len(rows) else [], parse)
        return instants, {int(rows[at]): message for at, message in wrong.items()}
    items = list(cells)
    known: dict[object, int] = {None: NO_TIME, "": NO_TIME}
    messages: dict[object, str] = {}
    for text in set(items) - {None, ""}:
        try:
            known[text] = parse(str(text))
        except InputError as error:
            known[text] = NO_TIME
            messages[text] = error.message
    instants = np.fromiter(map(known.__getitem__, items), np.int64, len(items))
    return instants, {row: messages[text] for row, text in enumerate(items) if text in messages} if messages else {}


def _counted(cells: list[object] | Text) -> Iterable[tuple[str, int]]:
    """The texts that are there, and how many rows have each."""
    if isinstance(cells, Text):
        rows = np.bincount(cells.codes, minlength=len(cells.texts)).tolist()
        return ((text, count) for text, count in zip(cells.texts, rows, strict=True) if text and count)
    return Counter(item for item in cells if isinstance(item, str) and item).items()


def _iso_in(clock: Clock, text: str) -> int:
    """ISO 8601 text, of the clock's zone where it has a time of day and no offset."""
    instant = parse_instant(text)
    found = ISO.fullmatch(text.strip(" "))
    if clock.zone is None or found is None or found["time"] is None or found["offset"] is not None:
        return instant
    return instant_in(clock.zone, np.datetime64(instant, "us").item())


def _whole(items: list[object]) -> list[int]:
    return [item for item in items if type(item) is int]


def _announced(cells: NDArray[np.generic], instants: NDArray[np.int64], name: str) -> list[str]:
    """What is said where whole numbers were taken for seconds, for nobody had said so."""
    if cells.dtype.kind not in "iu" or not len(cells):
        return []
    there = instants[instants != NO_TIME]
    note = f"{name}: seconds since 1970"
    if len(there) and np.abs(there).max() < _TWO_YEARS:
        last = str(there.max().view("datetime64[us]"))[:10]
        note += f", none past {last}; if they are days or dates as numbers, say times='days' or times='YYYYMMDD'"
    return [note]
