"""Chess: moves as UCI spells them, and positions as FEN does."""

import importlib
from collections.abc import Mapping
from typing import Final, Protocol, cast

from tallymark.arena.games.engine import State
from tallymark.arena.games.face import Action, Ruleset, Seat
from tallymark.arena.games.grids import grid, rows
from tallymark.arena.games.openspiel import BoardGame, Reading
from tallymark.ledger.matches import Json

_HALF_MOVES: Final = 100
"""Half moves without a capture or a pawn's move that end a game."""
_COLOURS: Final = ("white", "black")


class Board(Protocol):
    """OpenSpiel's board of chess."""

    def to_fen(self) -> str: ...

    def has_legal_moves(self) -> bool: ...


class ChessState(State, Protocol):
    """OpenSpiel's position of chess."""

    def board(self) -> Board: ...

    def is_repetition_draw(self) -> bool: ...

    def parse_move_to_action(self, move: str) -> int: ...


class _Move(Protocol):
    def to_lan(self) -> str: ...


class _Moves(Protocol):
    def action_to_move(self, action: int, board: Board) -> _Move: ...


def fen(state: State) -> str:
    """A position in Forsyth-Edwards Notation."""
    return cast(ChessState, state).board().to_fen()


def placed(position: str) -> list[str]:
    """The rows of a board from its FEN, the eighth first; an empty square is a full stop.

    >>> placed("8/8/8/3pP3/8/8/8/K6k w - d6 0 1")[3]
    '...pP...'
    """
    spread = position.split()[0]
    for count in range(8, 0, -1):
        spread = spread.replace(str(count), "." * count)
    return spread.split("/")


def _spelt(state: State, action: int) -> Action:
    """A legal move as UCI has it: `e2e4`, `e7e8q`, castling as the king's move `e1g1`."""
    moves: _Moves = importlib.import_module("pyspiel").chess
    return moves.action_to_move(action, cast(ChessState, state).board()).to_lan()


def _number(state: State, action: Action) -> int:
    return cast(ChessState, state).parse_move_to_action(action)


def _shown(state: State) -> Mapping[str, Json]:
    position = fen(state)
    return {"fen": position, "rows": placed(position)}


def _told(state: State, winner: Seat | None) -> str:
    if winner is not None:
        return f"{_COLOURS[winner]} mates"
    ended = cast(ChessState, state)
    if ended.is_repetition_draw():
        return "drawn: the position came a third time"
    if not ended.board().has_legal_moves():
        return "drawn: stalemate"
    if int(fen(state).split()[4]) >= _HALF_MOVES:
        return "drawn: fifty moves without a capture or a pawn's move"
    return "drawn: neither side can mate"


def _drawn(shown: Mapping[str, Json]) -> str:
    return grid(rows(shown), up=True)


CHESS: Final = BoardGame(
    "chess",
    "Chess",
    "chess",
    Reading(_spelt, _number, _shown, _told, _drawn),
    Ruleset(
        "chess-1",
        30_000,
        told="White is the first seat. A position that comes a third time, fifty moves without a capture or a pawn's "
        "move, stalemate, and too few pieces to mate are draws at once, unclaimed. Nobody resigns or offers a draw.",
    ),
    begins=1,
)
