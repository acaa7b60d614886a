"""Rows told as games or as entries: one form of every file, so that several can be one input."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tallymark.errors import InputError, ReadError
from tallymark.games.columns import Cells
from tallymark.games.files.raw import RawTable
from tallymark.games.form import Form
from tallymark.games.ids import items_of
from tallymark.games.report import Findings
from tallymark.games.shapes.keyed import entries_of, is_keyed
from tallymark.games.shapes.telling import scored
from tallymark.games.timing import timed


@dataclass(frozen=True)
class Told:
    """Cells by canonical name: of games (player_a, player_b, score_a, ...) or of entries (match, player, rank, ...)."""

    entries: bool
    cells: dict[str, Cells]
    findings: Findings

    @classmethod
    def of(cls, table: RawTable, findings: Findings, form: Form) -> "Told":
        """A table's rows as its plan says they are to be understood."""
        cells = {name: table.cells[at[0]] for name, at in table.plan.columns.items()}
        if "played_at" in cells:
            cells["played_at"] = timed(cells["played_at"], findings, form.clock)
        if is_keyed(cells):
            return cls(True, *entries_of(cells, findings))
        if "player" in cells:
            return cls(True, cells, findings)
        if form.results and "result" not in cells:
            raise InputError(
                f"results maps {', '.join(map(repr, form.results))}, and no column of results is read",
                hint="name the column: columns={'result': '...'}",
            )
        return cls(False, scored(cells, findings, form.results), findings)


def together(parts: Sequence[Told]) -> Told:
    """Several files as one input: columns by name, empty where a file does not have one."""
    if len(parts) == 1:
        return parts[0]
    for part in parts:
        if part.entries != parts[0].entries:
            one, other = (part.findings.origin.files[0] for part in (parts[0], part))
            kinds = ("entries", "games") if parts[0].entries else ("games", "entries")
            raise ReadError(f"{one} has {kinds[0]} and {other} has {kinds[1]}", hint="read them apart")
    names = dict.fromkeys(name for part in parts for name in part.cells)
    cells = {name: _behind([(part.cells.get(name), len(part.findings)) for part in parts]) for name in names}
    return Told(parts[0].entries, cells, Findings.of_all([part.findings for part in parts]))


def _behind(columns: Sequence[tuple[Cells | None, int]]) -> Cells:
    """Columns behind one another; where there is none, so many missing cells."""
    arrays = [cells for cells, _ in columns if isinstance(cells, np.ndarray)]
    if len(arrays) == len(columns) and len({cells.dtype for cells in arrays}) == 1:
        return np.concatenate(arrays)
    return [cell for cells, count in columns for cell in ([None] * count if cells is None else items_of(cells))]
