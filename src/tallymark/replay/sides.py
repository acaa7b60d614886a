"""The columns of games of one level, which share no player: of a window, of a block and of its two sides."""

from typing import NamedTuple

from tallymark.replay.blocks import Codes, Floats, Wholes


class Level(NamedTuple):
    """The games of a window of the log, and the order that has those of a level beside one another."""

    order: Codes
    a: Codes
    b: Codes
    s: Floats
    when: Wholes
    """Empty where there are no times."""
    loser_only: Wholes
    """Empty: none counts for the loser only."""
    peak: Wholes
    """Empty: each may move a peak."""
    start_a: Floats
    """mu of a where it has no state of its own yet; empty: a newcomer's."""
    start_b: Floats
    first: int
    """Where the window begins in the log."""


class Side(NamedTuple):
    """One side of the games of a block, before and after them. What does not age is seen as it is."""

    mu: Floats
    phi2: Floats
    sigma2: Floats
    own: Floats
    """phi^2 that the update starts from."""
    seen: Floats
    """phi^2 that opponents see."""
    ahead: Floats
    """phi^2 that a prediction uses."""
    elapsed: Floats
    g: Floats
    score: Floats
    before: Floats
    """Games played before."""
    w: Floats
    u: Floats
    new_mu: Floats
    new_phi2: Floats
    new_sigma2: Floats
    doubt: Floats
    peak: Floats
    last: Wholes
    """The time of the state."""
    counts: Wholes
    """1 where the game changes this side's rating."""
    flags: Wholes
    marks: Wholes
    """What was published of the player, as in `rows`."""


class Block(NamedTuple):
    """The columns of a block of games, and the lanes of a few."""

    a: Side
    b: Side
    now: Wholes
    may: Wholes
    """1 where the game may move a peak."""
    ones: Floats
    logit: Floats
    p: Floats
    lanes: Floats
    lane_flags: Wholes
    whole: Wholes
    """Columns of integers one behind the other, for updates of integers; else empty."""
