"""Games of OpenSpiel for two who take turns and see everything, behind the face of the arena's games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tallymark.arena.chance import chosen
from tallymark.arena.games.checking import checked_legal, checked_seats, checked_turn, decided
from tallymark.arena.games.digests import digest
from tallymark.arena.games.engine import Engine, Parameter, State, engine
from tallymark.arena.games.face import Action, Choice, Outcome, PoolKind, Ruleset, Seat
from tallymark.games.vocabulary import Ending
from tallymark.ledger.matches import Json

ARENA: Final = "arena-v0"
"""The methodology of most games."""


@dataclass(frozen=True)
class Reading:
    """How a game of OpenSpiel is read. None of it depends on the text that the library prints beyond the squares."""

    spelt: Callable[[State, int], Action]
    """A legal action in the arena's notation."""
    number: Callable[[State, Action], int]
    """The number of an action that is legal: what undoes `spelt`."""
    shown: Callable[[State], Mapping[str, Json]]
    """What the board looks like: `rows` from the top, and what else belongs to the position."""
    told: Callable[[State, Seat | None], str]
    """How a game that is over ended, for people, given who won."""
    drawn: Callable[[Mapping[str, Json]], str]
    """What `shown` gives, as lines for a terminal."""


@dataclass(frozen=True)
class BoardGame:
    """A board game of OpenSpiel; each match of it is a `BoardPosition`. It is a `Game`."""

    name: str
    title: str
    spiel: str
    """What OpenSpiel calls it."""
    reading: Reading
    ruleset: Ruleset
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    kind: PoolKind = "arena"
    rules: str = ARENA
    begins: int = 0
    """OpenSpiel's number of the player who moves first, and has seat 0."""
    seats: tuple[int, ...] = (2,)

    @property
    def pool(self) -> str:
        """It has a pool of its own, of its name."""
        return self.name

    @property
    def engine(self) -> Engine:
        """The game in OpenSpiel; `MissingLibraryError` where that is not installed."""
        return engine(self.spiel, **self.parameters)

    def replayed(self, actions: Sequence[Action]) -> State:
        """OpenSpiel's position after these actions, which were legal."""
        state = self.engine.new_initial_state()
        for action in actions:
            state.apply_action(self.reading.number(state, action))
        return state

    def start(self, seed: bytes, seats: int) -> "BoardPosition":
        """The first position. Nothing in it is left to chance: the seed goes into its hash alone."""
        checked_seats(self.name, self.seats, seats)
        return BoardPosition(self, seed)

    def counted(self, reason: Ending) -> Ending:
        """The same: `arena-v0` knows every way to lose."""
        return reason


class BoardPosition:
    """A board game in play: see `Position`."""

    def __init__(self, game: BoardGame, seed: bytes) -> None:
        self._game = game
        self._seed = seed
        self._state = game.engine.new_initial_state()
        self._actions: list[Action] = []
        self._after()

    def _after(self) -> None:
        state, spelt = self._state, self._game.reading.spelt
        self._legal = {spelt(state, action): action for action in state.legal_actions()}
        self._shown = self._game.reading.shown(state)
        self._outcome = self._ended() if state.is_terminal() else None

    def _ended(self) -> Outcome:
        first = self._state.returns()[self._game.begins]
        winner = None if first == 0 else 0 if first > 0 else 1
        return decided(winner, Ending.NORMAL, self._game.reading.told(self._state, winner))

    @property
    def turn(self) -> int:
        """How many actions were applied."""
        return len(self._actions)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seat to move; none when it is over."""
        return () if self._outcome else (self._mover(),)

    def _mover(self) -> Seat:
        return self._state.current_player() ^ self._game.begins

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None."""
        return self._outcome

    def seen(self, seat: Seat | None) -> Mapping[str, Json]:
        """Everything, to everybody: the game, whose view it is, who moves, all actions so far, and the board."""
        return {"game": self._game.name, "seat": seat, **self._content()}

    def _content(self) -> dict[str, Json]:
        mover = None if self._outcome else self._mover()
        told = self._outcome.told if self._outcome else None
        return {"to_move": mover, "actions": list(self._actions), **self._shown, "told": told}

    def form(self, seat: Seat) -> Choice:
        """The legal actions."""
        checked_turn(self, seat)
        return Choice(tuple(self._legal))

    def apply(self, seat: Seat, action: Action) -> None:
        """Plays it, or `IllegalAction`."""
        checked_turn(self, seat)
        self._state.apply_action(self._legal[checked_legal(action, self._legal)])
        self._actions.append(action)
        self._after()

    def default(self, seat: Seat) -> Action:
        """A legal action, drawn from seed, seat and turn."""
        return chosen(self._seed, f"default:{seat}:{self.turn}", self.form(seat).actions)

    def digest(self) -> str:
        """Of the seed, the actions and the board."""
        content = {key: value for key, value in self._content().items() if key != "told"}
        return digest({"game": self._game.name, "seed": self._seed.hex(), **content})

    def board(self) -> str:
        """The board for a terminal."""
        return self._game.reading.drawn(self._shown)

    def revealed(self) -> Mapping[str, Json]:
        """Nothing was hidden."""
        return {}

    def fields(self) -> Mapping[str, Json]:
        """`steps`: how many actions."""
        return {"steps": self.turn}
