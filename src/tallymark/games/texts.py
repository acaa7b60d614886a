"""Columns of text as codes and texts, so that what is done to a text is done once, and ten million fit in memory."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from typing import TypeAlias, TypeVar, overload

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from tallymark.games.threads import at_once

T = TypeVar("T", bound=np.generic)
M = TypeVar("M")

SLICE = 1 << 18
"""So many texts are unpacked at a time."""
_FEW = 1 << 12
_AT_ONCE = 1 << 15
"""So many rows are worked on together where what that needs should stay near the processor."""

Piece: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.integer]]
"""Bytes, and where each text begins in them and the last one ends."""


class Packed(Sequence[str]):
    """Texts behind one another in UTF-8: of text i, the bytes of `data` from `bounds[i]` to `bounds[i + 1]`.

    What was packed piece by piece stays in pieces until somebody asks for the whole.

    >>> list(Packed.of(["ann", "", "b\u00f6b"]))
    ['ann', '', 'b\u00f6b']
    """

    __slots__ = ("_parts",)

    def __init__(self, data: NDArray[np.uint8], bounds: NDArray[np.integer]) -> None:
        self._parts = [(data, bounds)]

    def _pieces(self) -> list[Piece]:
        return self._parts

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Packed":
        """The texts packed. UnicodeEncodeError for half a surrogate pair, which has no bytes."""
        whole = "".join(texts)
        if whole.isascii():
            data, lengths = whole.encode(), map(len, texts)
        else:
            pieces = [text.encode() for text in texts]
            data, lengths = b"".join(pieces), map(len, pieces)
        return cls(np.frombuffer(data, dtype=np.uint8), bounds_of(np.fromiter(lengths, np.int64, len(texts))))

    @classmethod
    def joined(cls, parts: Sequence["Packed"]) -> "Packed":
        """The texts of several behind one another."""
        whole = cls(np.zeros(0, dtype=np.uint8), np.zeros(1, dtype=np.uint32))
        whole._parts += [piece for part in parts for piece in part._pieces()]
        return whole

    def _whole(self) -> Piece:
        if len(self._pieces()) > 1:
            data = np.concatenate([data[bounds[0] : bounds[-1]] for data, bounds in self._pieces()])
            self._parts = [(data, bounds_of(self.lengths))]
        return self._pieces()[0]

    @property
    def data(self) -> NDArray[np.uint8]:
        """The bytes, among which may be others."""
        return self._whole()[0]

    @property
    def bounds(self) -> NDArray[np.integer]:
        """Where each text begins, and where the last one ends."""
        return self._whole()[1]

    @property
    def lengths(self) -> NDArray[np.int32]:
        """How many bytes each text has."""
        lengths = [np.diff(bounds).astype(np.int32, copy=False) for _, bounds in self._pieces()]
        return lengths[0] if len(lengths) == 1 else np.concatenate(lengths)

    def bytes(self) -> NDArray[np.uint8]:
        """The bytes of these texts alone."""
        return self.data[self.bounds[0] : self.bounds[-1]]

    def __len__(self) -> int:
        return sum(len(bounds) - 1 for _, bounds in self._pieces())

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> "Packed": ...
    def __getitem__(self, at: int | slice) -> "str | Packed":
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self))
            if step != 1:
                raise ValueError("packed texts are sliced in steps of 1")
            return Packed(self.data, self.bounds[start : max(start, stop) + 1])
        return self.taken(np.array([range(len(self))[at]]))[0]

    def __iter__(self) -> Iterator[str]:
        for part in self.slices():
            yield from part.unpacked()

    def slices(self) -> Iterator["Packed"]:
        """The texts, never more than `SLICE` at a time, so that working on them needs little memory."""
        for data, bounds in self._pieces():
            for start in range(0, len(bounds) - 1, SLICE):
                yield Packed(data, bounds[start : start + SLICE + 1])

    def unpacked(self) -> list[str]:
        """The texts as a list."""
        first = int(self.bounds[0])
        data = self.data[first : self.bounds[-1]].tobytes()
        ends = (self.bounds - first).tolist()
        if data.isascii():
            whole = data.decode()
            return [whole[start:end] for start, end in pairwise(ends)]
        return [data[start:end].decode() for start, end in pairwise(ends)]

    def taken(self, positions: NDArray[np.integer]) -> list[str]:
        """The texts at these positions as a list."""
        if len(self._pieces()) > 1:
            ends = np.cumsum([len(bounds) - 1 for _, bounds in self._pieces()])
            piece = np.searchsorted(ends, positions, side="right")
            out = np.empty(len(positions), dtype=object)
            for number in np.unique(piece).tolist():
                at = np.flatnonzero(piece == number)
                begin = int(ends[number - 1]) if number else 0
                out[at] = Packed(*self._pieces()[number]).taken(positions[at] - begin)
            texts: list[str] = out.tolist()
            return texts
        data, starts = self.data, self.bounds[positions].astype(np.int64)
        lengths = self.bounds[np.asarray(positions, dtype=np.int64) + 1].astype(np.int64) - starts
        into = bounds_of(lengths)
        if len(lengths) and lengths[0] and (lengths == lengths[0]).all():
            return Packed(sliding_window_view(data, lengths[0])[starts].reshape(-1), into).unpacked()
        # Each byte of the result comes from where its text starts, as far on as it is from the start of its own.
        source = np.arange(into[-1]) + np.repeat(starts - into[:-1], lengths)
        return Packed(data[source], into).unpacked()

    def words(self, width: int, order: str = ">") -> list[NDArray[np.uint64]]:
        """The texts as numbers: so many arrays of eight bytes each, zeros after the end.

        They sort as the texts do, unless `order` "=" asks for them in the machine's own order of bytes, which is
        quicker. `width` is how many words the longest needs at least; NUL characters would be taken for the end.
        """
        data, lengths = self.bytes(), self.lengths
        kind = np.dtype(f"{order}u8")
        if len(lengths) and lengths[0] == 8 * width and (lengths == lengths[0]).all():
            numbers = data.reshape(len(lengths), -1).view(kind)
            return [numbers[:, at].astype(np.uint64) for at in range(width)]
        # A number may begin at any byte; what it has of the text after is cut off.
        numbers = np.ndarray(len(data) + 1, kind, np.concatenate([data, np.zeros(8, dtype=np.uint8)]), strides=(1,))
        starts = self.bounds[:-1].astype(np.int64) - int(self.bounds[0])
        kept = (np.arange(8) < np.arange(9)[:, None]).astype(np.uint8) * np.uint8(255)
        masks = kept.view(kind)[:, 0].astype(np.uint64)
        words = []
        for at in range(0, 8 * width, 8):
            word = numbers[np.minimum(starts + at, len(data)) if at else starts].astype(np.uint64)
            words.append(word & masks[np.clip(lengths - at, 0, 8)])
        return words

    def ranked(self) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """The positions of the texts in the order of their code points, and which are the first of equal ones there.

        >>> order, first = Packed.of(["b", "a", "", "b"]).ranked()
        >>> order.tolist(), first.tolist()
        ([2, 1, 0, 3], [True, True, True, False])
        """
        width = max(1, (int(self.lengths.max(initial=0)) + 7) // 8)
        first = self._first_of_sorted(width)
        if first is not None:
            return np.arange(len(self), dtype=np.int32), first
        word = self._word(0, width)
        # The lesser and the greater words apart, by two threads; what is tied may be in any order until below.
        some = np.sort(word[:: max(1, len(word) // _FEW)])
        less = word < some[len(some) // 2 : len(some) // 2 + 1]
        halves = at_once(partial(_sorted, word), [np.flatnonzero(less), np.flatnonzero(~less)])
        order, word = (np.concatenate(parts) for parts in zip(*halves, strict=True))
        tied = np.concatenate([[False], word[1:] == word[:-1]])
        first = ~tied
        tied[:-1] |= tied[1:]
        at = np.flatnonzero(tied)
        if 8 * len(at) < len(self):  # few are told apart by what comes later
            few = Packed.of(self.taken(order[at]))
            words = few.words(width)
            keys: list[np.ndarray] = [order[at], *words[:0:-1], word[at]]
            again = np.lexsort(keys)
            order[at] = order[at][again]
            words = [one[again] for one in words]
            first[at[1:]] = np.any([one[1:] != one[:-1] for one in words], axis=0)
            return order, first
        order = np.arange(len(self), dtype=np.int32)
        # By the last word first: a stable sort by each one leaves the order by all of them.
        for number in reversed(range(width)):
            order = order[np.argsort(self._word(number, width)[order], kind="stable")]
        first = np.zeros(len(self), dtype=bool)
        first[:1] = True
        for number in range(width):
            word = self._word(number, width)[order]
            first[1:] |= word[1:] != word[:-1]
        return order, first

    def _first_of_sorted(self, width: int) -> NDArray[np.bool_] | None:
        """Which are the first of equal ones, None where the texts are not in order."""
        found: list[NDArray[np.bool_]] = []
        last: list[NDArray[np.uint64]] = [np.zeros(0, dtype=np.uint64)] * width
        for part in self.slices():
            words = [np.concatenate([one, word]) for one, word in zip(last, part.words(width), strict=True)]
            less = np.zeros(len(words[0]) - 1, dtype=bool)
            for word in words:
                if (~less & (word[1:] < word[:-1])).any():
                    return None
                less |= word[1:] > word[:-1]
            found.append(less)
            last = [word[-1:] for word in words]
        return np.concatenate([[True], *found])[: len(self)]

    def _word(self, at: int, width: int) -> NDArray[np.uint64]:
        """One of the words of each text."""
        out = np.empty(len(self), dtype=np.uint64)
        start = 0
        for part in self.slices():
            out[start : start + len(part)] = part.words(width)[at]
            start += len(part)
        return out


class Text(Sequence[str]):
    """A column of text: of row i, `texts[codes[i]]`. An empty text is a missing cell.

    `texts` are in the order in which the rows have them first; some may be there again.

    >>> list(Text(np.array([0, 1, 0], dtype=np.int32), ["ann", "bob"]))
    ['ann', 'bob', 'ann']
    """

    __slots__ = ("codes", "texts")

    def __init__(self, codes: NDArray[np.int32], texts: list[str] | Packed) -> None:
        self.codes = codes
        self.texts = texts

    @classmethod
    def joined(cls, columns: Sequence["Text"]) -> "Text":
        """The rows of several columns behind one another."""
        starts = np.cumsum([0, *(len(column.texts) for column in columns)])
        codes = [column.codes + np.int32(start) for column, start in zip(columns, starts.tolist(), strict=False)]
        packed = [column.texts for column in columns if isinstance(column.texts, Packed)]
        if len(packed) == len(columns):
            return cls(np.concatenate(codes), Packed.joined(packed))
        return cls(np.concatenate(codes), [text for column in columns for text in column.texts])

    @classmethod
    def empty(cls, rows: int) -> "Text":
        """A column of so many missing cells."""
        return cls(np.zeros(rows, dtype=np.int32), [""])

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> "Text": ...
    def __getitem__(self, at: int | slice) -> "str | Text":
        if isinstance(at, slice):
            return Text(self.codes[at], self.texts)
        return self.texts[int(self.codes[at])]

    def __iter__(self) -> Iterator[str]:
        # Whoever wants the first few should not wait for all.
        texts, known = iter(self.texts), list[str]()
        for start in range(0, len(self), _FEW):
            codes = self.codes[start : start + _FEW]
            known.extend(islice(texts, max(0, int(codes.max()) + 1 - len(known))))
            yield from map(known.__getitem__, codes.tolist())

    def _each_its_own(self) -> bool:
        """Whether the rows have the texts one by one, in their order."""
        n, codes = len(self), self.codes
        ends = n == len(self.texts) and n > 0 and codes[0] == 0 and codes[-1] == n - 1
        return bool(ends and (codes[1:] > codes[:-1]).all())

    def spread(
        self, parse: Callable[[Sequence[str]], tuple[NDArray[T], dict[int, M]]]
    ) -> tuple[NDArray[T], dict[int, M]]:
        """What `parse` makes of the texts, by row: a value each, and by position what is wrong with some.

        >>> Text(np.array([0, 0]), ["2"]).spread(lambda texts: (np.array([int(t) for t in texts]), {0: "even"}))
        (array([2, 2]), {0: 'even', 1: 'even'})
        """
        values, wrong = parse(self.texts)
        if not wrong:
            return values if self._each_its_own() else by_row(values, self.codes), {}
        bad = np.zeros(len(values), dtype=bool)
        bad[list(wrong)] = True
        rows = np.flatnonzero(bad[self.codes])
        return values[self.codes], dict(
            zip(rows.tolist(), map(wrong.__getitem__, self.codes[rows].tolist()), strict=True)
        )


def _sorted(values: NDArray[np.uint64], at: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """These positions by their values, and the values in that order."""
    chosen = values[at]
    order = np.argsort(chosen)
    return at[order].astype(np.int32), chosen[order]


def by_row(values: NDArray[T], codes: NDArray[np.int32]) -> NDArray[T]:
    """The value of each code, part by part: numpy widens the codes first, and a new large array takes long to get.

    >>> by_row(np.array([5, 7]), np.array([1, 0, 1], dtype=np.int32)).tolist()
    [7, 5, 7]
    """
    out = np.empty(len(codes), dtype=values.dtype)
    for start in range(0, len(codes), _AT_ONCE):
        out[start : start + _AT_ONCE] = values[codes[start : start + _AT_ONCE]]
    return out


def bounds_of(lengths: NDArray[np.integer]) -> NDArray[np.integer]:
    """The bounds of texts of these lengths behind one another, in as few bytes as they need."""
    small = int(lengths.sum(dtype=np.int64)) < 2**32
    bounds: NDArray[np.integer] = np.zeros(len(lengths) + 1, dtype=np.uint32 if small else np.int64)
    np.cumsum(lengths, out=bounds[1:])
    return bounds
