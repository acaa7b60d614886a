"""Tic-tac-toe, connect four, othello and hex: their notation, and how OpenSpiel's positions of them are read."""

from collections.abc import Mapping, Sequence
from typing import Final

from tallymark.arena.games.engine import State
from tallymark.arena.games.face import Action, Ruleset, Seat
from tallymark.arena.games.grids import LETTERS, MARKS, grid, rows, squares
from tallymark.arena.games.openspiel import BoardGame, Reading
from tallymark.ledger.matches import Json

_EDGE: Final = {"tic-tac-toe": 3, "othello": 8, "hex": 11}
"""Squares of a side."""
_PASS: Final = 64
"""OpenSpiel's number of a pass in othello."""


def square(number: int, width: int) -> Action:
    """The name of a square that is numbered from the top left: its column's letter and its row, from 1 at the top.

    >>> square(5, 3)
    'c2'
    """
    return f"{LETTERS[number % width]}{number // width + 1}"


def numbered(action: Action, width: int) -> int:
    """The number of a square by its name: what undoes `square`.

    >>> numbered("c2", 3)
    5
    """
    return LETTERS.index(action[0]) + (int(action[1:]) - 1) * width


def _squares(width: int) -> Reading:
    """Of the squares of tic-tac-toe."""

    def spelt(_: State, action: int) -> Action:
        return square(action, width)

    def number(_: State, action: Action) -> int:
        return numbered(action, width)

    def shown(state: State) -> Mapping[str, Json]:
        line = "".join(map(str, _listed(state)))
        return {"rows": [line[start : start + width] for start in range(0, len(line), width)]}

    def told(_: State, winner: Seat | None) -> str:
        return "the board is full" if winner is None else f"{MARKS[winner]} has three in a row"

    return Reading(spelt, number, shown, told, lambda shown: grid(rows(shown)))


def _columns() -> Reading:
    """Of connect four, whose columns are 1 to 7 from the left. OpenSpiel lists its rows from the bottom."""

    def spelt(_: State, action: int) -> Action:
        return str(action + 1)

    def number(_: State, action: Action) -> int:
        return int(action) - 1

    def shown(state: State) -> Mapping[str, Json]:
        return {"rows": ["".join(row) for row in reversed(_listed(state)) if isinstance(row, Sequence)]}

    def told(_: State, winner: Seat | None) -> str:
        return "the board is full" if winner is None else f"{MARKS[winner]} has four in a row"

    def drawn(shown: Mapping[str, Json]) -> str:
        return "\n".join([*(" ".join(row) for row in rows(shown)), "1 2 3 4 5 6 7"])

    return Reading(spelt, number, shown, told, drawn)


def _discs(width: int) -> Reading:
    """Of othello: black is x and begins. Its position is printed alone, with its columns and rows around it."""

    def spelt(_: State, action: int) -> Action:
        return "pass" if action == _PASS else square(action, width)

    def number(_: State, action: Action) -> int:
        return _PASS if action == "pass" else numbered(action, width)

    def shown(state: State) -> Mapping[str, Json]:
        board = str(state).partition("a b c d e f g h")[2]
        return {"rows": [row.replace("-", ".") for row in squares(board, "-xo", width)]}

    def told(state: State, winner: Seat | None) -> str:
        counts = [sum(row.count(mark) for row in rows(shown(state))) for mark in MARKS]
        if winner is None:
            return f"both have {counts[0]}"
        return f"{MARKS[winner]} has {counts[winner]}, {MARKS[1 - winner]} {counts[1 - winner]}"

    return Reading(spelt, number, shown, told, lambda shown: grid(rows(shown)))


def _hexagons(width: int) -> Reading:
    """Of hex: x joins top and bottom, o left and right."""

    def spelt(_: State, action: int) -> Action:
        return square(action, width)

    def number(_: State, action: Action) -> int:
        return numbered(action, width)

    def shown(state: State) -> Mapping[str, Json]:
        return {"rows": squares(str(state), ".xo", width)}

    def told(_: State, winner: Seat | None) -> str:
        return "x joins top and bottom" if winner == 0 else "o joins left and right"

    return Reading(spelt, number, shown, told, lambda shown: grid(rows(shown), slant=1))


def _listed(state: State) -> Sequence[object]:
    board = state.to_dict()["board"]
    assert isinstance(board, Sequence)
    return board


TIC_TAC_TOE: Final = BoardGame(
    "tic-tac-toe",
    "Tic-tac-toe",
    "tic_tac_toe",
    _squares(_EDGE["tic-tac-toe"]),
    Ruleset("tic-tac-toe-1", 10_000, told="Three in a row win; a full board without is a draw."),
)
CONNECT_FOUR: Final = BoardGame(
    "connect-four",
    "Connect four",
    "connect_four",
    _columns(),
    Ruleset(
        "connect-four-1",
        10_000,
        told="Seven columns of six; a disc falls to the lowest free place. Four in a row win, also slanting; a full "
        "board without is a draw.",
    ),
)
OTHELLO: Final = BoardGame(
    "othello",
    "Othello",
    "othello",
    _discs(_EDGE["othello"]),
    Ruleset(
        "othello-1",
        15_000,
        told="Black (x, the first seat) begins. Who cannot turn a disc passes, and may not otherwise; where nobody "
        "can, the game is over. More discs win; as many are a draw.",
    ),
)
HEX: Final = BoardGame(
    "hex",
    "Hex",
    "hex",
    _hexagons(_EDGE["hex"]),
    Ruleset(
        "hex-1",
        15_000,
        told="11 by 11. The first seat (x) joins top and bottom, the second (o) left and right; there is no draw. The "
        "first move is not exchanged for the seat: seats are drawn, so everybody begins as often as not.",
    ),
    {"board_size": _EDGE["hex"]},
)
