"""A cross-table: a row and a column for each player, and where they meet the result of the row's player."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from tallymark.checked import shortened
from tallymark.errors import InputError, ReadError
from tallymark.games.columns import Cells
from tallymark.games.ids import exact_items
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.head import Choice, Head
from tallymark.games.shapes.outcomes import distinct
from tallymark.games.shapes.results import NOTHING, Outcome, parse_result, plainly

_MOST: Final = 150
"""So many players, and no more, stand in a cross-table: recognition has to see all of it."""
_SHOWN: Final = 5
SQUARE: Final = "square"
"""What the columns of a cross-table are called in a plan: the players, then a column for each in their order."""


def find_square(choice: Choice, head: Head) -> bool:
    """Takes the columns of a cross-table: one of names, each of which names a column too."""
    if len(head.sample) < 2 or len(head.sample) > _MOST:
        return False
    for at in range(len(head.names)):
        names = head.texts(at)
        others = {name for position, name in enumerate(head.names) if position != at}
        if len(names) == len(set(names)) == len(head.sample) and set(names) <= others:
            choice.columns[SQUARE] = (at, *(head.once(name) for name in names))
            choice.notes.append("a cross-table: both cells of two players tell one game")
            rest = [head.names[other] for other in range(len(head.names)) if other not in choice.columns[SQUARE]]
            if rest:
                shown = ", ".join(map(shortened, rest[:_SHOWN])) + (" and more" if len(rest) > _SHOWN else "")
                choice.notes.append(f"columns that no row has a name for are not read: {shown}")
            return True
    return False


def squared(columns: Sequence[Cells], findings: Findings) -> tuple[dict[str, Cells], Findings]:
    """The games of a cross-table, each of the row it is met in first, and the findings about these.

    ReadError where two players' cells do not tell the same.

    >>> told, _ = squared([["ann", "bob"], ["", "0"], ["1", ""]], Findings(2))
    >>> told["player_a"], told["player_b"], told["score_a"].tolist()
    (['ann'], ['bob'], [1.0])
    """
    players = exact_items(columns[0], "player")
    cells: list[list[str]] = []
    for column in columns[1:]:
        codes, table = distinct(column)
        cells.append([table[code] for code in codes.tolist()])
    faults: dict[int, str] = {}
    met: list[tuple[int, int, float]] = []
    for row in range(len(players)):
        for other in range(row + 1, len(players)):
            one = _outcome(cells[other][row], row, players[other], faults)
            two = _outcome(cells[row][other], other, players[row], faults)
            if one is not None and two is not None and not _agree(one, two):
                name = ", ".join(findings.origin.files) or "the table"
                mine, theirs = shortened(cells[other][row]), shortened(cells[row][other])
                raise ReadError(
                    f"{name}: {shortened(players[row])} against {shortened(players[other])} is {mine}, and the other "
                    f"way round {theirs}",
                    hint="if each cell is a game of its own (home and away), write a row a game",
                )
            score = one.score if one is not None else 1.0 - two.score if two is not None else math.nan
            if not math.isnan(score):
                met.append((row, other, score))
    findings.reject(faults, Reason.UNKNOWN_RESULT, lambda row: faults[row])
    told: dict[str, Cells] = {
        "player_a": [players[row] for row, _, _ in met],
        "player_b": [players[other] for _, other, _ in met],
        "score_a": np.array([score for _, _, score in met], dtype=np.float64),
    }
    return told, findings.spread(np.array([row for row, _, _ in met], dtype=np.int64))


def _outcome(text: str, row: int, against: object, faults: dict[int, str]) -> Outcome | None:
    if not text.strip() or plainly(text) in NOTHING:
        return None
    try:
        return parse_result(text)
    except InputError as error:
        faults.setdefault(row, f"against {shortened(against)}: {error.message}")
        return None


def _agree(one: Outcome, two: Outcome) -> bool:
    if math.isnan(one.score) or math.isnan(two.score):
        return one.ending == two.ending
    return one.score + two.score == 1.0
