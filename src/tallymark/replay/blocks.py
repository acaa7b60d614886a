"""The stages of an update over blocks of sides, in columns: short loops of one stage each, which compilers vectorise.

Every stage calls the very formulas that the fold calls, one side after the other, so a lane's bits are the fold's.
"""

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tallymark.methodology.limits import HELD, Limits, bounded, grown_within, in_range, stored
from tallymark.numeric import formula, logistic, named_after
from tallymark.replay.bookkeeping import published
from tallymark.replay.columns import NEVER, Clock, Shown
from tallymark.replay.fold import periods_between
from tallymark.replay.rows import ESTABLISHED, LOST, WON
from tallymark.systems import Constants, Formulas

BLOCK: Final = 256
"""Sides in a block: its columns, of 2 KiB each, stay in the first two levels of cache."""

Floats: TypeAlias = NDArray[np.float64]
Wholes: TypeAlias = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.uint32]
"""Places in other columns. Without a sign, for a place that could be negative would have to be looked at first."""
Counts: TypeAlias = NDArray[np.int32]


class Stages(NamedTuple):
    """The stages of one system. `n` sides of each column are used."""

    aged: Callable[..., None]
    """phi^2 aged to `now` from `last`: what the update starts from, what opponents see, what a prediction uses."""
    weights: Callable[[int, Floats, Floats], None]
    sums: Callable[..., None]
    settled: Callable[..., int]
    limited: Callable[..., int]
    tallied: Callable[..., None]
    predicted: Callable[..., None]


@formula(inline=False)
def publish_block(
    n: int, mu: Floats, phi2: Floats, s: Floats, may: Wholes, marks: Wholes, peaks: Floats, shown: Shown
) -> None:
    """Marks and peaks of n sides after their games, of which `may` says whether they may move a peak."""
    for i in range(n):
        mark = marks[i] | (WON if s[i] > 0.5 else 0) | (LOST if s[i] < 0.5 else 0)
        both = (mark & (WON | LOST)) == (WON | LOST)
        established, peaks[i] = published(mu[i], phi2[i], both, may[i] > 0, (mark & ESTABLISHED) > 0, peaks[i], shown)
        marks[i] = mark | (ESTABLISHED if established else 0)


@cache
def make_stages(run: Formulas, grows_first: bool, pasted: bool = False) -> Stages:
    """The stages over one system's formulas. `pasted` into their callers, they suit a few sides, of which a call would
    cost as much as they do; else their code is there once."""
    weight, game, settle, quick, growth, logit = run
    variant = named_after(run, grows_first, pasted)

    @formula(inline=pasted)
    @variant
    def aged(
        n: int,
        mu: Floats,
        phi2: Floats,
        sigma2: Floats,
        last: Wholes,
        now: Wholes,
        own: Floats,
        seen: Floats,
        ahead: Floats,
        elapsed: Floats,
        k: Constants,
        limits: Limits,
        clock: Clock,
    ) -> None:
        by_time = clock.kind > 1.0
        for i in range(n):
            between = periods_between(float(last[i]), float(now[i]), clock)
            elapsed[i] = between if last[i] != NEVER else 0.0
        for i in range(n):
            passed = elapsed[i]
            grown = grown_within(growth(mu[i], phi2[i], sigma2[i], passed, k), limits)
            ahead[i] = grown if passed > 0.0 else phi2[i]
        if by_time or grows_first:
            for i in range(n):
                seen[i] = ahead[i]
                own[i] = ahead[i] if grows_first else phi2[i]
        else:
            for i in range(n):
                before = elapsed[i] - 1.0 if elapsed[i] > 1.0 else 0.0
                grown = grown_within(growth(mu[i], phi2[i], sigma2[i], before, k), limits)
                seen[i] = grown if before > 0.0 else phi2[i]
                own[i] = seen[i]
        if not by_time:
            for i in range(n):
                elapsed[i] = 1.0

    @formula(inline=pasted)
    @variant
    def weights(n: int, phi2: Floats, out: Floats) -> None:
        for i in range(n):
            out[i] = weight(phi2[i])

    @formula(inline=pasted)
    @variant
    def sums(
        n: int,
        mu: Floats,
        mu_other: Floats,
        g_other: Floats,
        s: Floats,
        t: Floats,
        share: Floats,
        w: Floats,
        u: Floats,
        k: Constants,
    ) -> None:
        for i in range(n):
            w[i], u[i] = game(mu[i], mu_other[i], g_other[i], s[i], t[i], share[i], k)

    @formula(inline=pasted)
    @variant
    def settled(
        n: int,
        real: int,
        mu: Floats,
        own: Floats,
        sigma2: Floats,
        w: Floats,
        u: Floats,
        elapsed: Floats,
        played: Floats,
        new_mu: Floats,
        new_phi2: Floats,
        new_sigma2: Floats,
        doubt: Floats,
        k: Constants,
    ) -> int:
        """n sides after their games; of the first `real` ones, how many had a solver that stopped at its cap, which
        have 2 in `doubt`: the others only fill a register."""
        for i in range(n):
            new_mu[i], new_phi2[i], new_sigma2[i], doubt[i] = quick(
                mu[i], own[i], sigma2[i], w[i], u[i], elapsed[i], played[i], k
            )
        capped = 0
        for i in range(real):
            if doubt[i] > 0.0:
                new_mu[i], new_phi2[i], new_sigma2[i], converged = settle(
                    mu[i], own[i], sigma2[i], w[i], u[i], elapsed[i], played[i], k
                )
                if not converged:
                    doubt[i] = 2.0
                    capped += 1
        return capped

    @formula(inline=pasted)
    @variant
    def limited(
        n: int,
        mu: Floats,
        own: Floats,
        sigma2: Floats,
        new_mu: Floats,
        new_phi2: Floats,
        new_sigma2: Floats,
        flags: Wholes,
        limits: Limits,
    ) -> int:
        """The sides inside the bounds; whether one was hit, with `flags` a side."""
        hit = 0
        for i in range(n):
            fits = in_range(new_mu[i], new_phi2[i], new_sigma2[i])
            one, two, three, flag = bounded(mu[i], new_mu[i], new_phi2[i], new_sigma2[i], limits)
            flag = flag if fits else HELD
            new_mu[i] = one if fits else mu[i]
            new_phi2[i] = two if fits else own[i]
            new_sigma2[i] = three if fits else sigma2[i]
            flags[i] = flag
            hit |= flag
        if limits.rating_steps > 0.0:
            for i in range(n):
                if not flags[i] & HELD:
                    new_mu[i], new_phi2[i], new_sigma2[i] = stored(new_mu[i], new_phi2[i], new_sigma2[i], limits)
        return hit

    @formula(inline=pasted)
    @variant
    def tallied(n: int, flags: Wholes, clamps: Wholes) -> None:
        for i in range(n):
            for bit in range(5):
                clamps[bit] += (flags[i] >> bit) & 1

    @formula(inline=pasted)
    @variant
    def predicted(
        n: int, mu_a: Floats, mu_b: Floats, phi2_a: Floats, phi2_b: Floats, logits: Floats, p: Floats, k: Constants
    ) -> None:
        for i in range(n):
            logits[i] = logit(mu_a[i], mu_b[i], phi2_a[i], phi2_b[i], k)
            p[i] = logistic(logits[i])[0]

    return Stages(aged, weights, sums, settled, limited, tallied, predicted)
