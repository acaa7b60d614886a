"""What separates the cells of a line: what somebody said, what the file's first line says, or what fits alone."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tallymark.errors import ReadError

WORDS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
"""What is looked for, and what a note calls it."""

HEAD: Final = 256
"""So many lines are enough to tell."""

_SAID: Final = re.compile(r"sep=(.)[\r\n]*", re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """What separates cells, how many lines before the first row only say so, and what is announced."""

    delimiter: str
    skipped: int = 0
    notes: tuple[str, ...] = ()


def dialect_of(lines: Sequence[str], name: str, delimiter: str | None, usual: str = ",") -> Dialect:
    r"""The dialect of a text with these first lines: by `delimiter`, or by what the lines allow where that is None.

    A delimiter fits where every row has the same number of cells, more than one; what fits alone is taken. Where none
    fits, the one that the first row has; else the `usual` one. ReadError where several fit.

    >>> dialect_of(["player_a;player_b;score_a\n", "ann;bob;0,5\n"], "games.csv", None)
    Dialect(delimiter=';', skipped=0, notes=('cells are separated by semicolons',))
    """
    said = _SAID.fullmatch(lines[0]) if lines else None
    if said is not None and delimiter in (None, said[1]) and said[1] != '"':
        return Dialect(said[1], skipped=1)
    if delimiter is not None:
        return Dialect(delimiter)
    rows = {one: _rows(lines, one) for one in WORDS}
    fitting = [one for one, found in rows.items() if len(found[:1]) and len(found[0]) > 1 and _even(found)]
    if not fitting:
        fitting = [one for one, found in rows.items() if len(found[:1]) and len(found[0]) > 1]
        if usual in fitting or len(fitting) > 1:
            fitting = []
    if len(fitting) > 1:
        choices = " or ".join(f"delimiter={one!r} ({len(rows[one][0])} cells a row)" for one in fitting)
        raise ReadError(f"{name} could be separated by {' or '.join(WORDS[one] for one in fitting)}", hint=choices)
    found = fitting[0] if fitting else usual
    return Dialect(found, notes=() if found == usual else (f"cells are separated by {WORDS[found]}",))


def _even(rows: Sequence[Sequence[str]]) -> bool:
    return len(set(map(len, rows))) == 1


def _rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """The rows that the lines are with this delimiter, but for the last of many, which may go on; none if none are."""
    try:
        rows = [cells for cells in csv.reader(lines, delimiter=delimiter, strict=len(lines) < HEAD) if cells]
    except csv.Error:
        return []
    return rows if len(lines) < HEAD else rows[:-1]
