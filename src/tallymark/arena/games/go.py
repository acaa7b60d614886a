"""Go on three boards that share one rating: points as GTP spells them, resignation, area scoring, nothing removed."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Final

from tallymark.arena.games.checking import checked_seats, checked_turn, decided
from tallymark.arena.games.engine import State
from tallymark.arena.games.face import Action, Choice, Ruleset, Seat
from tallymark.arena.games.grids import GO_LETTERS, MARKS, grid, rows
from tallymark.arena.games.openspiel import BoardGame, BoardPosition, Reading
from tallymark.games.vocabulary import Ending
from tallymark.ledger.matches import Json

KOMI: Final[Mapping[int, float]] = {9: 7, 13: 7.5, 19: 7.5}
"""What White is given, by the lines of the board. A whole number is one, as canonical JSON spells it."""
PASS: Final = "pass"
RESIGN: Final = "resign"
_COLOURS: Final = ("black", "white")
_STONES: Final = {"B": "x", "W": "o", "EMPTY": "."}
_COUNTED: Final = {Ending.DISCONNECT: Ending.TIMEOUT, Ending.ILLEGAL: Ending.RESIGNATION}
"""The rules of the pool know two ways to lose a short game: see `GoGame.counted`."""


@dataclass(frozen=True)
class GoGame(BoardGame):
    """Go on a board of `lines` lines."""

    _: KW_ONLY
    lines: int
    rules: str = "go-onchain-v2"

    @property
    def pool(self) -> str:
        """All boards have one rating."""
        return "go"

    @property
    def komi(self) -> float:
        """What White is given."""
        return KOMI[self.lines]

    def start(self, seed: bytes, seats: int) -> "GoPosition":
        """The empty board."""
        checked_seats(self.name, self.seats, seats)
        return GoPosition(self, seed)

    def counted(self, reason: Ending) -> Ending:
        """A broken connection counts as time that ran out, an illegal action as resignation.

        `go-onchain-v2` voids games of fewer than 20 steps but those lost by resignation or timeout: an agent that
        leaves early would go unpunished under any other word.
        """
        return _COUNTED.get(reason, reason)


class GoPosition(BoardPosition):
    """A game of Go in play: a board game whose players may also resign."""

    def __init__(self, game: GoGame, seed: bytes) -> None:
        super().__init__(game, seed)
        self._lines, self._komi = game.lines, game.komi

    def form(self, seat: Seat) -> Choice:
        """The legal points, `pass`, `resign`."""
        return Choice((*super().form(seat).actions, RESIGN))

    def apply(self, seat: Seat, action: Action) -> None:
        """Plays it, or `IllegalAction`."""
        if action != RESIGN:
            super().apply(seat, action)
            return
        checked_turn(self, seat)
        self._actions.append(action)
        self._outcome = decided(1 - seat, Ending.RESIGNATION, f"{_COLOURS[seat]} resigns")

    def default(self, seat: Seat) -> Action:
        """A pass, which is always legal."""
        checked_turn(self, seat)
        return PASS

    def fields(self) -> Mapping[str, Json]:
        """`steps` (stones and passes), `board`, `komi`."""
        steps = sum(action != RESIGN for action in self._actions)
        return {"steps": steps, "board": self._lines, "komi": self._komi}


def area(board: Sequence[str]) -> tuple[int, int]:
    """Black's points and White's: stones, and the empty points that reach stones of that colour alone.

    Nothing is removed: a stone on the board at the end is alive. Source: area scoring as Tromp and Taylor put it.

    >>> area([".x.", "xxo", ".oo"])
    (4, 3)
    """
    points = [sum(row.count(mark) for row in board) for mark in MARKS]
    free = {(y, x) for y, row in enumerate(board) for x, mark in enumerate(row) if mark == "."}
    while free:
        around, border = [free.pop()], set[str]()
        size = 0
        while around:
            y, x = around.pop()
            size += 1
            for point in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if point in free:
                    free.remove(point)
                    around.append(point)
                elif 0 <= point[0] < len(board) and 0 <= point[1] < len(board):
                    border.add(board[point[0]][point[1]])
        border.discard(".")
        if len(border) == 1:
            points[MARKS.index(border.pop())] += size
    return points[0], points[1]


def _reading(lines: int, komi: float) -> Reading:
    names = [f"{GO_LETTERS[number % lines]}{number // lines + 1}" for number in range(lines * lines)] + [PASS]
    numbers = {name: number for number, name in enumerate(names)}

    def spelt(_: State, action: int) -> Action:
        return names[action]

    def number(_: State, action: Action) -> int:
        return numbers[action]

    def shown(state: State) -> Mapping[str, Json]:
        board = state.to_dict()["board_grid"]
        assert isinstance(board, Sequence)
        stones = ["".join(_STONES[mark] for point in row for mark in point.values()) for row in board[::-1]]
        return {"rows": stones, "komi": komi}

    def told(state: State, winner: Seat | None) -> str:
        black, white = area(rows(shown(state)))
        lead = black - white - komi
        if winner is not None:
            return f"{_COLOURS[winner]} wins by {abs(lead):g}"
        return "drawn: the board was as before" if lead else "drawn: both have as much"

    return Reading(spelt, number, shown, told, lambda shown: grid(rows(shown), GO_LETTERS, up=True))


def go(lines: int) -> GoGame:
    """Go on a board of 9, 13 or 19 lines, at its komi.

    >>> go(9).name, go(9).pool
    ('go-9x9', 'go')
    """
    name, komi, most = f"go-{lines}x{lines}", KOMI[lines], 2 * lines * lines
    told = (
        f"{lines} lines; Black is the first seat, White is given {komi:g} points. Area scoring: stones on the board and"
        " the empty points that reach one colour alone. Nothing is removed at the end: dead stones count for who placed"
        f" them until they are captured. Two passes one after the other end it, and so do {most} moves. A ko may not be"
        " retaken at once, and no stone may kill its own; a stone that brings back an earlier board ends the game as a"
        " draw. Who moves may resign."
    )
    # "Game time is the start of the game" in the rules of the pool, which count seconds from one to the next.
    return GoGame(
        name,
        f"Go {lines}x{lines}",
        "go",
        _reading(lines, komi),
        Ruleset(f"{name}-1", 30_000, told=told, dated="start"),
        {"board_size": lines, "komi": float(komi), "max_game_length": most},
        lines=lines,
    )
