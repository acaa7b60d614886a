"""How many threads a pass has, and running them."""

import os
import threading
from collections.abc import Callable
from typing import Final

from tallymark.errors import InputError

WORTHWHILE: Final = 300_000
"""Games below which threads cost more than they win."""
_MOST: Final = 4
"""Levels are rarely wide enough for more."""


def threads_for(games: int, wanted: int | None) -> int:
    """The number of threads for so many games: what is wanted, or what pays. InputError for less than one.

    >>> threads_for(1_000, None), threads_for(1_000, 2)
    (1, 2)
    """
    if wanted is not None:
        if isinstance(wanted, bool) or not isinstance(wanted, int) or not 1 <= wanted <= 256:
            raise InputError(f"threads is {wanted!r}; expected a whole number from 1 to 256, or None for what pays")
        return wanted
    return 1 if games < WORTHWHILE else min(_MOST, _cores())


def together(share: Callable[[int], None], threads: int) -> None:
    """Runs share(0) ... share(threads - 1) at once; returns when all are done, and raises what one of them raised.

    Shares may wait for one another, so either all begin or none. Those that have begun end by themselves: an interrupt
    does not wait for them, and they keep nothing from ending.
    """
    if threads == 1:
        share(0)
        return
    gate = threading.Lock()
    all_there = False
    raised: list[BaseException] = []

    def run(number: int) -> None:
        with gate:
            pass
        try:
            if all_there:
                share(number)
        except BaseException as error:
            raised.append(error)

    with gate:
        workers = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(threads)]
        for worker in workers:
            worker.start()
        all_there = True
    for worker in workers:
        worker.join()
    if raised:
        raise raised[0]


def _cores() -> int:
    """Cores that this process may use, which in a container are fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
