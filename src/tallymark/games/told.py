"""Rows told as games or as entries: one form of every file, so that several can be one input."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tallymark.errors import InputError, ReadError
from tallymark.games.columns import Cells
from tallymark.games.files.raw import RawTable
from tallymark.games.form import Form
from tallymark.games.ids import items_of
from tallymark.games.report import Findings
from tallymark.games.shapes import wide
from tallymark.games.shapes.counts import counted
from tallymark.games.shapes.keyed import entries_of, is_keyed
from tallymark.games.shapes.mirrored import reject_mirrored
from tallymark.games.shapes.outcomes import ending_words, words_used
from tallymark.games.shapes.plan import Plan
from tallymark.games.shapes.square import SQUARE, squared
from tallymark.games.shapes.telling import scored
from tallymark.games.texts import Text
from tallymark.games.timing import timed


@dataclass(frozen=True)
class Told:
    """Cells by canonical name: of games (player_a, player_b, score_a, ...) or of entries (match, player, rank, ...)."""

    entries: bool
    cells: dict[str, Cells]
    findings: Findings
    used: frozenset[str] = frozenset()
    """The words that somebody mapped and that there are."""

    @classmethod
    def of(cls, table: RawTable, findings: Findings, form: Form) -> "Told":
        """A table's rows as its plan says they are to be understood."""
        plan = table.plan
        several = {name: [table.cells[position] for position in at] for name, at in plan.columns.items()}
        cells = {name: columns[0] for name, columns in several.items()}
        if "played_at" in cells:
            cells["played_at"] = timed(cells["played_at"], findings, form.clock)
        if form.results and not {"result", "winner_side", "ending"} & set(cells):
            raise InputError(
                f"results maps {', '.join(map(repr, form.results))}, and no column of results is read",
                hint="name the column: columns={'result': '...'}",
            )
        used = words_used(cells, form.results)
        if "ending" in cells:
            cells["ending"] = ending_words(cells["ending"], findings, form.results)
            several["ending"] = [cells["ending"]]
        return replace(cls._of(cells, several, findings, form, plan), used=used)

    @classmethod
    def _of(
        cls,
        cells: dict[str, Cells],
        several: dict[str, list[Cells]],
        findings: Findings,
        form: Form,
        plan: Plan,
    ) -> "Told":
        if is_keyed(cells):
            return cls(True, *entries_of(cells, findings))
        if SQUARE in several:
            return cls(False, *squared(several[SQUARE], findings))
        if "opponent" in cells:
            return cls(False, *counted(cells, findings))
        if any(len(columns) > 1 for columns in several.values()):
            seats = {**several, **{name: [cells[name]] for name in ("played_at",) if name in cells}}
            return cls(True, *wide.entries_of(seats, findings, form.results, plan.seats))
        if "player" in cells:
            return cls(True, cells, findings)
        told = scored(cells, findings, form.results, plan.seats, plan.sides)
        if plan.sides[1] == "opponent":
            reject_mirrored(told, findings)
        return cls(False, told, findings)


def together(parts: Sequence[Told]) -> Told:
    """Several files as one input: columns by name, empty where a file does not have one."""
    if len(parts) == 1:
        return parts[0]
    for part in parts:
        if part.entries != parts[0].entries:
            one, other = (part.findings.origin.files[0] for part in (parts[0], part))
            kinds = ("entries", "games") if parts[0].entries else ("games", "entries")
            raise ReadError(f"{one} has {kinds[0]} and {other} has {kinds[1]}", hint="read them apart")
        if part.entries and ("rank" in part.cells) != ("rank" in parts[0].cells):
            ranked, other = (one.findings.origin.files[0] for one in sorted((parts[0], part), key=_by_points))
            raise ReadError(f"{ranked} has ranks and {other} has points", hint="read them apart")
    names = dict.fromkeys(name for part in parts for name in part.cells)
    cells = {name: _behind([(part.cells.get(name), len(part.findings)) for part in parts]) for name in names}
    used = frozenset().union(*(part.used for part in parts))
    return Told(parts[0].entries, cells, Findings.of_all([part.findings for part in parts]), used)


def _by_points(part: Told) -> bool:
    return "rank" not in part.cells


def _behind(columns: Sequence[tuple[Cells | None, int]]) -> Cells:
    """Columns behind one another; where there is none, so many missing cells."""
    if all(cells is None or isinstance(cells, Text) for cells, _ in columns):
        return Text.joined([cells if isinstance(cells, Text) else Text.empty(count) for cells, count in columns])
    arrays = [cells for cells, _ in columns if isinstance(cells, np.ndarray)]
    if arrays and all(cells.dtype.kind == "M" for cells in arrays) and len(arrays) < len(columns):
        return _behind([(np.full(n, "NaT", arrays[0].dtype) if cells is None else cells, n) for cells, n in columns])
    if len(arrays) == len(columns) and len({cells.dtype for cells in arrays}) == 1:
        return np.concatenate(arrays)
    return [cell for cells, count in columns for cell in ([None] * count if cells is None else items_of(cells))]
