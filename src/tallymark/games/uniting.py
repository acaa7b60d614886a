"""Logs as one: prepared ones, and those of other files, in one total order and checked across."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tallymark.games.checking import check_choices, check_games
from tallymark.games.choices import EVERYTHING, Choices
from tallymark.games.columns import Cells
from tallymark.games.ids import items_of
from tallymark.games.log import GameLog, in_order
from tallymark.games.noting import note_people, note_times
from tallymark.games.report import Findings
from tallymark.games.told import Told, together

_SIZES = ("size_a", "size_b")


def united(logs: Sequence[GameLog], choices: Choices = EVERYTHING) -> GameLog:
    """The games of all logs, as if their files had been read together: report and origin of all, ids and repeats
    checked across them. Within each log all of that is settled.

    >>> one, two = (GameLog.from_arrays(player_a=["ann"], player_b=[who], score_a=[1]) for who in ("bob", "cid"))
    >>> united([one, two]).players
    ['ann', 'bob', 'cid']
    """
    rows = np.cumsum([0, *(log.report.rows for log in logs)])[:-1].tolist()
    told = together([_told(log, start) for log, start in zip(logs, rows, strict=True)])
    cells, findings = told.cells, told.findings
    # A player of a log without teams is a team of one.
    sizes = {name: _whole(cells.pop(name)) for name in _SIZES if name in cells}
    coded = check_games(cells, findings)
    for name, size in sizes.items():
        setattr(coded, name, size)
    check_choices(coded, choices, findings)
    note_people(cells, coded, findings)
    note_times(coded, findings)
    log = in_order(coded, findings.open, findings)
    names = {player: name for one in logs for player, name in (one.names or {}).items()}
    return replace(log, report=replace(log.report, notes=_once(log.report.notes)), names=names or None)


def _whole(cells: Cells) -> NDArray[np.int32]:
    return np.array([1 if cell is None else cell for cell in items_of(cells)], np.int32)


def _told(log: GameLog, start: int) -> Told:
    """The games of a log in the order of their rows, as a file would tell them whose first row is `start`."""
    by_row = np.argsort(log.row, kind="stable")
    table = log.to_table()
    cells: dict[str, Cells] = {name: table[name][by_row] for name in table.columns if name != "row"}
    if log.pools == [""]:
        del cells["pool"]
    if log.match is not None and log.matches is not None:
        own = [log.matches[code] if code >= 0 else None for code in log.match.tolist()]
        if own == log.row.tolist():  # each row is a match: its number is that of the row
            cells["match"] = (log.row + start)[by_row]
    findings = Findings.of_report(log.report, log.origin, log.row[by_row])
    findings.whole = lambda rows: {row: object() for row in rows}  # no row repeats another of its own log
    return Told(False, cells, findings)


def _once(notes: Sequence[str]) -> tuple[str, ...]:
    """Each note once, and not again of a file what is said of all."""
    distinct = dict.fromkeys(notes)
    return tuple(note for note in distinct if note.partition(": ")[2] not in distinct)
