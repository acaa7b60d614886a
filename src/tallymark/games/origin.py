"""Where the rows of an input came from: its files, and the line of each row in its own."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NO_LINE = -1
"""The line of a row whose file has no lines (Parquet, a frame)."""


@dataclass(frozen=True, eq=False)
class Origin:
    """The files of an input in their order, the first row of each, and the line of each row (NO_LINE = none).

    >>> Origin(("a.csv", "b.csv"), (0, 2), np.array([2, 3, 2])).place(2)
    'b.csv, line 2'
    """

    files: tuple[str, ...] = ()
    starts: tuple[int, ...] = (0,)
    lines: NDArray[np.int64] | None = None

    @classmethod
    def of_all(cls, parts: Sequence["Origin"], rows: Sequence[int]) -> "Origin":
        """The origin of several inputs behind one another, of so many rows each."""
        lines = None
        if any(part.lines is not None for part in parts):
            lines = np.concatenate(
                [
                    np.full(count, NO_LINE, dtype=np.int64) if part.lines is None else part.lines
                    for part, count in zip(parts, rows, strict=True)
                ]
            )
        before = np.cumsum([0, *rows])[:-1].tolist()
        starts = tuple(start + at for part, at in zip(parts, before, strict=True) for start in part.starts)
        return cls(tuple(file for part in parts for file in part.files), starts, lines)

    def number(self, row: int) -> int:
        """The number of a row's file, from 0."""
        return bisect_right(self.starts, row) - 1

    def file(self, row: int) -> str | None:
        """The file of a row, None where there is none."""
        return self.files[self.number(row)] if self.files else None

    def line(self, row: int) -> int:
        """The line of a row in its file, NO_LINE where it has none."""
        return NO_LINE if self.lines is None else int(self.lines[row])

    def place(self, row: int) -> str:
        """How a message names a row: by its line, or by its position; with its file where there are several."""
        line = self.line(row)
        file = f"{self.file(row)}, " if len(self.files) > 1 else ""
        return f"{file}row {row}" if line == NO_LINE else f"{file}line {line}"
