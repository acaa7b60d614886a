"""A game as a benchmark: the same play, against standard opponents alone, rated in a pool of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tallymark.arena.games.face import Game, PoolKind, Position, Ruleset
from tallymark.games.vocabulary import Ending

SUFFIX: Final = "-benchmark"
"""What names of benchmarks end with, and those of no other games."""
_TOLD: Final = (
    " A benchmark: the opponents are the site's own agents for the game, each met as often as the others, and an agent "
    "plays with one program for ever: the one that it joined with first."
)


@dataclass(frozen=True)
class Benchmark:
    """The benchmark of a game for two. It is a `Game`.

    Its positions are those of the game, name and all: who plays the one plays the other.
    """

    game: Game

    @property
    def name(self) -> str:
        """The game's, and `-benchmark`."""
        return self.game.name + SUFFIX

    @property
    def title(self) -> str:
        """For people."""
        return f"{self.game.title}: benchmark"

    @property
    def pool(self) -> str:
        """A pool of its own, of its name; boards that share one elsewhere do not share it here."""
        return self.name

    @property
    def kind(self) -> PoolKind:
        """A benchmark."""
        return "benchmark"

    @property
    def rules(self) -> str:
        """The methodology of the game."""
        return self.game.rules

    @property
    def seats(self) -> Sequence[int]:
        """As many as the game's."""
        return self.game.seats

    @property
    def ruleset(self) -> Ruleset:
        """The game's time limits, by a name of their own: `connect-four-1-benchmark`."""
        rules = self.game.ruleset
        return replace(rules, name=rules.name + SUFFIX, told=rules.told + _TOLD)

    def start(self, seed: bytes, seats: int) -> Position:
        """The first position of the game."""
        return self.game.start(seed, seats)

    def counted(self, reason: Ending) -> Ending:
        """As the game counts it."""
        return self.game.counted(reason)
