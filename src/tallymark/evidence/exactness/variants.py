"""Replays that only the evidence runs: quotients cut off, small boards at lower weight. Both by the plain fold.

Neither is a methodology: no contract divides so, and games of go-onchain-v2 all have full weight. So they are folds of
the evidence, over the very formulas of the methodologies.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Final, cast

from tallymark.fixedpoint import truncating
from tallymark.fixedpoint.counting import rebound
from tallymark.methodology import Methodology
from tallymark.numeric import formula, named_after
from tallymark.replay import exact
from tallymark.replay.columns import Players
from tallymark.replay.engines import Engine, Machine, Work
from tallymark.replay.fold import Fold
from tallymark.systems import Formulas, Glicko2HalfLife, q32
from tallymark.systems.face import Constants, formulas_over
from tallymark.systems.glicko2 import game
from tallymark.systems.parameters import parameters

_named = named_after("truncating")
_SEEN: Final = formula(inline=True)(_named(rebound(q32, [q32.seen_as], {"root": truncating.root})["seen_as"]))
_GAME: Final = formula(inline=True)(
    _named(rebound(q32, [q32.exact_game], {"game": truncating.game, "seen_as": _SEEN})["exact_game"])
)
truncating_fold: Final = cast(Fold, _named(rebound(exact, [exact.exact_fold], {"exact_game": _GAME})["exact_fold"]))
"""`exact_fold` over quotients that are cut off."""


@cache
def _compiled_fold() -> Fold:
    from tallymark.replay.compiled import compiled

    return compiled(truncating_fold)


class ByFold(Machine):
    """A methodology by the plain fold alone, which knows the share of a game."""

    def rate(self, work: Work, first: int, last: int) -> None:
        """Rates units first..last of the work."""
        if first < last:
            self.fold(work, first, last)


class Truncating(ByFold):
    """go-onchain-v2 with quotients and roots that are cut off."""

    def __init__(self, rules: Methodology, players: Players, engine: Engine, games: int) -> None:
        super().__init__(rules, players, engine, games)
        fold = truncating_fold if self.by_interpreter else _compiled_fold()
        self._loops = self._loops._replace(fold=fold)


@formula(inline=True)
def weighted_game(
    mu: float, mu_other: float, g_other: float, s: float, not_s: float, share: float, k: Constants
) -> tuple[float, float]:
    """What one game of a weight adds to (w, u): so much of its information, and so much of its surprise.

    >>> weighted_game(0.0, 0.0, 1.0, 1.0, 0.0, 0.5, ())
    (0.125, 0.25)
    """
    w, u = game(mu, mu_other, g_other, s, not_s, share, k)
    return share * w, share * u


@dataclass(frozen=True)
class WeightedHalfLife(Glicko2HalfLife):
    """`Glicko2HalfLife` whose games count by their share: weight g^2 E (1 - E) and weight g (s - E)."""

    @property
    def formulas(self) -> Formulas:
        run = super().formulas
        return formulas_over(run.weight, weighted_game, run.settle, run.quick, run.growth, run.logit)


def weighted(rules: Methodology) -> Methodology:
    """The rules of the float model, with games that count by their share."""
    given = {name: getattr(rules.system, name) for name, _ in parameters(rules.system)}
    return replace(rules, system=WeightedHalfLife(**given))
