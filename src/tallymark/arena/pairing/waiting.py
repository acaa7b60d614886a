"""What pairing is given and what it gives: who waits, the house agents there are, and the tables that are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import checked
from tallymark.systems.rating import LARGEST

_RATING: Final = f"a number from -{LARGEST:g} to {LARGEST:g}"
_DEVIATION: Final = f"a number from 0 to {LARGEST:g}"


def hundredths(points: Sequence[float]) -> NDArray[np.float64]:
    """Whole hundredths of a point, rounded half to even: rint(100 r) of the spec. A whole number in a double is exact.

    >>> hundredths([1500.004, -0.125, 2.375]).tolist()
    [150000.0, -12.0, 238.0]
    """
    return np.rint(100.0 * np.array(points, np.float64))


@dataclass(frozen=True, slots=True)
class Waiting:
    """An agent in a queue. An agent waits in a queue once, by one ticket.

    `ticket`: the id of its entry; `owner`: the name of the key that it plays under; `rating`, `deviation`: points, as
    the ledger has them now; `joined_ms`: when it came, on the monotonic clock of the arena (less than 0 for who came
    before a restart); `met`: how often it has met each house agent before, where that counts (`house_only`). Raises
    `InputError` for numbers that are none.
    """

    ticket: int
    agent: str
    owner: str
    rating: float
    deviation: float
    joined_ms: int
    met: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        _check(self.rating, self.deviation)

    def waited(self, now_ms: int) -> int:
        """Milliseconds since it came; 0 for who comes later."""
        return max(0, now_ms - self.joined_ms)


@dataclass(frozen=True, slots=True)
class House:
    """A house agent: it waits in no queue, has no ticket and no owner among people, and plays any number of matches."""

    agent: str
    rating: float
    deviation: float

    def __post_init__(self) -> None:
        _check(self.rating, self.deviation)


class Table(NamedTuple):
    """Who is to play a match: a pair, or more. Seats are drawn from the match's seed, not from this order.

    `waiting`: from the queue, the longest waiter first, then in the order of their choice; never empty. `house`: the
    house agents in the seats that were empty, the nearest rating first.
    """

    waiting: tuple[Waiting, ...]
    house: tuple[House, ...] = ()

    @property
    def agents(self) -> tuple[str, ...]:
        """The ids of all who play, each once."""
        return (*(one.agent for one in self.waiting), *(one.agent for one in self.house))


def _check(rating: float, deviation: float) -> None:
    checked("rating", rating, _RATING, -LARGEST, LARGEST)
    checked("deviation", deviation, _DEVIATION, 0.0, LARGEST)
