"""Rows that hold an object of player: points, as JSON has them: each is a match, and its keys are the entries."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from tallymark.checked import as_float, shortened
from tallymark.errors import ReadError
from tallymark.games.columns import Cells
from tallymark.games.ids import items_of
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.head import Choice, Head
from tallymark.games.shapes.names import SHARED
from tallymark.games.shapes.plan import Plan, Row
from tallymark.games.shapes.positions import positions
from tallymark.games.shapes.spellings import GAME_IDS
from tallymark.games.shapes.ways import find_shared

POINTS: Final = "points"
_EVENTS: Final = ("type", "event", "event_type", "action")
_MOMENTS: Final = ("turn", "move", "step", "ply", "tick", "round")


def keyed_plan(header: Sequence[str], sample: Sequence[Row], mapping: Mapping[str, str], file: str) -> Plan | None:
    """The plan of rows that each have an object of numbers called points, or mapped to it; None for any others.

    >>> keyed_plan(["game_id", "points"], [(7, {"ann": 2, "bob": 1})], {}, "games.jsonl").columns
    {'points': (1,), 'match': (0,)}
    """
    points = mapping.get(POINTS, POINTS)
    if header.count(points) != 1 or any(name not in (POINTS, *SHARED) for name in mapping):
        return None
    at = header.index(points)
    cells = [row[at] for row in sample if len(row) == len(header) and row[at] is not None]
    if sum(isinstance(cell, dict) for cell in cells) * 2 <= len(cells):
        return None
    head = Head(list(header), sample, file)
    choice = Choice(frozenset(mapping), {POINTS: (at,), **positions(mapping, head, False)})
    for name in ("match", "steps", "source"):
        if name in header and choice.wants(name):
            choice.take(head, name, head.own(name))
    for game in head.spelt(*GAME_IDS)[:1]:
        if choice.wants("match"):
            choice.take(head, "match", game)
    find_shared(choice, head, games=False)
    choice.notes.insert(
        0, f"a row is a match, the keys of {points} its players: more points are a better rank, equal ones a tie"
    )
    return choice.plan()


def is_keyed(cells: Mapping[str, Cells]) -> bool:
    """Whether these columns are of rows that hold their players as keys."""
    return POINTS in cells and not any(name in cells for name in ("player", "player_a", "winner"))


def entries_of(cells: Mapping[str, Cells], findings: Findings) -> tuple[dict[str, Cells], Findings]:
    """The rows as entries, one a player: match, player, points and what the rows have besides; and their findings.

    A row whose points are none, or whose players are not all told a number, is rejected whole.
    """
    of: list[int] = []
    player: list[object] = []
    points: list[float] = []
    faults: dict[int, str] = {}
    for row, cell in enumerate(items_of(cells[POINTS])):
        found = _points(cell)
        if isinstance(found, str):
            faults[row] = found
            continue
        of += [row] * len(found)
        player += found
        points += found.values()
    findings.reject(faults, Reason.NO_RANK, lambda row: faults[row])
    rows = np.array(of, dtype=np.int64)
    told: dict[str, Cells] = {"player": player, POINTS: np.array(points, dtype=np.float64)}
    matches = cells.get("match")
    if matches is None:  # each row is one of its own
        file = findings.origin.files[0] if findings.origin.files else ""
        matches = [f"{file}, {findings.place(row)}" for row in range(len(findings))]
    for name, column in {**cells, "match": matches}.items():
        if name != POINTS:
            told[name] = column[rows] if isinstance(column, np.ndarray) else [column[row] for row in of]
    return told, findings.spread(rows)


def is_event_log(header: Sequence[str], sample: Sequence[Row]) -> bool:
    """Whether rows are what happened in games (moves, messages) rather than games: of one game, one after another.

    >>> is_event_log(["game_id", "type", "turn"], [(7, "move", 1), (7, "move", 1), (7, "talk", 2)])
    True
    """
    game = next((header.index(name) for name in ("game", "match", "game_id", "match_id") if name in header), None)
    if game is None or not any(name in header for name in _EVENTS) or not any(name in header for name in _MOMENTS):
        return False
    ids = [str(row[game]) for row in sample if len(row) == len(header)]
    return len(set(ids)) * 2 < len(ids)


def event_log(file: str) -> ReadError:
    """The error for a file of what happened in games."""
    return ReadError(
        f"{file} is a log of what happened in games, several rows a game, and no row tells a result",
        hint="give a file with a row a game, or a row a player and game, that has its result",
    )


def _points(cell: object) -> dict[str, float] | str:
    """The points of each player; a message where there are none."""
    if cell is None or cell == {}:
        return "points is empty: no result"
    if not isinstance(cell, dict):
        return f"points is {shortened(cell)}, which is no object of player: points"
    points = {str(name): as_float(value) for name, value in cell.items()}
    for name, value in points.items():
        if not np.isfinite(value):
            return f"points of {shortened(name)} is {shortened(cell[name])}, which is not a number"
    return points
