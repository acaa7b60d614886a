"""Rows of many columns that are equal in all of them: newcomers with a game or two, of whom there may be many.

What is told of each kind of rows is told of its rows without looking at them again, and kinds are quickly put in order.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Places: TypeAlias = NDArray[np.int32] | NDArray[np.int64]

_SAMPLE = 1 << 13
_FEW = _SAMPLE // 4
"""Kinds in the sample, above which there are too many."""
_MOST = 1 << 16
_BITS = 18
_MIXING = 0x9E3779B97F4A7C15
_TRIES = 3
_AT_ONCE = 1 << 14


class Kinds(NamedTuple):
    """Rows by kind."""

    of: NDArray[np.int32]
    """The kind of each row."""
    each: NDArray[np.int64]
    """A row of each kind."""

    def in_order(self, number: NDArray[np.int64]) -> Places:
        """The rows by the numbers of their kinds, each below how many kinds there are, and then as they come.

        >>> Kinds(np.array([1, 0, 1], np.int32), np.array([1, 0])).in_order(np.array([1, 0])).tolist()
        [0, 2, 1]
        """
        # A kind's number with the place behind it is sorted sooner than anything by its places.
        n = len(self.of)
        shift = n.bit_length()
        small = len(self.each) << shift <= np.iinfo(np.uint32).max
        keys = _keys(self.of, (number << shift).astype(np.uint32 if small else np.uint64))
        keys.sort()
        keys &= keys.dtype.type((1 << shift) - 1)
        rows: Places = keys.view(np.int32) if small else keys.view(np.int64)
        return rows


class Word(NamedTuple):
    """A column of 64 bits a row, as it lies in memory: the first of every so many words of it."""

    memory: NDArray[np.uint64]
    width: int

    def __len__(self) -> int:
        return -(-len(self.memory) // self.width)

    def part(self, low: int, high: int) -> NDArray[np.uint64]:
        """Rows low..high."""
        return self.memory[low * self.width : high * self.width : self.width]

    def taken(self, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Some rows."""
        return self.memory.take(rows * self.width)


def words_of(rows: np.ndarray, count: int) -> list[Word]:
    """The first columns of an array of 64 bits a value."""
    memory = rows.reshape(-1).view(np.uint64)
    width = rows.shape[1] if rows.ndim > 1 else 1
    return [Word(memory[at:], width) for at in range(count)]


def kinds_of(words: Sequence[Word]) -> Kinds | None:
    """Rows that are equal in all words are of one kind; None where there seem to be many kinds.

    >>> kinds_of(words_of(np.array([7, 5, 7]), 1))
    Kinds(of=array([1, 0, 1], dtype=int32), each=array([1, 0]))
    """
    some = np.arange(0, len(words[0]), max(1, len(words[0]) // _SAMPLE))
    if len(np.unique(_mixed([word.taken(some) for word in words], 0))) > _FEW:
        return None
    return _kinds(words, 0)


def _kinds(words: Sequence[Word], tried: int) -> Kinds | None:
    """The same, by numbers made of the rows. What has the number of another kind is looked at again, by other ones."""
    n = len(words[0])
    of = np.empty(n, np.int32)
    numbered = np.full(1 << _BITS, -1, np.int32)  # the kind of each number
    told = [np.empty(_MOST, np.uint64) for _ in words]  # the words of each kind
    each: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    count, apart = 0, each.copy()
    for low in range(0, n, _AT_ONCE):
        parts = [word.part(low, min(n, low + _AT_ONCE)) for word in words]
        number = (_mixed(parts, tried) >> np.uint64(64 - _BITS)).view(np.int64)
        kind = numbered.take(number)
        new = np.flatnonzero(kind < 0)
        if len(new):
            found, first = np.unique(number[new], return_index=True)
            if count + len(found) > _MOST:
                return None
            for values, part in zip(told, parts, strict=True):
                values[count : count + len(found)] = part[new[first]]
            each.append(low + new[first])
            numbered[found] = np.arange(count, count + len(found), dtype=np.int32)
            count += len(found)
            kind = numbered.take(number)
        of[low : low + _AT_ONCE] = kind
        places = kind.astype(np.int64)
        equal = np.ones(len(kind), bool)
        for values, part in zip(told, parts, strict=True):
            equal &= np.equal(values.take(places), part)
        if not equal.all():
            apart.append(low + np.flatnonzero(~equal))
    rest = np.concatenate(apart)
    if not len(rest):
        return Kinds(of, np.concatenate(each))
    others = _kinds([Word(word.taken(rest), 1) for word in words], tried + 1) if tried < _TRIES else None
    if others is None:
        return None
    of[rest] = others.of + np.int32(count)
    return Kinds(of, np.concatenate([*each, rest[others.each]]))


def _mixed(columns: Sequence[NDArray[np.uint64]], tried: int) -> NDArray[np.uint64]:
    """A number made of the values of each row, whose upper bits tell most kinds apart."""
    mixed, more = np.zeros(len(columns[0]), np.uint64), np.empty(len(columns[0]), np.uint64)
    for at, values in enumerate(columns):
        np.multiply(values, np.uint64(pow(_MIXING, 1 + at + len(columns) * tried, 1 << 64)), out=more)
        mixed += more
    return mixed


def _keys(of: NDArray[np.int32], upper: np.ndarray) -> np.ndarray:
    """For each row the upper bits of its kind, and its place behind them."""
    keys = np.empty(len(of), upper.dtype)
    for low in range(0, len(of), _AT_ONCE):
        part = keys[low : low + _AT_ONCE]
        part[:] = upper.take(of[low : low + _AT_ONCE])
        part |= np.arange(low, low + len(part), dtype=upper.dtype)
    return keys
