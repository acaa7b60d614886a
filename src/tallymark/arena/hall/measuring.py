"""What a turn of the hall came to, for whoever counts."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Turned(NamedTuple):
    """A turn that is written and said. `shares`: of each action in it, the milliseconds from its receipt to there;
    `ended`: game and public reason of each match that is over by it."""

    shares: list[int]
    ended: list[tuple[str, str]]


Measure: TypeAlias = Callable[[Turned], None]
"""Is told of every turn, in the thread that takes them, and is to be quick."""


def unmeasured(_: Turned) -> None:
    """Nobody counts."""
