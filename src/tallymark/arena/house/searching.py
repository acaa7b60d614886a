"""Agents that search a tree of moves: OpenSpiel's Monte Carlo tree search, whose games are played out at random."""

import importlib
from dataclasses import dataclass
from typing import Final, Protocol

from tallymark.arena.chance import below
from tallymark.arena.games.engine import Engine, State
from tallymark.arena.games.face import Action
from tallymark.arena.house.boards import rebuilt
from tallymark.arena.referee.saying import ActionRequest

_MEGABYTES: Final = 64
_SEEDS: Final = 2**31 - 1


class _Bot(Protocol):
    def step(self, state: State) -> int: ...


class _Library(Protocol):
    """What is called of OpenSpiel here."""

    def RandomRolloutEvaluator(self, n_rollouts: int, seed: int) -> object: ...

    def MCTSBot(
        self,
        game: Engine,
        evaluator: object,
        uct_c: float,
        max_simulations: int,
        max_memory_mb: int,
        solve: bool,
        seed: int,
        verbose: bool,
    ) -> _Bot: ...


@dataclass(frozen=True)
class TreeSearch:
    """Monte Carlo tree search: so many games played out at random, the more promising moves more often."""

    simulations: int
    exploration: float = 2.0
    """UCT's constant."""

    @property
    def told(self) -> str:
        """See `Mind`."""
        return (
            f"OpenSpiel's Monte Carlo tree search (UCT with {self.exploration:g}, solving what is decided): "
            f"{self.simulations:,} games played out at random for each move."
        )

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        """See `Mind`."""
        one, state = rebuilt(asked)
        library: _Library = importlib.import_module("pyspiel")
        evaluator = library.RandomRolloutEvaluator(1, below(chance, "playouts", _SEEDS))
        bot = library.MCTSBot(
            one.engine,
            evaluator,
            self.exploration,
            self.simulations,
            _MEGABYTES,
            solve=True,
            seed=below(chance, "search", _SEEDS),
            verbose=False,
        )
        return one.reading.spelt(state, bot.step(state))
