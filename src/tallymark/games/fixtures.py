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
from tallymark.games.checking import check_pools
from tallymark.games.columns import Cells
from tallymark.games.files.opening import Source
from tallymark.games.form import Form
from tallymark.games.reading import found_in, read_table
from tallymark.games.report import Findings, LogReport, Reason
from tallymark.games.shapes.plan import Plan
from tallymark.games.times import parse_times

_COLUMNS: Final = ("player_a", "player_b", "played_at", "pool")


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
    aliases: Mapping[str, str] | None = None,
) -> Fixtures:
    """The games to come of a file in a format that `read_games` reads, with `player_a`, `player_b` and perhaps
    `played_at` and `pool`; all other columns are ignored, results too.

    `columns` maps these names to the file's own where it has them, so that the mapping of a log can be given again;
    `aliases` as in `read_games`. Raises `ReadError` for a file that cannot be read or lacks a column.

    >>> read_fixtures("fixtures.csv", columns={"player_a": "Home", "player_b": "Away"})  # doctest: +SKIP
    """
    form = Form.of(columns=columns, delimiter=delimiter, encoding=encoding, aliases=aliases)
    try:
        source = Source(Path(path))
        table = read_table(source, form, lambda first, _: _chosen(first, form.columns, source.name))
    except OSError as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"{path} cannot be read: {error.strerror or error}") from error
    findings = found_in(table, source)
    cells = {name: table.cells[at[0]] for name, at in table.plan.columns.items()}
    a, b = (_ids(cells[name], name, form.aliases, findings) for name in ("player_a", "player_b"))
    same = np.array([one is not None and one == other for one, other in zip(a, b, strict=True)], dtype=bool)
    findings.reject(same, Reason.SELF_PLAY, lambda row: f"{shortened(a[row])} plays against itself")
    times = _instants(cells["played_at"], findings) if "played_at" in cells else None
    pools, pool = check_pools(cells.get("pool"), findings)
    rows = np.flatnonzero(findings.open)
    return Fixtures(
        [one for one in map(a.__getitem__, rows.tolist()) if one is not None],
        [one for one in map(b.__getitem__, rows.tolist()) if one is not None],
        None if times is None else times[rows],
        [pools[code] for code in pool[rows].tolist()] if "pool" in cells else None,
        findings.report(len(rows)),
    )


def _chosen(header: Sequence[str], mapping: Mapping[str, str], file: str) -> Plan:
    """The columns that say who, when and where: what somebody said first, then those of the canonical names."""
    chosen: dict[str, tuple[int, ...]] = {}
    for name in _COLUMNS:
        column = mapping[name] if mapping.get(name) in header else name
        if header.count(column) > 1:
            raise ReadError(f"{file} has {header.count(column)} columns {shortened(column)}", hint="rename all but one")
        if column in header:
            chosen[name] = (list(header).index(column),)
    for name in ("player_a", "player_b"):
        if name not in chosen:
            listing = ", ".join(shortened(one) for one in header[:40])
            raise ReadError(
                f"{file} has no column {name!r}; it has {listing}", hint=f"map it: columns={{{name!r}: '...'}}"
            )
    return Plan(chosen)


def _instants(cells: Cells, findings: Findings) -> NDArray[np.int64]:
    """Instants; a game to come may have none yet."""
    times, wrong = parse_times(cells)
    findings.reject(wrong, Reason.BAD_TIME, lambda row: f"played_at: {wrong[row]}")
    return times


def _ids(cells: Cells, name: str, aliases: Mapping[str, str], findings: Findings) -> list[ids.Id | None]:
    codes, table = ids.encode(cells, name)
    findings.reject(codes < 0, Reason.MISSING_PLAYER, lambda _: f"{name} is missing")
    known: list[ids.Id | None] = [aliases.get(one, one) if isinstance(one, str) else one for one in table]
    return [known[code] if code >= 0 else None for code in codes.tolist()]
