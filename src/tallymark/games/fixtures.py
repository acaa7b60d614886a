"""Games to come, from a file: who meets whom and, where the file says so, when and in which pool."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import ReadError
from tallymark.games import ids
from tallymark.games.byes import is_bye, reject_nobody
from tallymark.games.checking import check_pools
from tallymark.games.columns import Cells
from tallymark.games.files.opening import Source
from tallymark.games.form import Form
from tallymark.games.reading import found_in, naming, read_table
from tallymark.games.report import Findings, LogReport, Reason
from tallymark.games.shapes.dates import with_dates_told
from tallymark.games.shapes.head import Choice, Head
from tallymark.games.shapes.plan import Plan, Row
from tallymark.games.shapes.sides import find_sides
from tallymark.games.shapes.ways import find_shared
from tallymark.games.timing import timed

_COLUMNS: Final = ("player_a", "player_b", "played_at", "pool")
_MAPPED: Final = (*_COLUMNS, "white", "black")


@dataclass(frozen=True, eq=False)
class Fixtures:
    """Games to come in the order of the file: ids of both sides, instants and pools where the file has them.

    `played_at`: int64 microseconds since 1970 UTC, NO_TIME where
    a row has none, or None without such a column. `report` says what became of each
    row; what was rejected is not among the games.
    """

    player_a: list[ids.Id]
    player_b: list[ids.Id]
    played_at: NDArray[np.int64] | None
    pool: list[str] | None
    report: LogReport

    def __len__(self) -> int:
        return len(self.player_a)


def read_fixtures(
    path: str | os.PathLike[str],
    *,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    times: str | None = None,
    zone: str | None = None,
    aliases: Mapping[str, str] | str | os.PathLike[str] | None = None,
) -> Fixtures:
    """The games to come of a file in any format that `read_games` reads, its columns recognised as there: two sides
    and perhaps `played_at` and `pool`; all others are ignored, those of results too.

    `columns` maps these names to the file's own, and what it says of results counts for nothing; the other options are
    those of `read_games`. Raises `ReadError` for a file that cannot be read or lacks a column.

    >>> read_fixtures("fixtures.csv", columns={"player_a": "Host", "player_b": "Guest"})  # doctest: +SKIP
    """
    form = Form.of(columns=columns, delimiter=delimiter, encoding=encoding, times=times, zone=zone, aliases=aliases)
    with naming([path]):
        source = Source(Path(path))
        table = read_table(source, form, lambda first, rows: _chosen(first, rows, form.columns, source.name))
    findings = found_in(table, source)
    cells = {name: table.cells[at[0]] for name, at in table.plan.columns.items()}
    a, b = (_ids(cells[name], name, form.aliases, findings) for name in ("player_a", "player_b"))
    same = np.array([one is not None and one == other for one, other in zip(a, b, strict=True)], dtype=bool)
    findings.reject(same, Reason.SELF_PLAY, lambda row: f"{shortened(a[row])} plays against itself")
    byes = {row: side for row, pair in enumerate(zip(a, b, strict=True)) for side in pair if side and is_bye(side)}
    findings.reject(byes, Reason.NOBODY_TO_PLAY, lambda row: f"{byes[row]} is nobody to play against")
    instants = None
    if "played_at" in cells:
        instants = timed(cells["played_at"], findings, form.clock).view(np.int64)
    pools, pool = check_pools(cells.get("pool"), findings)
    rows = np.flatnonzero(findings.open)
    return Fixtures(
        [one for one in map(a.__getitem__, rows.tolist()) if one is not None],
        [one for one in map(b.__getitem__, rows.tolist()) if one is not None],
        None if instants is None else instants[rows],
        [pools[code] for code in pool[rows].tolist()] if "pool" in cells else None,
        findings.report(len(rows)),
    )


def _chosen(first: Sequence[str], sample: Sequence[Row], mapping: Mapping[str, str], file: str) -> Plan:
    """The columns that say who, when and where: what was said first, then the canonical names, then other spellings."""
    head = Head(list(first), sample, file)
    said = {name: column for name, column in mapping.items() if name in _MAPPED}
    for name, column in said.items():
        if column and column not in head.names:
            raise ReadError(f"{file} has no column {column!r} (for {name}); it has {head.listing()}")
    choice = Choice(frozenset(said), {name: (head.once(column),) for name, column in said.items() if column})
    for name in _COLUMNS:
        if name in head.names and choice.wants(name):
            choice.take(head, name, head.once(name))
    if "player_a" not in choice.columns and "player_b" not in choice.columns:
        find_sides(choice, head)
    find_shared(choice, head, games=False)
    for name in ("player_a", "player_b"):
        if name not in choice.columns:
            raise ReadError(
                f"{file} has no column {name!r}; it has {head.listing()}", hint=f"map it: columns={{{name!r}: '...'}}"
            )
    choice.columns = {name: choice.columns[name] for name in _COLUMNS if name in choice.columns}
    choice.notes.clear()  # about columns that are not read here
    return with_dates_told(choice.plan(), first, sample, mapping, file, times=False)


def _ids(cells: Cells, name: str, aliases: Mapping[str, str], findings: Findings) -> list[ids.Id | None]:
    codes, table = ids.encode(cells, name)
    reject_nobody(name, codes, table, findings)
    known: list[ids.Id | None] = [aliases.get(str(one), one) for one in table]
    return [known[code] if code >= 0 else None for code in codes.tolist()]
