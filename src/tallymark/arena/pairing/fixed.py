"""Rounds of a fixed set of agents: everybody meets everybody, by the circle method."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tallymark.errors import InputError


class Round(NamedTuple):
    """A round: who meets whom, the one to move first in front, and who has a bye (None: nobody).

    In rated matches of the arena the seats are drawn from the match's seed all the same.
    """

    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None


def round_robin(agents: Sequence[str]) -> tuple[Round, ...]:
    """Every pair once, in the fewest rounds.

    An odd number of agents gives everybody one bye. Nobody has one side more than once more often than the other, and
    sides alternate but where an agent's bye or the game against the last one falls. `InputError` for fewer than two
    agents, or one named twice.

    >>> [one.pairs for one in round_robin(["a", "b", "c", "d"])]
    [(('a', 'd'), ('b', 'c')), (('d', 'b'), ('c', 'a')), (('c', 'd'), ('a', 'b'))]
    """
    check_each_once(agents)
    seats: list[str | None] = [*agents] if len(agents) % 2 == 0 else [*agents, None]
    *ring, last = seats
    rounds: list[Round] = []
    for turn in range(len(ring)):
        met = ring[turn]
        assert met is not None
        pairs = [] if last is None else [(met, last) if turn % 2 == 0 else (last, met)]
        for step in range(1, len(seats) // 2):
            one, other = ring[(turn + step) % len(ring)], ring[turn - step]
            assert one is not None
            assert other is not None
            pairs.append((one, other) if step % 2 == 1 else (other, one))
        rounds.append(Round(tuple(pairs), met if last is None else None))
    return tuple(rounds)


def check_each_once(agents: Iterable[str]) -> None:
    """`InputError` where they are fewer than two, or one is named twice."""
    seen: set[str] = set()
    for agent in agents:
        if agent in seen:
            raise InputError(f"agent {agent!r} is named twice; expected each once")
        seen.add(agent)
    if len(seen) < 2:
        raise InputError(f"there are {len(seen)} agents; expected 2 or more")
