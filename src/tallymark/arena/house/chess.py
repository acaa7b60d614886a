"""An agent for chess that looks two moves ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tallymark.arena.chance import drawn
from tallymark.arena.games.chess import fen, placed
from tallymark.arena.games.engine import State
from tallymark.arena.games.face import Action
from tallymark.arena.games.openspiel import BoardGame
from tallymark.arena.house.boards import VALUES, ended, rebuilt
from tallymark.arena.referee.saying import ActionRequest

_MATE: Final = 10**6
_CENTRE: Final = (0, 1, 2, 3, 3, 2, 1, 0)
"""How far from the edge a row or column lies."""
_LEAD: Final = 300
"""With so much more material the other king is hunted."""


@dataclass(frozen=True)
class AlphaBeta:
    """Every line of `depth` half moves, by the worth of the pieces and where they stand, with alpha-beta cuts."""

    depth: int

    @property
    def told(self) -> str:
        """See `Mind`."""
        return (
            f"Alpha-beta search of every line of {self.depth} half moves, by pieces, their way to the middle and pawns "
            "on their way; well ahead it drives the other king to the edge and near its own. Of equals one at random."
        )

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        """See `Mind`."""
        one, state = rebuilt(asked)
        order = sorted(state.legal_actions(), key=lambda action: drawn(chance, str(action)))
        best, found = -2 * _MATE, order[0]
        for action in order:  # of equal moves the first, in an order that chance drew
            value = -self._worth(one, _after(state, action), 1 - asked.seat, self.depth - 1, -2 * _MATE, -best)
            if value > best:
                best, found = value, action
        return one.reading.spelt(state, found)

    def _worth(self, one: BoardGame, state: State, seat: int, depth: int, low: int, high: int) -> int:
        """Of a position to the seat that moves."""
        if state.is_terminal():
            return ended(one, state, seat) * (_MATE + depth)  # a mate now is better than a mate later
        if depth == 0:
            return standing(placed(fen(state)), seat)
        for action in state.legal_actions():
            low = max(low, -self._worth(one, _after(state, action), 1 - seat, depth - 1, -high, -low))
            if low >= high:
                break
        return low


def standing(board: Sequence[str], seat: int) -> int:
    """What a board is worth to a seat: pieces, their way to the middle, pawns on their way; and far ahead, the other
    king near the edge and near one's own."""
    worth = 0
    kings = [(0, 0), (0, 0)]
    for y, row in enumerate(board):
        if row == "........":
            continue
        for x, piece in enumerate(row):
            if piece == ".":
                continue
            white, kind = piece.isupper(), piece.lower()
            value = VALUES[kind]
            if kind == "k":
                kings[0 if white else 1] = (y, x)
            elif kind == "p":
                value += 4 * (6 - y if white else y - 1)
            else:
                value += 3 * (_CENTRE[y] + _CENTRE[x])
            worth += value if white else -value
    if abs(worth) >= _LEAD:
        hunted, hunter = (kings[1], kings[0]) if worth > 0 else (kings[0], kings[1])
        edge = 6 - _CENTRE[hunted[0]] - _CENTRE[hunted[1]]
        apart = abs(hunted[0] - hunter[0]) + abs(hunted[1] - hunter[1])
        hunt = 12 * edge - 5 * apart
        worth += hunt if worth > 0 else -hunt
    return worth if seat == 0 else -worth


def _after(state: State, action: int) -> State:
    after = state.clone()
    after.apply_action(action)
    return after
