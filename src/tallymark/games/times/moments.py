"""Texts of instants kept as numbers: read as soon as they come, and written as they were when somebody asks."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tallymark.games.texts import Packed, Piece, bounds_of
from tallymark.games.times.forms import FORMS, instants_of

_UNITS = {10: "D", 16: "m", 19: "s"}
_BETWEEN = 10
"""Where a T or a blank is."""
_AT_ONCE = 1 << 14
"""So many texts are read together, which stay near the processor."""
_FEW = 1 << 12
Form = tuple[int, int]
"""How many bytes each text has, and the letter between date and time of day (0 = there is none)."""


class Moments(Packed):
    """Texts that are instants, all written in one form, from which that form gives each text back.

    >>> list(Moments(np.array([0, 60_000_000]), (17, ord("T"))))
    ['1970-01-01T00:00Z', '1970-01-01T00:01Z']
    """

    __slots__ = ("_form", "instants")

    def __init__(self, instants: NDArray[np.int64], form: Form) -> None:
        self.instants = instants
        self._form = form
        self._parts = []

    def _pieces(self) -> list[Piece]:
        if not self._parts:  # made when first asked for
            length, between = self._form
            size = FORMS[length]
            letters = np.full((len(self), length), ord("Z"), dtype=np.uint8)
            if len(self):
                instants = self.instants.view("datetime64[us]").astype(f"datetime64[{_UNITS[size]}]")
                texts = np.datetime_as_string(instants)
                letters[:, :size] = texts.astype(f"S{size}").view(np.uint8).reshape(-1, size)
            if between:
                letters[:, _BETWEEN] = between
            self._parts = [(letters.reshape(-1), bounds_of(self.lengths))]
        return self._parts

    @property
    def lengths(self) -> NDArray[np.int32]:
        """How many bytes each text has."""
        return np.full(len(self), self._form[0], dtype=np.int32)

    def __len__(self) -> int:
        return len(self.instants)

    def slices(self) -> Iterator[Packed]:
        """The texts, a few at a time, since making them takes long."""
        for start in range(0, len(self), _FEW):
            yield Moments(self.instants[start : start + _FEW], self._form)

    def taken(self, positions: NDArray[np.integer]) -> list[str]:
        """The texts at these positions as a list."""
        return Moments(self.instants[positions], self._form).unpacked()


def form_of(texts: Packed) -> Form | None:
    """The form of the first text, None where it has none that is known."""
    length = int(texts.lengths[0])
    if length not in FORMS:
        return None
    return length, int(texts.bytes()[_BETWEEN]) if length > _BETWEEN else 0


def read_in(form: Form, texts: Packed, into: NDArray[np.int64]) -> bool:
    """Whether all the texts are instants in that form; then they are put `into` an array of as many."""
    length, between = form
    if (np.diff(texts.bounds) != length).any():
        return False
    rows = texts.bytes().reshape(-1, length)
    for start in range(0, len(rows), _AT_ONCE):
        letters = np.ascontiguousarray(rows[start : start + _AT_ONCE].T)
        instants, sound = instants_of(letters, FORMS[length])
        if not sound.all() or (between and (letters[_BETWEEN] != between).any()):
            return False
        into[start : start + _AT_ONCE] = instants
    return True
