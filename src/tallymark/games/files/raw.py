"""A file as a table of cells."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tallymark.games.columns import Cells
from tallymark.games.shapes.plan import Plan

SAMPLE = 200
"""So many rows after the first are shown to recognition."""


@dataclass(frozen=True)
class RawTable:
    """The columns of a file that its plan names, by position, cells as the file has them.

    `lines` is the line each row starts on, None for a format without lines. `ragged` maps the position of a row that
    does not fit the header, of `width` columns, to its number of cells; its own cells are left empty. `faults` has, by
    position, why a row is none for a reason of the format's own; `notes` say what was done about the whole.
    `whole` reads rows again, all that the file has of each, to be compared; None where that is the text of their lines.
    """

    plan: Plan
    cells: dict[int, Cells]
    rows: int
    lines: NDArray[np.int64] | None = None
    width: int = 0
    ragged: dict[int, int] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    whole: Callable[[Sequence[int]], dict[int, object]] | None = None


def without_gaps(cell: object) -> object:
    """A struct as an object of what it has: in a column of structs each has the names of all, and gaps for its own.

    >>> without_gaps({"ann": 3, "bob": None})
    {'ann': 3}
    """
    return {key: value for key, value in cell.items() if value is not None} if isinstance(cell, dict) else cell
