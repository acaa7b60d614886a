"""Which pair a ballot is of: pure, from where items stand, what the voter has had, and a source of chance.

The rule. A pair that the voter has had never comes again. The items of the voter's last ballots rest, as far as there
are enough others. Of the rest, the `UNCERTAIN` items are looked at whose deviations are largest, new ones first, by lot
where they are equal; an anchor is each of the first `ANCHORS` of them. An anchor's candidates are the `NEAREST` items
that are nearest to it in rating, and the `NEAREST` that are nearest among the uncertain ones; where there are no more
than `FEW` items, all pairs are candidates. Of the candidates, those with a new item go first, then the one that teaches
most, by lot among equals. If the voter has had all of them, the next anchors are tried, then resting items, and at last
any pair.

What it costs does not grow with the pairs: one pass over an array of deviations, and some hundred and fifty updates.
"""

import random
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tallymark.service.votes.teaching import Item, Teaching

UNCERTAIN: Final = 64
ANCHORS: Final = 3
NEAREST: Final = 6
FEW: Final = 10
RESTING: Final = 4
"""Ballots for which an item rests, at most."""
_AT_ONCE: Final = 500
"""Pairs that are asked about in one statement."""
_TRIES: Final = 4000
"""Pairs drawn by lot where there are too many to go through: whoever has had all these has had almost all."""
_ALL: Final = 100_000
"""Pairs that are gone through, at most."""

Pair: TypeAlias = tuple[int, int]
"""Places of two items, the lesser first."""
Had: TypeAlias = Callable[[Sequence[Pair]], Collection[Pair]]
"""Which of these pairs the voter has had."""


@dataclass(frozen=True)
class Field:
    """The items that may be chosen, each a place in the arrays: states, rated votes (0: new), and the places in the
    order of the ratings."""

    mu: NDArray[np.float64]
    phi2: NDArray[np.float64]
    sigma2: NDArray[np.float64]
    games: NDArray[np.int64]
    by_rating: NDArray[np.int64]

    @classmethod
    def of(cls, items: Sequence[Item]) -> "Field":
        """Of items as they stand."""
        columns = list(zip(*items, strict=True)) or [()] * len(Item._fields)
        mu = np.array(columns[0], np.float64)
        return cls(
            mu,
            np.array(columns[1], np.float64),
            np.array(columns[2], np.float64),
            np.array(columns[3], np.int64),
            np.argsort(mu, kind="stable"),
        )

    def moved(self, items: Sequence[tuple[int, Item]]) -> "Field":
        """The field with these places elsewhere."""
        mu, phi2, sigma2, games = self.mu.copy(), self.phi2.copy(), self.sigma2.copy(), self.games.copy()
        gone = np.array([place for place, _ in items], np.int64)
        for place, item in items:
            mu[place], phi2[place], sigma2[place], games[place] = item
        stays = np.ones(len(self), bool)
        stays[gone] = False
        order = self.by_rating[stays[self.by_rating]]
        gone = gone[np.argsort(mu[gone], kind="stable")]
        return Field(mu, phi2, sigma2, games, np.insert(order, np.searchsorted(mu[order], mu[gone]), gone))

    def __len__(self) -> int:
        return len(self.mu)

    def item(self, place: int) -> Item:
        """Where one stands."""
        return Item(float(self.mu[place]), float(self.phi2[place]), float(self.sigma2[place]), int(self.games[place]))


