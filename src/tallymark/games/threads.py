"""Work on large arrays by two threads at once: numpy lets go of the interpreter while it computes."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")

_TOGETHER = 2


def at_once(function: Callable[[A], B], items: Sequence[A]) -> list[B]:
    """What a function makes of each item, in their order. Worth it only for items that take milliseconds each.

    >>> at_once(len, ["a", "bc", ""])
    [1, 2, 0]
    """
    if len(items) < _TOGETHER:
        return list(map(function, items))
    with ThreadPoolExecutor(_TOGETHER) as workers:
        return list(workers.map(function, items))


def in_background(function: Callable[[], B]) -> Future[B]:
    """What a function gives, computed while something else is done.

    >>> in_background(lambda: 6 * 7).result()
    42
    """
    worker = ThreadPoolExecutor(1)
    try:
        return worker.submit(function)
    finally:
        worker.shutdown(wait=False)
