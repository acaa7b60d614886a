"""Columns of numbers as people write them: with a point, or all with a comma."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.games.columns import Cells, numbers
from tallymark.games.ids import items_of
from tallymark.games.report import Findings
from tallymark.games.texts import Text

_COMMA: Final = re.compile(r" *[+-]?[0-9]+,[0-9]{1,2} *")
_THOUSANDS: Final = re.compile(r" *[+-]?[1-9][0-9]{0,2}\.[0-9]{3} *")


def decimals(cells: Cells, name: str, findings: Findings) -> tuple[NDArray[np.float64], dict[int, object]]:
    """As `numbers`; decimal commas are read where the whole column can only be meant so, and announced.

    That is, every cell that is no plain number has one comma with one or two digits behind it, and no cell of the
    column has a point. "1,287" may be a thousand or one and a bit: it stays wrong.

    >>> findings = Findings(3)
    >>> values, wrong = decimals(["0,5", "1", "1,0"], "score_a", findings)
    >>> values.tolist(), wrong, findings.notes
    ([0.5, 1.0, 1.0], {}, ['score_a has decimal commas'])
    """
    values, wrong = numbers(cells)
    if not wrong or not all(isinstance(cell, str) and _COMMA.fullmatch(cell) for cell in wrong.values()):
        return values, wrong
    items = items_of(cells)
    if any(isinstance(cell, str) and "." in cell for cell in items):
        return values, wrong
    findings.notes.append(f"{name} has decimal commas")
    return numbers([cell.replace(",", ".") if isinstance(cell, str) else cell for cell in items])


def as_thousands(cells: Cells) -> NDArray[np.float64] | None:
    """The values if a point stands before thousands, as in 1.250; None where a cell shows that it does not.

    >>> as_thousands(["1.250", "980"]).tolist(), as_thousands(["1.250", "0.5"])
    ([1250.0, 980.0], None)
    """
    if isinstance(cells, np.ndarray):
        return numbers(cells)[0]
    texts = cells.texts if isinstance(cells, Text) else [cell for cell in cells if isinstance(cell, str)]
    if not all(_THOUSANDS.fullmatch(text) for text in texts if "." in text):
        return None
    if isinstance(cells, Text):
        return numbers(Text(cells.codes, [text.replace(".", "") for text in texts]))[0]
    return numbers([cell.replace(".", "") if isinstance(cell, str) else cell for cell in items_of(cells)])[0]
