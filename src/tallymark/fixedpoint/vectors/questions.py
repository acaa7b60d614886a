"""Questions, before anybody answered them."""

from collections.abc import Mapping
from typing import NamedTuple

from tallymark.fixedpoint.felt import Player, pack
from tallymark.fixedpoint.rules import Result
from tallymark.fixedpoint.updating import State
from tallymark.fixedpoint.vectors.values import Value


class Vector(NamedTuple):
    """A question: its name, its kind, and what is given."""

    id: str
    kind: str
    given: Mapping[str, Value]


def update_of(a: State, b: State, half_points: int, t: int) -> Mapping[str, Value]:
    """What an update is given.

    >>> update_of(State(0, 0, 0), State(1, 0, 0), 1, 5)["b"]
    {'mu': 1, 'phi': 0, 'last': 0}
    """
    return {"a": a._asdict(), "b": b._asdict(), "half_points": half_points, "t": t}


def game_of(a: Player, b: Player, result: Result) -> Mapping[str, Value]:
    """What the rules are given.

    >>> game_of(Player(), Player(), Result(2, 5, 20))["steps"]
    20
    """
    return {"a": pack(a), "b": pack(b), **result._asdict()}


def rating_of(ticket: int, a: int, b: int, result: Result) -> Mapping[str, Value]:
    """A call that rates the game of a ticket, as a season has it.

    >>> rating_of(7, 1, 2, Result(2, 5, 20))["action"]
    'rate'
    """
    return {"action": "rate", "ticket": ticket, "a": a, "b": b, **result._asdict()}
