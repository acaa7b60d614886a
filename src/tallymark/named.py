"""Columns of ids or words as places in a table of them."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

_AT_ONCE: Final = 1 << 18


class Named:
    """A column of ids or words as places in a table of them (-1: None), whose objects are made when somebody asks.

    Neither may change from then on.

    >>> from tallymark import Table
    >>> Table({"player": Named(["ann", "bob"], np.array([1, 0, -1]))}).player.tolist()
    ['bob', 'ann', None]
    """

    __slots__ = ("_codes", "_names")

    def __init__(self, names: Sequence[str | int], codes: NDArray[np.integer]) -> None:
        self._names = names
        self._codes = codes

    def __len__(self) -> int:
        return len(self._codes)

    def between(self, start: int, stop: int) -> "Named":
        """Some of the rows."""
        return Named(self._names, self._codes[start:stop])

    def objects(self) -> np.ndarray:
        """The ids or words."""
        if len(self._codes) < len(self._names) // 8:
            few = np.empty(len(self._codes), dtype=object)
            few[:] = _at(self._names, self._codes)
            return few
        table = np.empty(len(self._names) + 1, dtype=object)
        table[:-1] = list(self._names)
        named: np.ndarray = table[self._codes]
        return named

    def ids(self) -> list[str | int | None]:
        """As `ids_among`."""
        return ids_among(self._names, self._codes)


def _at(names: Sequence[str | int], codes: NDArray[np.integer]) -> list[str | int | None]:
    taken: Callable[[NDArray[np.integer]], list[str | int | None]] | None = getattr(names, "taken", None)
    if taken is None or not len(codes) or codes.min() < 0:
        return [None if code < 0 else names[code] for code in codes.tolist()]
    return taken(codes)  # a table of very many makes several at once


def ids_among(names: Sequence[str | int], *columns: NDArray[np.integer]) -> list[str | int | None]:
    """The names at the places in some column; one alone where all are of one type, as in the tables of very many.

    >>> ids_among([7, 9, "ann"], np.array([1, 0, -1])), ids_among([7, 9, "ann"], np.array([0, 2]))
    ([7], [7, 'ann'])
    """
    there = np.zeros(len(names) + 1, dtype=bool)
    for codes in columns:
        for start in range(0, len(codes), _AT_ONCE):  # numpy widens what it looks up by
            there[codes[start : start + _AT_ONCE]] = True
    used = np.flatnonzero(there[:-1])
    some = used.tolist() if isinstance(names, list) else used[:1].tolist()
    found = [names[code] for code in some]
    return list(found[:1] if len(set(map(type, found))) == 1 else found)
