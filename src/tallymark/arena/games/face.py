"""What a game is to the arena: the face that every game has, and nothing of any game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from tallymark.errors import InputError
from tallymark.games.vocabulary import Ending
from tallymark.ledger.matches import Json

Seat: TypeAlias = int
"""The place of an agent in a match, from 0."""
Action: TypeAlias = str
"""What an agent does when it is asked, in the game's own notation: `e2e4`, `d4`, `resign`, a speech."""

PoolKind: TypeAlias = Literal["arena", "benchmark"]
"""What the pool of a game is for: agents meet each other, or all meet the same opponents under the same conditions. The
two never mix."""


Dated: TypeAlias = Literal["start", "end"]


class IllegalAction(InputError):
    """An action that a game does not allow to that seat now; the message says what was given and what is allowed."""


@dataclass(frozen=True)
class Choice:
    """One of these actions is asked for. Never empty, no action twice, in an order that depends on the position."""

    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Text:
    """A text is asked for, of so many characters at most; an empty one says nothing."""

    longest: int


Form: TypeAlias = Choice | Text
"""What kind of action is asked for."""


@dataclass(frozen=True)
class Ruleset:
    """What belongs to a game's rules besides the game: how long an agent may think, in milliseconds, and how long a
    broken connection may stay broken (0 in arena-v0). `name` names all of it, and never means anything else later."""

    name: str
    action_ms: int
    grace_ms: int = 0
    pace_ms: int = 500
    """House agents wait so long before each action of an exhibition."""
    told: str = ""
    """In a few sentences, for people: how it is won and scored, and what ends it."""
    dated: Dated = "end"
    """When a match is said to have been played, in the ledger: at its end, or at its start, in whole seconds."""


@dataclass(frozen=True)
class Side:
    """Seats that win and lose together, and their place: 1 the best, ties share one."""

    seats: tuple[Seat, ...]
    rank: int


@dataclass(frozen=True)
class Outcome:
    """How a game ended. `ending`: `normal` where the board decided, `resignation` where somebody gave up."""

    sides: tuple[Side, ...]
    ending: Ending
    told: str
    """In a few words, for people: `four in a row`, `black wins by 3.5`."""


class Position(Protocol):
    """A game in play. It changes as actions are applied; whoever holds it holds it alone.

    Every method that tells of it gives the same for the same seed and the same actions, on every machine.
    """

    @property
    def turn(self) -> int:
        """How many actions were applied."""

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats whose action is waited for, ascending: several where they act at once; none when it is over."""

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None as long as somebody is awaited."""

    def seen(self, seat: Seat | None) -> Mapping[str, Json]:
        """What a seat may know of the position; with None, what spectators may, and what a board is drawn from."""

    def form(self, seat: Seat) -> Form:
        """What an awaited seat is asked for."""

    def apply(self, seat: Seat, action: Action) -> None:
        """Applies an awaited seat's action; `IllegalAction`, and nothing changed, where it may not do that."""

    def default(self, seat: Seat) -> Action:
        """What happens where an awaited seat does nothing, in games for more than two: by seed, seat and turn."""

    def digest(self) -> str:
        """SHA-256 of the whole position, hidden things too, in hexadecimal."""

    def board(self) -> str:
        """The position for a terminal, as spectators may see it: printable lines."""

    def revealed(self) -> Mapping[str, Json]:
        """What was hidden so far: roles, cards. Asked for when the match is over, though perhaps not by an outcome: one
        of two has failed. Empty for games that hide nothing."""

    def fields(self) -> Mapping[str, Json]:
        """What the match has in the ledger besides who and how it ended: `steps`, `board`, `komi`."""


class Game(Protocol):
    """A game that can be played any number of times."""

    @property
    def name(self) -> str:
        """As addresses, queues and ids of matches have it: `connect-four`, `go-9x9`."""

    @property
    def title(self) -> str:
        """For people."""

    @property
    def pool(self) -> str:
        """Where it is rated: boards of one game may share a pool."""

    @property
    def kind(self) -> PoolKind:
        """What its pool is for."""

    @property
    def rules(self) -> str:
        """The name of the methodology that a pool for it is opened with."""

    @property
    def seats(self) -> Sequence[int]:
        """How many may play, ascending; `(2,)` for most."""

    @property
    def ruleset(self) -> Ruleset:
        """How long an agent may think, and what is to be known of the rules."""

    def start(self, seed: bytes, seats: int) -> Position:
        """The first position; what is left to chance is drawn from the seed."""

    def counted(self, reason: Ending) -> Ending:
        """The ledger's word for a match that was lost by `timeout`, `illegal` or `disconnect`: the same one, but where
        the pool's rules know no such ending."""
