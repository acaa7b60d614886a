"""Pairing for information: the games that are expected to lower the deviations most are played first."""

from collections.abc import Sequence
from itertools import combinations

from tallymark.arena.pairing.contender import Contender, of_one_owner
from tallymark.arena.pairing.fixed import check_each_once
from tallymark.checked import checked
from tallymark.errors import InputError
from tallymark.systems import Rating, State, System


def informative(contenders: Sequence[Contender], system: System, under: float) -> tuple[tuple[str, str], ...]:
    """The pairs of the next round; none when every deviation is under `under` points, or none is expected to fall.

    The pair with the largest `expected_fall` first, then the largest of those left, everybody once at most; ties: the
    lowest ids. Two who are both under it do not play each other, nor do two of one owner. The order in which the
    contenders are given does not matter. O(n^2) updates: some 0.2 s for a hundred. Raises `InputError` for an agent
    named twice, a negative deviation, or a system without any.

    >>> from tallymark.systems import Glicko2
    >>> three = [Contender(agent, Rating(1500, rd)) for agent, rd in (("new", 350), ("old", 60), ("mid", 150))]
    >>> informative(three, Glicko2(), under=100)
    (('new', 'old'),)
    >>> informative(three, Glicko2(), under=351)
    ()
    """
    if not system.has_deviation:
        raise InputError(f"{system.kind} has no deviations; expected a system that says how sure it is")
    check_each_once(one.agent for one in contenders)
    under = checked("under", under, "points from 0 up", low=0.0)
    found: list[tuple[float, str, str]] = []
    for one, other in combinations(sorted(contenders, key=lambda one: one.agent), 2):
        settled = one.rating.deviation < under and other.rating.deviation < under
        if not settled and not of_one_owner(one, other):
            fall = expected_fall(one.rating, other.rating, system)
            if fall > 0.0:
                found.append((-fall, one.agent, other.agent))
    busy: set[str] = set()
    pairs: list[tuple[str, str]] = []
    for _, a, b in sorted(found):
        if a not in busy and b not in busy:
            busy |= {a, b}
            pairs.append((a, b))
    return tuple(pairs)


def expected_fall(one: Rating, other: Rating, system: System) -> float:
    """By how many points both deviations together are expected to fall by a game of these two, as a period of its own.

    Won and lost are weighed by the system's own expectation. Below 0 where they are expected to rise: where the game
    would tell less than the time of a period makes uncertain.

    >>> from tallymark.systems import Glicko2
    >>> round(expected_fall(Rating(1500), Rating(1500), Glicko2()), 2)
    119.36
    """
    a, b = system.state(one), system.state(other)
    wins = system.expected(one, other)
    left = 0.0
    for weight, score in ((wins, 1.0), (1.0 - wins, 0.0)):
        left += weight * (_deviation(a, b, score, system) + _deviation(b, a, 1.0 - score, system))
    return one.deviation + other.deviation - left


def _deviation(player: State, against: State, score: float, system: System) -> float:
    """The player's deviation after it, in points."""
    sums = system.sums(player, [(against, score)])
    after, _ = system.updated(player, sums, system.growth_in_update, played=0.0)
    return system.scale.to_display(*after)[1]
