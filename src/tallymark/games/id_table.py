"""Tables of very many ids, whose texts and numbers are made when somebody asks for them."""

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from tallymark.games.texts import SLICE, Packed

_BEYOND = 2**63


class IdTable(Sequence[str]):
    """Distinct ids in rank order, kept as bytes: ten million Python texts would need more room than all else of a log.

    Of the id at place i, the text of `texts` at `order[i]`. Equal to a list that has the same.

    >>> table = IdTable(Packed.of(["b", "a", ""]), np.array([1, 0], dtype=np.int32))
    >>> table[0], table[-1], list(table), table == ["a", "b"]
    ('a', 'b', ['a', 'b'], True)
    """

    __slots__ = ("_order", "_texts")

    def __init__(self, texts: Packed, order: NDArray[np.int32]) -> None:
        self._texts = texts
        self._order = order

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> "IdTable": ...
    def __getitem__(self, at: int | slice) -> "str | IdTable":
        if isinstance(at, slice):
            return IdTable(self._texts, self._order[at])
        return self._texts[int(self._order[at])]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self._order), SLICE):
            yield from self._texts.taken(self._order[start : start + SLICE])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | tuple | IdTable):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return repr(list(self))

    def taken(self, at: NDArray[np.integer]) -> list[str]:
        """The ids at these places."""
        return self._texts.taken(self._order[at])

    def kept(self, used: NDArray[np.bool_]) -> "IdTable":
        """The ids that are still used, in their order."""
        return IdTable(self._texts, self._order[used])


class NumberTable(Sequence[int]):
    """Distinct integer ids in rank order, kept as one array. Equal to a list that has the same.

    >>> table = NumberTable(np.array([5, 7, 9]))
    >>> table[0], table[-1], table[1:], 7 in table, 8 in table, table == [5, 7, 9]
    (5, 9, [7, 9], True, False, True)
    """

    __slots__ = ("_numbers",)

    def __init__(self, numbers: NDArray[np.int64]) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> "NumberTable": ...
    def __getitem__(self, at: int | slice) -> "int | NumberTable":
        return NumberTable(self._numbers[at]) if isinstance(at, slice) else int(self._numbers[at])

    def __iter__(self) -> Iterator[int]:
        for start in range(0, len(self._numbers), SLICE):
            yield from self._numbers[start : start + SLICE].tolist()

    def __contains__(self, one: object) -> bool:
        if not isinstance(one, int) or not -_BEYOND <= one < _BEYOND:
            return False
        at = int(np.searchsorted(self._numbers, one))
        return at < len(self._numbers) and bool(self._numbers[at] == one)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NumberTable):
            return np.array_equal(self._numbers, other._numbers)
        if not isinstance(other, list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return repr(list(self))

    def kept(self, used: NDArray[np.bool_]) -> "NumberTable":
        """The ids that are still used, in their order."""
        return NumberTable(self._numbers[used])
