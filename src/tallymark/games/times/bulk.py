"""ISO 8601 text in its usual forms, many texts at once."""

import numpy as np
from numpy.typing import NDArray

from tallymark.games.texts import Packed
from tallymark.games.threads import at_once
from tallymark.games.times.forms import FORMS, instants_of
from tallymark.games.times.moments import Moments
from tallymark.instants import NO_TIME


def parse_bulk(texts: Packed) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Instants (int64 microseconds, NO_TIME = missing), and which texts are of no usual form: those are NO_TIME too.

    Usual are dates and times to the minute or second, with a T or a blank between and with a Z or nothing after.

    >>> instants, other = parse_bulk(Packed.of(["1970-01-02", "1970-01-01T00:01Z", "", "1970-01-01T01:00+01:00"]))
    >>> instants.tolist()[:2], other.tolist()
    ([86400000000, 60000000], [False, False, False, True])
    """
    if isinstance(texts, Moments):
        return texts.instants, np.zeros(len(texts), dtype=bool)
    parts = at_once(_parse_part, list(texts.slices()))
    instants = np.concatenate([np.zeros(0, dtype=np.int64), *(found for found, _ in parts)])
    return instants, np.concatenate([np.zeros(0, dtype=bool), *(other for _, other in parts)])


def _parse_part(part: Packed) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    lengths = part.lengths
    instants, other = np.full(len(part), NO_TIME), lengths > 0
    for length in np.flatnonzero(np.bincount(lengths)).tolist():
        if length in FORMS:
            rows = np.flatnonzero(lengths == length)
            if len(rows) == len(part):
                letters = np.ascontiguousarray(part.bytes().reshape(-1, length).T)
                found, sound = instants_of(letters, FORMS[length])
                return np.where(sound, found, NO_TIME), ~sound
            letters = part.data[part.bounds[rows].astype(np.int64) + np.arange(length)[:, None]]
            found, sound = instants_of(letters, FORMS[length])
            instants[rows[sound]] = found[sound]
            other[rows] = ~sound
    return instants, other
