"""Columns of text gathered piece by piece as they are read, each text once as long as that saves memory.

There are two, for cells that are Python's and for cells that are bytes behind one another. Both give the same column.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from tallymark.games.texts import Packed, Text, bounds_of
from tallymark.games.times.moments import Form, Moments, form_of, read_in

T = TypeVar("T", bound=np.generic)

LONGEST: Final = 128
"""So many bytes a text may have among bytes; the others take the way of Python's texts."""

_ENOUGH_TO_TELL = 1_000_000
"""After so many rows it shows whether texts come again; where too few do, they are no longer looked up."""
_TOO_NEW = 0.4
"""That is where more than this share of the last rows had texts of their own."""
_SOON = 1 << 17
_NEARLY_ALL_NEW = 0.99
"""After so many rows it shows already where nearly every row has a text of its own."""
_FEWEST_SLOTS = 1 << 12
_AT_ONCE = 1 << 15
"""So many rows are looked up together: what that needs stays near the processor, and in the memory already there."""
_BLOCK: Final = 1 << 26
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # the golden ratio in 64 bits: spreads numbers that differ in any bit
_HALF = np.uint64(32)


class _Known(dict[str, int]):
    """The position of each text; one that is new gets the next."""

    def __missing__(self, text: str) -> int:
        self[text] = at = len(self)
        return at


class Gathered:
    """A column out of cells that are Python's.

    >>> column = Gathered()
    >>> column.add(["ann", "bob", "ann"])
    >>> list(column.text())
    ['ann', 'bob', 'ann']
    """

    def __init__(self) -> None:
        self._known = _Known()
        self._codes: list[NDArray[np.int32]] = []
        self._rows = 0
        self._new = 1.0  # the share of the rows looked up last whose texts had not been there
        self._packed: list[Packed] = []
        self._behind = 0  # texts that were packed without being looked up

    def add(self, cells: Sequence[str]) -> None:
        """The next rows."""
        if self._rows >= _ENOUGH_TO_TELL and self._new > _TOO_NEW:
            try:
                self._packed.append(Packed.of(cells))
            except UnicodeEncodeError:  # half a surrogate pair, which has no bytes: some encodings give it
                self._add_known(cells)
            else:
                # Counted down from -1, since how many will be looked up is known only in the end.
                codes = -1 - np.arange(self._behind, self._behind + len(cells), dtype=np.int32)
                self._codes.append(codes.astype(np.int32))
                self._behind += len(cells)
        else:
            self._add_known(cells)
        self._rows += len(cells)

    def text(self) -> Text:
        """The column so far."""
        codes = np.concatenate([np.zeros(0, dtype=np.int32), *self._codes])
        known = list(self._known)
        if not self._packed:
            return Text(codes, known)
        np.copyto(codes, len(known) - 1 - codes, where=codes < 0)
        try:
            return Text(codes, Packed.joined([Packed.of(known), *self._packed]))
        except UnicodeEncodeError:
            return Text(codes, [*known, *(text for part in self._packed for text in part)])

    def _add_known(self, cells: Sequence[str]) -> None:
        before = len(self._known)
        self._codes.append(np.fromiter(map(self._known.__getitem__, cells), np.int32, len(cells)))
        self._new = (len(self._known) - before) / max(len(cells), 1)


