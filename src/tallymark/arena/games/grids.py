"""Boards as rows of characters, and as lines for a terminal."""

from collections.abc import Mapping, Sequence
from typing import Final

from tallymark.ledger.matches import Json

MARKS: Final = "xo"
"""The first seat's stones and the second's; an empty square is a full stop."""
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
"""Columns from the left."""
GO_LETTERS: Final = LETTERS.replace("i", "").upper()
"""Columns of a Go board, which has no I."""


def rows(shown: Mapping[str, Json]) -> Sequence[str]:
    """The rows of what a board looks like, from the top."""
    found = shown["rows"]
    assert isinstance(found, Sequence)
    return [str(row) for row in found]


def squares(text: str, marks: str, width: int) -> list[str]:
    """The squares of a board that was printed, as rows: every character of `marks`, and nothing else that was printed.

    >>> squares("1 - x -\\n2 o - -", "-xo", 3)
    ['-x-', 'o--']
    """
    found = "".join(character for character in text if character in marks)
    return [found[start : start + width] for start in range(0, len(found), width)]


def grid(board: Sequence[str], letters: str = LETTERS, *, up: bool = False, slant: int = 0) -> str:
    """Rows with their numbers, from 1 at the top or, `up`, at the bottom; columns with their letters below.

    `slant`: so many spaces more in each row, as hexagons lie.

    >>> print(grid(["x.", ".o"]))
    1 x .
    2 . o
      a b
    """
    height = len(board)
    wide = len(str(height))
    lines = [f"{height - n if up else n + 1:>{wide}} {' ' * slant * n}{' '.join(row)}" for n, row in enumerate(board)]
    foot = " ".join(letters[: len(board[0])])
    return "\n".join([*lines, f"{' ' * wide} {' ' * slant * height}{foot}"])
