"""Games told more than once: copies and contradictions under one game id, and identical rows without one."""

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.games.coded import Coded
from tallymark.games.report import Findings, Reason

_OTHERS_NAMED = 5
_DAY = 86_400_000_000


def check_duplicates(coded: Coded, findings: Findings) -> None:
    """One game id, several rows: copies of the first are rejected; if any differs, all wait for a decision.

    A row with a fault of its own differs from one without. Where none is sound, each keeps its fault.
    """
    if coded.game is None or coded.games is None:
        return
    codes, table = coded.game, coded.games
    rows = np.flatnonzero(codes >= 0)
    count = np.bincount(codes[rows], minlength=len(table))
    rows = rows[count[codes[rows]] > 1]
    sound = np.zeros(len(table), dtype=bool)
    sound[codes[rows[findings.open[rows]]]] = True
    rows = rows[sound[codes[rows]]]
    if not len(rows):
        return
    groups: dict[int, list[int]] = {}
    for row in rows.tolist():
        groups.setdefault(int(codes[row]), []).append(row)
    first = np.array([groups[int(codes[row])][0] for row in rows.tolist()], dtype=np.int64)
    apart = np.zeros(len(table), dtype=bool)
    apart[codes[rows[~findings.open[rows]]]] = True
    for name, values in coded.per_row().items():
        if name != "row":
            apart[codes[rows][~same(values[rows], values[first])]] = True
    findings.hold(
        rows[apart[codes[rows]]].tolist(),
        Reason.CONFLICTING_GAME,
        lambda row: (
            f"game {shortened(table[codes[row]])} is told otherwise in "
            f"{_others(groups[int(codes[row])], row, findings)}"
        ),
    )
    findings.reject(
        rows[(first != rows) & ~apart[codes[rows]]].tolist(),
        Reason.DUPLICATE_GAME,
        lambda row: f"game {shortened(table[codes[row]])} is {findings.place(groups[int(codes[row])][0])} again",
    )


def note_identical(coded: Coded, findings: Findings) -> None:
    """Rows without game ids that have a date alone and are equal in all: kept, for they may be two games; but told.

    An instant at midnight UTC counts as a date alone.
    """
    if coded.time is None:
        return
    there = findings.open & (coded.time % _DAY == 0)
    rows = np.flatnonzero(there if coded.game is None else there & (coded.game < 0))
    columns = [values for name, values in coded.per_row().items() if name not in ("row", "game")]
    # From few to more: most rows differ in who met when, so that the other columns are sorted for few.
    rows = rows[_repeated([values[rows] for values in (coded.a, coded.b, coded.time)])]
    again = int(_repeated([values[rows] for values in columns]).sum())
    if again:
        findings.notes.append(
            f"{again:,} rows agree in every column that is used; name an id (game) or an order (order) "
            "if they are several games"
        )


def same(one: np.ndarray, two: np.ndarray) -> NDArray[np.bool_]:
    """Where the values are equal; what is missing (NaN) equals what is missing."""
    equal: NDArray[np.bool_] = (one == two) | ((one != one) & (two != two))
    return equal


def _repeated(columns: list[np.ndarray]) -> NDArray[np.bool_]:
    """Which rows are equal to another one in all columns."""
    order = np.lexsort(columns)
    alike = np.ones(max(len(order) - 1, 0), dtype=bool)
    for values in columns:
        alike &= same(values[order[1:]], values[order[:-1]])
    found = np.zeros(len(order), dtype=bool)
    found[order[1:][alike]] = found[order[:-1][alike]] = True
    return found


def _others(rows: list[int], row: int, findings: Findings) -> str:
    named = [findings.place(other) for other in rows[: _OTHERS_NAMED + 1] if other != row][:_OTHERS_NAMED]
    rest = len(rows) - 1 - len(named)
    return ", ".join(named) + (f" and {rest:,} more" if rest else "")
