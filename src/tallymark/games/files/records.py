"""Formats whose rows name their own cells (JSON, chess and Go files): records, brought into columns."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from tallymark.errors import ReadError
from tallymark.games.files.raw import SAMPLE, RawTable
from tallymark.games.shapes.plan import Choose, Plan

Path = tuple[str, ...]
"""The keys that lead to a cell, from the outermost object inwards."""

_DEEP: Final = 8
"""So many objects inside of one another have their keys in the header."""


class Record(NamedTuple):
    """A row by the names of its cells, the line it begins on, and what is wrong with it, if anything is."""

    line: int
    cells: dict[str, object]
    fault: str | None = None


class Digits(str):
    """A whole number beyond 64 bits, by its digits."""

    __slots__ = ()


class Made(NamedTuple):
    """What a column was made of that the file itself does not have: as a note tells it, and the names in the file."""

    told: str
    of: tuple[str, ...]


_NONE: Final[Mapping[str, Made]] = MappingProxyType({})


def table_of(
    records: Callable[[], Iterator[Record]],
    choose: Choose,
    name: str,
    needed: str,
    derived: Mapping[str, Made] = _NONE,
    mapped: Collection[str] = (),
) -> RawTable:
    """The columns that `choose` picks. `records` goes through the file once, as often as it is called.

    `derived` are the columns that were made of others: a note tells of those used, and the others are not shown to
    `choose` unless somebody `mapped` them, so that nothing is there twice.

    The header has all names in the order in which they appear, of cells inside of cells as dotted names. Only the
    columns of the plan are held; names that first appear in later rows are found by going through the file again.
    ReadError, with what is `needed` as its hint, where there is no row or the first ones are all faulty.
    """
    first: list[Record] = []
    for record in records():
        first.append(record)
        if len(first) > SAMPLE:
            break
    sound = [record for record in first if record.fault is None]
    if not first:
        raise ReadError(f"{name} is empty", hint=needed)
    if not sound:
        raise ReadError(f"{name}, line {first[0].line}: {first[0].fault}", hint=needed)
    hidden = {(key,) for made in derived.values() for key in made.of if key not in mapped}
    header = _header(sound, hidden) or _header(records(), hidden)
    if not header:
        raise ReadError(f"{name} has rows, and nothing in them", hint=needed)
    try:
        plan = _chosen(choose, header, sound)
    except ReadError:  # may be what a later row has
        whole = _header(records(), hidden)
        if len(whole) == len(header):
            raise
        header, plan = whole, _chosen(choose, whole, sound)
    table, seen = _table(records(), header, plan)
    later = [(key,) for key in seen if (key,) not in header and (key,) not in hidden]
    if later:
        header += later
        again = _chosen(choose, header, sound)
        if again.columns != plan.columns:
            table, _ = _table(records(), header, again)
    used = {header[at][0] for at in table.plan.positions if len(header[at]) == 1}
    made = ", ".join(f"{column} = {found.told}" for column, found in derived.items() if column in used)
    notes = (made, *table.notes) if made else table.notes
    return replace(table, notes=notes, whole=lambda rows: _whole(records(), rows))


def _whole(records: Iterable[Record], rows: Sequence[int]) -> dict[int, object]:
    """All cells of each of these rows, in a form that can be compared."""
    wanted = set(rows)
    return {at: repr(record.cells) for at, record in enumerate(records) if at in wanted}


def _chosen(choose: Choose, header: Sequence[Path], sound: Sequence[Record]) -> Plan:
    names = [".".join(path) for path in header]
    return choose(names, [[_cell(record.cells, path) for path in header] for record in sound])


def _table(records: Iterable[Record], header: Sequence[Path], plan: Plan) -> tuple[RawTable, dict[str, None]]:
    """The planned columns of all rows, and all outermost names there are."""
    paths = {at: header[at] for at in plan.positions}
    cells: dict[int, list[object]] = {at: [] for at in paths}
    lines: list[int] = []
    faults: dict[int, str] = {}
    seen: dict[str, None] = {}
    large: dict[str, int] = {}
    for record in records:
        if record.fault is not None:
            faults[len(lines)] = record.fault
        lines.append(record.line)
        row = record.cells if record.fault is None else {}
        seen.update(dict.fromkeys(row))
        for at, path in paths.items():
            cell = row.get(path[0]) if len(path) == 1 else _cell(row, path)
            if type(cell) is Digits:
                cell = str(cell)
                large[".".join(path)] = large.get(".".join(path), 0) + 1
            cells[at].append(cell)
    notes = tuple(
        f"{count:,} of {name} {'are' if count > 1 else 'is'} beyond 64-bit integers and kept as text"
        for name, count in large.items()
    )
    numbers = np.array(lines, dtype=np.int64)
    return RawTable(plan, dict(cells), len(lines), numbers, len(header), faults=faults, notes=notes), seen


def _cell(value: object, path: Path) -> object:
    """What the keys lead to, None where they lead nowhere."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _header(records: Iterable[Record], hidden: Collection[Path]) -> list[Path]:
    """The names of all rows in the order of their first appearance, those inside of an object right after its own."""
    found: dict[Path, None] = {}
    for record in records:
        if record.fault is None:
            for path in _paths(record.cells):
                if path not in hidden:
                    found.setdefault(path)
    outermost = {path[0]: place for place, path in reversed(list(enumerate(found)))}
    return sorted(found, key=lambda path: outermost[path[0]])


def _paths(cells: dict[str, object], before: Path = ()) -> Iterator[Path]:
    for key, inner in cells.items():
        yield (*before, key)
        if isinstance(inner, dict) and len(before) < _DEEP:
            yield from _paths(inner, (*before, key))
