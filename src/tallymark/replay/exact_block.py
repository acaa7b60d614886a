"""A block of games in Q32.32 integers: the whole update in one loop that vectorises, between columns of doubles."""

import math
from collections.abc import Callable
from typing import Final

from tallymark.fixedpoint.formulas import game
from tallymark.numeric import formula, named_after
from tallymark.replay.blocks import BLOCK, Wholes
from tallymark.replay.columns import Tally
from tallymark.replay.exact import SECOND, seconds
from tallymark.replay.rows import Needs
from tallymark.replay.sides import Block, Side
from tallymark.systems.q32 import bounds_hit, fixed, seen_as, value

_A: Final = 0
_B: Final = 3 * BLOCK
_S: Final = 6 * BLOCK
_T: Final = 7 * BLOCK
"""What a game reads: mu, phi and the second of the state of each side, the score, the second of the game."""
_NEW_A: Final = 8 * BLOCK
_NEW_B: Final = 12 * BLOCK
_P: Final = 16 * BLOCK
_Z: Final = 17 * BLOCK
"""What it writes: mu, phi, aged phi and flags of each side, the probability, and z, its logit."""
WIDTH: Final = 18
"""Columns, one behind the other in one array: how far apart they are is known then, and no block has to begin with
looking whether any two overlap."""
_LANES: Final = 8
"""The widest registers. So many games are rated at a time; the last ones are filled up with what stood there."""


def make_exact_update(needs: Needs, tallied: Callable[..., None]) -> Callable[[int, Block, Tally], None]:
    """Both sides of a block after their games; what a replay does not need is not in the code."""
    predicting, excepting = needs.predicting, needs.excepting
    seeing = needs.publishing or needs.recording or excepting
    variant = named_after(*needs)

    @formula(inline=False)
    @variant
    def entered(n: int, side: Side, now: Wholes, at: int, w: Wholes) -> None:
        """One side's columns as integers."""
        for i in range(n):
            w[at + i] = fixed(side.mu[i])
            w[at + BLOCK + i] = fixed(math.sqrt(side.phi2[i]))
        for i in range(n):
            w[at + 2 * BLOCK + i] = seconds(side.last[i], now[i])

    @formula(inline=False)
    @variant
    def played(n: int, w: Wholes) -> None:
        for i in range(n):
            done = game(
                w[_A + i],
                w[_A + BLOCK + i],
                w[_A + 2 * BLOCK + i],
                w[_B + i],
                w[_B + BLOCK + i],
                w[_B + 2 * BLOCK + i],
                w[_S + i],
                w[_T + i],
            )
            w[_NEW_A + i] = done.side_a.mu
            w[_NEW_A + BLOCK + i] = done.side_a.phi
            w[_NEW_A + 3 * BLOCK + i] = bounds_hit(done.side_a)
            w[_NEW_B + i] = done.side_b.mu
            w[_NEW_B + BLOCK + i] = done.side_b.phi
            w[_NEW_B + 3 * BLOCK + i] = bounds_hit(done.side_b)
            if seeing:
                w[_NEW_A + 2 * BLOCK + i] = seen_as(done.before_a.var)
                w[_NEW_B + 2 * BLOCK + i] = seen_as(done.before_b.var)
            if predicting:
                w[_P + i] = done.chance.p
                w[_Z + i] = done.chance.z

    @formula(inline=False)
    @variant
    def left(n: int, side: Side, at: int, w: Wholes, tally: Tally) -> None:
        """One side's columns after the games."""
        for i in range(n):
            side.new_mu[i] = value(w[at + i])
            phi = value(w[at + BLOCK + i])
            side.new_phi2[i] = phi * phi
            side.new_sigma2[i] = 0.0
            if seeing:
                aged = value(w[at + 2 * BLOCK + i])
                side.seen[i] = aged * aged
        hit = 0
        for i in range(n):
            flags = w[at + 3 * BLOCK + i]
            if excepting and side.counts[i] == 0:
                side.new_mu[i] = side.mu[i]
                side.new_phi2[i] = side.seen[i]
                flags = 0
            side.flags[i] = flags
            hit |= flags
        if hit:
            tallied(n, side.flags, tally.clamps)

    @formula(inline=False)
    @variant
    def updated_exactly(n: int, block: Block, tally: Tally) -> None:
        """Rates the n games of a block."""
        w = block.whole
        for i in range(n):
            w[_S + i] = fixed(block.a.score[i])
            w[_T + i] = block.now[i] // SECOND
        entered(n, block.a, block.now, _A, w)
        entered(n, block.b, block.now, _B, w)
        played((n + _LANES - 1) // _LANES * _LANES, w)
        left(n, block.a, _NEW_A, w, tally)
        left(n, block.b, _NEW_B, w, tally)
        if predicting:
            for i in range(n):
                block.p[i] = value(w[_P + i])
                block.logit[i] = value(w[_Z + i])

    return updated_exactly
