"""Who meets whom in a benchmark: everybody the standard opponents alone, each of them as often as the others."""

from collections.abc import Sequence

from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.pairing.waiting import House, Table, Waiting


def opponents(one: Waiting, house: Sequence[House], count: int) -> tuple[House, ...]:
    """So many house agents, those first that an agent has met least; ties: the lowest id. Ratings say nothing here.

    Who meets one after the other meets them all in turn: as long as the same ones are there, none was met more than
    once oftener than another.

    >>> ann = Waiting(1, "ann", "a", 1500.0, 80.0, 0, met=(("house-hex-greedy", 2), ("house-hex-random", 1)))
    >>> house = [House(f"house-hex-{manner}", 1500.0, 80.0) for manner in ("greedy", "random")]
    >>> [found.agent for found in opponents(ann, house, 1)]
    ['house-hex-random']
    """
    met = dict(one.met)
    return tuple(sorted(house, key=lambda other: (met.get(other.agent, 0), other.agent))[:count])


def standard(people: Sequence[Waiting], house: Sequence[House], now_ms: int, rules: PairingRules) -> tuple[Table, ...]:
    """A table for everybody who has waited for `house_after_ms`, alone with house agents: as few as can play. Nobody
    sits down where there are too few of them."""
    count = rules.seats[0] - 1
    if len(house) < count:
        return ()
    ready = [one for one in people if one.waited(now_ms) >= rules.house_after_ms]
    return tuple(Table((one,), opponents(one, house, count)) for one in ready)
