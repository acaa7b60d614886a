"""Sixty games of the half-life model: the published ones, the knees and limits, then drawn ones."""

import random
from typing import NamedTuple

from vector_halflife import KNOTS, GoPlayer

COUNT = 60
ONE = 2**32
LOWEST, HIGHEST = (100 - 1500) / 173.7178, (3500 - 1500) / 173.7178
NEWCOMER = GoPlayer(0.0, 2.0, 0.0)


class GoCase(NamedTuple):
    """One game. `published`: a's mu and phi, b's mu and phi, P of a, in units of 2^-32 as the integers have them."""

    name: str
    a: GoPlayer
    b: GoPlayer
    score_a: float
    published: tuple[int, ...] = ()


def at_rank(rank: float, phi: float, days: float) -> GoPlayer:
    """A player at a rank index (the nearest double to its mu)."""
    below = min(int(rank), 38)
    return GoPlayer(float(KNOTS[below] + (rank - below) * (KNOTS[below + 1] - KNOTS[below])), phi, days)


def in_q(k: int, more: int, phi: int, days: float) -> GoPlayer:
    """A player as the contract stores one: mu = M[k] + more, phi, both over 2^32."""
    return GoPlayer((round(float(KNOTS[k] * ONE)) + more) / ONE, phi / ONE, days)


A, B = in_q(22, 12345, ONE // 2, 9.0), in_q(20, 999, ONE // 3, 3.0)
NAMED = [
    GoCase("two newcomers", NEWCOMER, NEWCOMER, 1.0, (3976162240, 7130373381, -3976162240, 7130373381, 2147483648)),
    GoCase("a wins", A, B, 1.0, (-3127674924, 2204362784, -6466404596, 1498026208, 2783423771)),
    GoCase("draw", A, B, 0.5, (-3682925599, 2204362784, -6215595102, 1498026208, 2783423771)),
    GoCase("b wins", A, B, 0.0, (-4238176273, 2204362784, -5964785608, 1498026208, 2783423771)),
    GoCase("just below the lower knee", at_rank(15.99, 0.6, 40), at_rank(15.5, 0.5, 12.25), 1.0),
    GoCase("on the lower knee", at_rank(16, 0.6, 40), at_rank(16, 0.5, 12.25), 0.0),
    GoCase("just above the lower knee", at_rank(16.01, 0.6, 40), at_rank(16.5, 0.5, 12.25), 0.5),
    GoCase("just below the upper knee", at_rank(29.99, 0.6, 40), at_rank(29.5, 0.5, 12.25), 1.0),
    GoCase("on the upper knee", at_rank(30, 0.6, 40), at_rank(30, 0.5, 12.25), 0.0),
    GoCase("just above the upper knee", at_rank(30.01, 0.6, 40), at_rank(30.5, 0.5, 12.25), 0.5),
    GoCase("middle of the slope", at_rank(23, 0.7, 100), at_rank(22.5, 0.4, 0.5), 0.0),
    GoCase("below 30k and above 9d", GoPlayer(-7.5, 0.5, 30), GoPlayer(9.5, 0.5, 30), 1.0),
    GoCase("beyond the last knot", GoPlayer(10.75, 0.45, 200), GoPlayer(8.25, 0.3, 7), 0.0),
    GoCase("variance cap, quick rank", at_rank(8, 0.5, 400), at_rank(9, 0.3, 1), 1.0),
    GoCase("variance cap, slow rank", at_rank(35, 0.5, 4000), at_rank(34, 0.3, 1), 0.0),
    GoCase("ten years away, both", at_rank(20, 0.25, 3652.5), at_rank(31, 0.25, 3652.5), 0.5),
    GoCase("deviation floor", at_rank(32, 0.01, 0), at_rank(32.5, 0.01, 0), 1.0),
    GoCase("a second later", at_rank(32, 0.011, 1 / 86400), at_rank(12, 0.011, 1 / 86400), 0.0),
    GoCase("mu clamped below", GoPlayer(LOWEST + 0.01, 1.0, 10), GoPlayer(LOWEST + 0.4, 0.5, 10), 0.0),
    GoCase("mu clamped above", GoPlayer(HIGHEST - 0.01, 1.0, 10), GoPlayer(HIGHEST - 0.4, 0.5, 10), 1.0),
    GoCase("newcomer at 23k against 9d", in_q(7, 0, 2 * ONE, 0), at_rank(38, 0.3, 5), 1.0),
    GoCase("newcomer at 1k", in_q(29, 0, 2 * ONE, 0), at_rank(29, 0.3, 5), 0.5),
]


def cases() -> list[GoCase]:
    """The named ones and drawn ones, `COUNT` in all."""
    source = random.Random(20_261_129)
    drawn = []
    for number in range(1, COUNT - len(NAMED) + 1):
        own = source.uniform(-7.8, 11.2)
        other = own + source.uniform(-1, 1) * source.choice((0.5, 2, 8))
        a = GoPlayer(round(own, 4), round(source.uniform(0.05, 2), 4), round(10 ** source.uniform(-3, 3), 4))
        b = GoPlayer(
            round(min(11.3, max(-7.9, other)), 4),
            round(source.uniform(0.05, 2), 4),
            round(10 ** source.uniform(-3, 3), 4),
        )
        drawn.append(GoCase(f"drawn {number}", a, b, source.choice((0.0, 0.5, 1.0))))
    return NAMED + drawn
