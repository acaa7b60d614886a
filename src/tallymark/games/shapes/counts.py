"""Rows that count games: a player, an opponent, so many wins, draws and losses. Each is so many games."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import ReadError
from tallymark.games.columns import Cells
from tallymark.games.decimals import decimals
from tallymark.games.ids import exact_items, items_of
from tallymark.games.report import Findings, Reason
from tallymark.games.texts import Text

MOST: Final = 10_000_000
"""So many games are made of counts, and no more: a slip of a key is likelier."""
_COUNTS: Final = ("wins", "draws", "losses", "games")


def is_enough(names: Mapping[str, object]) -> bool:
    """Whether these columns say how every game ended.

    >>> is_enough({"wins": 0, "losses": 0}), is_enough({"wins": 0, "games": 0})
    (True, False)
    """
    return "wins" in names and ("losses" in names or ("draws" in names and "games" in names))


def counted(cells: Mapping[str, Cells], findings: Findings) -> tuple[dict[str, Cells], Findings]:
    """The games that rows of counts stand for, and the findings about these: wins, then draws, then losses of a row.

    `cells` has player, opponent, wins and losses, or wins, draws and games, and perhaps what a game has. ReadError
    where there would be more than `MOST` games.

    >>> cells, _ = counted({"player": ["ann"], "opponent": ["bob"], "wins": ["2"], "losses": ["1"]}, Findings(1))
    >>> cells["player_a"], cells["score_a"].tolist()
    (['ann', 'ann', 'ann'], [1.0, 1.0, 0.0])
    """
    numbers = {name: _whole(cells[name], name, findings) for name in _COUNTS if name in cells}
    wins = numbers["wins"]
    draws = numbers.get("draws", np.zeros(len(findings)))
    losses = numbers["losses"] if "losses" in numbers else numbers["games"] - wins - draws
    total = wins + draws + losses
    findings.reject(
        losses < 0, Reason.BAD_NUMBER, lambda row: f"games is {total[row]:g}, fewer than wins and draws together"
    )
    if "games" in numbers:
        findings.reject(
            numbers["games"] != total,
            Reason.BAD_NUMBER,
            lambda row: f"games is {numbers['games'][row]:g}, and wins, draws and losses are {total[row]:g}",
        )
    findings.reject(total == 0, Reason.NO_RESULT, lambda _: "no games are counted")
    _refuse_twice(cells, np.stack([wins, draws, losses]), findings)
    each = np.where(findings.open, np.stack([wins, draws, losses]), 0.0).T
    if each.sum() > MOST:
        raise ReadError(
            f"{', '.join(findings.origin.files) or 'the input'} counts {each.sum():,.0f} games; "
            f"{MOST:,} are taken at most",
            hint="are these columns counts of games?",
        )
    whole = each.astype(np.int64).reshape(-1)
    of = np.repeat(np.repeat(np.arange(len(findings)), 3), whole)
    told = {name: taken(column, of) for name, column in cells.items() if name not in (*_COUNTS, "player", "opponent")}
    told |= {"player_a": taken(cells["player"], of), "player_b": taken(cells["opponent"], of)}
    told["score_a"] = np.repeat(np.tile([1.0, 0.5, 0.0], len(findings)), whole)
    findings.notes.append("rows count games: each is so many, its wins first, then draws, then losses")
    return told, findings.spread(of)


def taken(cells: Cells, at: NDArray[np.int64]) -> Cells:
    """The cells at these positions.

    >>> taken(["x", "y"], np.array([1, 1]))
    ['y', 'y']
    """
    if isinstance(cells, np.ndarray):
        return cells[at]
    if isinstance(cells, Text):
        return Text(cells.codes[at], cells.texts)
    items = items_of(cells)
    return [items[position] for position in at.tolist()]


def _whole(cells: Cells, name: str, findings: Findings) -> NDArray[np.float64]:
    values, wrong = decimals(cells, name, findings)
    findings.reject(wrong, Reason.BAD_NUMBER, lambda row: f"{name} is {shortened(wrong[row])}, which is not a number")
    findings.reject(np.isnan(values), Reason.NO_RESULT, lambda _: f"{name} is empty: no result")
    odd = ~((values >= 0) & (np.floor(values) == values) & np.isfinite(values))
    findings.reject(odd, Reason.BAD_NUMBER, lambda row: f"{name} is {values[row]:g}; it is a whole number from 0")
    return np.where(odd, 0.0, values)


def _refuse_twice(cells: Mapping[str, Cells], counts: NDArray[np.float64], findings: Findings) -> None:
    """Rejects the second of two rows that tell the same games from both sides, where the whole table does so."""
    players, opponents = exact_items(cells["player"], "player"), exact_items(cells["opponent"], "opponent")
    rows = np.flatnonzero(findings.open).tolist()
    wins, draws, losses = counts.tolist()
    first: dict[tuple[object, object], list[int]] = {}
    for row in rows:
        first.setdefault((players[row], opponents[row]), []).append(row)
    again: dict[int, int] = {}
    for row in rows:
        others = first.get((opponents[row], players[row]), [])
        if len(others) != 1 or len(first[players[row], opponents[row]]) != 1 or others[0] == row:
            return
        other = others[0]
        if (wins[row], draws[row], losses[row]) != (losses[other], draws[other], wins[other]):
            return
        if other < row:
            again[row] = other
    findings.reject(
        again,
        Reason.DUPLICATE_GAME,
        lambda row: f"the games of {findings.place(again[row])}, told from the other side",
    )