def rest_of(items: int) -> int:
    """For how many ballots of a voter an item rests, where there are so many items.

    >>> rest_of(2), rest_of(10), rest_of(1000)
    (0, 2, 4)
    """
    return max(0, min(RESTING, (items - 2) // 4))


def choose(field: Field, had: Had, resting: Collection[int], teaches: Teaching, chance: random.Random) -> Pair | None:
    """The pair of a voter's next ballot; None where the voter has had them all. `resting`: the items of the voter's
    last `rest_of` ballots."""
    if len(field) < 2:
        return None
    for asleep in (resting, ()) if resting else ((),):
        uncertain = uncertain_of(field, asleep, chance)
        for low in range(0, 1 if len(field) <= FEW else len(uncertain), ANCHORS):
            pairs = candidates(field, uncertain, low, asleep, chance)
            gone = set(had(pairs)) if pairs else set()
            left = [pair for pair in pairs if pair not in gone]
            if left:
                return _best(field, left, teaches, chance)
    return _any(len(field), had, chance)


def uncertain_of(field: Field, resting: Collection[int], chance: random.Random) -> list[int]:
    """The items of the largest deviations, new ones first, by lot among equals."""
    awake = np.ones(len(field), bool)
    awake[list(resting)] = False
    new = _lot(np.flatnonzero(awake & (field.games == 0)), UNCERTAIN, chance)
    wanted = UNCERTAIN - len(new)
    if not wanted:
        return new
    old = np.flatnonzero(awake & (field.games > 0))
    phi2 = field.phi2[old]
    if len(old) > wanted:
        least = np.partition(phi2, len(old) - wanted)[len(old) - wanted]
        above = old[phi2 > least]
        old = np.append(above, _lot(old[phi2 == least], wanted - len(above), chance))
    return new + sorted(_lot(old, wanted, chance), key=lambda place: -field.phi2[place])


def _lot(places: NDArray[np.int64], most: int, chance: random.Random) -> list[int]:
    """So many of the places, or all of them where they are not more, in an order by lot."""
    return [int(places[n]) for n in chance.sample(range(len(places)), min(most, len(places)))]


def candidates(
    field: Field, uncertain: Sequence[int], low: int, resting: Collection[int], chance: random.Random
) -> list[Pair]:
    """The pairs of the anchors from one of the uncertain items on."""
    if len(field) <= FEW:
        return list(combinations(sorted(uncertain), 2))
    found: dict[Pair, None] = {}
    among = sorted(uncertain, key=lambda place: field.mu[place])
    for anchor in uncertain[low : low + ANCHORS]:
        near = _near(field, field.by_rating, anchor, resting, chance) + _near(field, among, anchor, (), chance)
        for other in near:
            found[min(anchor, other), max(anchor, other)] = None
    return list(found)


def _near(
    field: Field,
    order: Sequence[int] | NDArray[np.int64],
    anchor: int,
    resting: Collection[int],
    chance: random.Random,
) -> list[int]:
    """The nearest in an order by rating; of those at the same rating, some by lot."""
    mu = float(field.mu[anchor])

    def rating(place: int) -> float:
        return float(field.mu[place])

    first = bisect_left(order, mu, key=rating)
    at = chance.randrange(first, bisect_right(order, mu, lo=first, key=rating))  # the anchor is one of them
    reach = NEAREST + len(resting) + 1
    some = [int(place) for place in order[max(0, at - reach) : at + reach]]
    some = [place for place in some if place != anchor and place not in resting]
    return sorted(some, key=lambda place: abs(rating(place) - mu))[:NEAREST]


def _best(field: Field, pairs: Sequence[Pair], teaches: Teaching, chance: random.Random) -> Pair:
    items = {place: field.item(place) for pair in pairs for place in pair}
    worth = [(0 in (items[a].games, items[b].games), teaches(items[a], items[b])) for a, b in pairs]
    most = max(worth)
    return chance.choice([pair for pair, one in zip(pairs, worth, strict=True) if one == most])


def _any(items: int, had: Had, chance: random.Random) -> Pair | None:
    """Some pair that the voter has not had."""
    drawn = _drawn(items, chance)
    while some := list(islice(drawn, _AT_ONCE)):
        gone = set(had(some))
        for pair in some:
            if pair not in gone:
                return pair
    return None


def _drawn(items: int, chance: random.Random) -> Iterator[Pair]:
    """All pairs by lot, or where they are very many, some."""
    if items * (items - 1) // 2 <= _ALL:
        pairs = list(combinations(range(items), 2))
        chance.shuffle(pairs)
        yield from pairs
    else:
        for _ in range(_TRIES):
            a, b = sorted(chance.sample(range(items), 2))
            yield a, b
