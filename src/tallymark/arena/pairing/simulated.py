"""What a simulation of a queue found: waits, gaps, starvation, house matches, and how fast deviations fall."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

MATCHES: Final = (0, 1, 2, 5, 10, 20, 50, 100)
"""After so many matches of an agent its deviation is looked at."""
PROVISIONAL: Final = 110.0
"""R4: above it a rating is provisional."""


@dataclass(frozen=True)
class Spread:
    """Of some numbers: how many, and None where there are none."""

    count: int
    median: float | None
    p95: float | None
    largest: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """`p95` is the smallest number that at least 95 % do not exceed.

        >>> Spread.of([3.0, 1.0, 2.0])
        Spread(count=3, median=2.0, p95=3.0, largest=3.0)
        """
        if not values:
            return cls(0, None, None, None)
        ranked = sorted(values)
        return cls(len(ranked), round(median(ranked), 4), ranked[-(-95 * len(ranked) // 100) - 1], ranked[-1])


@dataclass(frozen=True)
class Fall:
    """The deviations of those who have played so many matches, after the last of them: their median, in points."""

    matches: int
    agents: int
    deviation: float | None


@dataclass(frozen=True)
class Simulated:
    """Waits are in seconds, gaps in points."""

    until_ms: int
    agents: int
    joins: int
    repeated: int
    """Joins of agents who waited already: they change nothing."""
    matches: int
    house_matches: int
    """Those with a house agent."""
    waits: Spread
    """Of all who were paired."""
    house_waits: Spread
    """Of those of them who sat down with house agents."""
    gaps: Spread
    """Between the longest waiter of a table and each of the people it took."""
    house_gaps: Spread
    """The same to house agents."""
    left: Spread
    """The waits so far of those who still waited in the end."""
    starved: int
    """How many waited longer than `starved_after_ms`, paired or not."""
    starved_after_ms: int
    falls: tuple[Fall, ...]
    established: Spread
    """How many matches it took to come down to a deviation of 110, of those who did."""


def falls_of(deviations: Mapping[str, Sequence[float]]) -> tuple[Fall, ...]:
    """How deviations fell: of each agent its deviation before its first match and after each."""
    found: list[Fall] = []
    for matches in MATCHES:
        there = [each[matches] for each in deviations.values() if len(each) > matches]
        if there:
            found.append(Fall(matches, len(there), median(there)))
    return tuple(found)


def established(deviations: Mapping[str, Sequence[float]]) -> Spread:
    """After how many matches a deviation was first at 110 or below; of those who began above it."""
    firsts = [
        next((n for n, deviation in enumerate(each) if deviation <= PROVISIONAL), None) for each in deviations.values()
    ]
    return Spread.of([float(n) for n in firsts if n])
