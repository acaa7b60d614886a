"""What a vote between two items would teach: the expected fall of both deviations, by the methodology's own update."""

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from tallymark.methodology import Methodology
from tallymark.numeric import logistic
from tallymark.replay.side import make_side


class Item(NamedTuple):
    """Where an item stands: mu, phi^2 and sigma^2 on the scale of the system, and its rated votes, 0 for a new one."""

    mu: float
    phi2: float
    sigma2: float
    games: int


Teaching: TypeAlias = Callable[[Item, Item], float]
"""(one, other) -> points."""


def teaching(rules: Methodology) -> Teaching:
    """What says by how many points the deviations of two items are expected to fall together, were they voted on next:
    the sum over who wins of its probability times the fall. Less than 0 where sigma adds more than a vote takes away; 0
    under systems without deviations. Ties are left out: no system says how probable they are.

    >>> from tallymark.methodology import methodology
    >>> votes = methodology("votes")
    >>> start = votes.entered(votes.initial())
    >>> new = Item(start.mu, start.phi2, start.sigma2, 0)
    >>> round(teaching(votes)(new, new), 2)
    119.36
    """
    run = rules.system.formulas
    side = make_side(run)
    limits = rules.limits
    k = rules.system.constants(limits.rating_steps)

    def deviation(phi2: float) -> float:
        return limits.unit * math.sqrt(phi2)

    def after(own: Item, other: Item, score: float) -> float:
        w, u = run.game(own.mu, other.mu, run.weight(other.phi2), score, 1.0 - score, 1.0, k)
        _, phi2, _, _, _ = side(own.mu, own.phi2, own.sigma2, w, u, 1.0, float(own.games), k, limits)
        return deviation(phi2)

    def taught(one: Item, other: Item) -> float:
        p, q = logistic(run.logit(one.mu, other.mu, one.phi2, other.phi2, k))
        expected = p * (after(one, other, 1.0) + after(other, one, 0.0))
        expected += q * (after(one, other, 0.0) + after(other, one, 1.0))
        return deviation(one.phi2) + deviation(other.phi2) - expected

    return taught