class GatheredBytes:
    """A column of about so many rows, out of cells that are bytes behind one another: `LONGEST` at most, without NUL.

    The texts seen are in a table with open addressing, looked up for all rows at once. What grows with the rows lies
    in few large pieces of memory, since many small ones would not be given back to the system.

    >>> column = GatheredBytes(3)
    >>> column.add(Packed.of(["ann", "bob", "ann"]))
    >>> list(column.text())
    ['ann', 'bob', 'ann']
    """

    def __init__(self, rows: int) -> None:
        self._words: list[NDArray[np.uint64]] = []  # of each eight bytes of the texts an array, with room for more
        self._lengths = np.zeros(0, dtype=np.uint8)
        self._count = 0
        self._slots = np.full(_FEWEST_SLOTS, -1, dtype=np.int32)
        self._taken: list[NDArray[np.int64]] = []
        self._codes = np.empty(rows, dtype=np.int32)
        self._rows = 0
        self._new = 1.0  # as above
        self._blocks: list[_Block] = []
        self._behind = 0

    def add(self, cells: Packed) -> None:
        """The next rows."""
        n = len(cells)
        if self._rows + n > len(self._codes):
            self._codes = _grown(self._codes, max(2 * len(self._codes), self._rows + n))
        codes = self._codes[self._rows : self._rows + n]
        looked_at = _SOON if self._new > _NEARLY_ALL_NEW else _ENOUGH_TO_TELL
        if self._rows >= min(looked_at, _ENOUGH_TO_TELL) and self._new > _TOO_NEW:
            # From here on no text is looked up any more.
            if not self._blocks or not self._blocks[-1].took(cells):
                self._blocks.append(_Block(max(_BLOCK, len(cells.bytes())), max(_BLOCK // 8, n)))
                self._blocks[-1].took(cells)
            start = self._count + self._behind
            codes[:] = np.arange(start, start + n)
            self._behind += n
        elif n:
            before = self._count
            for start in range(0, n, _AT_ONCE):
                part = cells[start : start + _AT_ONCE]
                lengths = part.lengths
                self._make_room(len(part), (int(lengths.max()) + 7) // 8)
                words = part.words(len(self._words), "=")
                codes[start : start + _AT_ONCE] = self._looked_up(words, lengths.astype(np.uint8))
            self._new = (self._count - before) / n
        self._rows += n

    def text(self) -> Text:
        """The column; nothing can be added to it any more."""
        padded = np.zeros((self._count, len(self._words)), dtype=np.uint64)
        for at, word in enumerate(self._words):
            padded[:, at] = word[: self._count]
        lengths = self._lengths[: self._count]
        known = padded.view(np.uint8)[np.arange(8 * padded.shape[1]) < lengths[:, None]]
        self._words, self._slots = [], self._slots[:0].copy()
        blocks, self._blocks = self._blocks, []
        return Text(
            self._codes[: self._rows],
            Packed.joined([Packed(known, bounds_of(lengths)), *(block.texts() for block in blocks)]),
        )

    def _looked_up(self, words: list[NDArray[np.uint64]], lengths: NDArray[np.uint8]) -> NDArray[np.int32]:
        mask = len(self._slots) - 1
        before = self._count
        slot = (_mixed(words, len(lengths)) & np.uint64(mask)).view(np.int64)
        rows = np.arange(len(lengths))
        codes = np.empty(len(lengths), dtype=np.int32)
        while len(rows):
            found = self._slots[slot]
            free = found < 0
            if free.any():
                self._take(rows[free], slot[free], words, lengths)
                found[free] = self._slots[slot[free]]
            every = len(rows) == len(lengths)
            other = np.zeros(len(rows), dtype=bool)
            at = found.astype(np.int64)
            for known, word in zip(self._words, words, strict=True):
                other |= known.take(at) != (word if every else word[rows])
            codes[rows] = found  # right for those that are equal, and for the others it is looked for again
            left = np.flatnonzero(other)
            rows, slot = rows[left], (slot[left] + 1) & mask
        taken, self._taken = self._taken, []
        if self._count - before > 1:
            self._in_order_of_rows(codes, before, np.concatenate(taken))
        return codes

    def _in_order_of_rows(self, codes: NDArray[np.int32], before: int, taken: NDArray[np.int64]) -> None:
        """The new texts, all after `before` and in the slots `taken`, in the order in which these rows have them."""
        rows = np.flatnonzero(codes >= before)[::-1]
        first = np.empty(self._count - before, dtype=np.int64)
        first[codes[rows] - before] = rows  # of several rows with one text, the last that is written counts
        order = before + np.argsort(first)
        number = np.arange(self._count, dtype=np.int32)
        number[order] = np.arange(before, self._count)
        np.take(number, codes, out=codes)
        self._slots[taken] = number[self._slots[taken]]
        for word in self._words:
            word[before : self._count] = word[order]
        self._lengths[before : self._count] = self._lengths[order]

    def _take(
        self,
        rows: NDArray[np.int64],
        slot: NDArray[np.int64],
        words: list[NDArray[np.uint64]],
        lengths: NDArray[np.uint8],
    ) -> None:
        """Free slots given to one of the rows that want each, as texts that are new."""
        self._slots[slot] = np.arange(len(rows), dtype=np.int32)
        first = np.flatnonzero(self._slots[slot] == np.arange(len(rows)))
        new = np.arange(self._count, self._count + len(first), dtype=np.int32)
        self._slots[slot[first]] = new
        self._taken.append(slot[first])
        for known, word in zip(self._words, words, strict=True):
            known[new] = word[rows[first]]
        self._lengths[new] = lengths[rows[first]]
        self._count += len(first)

    def _make_room(self, rows: int, width: int) -> None:
        """Room for so many more texts of so many words; at most half of the slots are ever taken."""
        room = len(self._lengths)
        if self._count + rows > room:
            room = max(2 * room, self._count + rows)
            self._words = [_grown(word, room) for word in self._words]
            self._lengths = _grown(self._lengths, room)
        wider = width > len(self._words)
        self._words += [np.zeros(room, dtype=np.uint64) for _ in range(len(self._words), width)]
        if 2 * (self._count + rows) > len(self._slots) or wider:
            size = len(self._slots)
            while size < 2 * (self._count + rows):
                size *= 2
            self._slots = np.full(size, -1, dtype=np.int32)
            self._put_back()

    def _put_back(self) -> None:
        mask = len(self._slots) - 1
        known = [word[: self._count] for word in self._words]
        slot = (_mixed(known, self._count) & np.uint64(mask)).astype(np.int64)
        codes = np.arange(self._count, dtype=np.int32)
        while len(codes):
            free = self._slots[slot] < 0
            self._slots[slot[free]] = codes[free]
            left = self._slots[slot] != codes
            codes, slot = codes[left], (slot[left] + 1) & mask


class GatheredTimes:
    """A column of times of about so many rows: as numbers as long as all are of one form, else as `GatheredBytes`.

    >>> column = GatheredTimes(2)
    >>> column.add(Packed.of(["2026-01-31", "2026-02-01"]))
    >>> column.add(Packed.of(["soon"]))
    >>> list(column.text())
    ['2026-01-31', '2026-02-01', 'soon']
    """

    def __init__(self, rows: int) -> None:
        self._instants = np.empty(rows, dtype=np.int64)
        self._rows = 0
        self._form: Form | None = None
        self._others: GatheredBytes | None = None

    def add(self, cells: Packed) -> None:
        """The next rows."""
        if self._others is None and not self._read(cells):
            self._others = GatheredBytes(len(self._instants))
            if self._form is not None:
                for part in Moments(self._instants[: self._rows], self._form).slices():
                    self._others.add(part)
            self._instants = self._instants[:0].copy()
        if self._others is not None:
            self._others.add(cells)

    def text(self) -> Text:
        """The column; nothing can be added to it any more."""
        if self._others is not None:
            return self._others.text()
        if self._form is None:
            return Text(np.zeros(0, dtype=np.int32), [])
        return Text(np.arange(self._rows, dtype=np.int32), Moments(self._instants[: self._rows], self._form))

    def _read(self, cells: Packed) -> bool:
        """Whether these are of the form of all before."""
        n = len(cells)
        if not n:
            return True
        if self._form is None:
            self._form = form_of(cells)
        if self._rows + n > len(self._instants):
            self._instants = _grown(self._instants, max(2 * len(self._instants), self._rows + n))
        if self._form is None or not read_in(self._form, cells, self._instants[self._rows : self._rows + n]):
            return False
        self._rows += n
        return True


class _Block:
    """Texts that were not looked up. The memory is asked for at once, and only what is written to is really taken."""

    def __init__(self, size: int, rows: int) -> None:
        self._data = np.empty(size, dtype=np.uint8)
        self._bounds = np.zeros(rows + 1, dtype=np.uint32)
        self._rows = 0

    def took(self, cells: Packed) -> bool:
        """Copies the texts, whose bytes belong to whoever read them; False where there is no room for them."""
        data, n = cells.bytes(), len(cells)
        start = int(self._bounds[self._rows])
        if start + len(data) > len(self._data) or self._rows + n >= len(self._bounds):
            return False
        self._data[start : start + len(data)] = data
        np.add(
            cells.bounds[1:] - cells.bounds[0],
            start,
            out=self._bounds[self._rows + 1 : self._rows + n + 1],
            casting="unsafe",
        )
        self._rows += n
        return True

    def texts(self) -> Packed:
        return Packed(self._data, self._bounds[: self._rows + 1])


def _mixed(words: list[NDArray[np.uint64]], count: int) -> NDArray[np.uint64]:
    """A number of each text that is spread over all there are; equal texts have equal ones."""
    mixed = np.zeros(count, dtype=np.uint64)
    for word in words:
        mixed ^= word
        mixed *= _FACTOR
        mixed ^= mixed >> _HALF
    return mixed


def _grown(values: NDArray[T], size: int) -> NDArray[T]:
    out: NDArray[T] = np.zeros(size, dtype=values.dtype)
    out[: len(values)] = values
    return out
