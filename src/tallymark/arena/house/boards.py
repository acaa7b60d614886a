"""Agents for board games: at random, and by what one move makes of the board."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tallymark.arena.chance import chosen
from tallymark.arena.games.catalogue import game
from tallymark.arena.games.engine import State
from tallymark.arena.games.face import Action, Choice, Seat
from tallymark.arena.games.go import RESIGN
from tallymark.arena.games.grids import MARKS, rows
from tallymark.arena.games.openspiel import BoardGame
from tallymark.arena.referee.saying import ActionRequest
from tallymark.errors import InputError

_WON: Final = 10**9
_STEPS: Final = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
"""The neighbours of a hexagon: rows are shifted to the right by half a hexagon each."""
VALUES: Final[Mapping[str, int]] = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 900, "k": 0}
"""What the pieces of chess are worth, in hundredths of a pawn."""


@dataclass(frozen=True)
class Chance:
    """Any legal action, each as likely as the others; it does not resign, and says nothing."""

    @property
    def told(self) -> str:
        """See `Mind`."""
        return "Any legal action, each as likely as the others; it never resigns and says nothing."

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        """See `Mind`."""
        if not isinstance(asked.form, Choice):
            return ""
        return chosen(chance, "random", [action for action in asked.form.actions if action != RESIGN])


@dataclass(frozen=True)
class Greedy:
    """The move after which the board is worth most; `merit` names what it is worth by (`MERITS`)."""

    merit: str

    @property
    def told(self) -> str:
        """See `Mind`."""
        return f"The move after which {MERITS[self.merit][0]}; of equals one at random. It looks at no reply."

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        """See `Mind`."""
        one, state = rebuilt(asked)
        merit, found = MERITS[self.merit][1], dict[int, int]()
        for action in state.legal_actions():
            after = state.clone()
            after.apply_action(action)
            board = rows(one.reading.shown(after))
            found[action] = ended(one, after, asked.seat) * _WON or merit(board, asked.seat)
        best = max(found.values())
        return one.reading.spelt(state, chosen(chance, "best", [action for action in found if found[action] == best]))


def rebuilt(asked: ActionRequest) -> tuple[BoardGame, State]:
    """The game, and OpenSpiel's position after the actions that the request tells: nothing else is known of it."""
    one = game(str(asked.seen["game"]))
    actions = asked.seen.get("actions")
    if not isinstance(one, BoardGame) or not isinstance(actions, Sequence):
        raise InputError(f"{one.name} is no board game; expected one whose observation has its actions")
    return one, one.replayed([str(action) for action in actions])


def ended(one: BoardGame, state: State, seat: Seat) -> int:
    """1 where a position is won for a seat, -1 where it is lost, 0 where it is neither."""
    return int(state.returns()[seat ^ one.begins]) if state.is_terminal() else 0


def lines(board: Sequence[str], seat: Seat, length: int) -> int:
    """What lines of `length` are worth: those that only one side is in, more the fuller they are; the other side, who
    moves next, has the larger share."""
    mine, other = MARKS[seat], MARKS[1 - seat]
    height, width = len(board), len(board[0])
    worth = 0
    for y in range(height):
        for x in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if not (y + down * (length - 1) < height and 0 <= x + right * (length - 1) < width):
                    continue
                line = [board[y + down * n][x + right * n] for n in range(length)]
                if other not in line:
                    worth += 4 ** line.count(mine) - 1
                elif mine not in line:
                    worth -= 5 ** line.count(other) - 1
    return worth


def discs(board: Sequence[str], seat: Seat) -> int:
    """How many discs a side has more."""
    return sum(row.count(MARKS[seat]) - row.count(MARKS[1 - seat]) for row in board)


def path(board: Sequence[str], seat: Seat) -> int:
    """How many stones more the other side lacks to join its edges, at least."""
    return _lacking(board, 1 - seat) - _lacking(board, seat)


def _lacking(board: Sequence[str], seat: Seat) -> int:
    """The fewest stones with which a side joins its edges: top and bottom for the first, left and right."""
    mine, other, size = MARKS[seat], MARKS[1 - seat], len(board)
    turned = board if seat == 0 else ["".join(column) for column in zip(*board, strict=True)]
    least = {(0, x): int(mark != mine) for x, mark in enumerate(turned[0]) if mark != other}
    queue = deque(sorted(least, key=least.__getitem__))
    while queue:
        y, x = queue.popleft()
        for down, right in _STEPS:  # the same six when the board is turned around its diagonal
            place = y + down, x + right
            if not (0 <= place[0] < size and 0 <= place[1] < size) or turned[place[0]][place[1]] == other:
                continue
            step = int(turned[place[0]][place[1]] != mine)
            if least[y, x] + step < least.get(place, size * size):
                least[place] = least[y, x] + step
                queue.append(place) if step else queue.appendleft(place)
    return min((least.get((size - 1, x), size * size) for x in range(size)), default=size * size)


def material(board: Sequence[str], seat: Seat) -> int:
    """What a side's pieces of chess are worth more, in hundredths of a pawn."""
    pieces = [piece for row in board for piece in row if piece != "."]
    white = sum(VALUES[piece.lower()] * (1 if piece.isupper() else -1) for piece in pieces)
    return white if seat == 0 else -white


MERITS: Final[Mapping[str, tuple[str, Callable[[Sequence[str], Seat], int]]]] = {
    "three": ("its open lines are fuller than the other's", lambda board, seat: lines(board, seat, 3)),
    "four": ("its open lines of four are fuller than the other's", lambda board, seat: lines(board, seat, 4)),
    "discs": ("it has most discs", discs),
    "path": ("it lacks fewest stones to join its edges, and the other most", path),
    "material": ("its pieces are worth most (a pawn 1, the others 3.2, 3.3, 5 and 9)", material),
}
"""What boards are worth to a seat that has just moved, by name: in words, and the function."""
