"""What passes ask of the processor: counters that threads agree by, and memory fetched ahead of its use.

As in `numeric.primitives`, each has its compiled body in `tallymark.replay.compiled`.
"""

import time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.numeric import formula

Counters = NDArray[np.int64]

_LOOKS: Final = 20_000
"""Some ten microseconds: longer than a block takes, unless its thread has no processor."""


def read(counters: Counters, at: int) -> int:
    """The counter now; what its writer wrote before is there too.

    >>> read(np.array([7]), 0)
    7
    """
    return int(counters[at])


def add(counters: Counters, at: int, more: int) -> int:
    """The counter before something is added to it; what was written before is there for who reads it after.

    >>> counters = np.array([7])
    >>> add(counters, 0, 2), read(counters, 0)
    (7, 9)
    """
    before = int(counters[at])
    counters[at] = before + more
    return before


def rest() -> None:
    """Lets other threads run for some microseconds."""
    time.sleep(2e-5)


@formula(inline=False)
def wait(counters: Counters, at: int, least: int) -> None:
    """Returns once the counter has come that far. Looks again at once for a while, and then lets others run."""
    looks = 0
    while read(counters, at) < least:
        looks += 1
        if looks > _LOOKS:
            rest()


@formula(inline=False)
def meet(counters: Counters, times: int, threads: int) -> int:
    """Returns once every thread has come here so often as this one; `times` is how often this one has been here.

    >>> meet(np.array([0]), 0, 1)
    1
    """
    if threads > 1:
        add(counters, 0, 1)
        wait(counters, 0, (times + 1) * threads)
    return times + 1


def fetch(rows: NDArray[np.float64], row: int) -> None:
    """Asks for the memory of a row that is going to be changed, and goes on without waiting for it."""
