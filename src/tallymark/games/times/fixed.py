"""Times of patterns in which every part has its own number of letters, many texts at once: put as ISO 8601 has them."""

from collections.abc import Callable, Sequence
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from tallymark.games.texts import Packed
from tallymark.games.times.bulk import parse_bulk
from tallymark.games.times.forms import instants_of
from tallymark.games.times.pattern import Pattern
from tallymark.games.times.zones import instants_in
from tallymark.instants import NO_TIME

Bulk = Callable[[Packed], tuple[NDArray[np.int64], NDArray[np.bool_]]]
"""Instants of texts (NO_TIME = missing), and which texts it leaves to be read one by one."""

_ISO: Final = {"YYYY": 0, "MM": 5, "DD": 8, "hh": 11, "mm": 14, "ss": 17}
"""Where ISO 8601 has each part."""
_BETWEEN: Final = b"0000-00-00 00:00:00"
_ZONELESS: Final = (16, 19)
"""The lengths of ISO 8601 to the minute and to the second, without a zone."""
_BRACKETS: Final = 3
"""Each of them doubles what a text may be."""
_Way = tuple[tuple[str, str], ...]
"""The pieces of a pattern, those in brackets there or not: parts and single letters."""


def bulk_of(pattern: Pattern, zone: ZoneInfo | None) -> Bulk | None:
    """What reads most texts of a pattern, None where its parts may have several lengths.

    >>> read = bulk_of(Pattern.of("DD.MM.YYYY[ hh:mm]"), None)
    >>> [values.tolist() for values in read(Packed.of(["02.01.1970", "01.01.1970 00:01", "1.1.1970"]))]
    [[86400000000, 60000000, -9223372036854775808], [False, False, True]]
    """
    if sum(kind == "open" for kind, _ in pattern.pieces) > _BRACKETS:
        return None
    by_length: dict[int, _Way] = {}
    for way in _ways(pattern.pieces):
        length = sum(len(written) for _, written in way)
        if length in by_length or not all(
            written in _ISO or (kind, written.isascii()) == ("literal", True) for kind, written in way
        ):
            return None
        by_length[length] = way

    def read(texts: Packed) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        lengths = texts.lengths
        instants, other = np.full(len(texts), NO_TIME), lengths > 0
        for length, way in by_length.items():
            rows = np.flatnonzero(lengths == length)
            letters = texts.data[texts.bounds[rows].astype(np.int64) + np.arange(length)[:, None]]
            found, sound = _read(letters, way)
            if zone is not None and ("token", "hh") in way:
                found, sure = instants_in(zone, found)
                sound &= sure
            instants[rows[sound]] = found[sound]
            other[rows] = ~sound
        return instants, other

    return read


def iso_in(zone: ZoneInfo) -> Bulk:
    """What reads most texts of ISO 8601 in a zone."""

    def read(texts: Packed) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        instants, other = parse_bulk(texts)
        local = np.flatnonzero(np.isin(texts.lengths, _ZONELESS) & ~other)
        found, sure = instants_in(zone, instants[local])
        instants = instants.copy()  # the others are still those of the texts
        instants[local] = np.where(sure, found, NO_TIME)
        other[local[~sure]] = True
        return instants, other

    return read


def _ways(pieces: Sequence[tuple[str, str]]) -> list[_Way]:
    """All that a pattern may be, brackets taken out."""
    ways: list[_Way] = [()]
    within: list[list[_Way]] = []
    for kind, written in pieces:
        if kind == "open":
            within.append(ways)
        elif kind == "close":
            ways = [*within.pop(), *ways]
        elif kind == "text":
            ways = [(*way, *(("literal", one) for one in word)) for way in ways for word in written.split("|")]
        else:
            ways = [(*way, (kind, written)) for way in ways]
    return ways


def _read(letters: NDArray[np.uint8], way: _Way) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Instants of texts of one length, given by position of the letter, and which fit."""
    parts = {written for kind, written in way if kind == "token"}
    size = 19 if "ss" in parts else 16 if "hh" in parts else 10
    iso = np.repeat(np.frombuffer(_BETWEEN[:size], dtype=np.uint8)[:, None], letters.shape[1], axis=1)
    fits = np.ones(letters.shape[1], dtype=bool)
    at = 0
    for kind, written in way:
        if kind == "token":
            iso[_ISO[written] : _ISO[written] + len(written)] = letters[at : at + len(written)]
        else:
            fits &= letters[at] == ord(written)
        at += len(written)
    instants, sound = instants_of(iso, size)
    return instants, sound & fits
