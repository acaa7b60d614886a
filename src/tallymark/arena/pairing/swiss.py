"""A Swiss tournament: who meets whom in the next round, by the rounds before."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from tallymark.arena.pairing.contender import Contender, of_one_owner
from tallymark.arena.pairing.fixed import Round, check_each_once
from tallymark.arena.pairing.matching import Partners
from tallymark.errors import InputError


class Played(NamedTuple):
    """A game of an earlier round: `score` is that of the one in front. A bye has no `other`, and scores 1."""

    one: str
    other: str | None
    score: float = 1.0


def swiss(contenders: Sequence[Contender], history: Sequence[Played]) -> Round:
    """The next round; the same for the same games, in whatever order the contenders are given.

    Ranks are by points, then rating, then id. The bye goes to the lowest who had none. From the top, everybody meets
    somebody of its own points: the upper half of a group meets the lower half in order; who finds nobody there goes
    down. No two meet twice, nobody of one owner meets, and no pairing is made that would leave somebody without a
    partner. The one who had the first side less often has it; then who had the second one last; then the higher rank.
    Raises `InputError` where no such round is left, or a game is of somebody else.

    >>> from tallymark import Rating
    >>> four = [Contender(agent, Rating(rating)) for agent, rating in zip("abcd", (1900, 1800, 1700, 1600))]
    >>> swiss(four, []).pairs
    (('a', 'c'), ('b', 'd'))
    >>> swiss(four, [Played("a", "c", 1.0), Played("b", "d", 0.5)]).pairs
    (('a', 'b'), ('d', 'c'))
    """
    check_each_once(one.agent for one in contenders)
    points = _points(contenders, history)
    ranks = sorted(contenders, key=lambda one: (-points[one.agent], -one.rating.rating, one.agent))
    met = {frozenset((game.one, game.other)) for game in history if game.other is not None}
    byes = {game.one for game in history if game.other is None}
    n = len(ranks)
    nobody = n  # has the bye for a partner

    def allowed(a: int, b: int) -> bool:
        if nobody in (a, b):
            return ranks[min(a, b)].agent not in byes
        one, other = ranks[a], ranks[b]
        return not of_one_owner(one, other) and frozenset((one.agent, other.agent)) not in met

    partners = Partners(n + n % 2, allowed)
    if not partners.complete:
        raise InputError(f"no round is left in which these {n} agents meet somebody new, with a bye to nobody twice")
    open_ = list(range(n))
    bye = None
    if n % 2:
        bye = next(rank for rank in reversed(open_) if partners.fix(rank, nobody))
        open_.remove(bye)
    pairs: list[tuple[str, str]] = []
    while open_:
        groups = [list(group) for _, group in groupby(open_, key=lambda rank: points[ranks[rank].agent])]
        one = open_[0]
        other = next(rank for rank in _wanted(groups) if partners.fix(one, rank))
        open_ = [rank for rank in open_ if rank not in (one, other)]
        pairs.append(_sides(ranks[one].agent, ranks[other].agent, history))
    return Round(tuple(pairs), None if bye is None else ranks[bye].agent)


def _wanted(groups: Sequence[Sequence[int]]) -> Iterator[int]:
    """Opponents of the first one, the most fitting first."""
    own, *lower = groups
    half = len(own) // 2
    yield from own[max(half, 1) :]
    yield from reversed(own[1:half])
    for group in lower:
        yield from group


def _points(contenders: Sequence[Contender], history: Sequence[Played]) -> dict[str, float]:
    points = {one.agent: 0.0 for one in contenders}
    for game in history:
        if game.score not in (0.0, 0.5, 1.0):
            raise InputError(f"score of {game.one!r} is {game.score!r}; expected 1, 0.5 or 0")
        for agent, score in ((game.one, game.score), (game.other, 1.0 - game.score)):
            if agent is not None:
                if agent not in points:
                    raise InputError(f"{agent!r} played in an earlier round and is no contender")
                points[agent] += score
    return points


def _sides(one: str, other: str, history: Sequence[Played]) -> tuple[str, str]:
    """Both in the order of their sides; `one` is the higher rank."""
    firsts: Counter[str] = Counter()
    last: dict[str, int] = {}
    for game in history:
        if game.other is not None:
            firsts.update({game.one: 1, game.other: -1})
            last.update({game.one: 1, game.other: -1})
    return (one, other) if (firsts[one], last.get(one, 0)) <= (firsts[other], last.get(other, 0)) else (other, one)
