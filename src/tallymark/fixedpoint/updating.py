"""One rated game: both new states and the win probability, from states that a felt can hold."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, overload

from tallymark.fixedpoint.constants import PHI_MAX, PHI_MIN
from tallymark.fixedpoint.formulas import game
from tallymark.fixedpoint.refusing import RefusedError, between, whole
from tallymark.fixedpoint.tracing import steps_of
from tallymark.fixedpoint.units import HALF, Q

MU_BITS: Final = 40
TIME_BITS: Final = 40


class State(NamedTuple):
    """A player: mu and phi as Q, and when the last game was, in seconds since 1970. phi = 0 says never rated."""

    mu: Q
    phi: Q
    last: int


class Update(NamedTuple):
    """Both players after a game, and the win probability of a before it, as Q."""

    a: State
    b: State
    p: Q


class Traced(NamedTuple):
    """An update with every intermediate by name, in the order of the spec."""

    a: State
    b: State
    p: Q
    steps: Mapping[str, int]


@overload
def update(a: State, b: State, half_points: int, t: int, *, trace: Literal[False] = False) -> Update: ...
@overload
def update(a: State, b: State, half_points: int, t: int, *, trace: Literal[True]) -> Traced: ...
def update(a: State, b: State, half_points: int, t: int, *, trace: bool = False) -> Update | Traced:
    """One game at t, in seconds; half_points of a: 0 lost, 1 drawn, 2 won. Both update from what was before it.

    `trace` adds every intermediate by name. `RefusedError` for a state that no felt holds (mu of more than 40 bits, phi
    neither 0 nor from PHI_MIN to PHI_MAX, last not from 0 to 2**40 - 1), for such a t, and for other half points.

    >>> new = State(0, 0, 0)
    >>> update(new, new, 2, 1700000000).a
    State(mu=3976162240, phi=7130373381, last=1700000000)
    >>> update(new, new, 2, 1700000000, trace=True).steps["a.half_life"] >> 32
    32
    """
    a, b = accepted("a", a), accepted("b", b)
    half_points = whole("half_points", half_points, 0, 2, "0 (a lost), 1 (drawn) or 2 (a won)")
    t = whole("t", t, 0, (1 << TIME_BITS) - 1)
    done = game(*a, *b, half_points * HALF, t)
    new_a = State(done.side_a.mu, done.side_a.phi, done.last_a)
    new_b = State(done.side_b.mu, done.side_b.phi, done.last_b)
    if trace:
        return Traced(new_a, new_b, done.chance.p, steps_of(done))
    return Update(new_a, new_b, done.chance.p)


def accepted(who: str, state: State) -> State:
    """The state in plain integers, or `RefusedError`.

    >>> accepted("a", State(1, 0, 2))
    State(mu=1, phi=0, last=2)
    """
    half = 1 << (MU_BITS - 1)
    mu = whole(f"{who}.mu", state[0], -half, half - 1)
    expected = f"0 (never rated), or {between(PHI_MIN, PHI_MAX)}"
    phi = whole(f"{who}.phi", state[1], 0, PHI_MAX, expected)
    if 0 < phi < PHI_MIN:
        raise RefusedError(
            f"{who}.phi", f"{who}.phi is {phi}; expected {expected}", hint="phi is its value times 2**32"
        )
    return State(mu, phi, whole(f"{who}.last", state[2], 0, (1 << TIME_BITS) - 1))
