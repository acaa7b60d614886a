"""Games in strict order, many at once: those that share no player commute.

level(game) = 1 + the highest level of the games before it that share a player with it. Games of one level touch
different players, so they may be rated in any order, or in blocks that the compiler vectorises, and give what the fold
gives, bit for bit. Levels are taken in windows of the log, which keeps everything in the processor's cache; the window
changes the speed, never a bit.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np

from tallymark.methodology.limits import Limits
from tallymark.numeric import formula, named_after
from tallymark.replay.blocks import BLOCK, Codes, Floats, Wholes, make_stages
from tallymark.replay.columns import Clock, Predictions, Steps, Tally
from tallymark.replay.rows import Rows
from tallymark.systems import Constants, Formulas

WINDOW: Final = 1 << 16
"""Games whose levels are found at once; 2**14 to 2**17 is best on the processors that were tried."""

Waves: TypeAlias = Callable[..., None]


@formula(inline=False)
def levels(a: Codes, b: Codes, depth: Codes, base: int, level: Codes, start: Wholes, order: Codes) -> int:
    """Sorts a window's games by level, stable; returns the number of levels. Level l is order[start[l]:start[l + 1]].

    Depths of earlier windows are at most `base` and count as 0, so nothing has to be cleared.
    """
    count = len(a)
    top = np.int32(0)
    for i in range(count):
        da = depth[a[i]]
        db = depth[b[i]]
        d = da if da > db else db
        d = np.int32(d - base) if d > base else np.int32(0)
        level[i] = d
        d = np.int32(d + 1)
        depth[a[i]] = np.int32(base + d)
        depth[b[i]] = np.int32(base + d)
        top = d if d > top else top
    for i in range(top + 2):
        start[i] = 0
    for i in range(count):
        start[level[i] + 2] += 1
    for i in range(top):
        start[i + 2] += start[i + 1]
    for i in range(count):  # start[l + 1] walks from l's begin to its end
        p = start[level[i] + 1]
        start[level[i] + 1] = p + 1
        order[p] = np.int32(i)
    return int(top)


def make_waves(
    run: Formulas, grows_first: bool, timed: bool, counting: bool, predicting: bool, recording: bool
) -> Waves:
    """The pass over one system's formulas.

    What a replay does not need is not in the code: `timed`, where states age; `counting`, where an update asks how many
    games came before; `predicting` and `recording`, where predictions and history are kept.
    """
    aged, weights, sums, settled, limited, tallied, predicted = make_stages(run, grows_first)
    variant = named_after(run, grows_first, timed, counting, predicting, recording)

    @formula(inline=False)
    @variant
    def play(
        low: int,
        high: int,
        first: int,
        order: Codes,
        a: Codes,
        b: Codes,
        s: Floats,
        when: Wholes,
        rows: Rows,
        v: Floats,
        times: Wholes,
        flags: Wholes,
        predictions: Predictions,
        steps: Steps,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
    ) -> None:
        """Games low..high of the window's order, none of which share a player; `first` is the window's in the log."""
        state, last, counts = rows.state, rows.last, rows.counts
        while low < high:
            n = min(BLOCK, high - low)
            for i in range(n):
                at = order[low + i]
                x = a[at]
                y = b[at]
                v[0, i] = state[x, 0]
                v[1, i] = state[x, 1]
                v[2, i] = state[x, 2]
                v[3, i] = state[y, 0]
                v[4, i] = state[y, 1]
                v[5, i] = state[y, 2]
                v[6, i] = s[at]
                v[7, i] = 1.0 - s[at]
                if timed:
                    times[0, i] = last[x, 3]
                    times[1, i] = last[y, 3]
                    times[2, i] = when[at]
                if counting:
                    v[8, i] = float(counts[x, 0] + counts[x, 1] + counts[x, 2] + counts[x, 3])
                    v[9, i] = float(counts[y, 0] + counts[y, 1] + counts[y, 2] + counts[y, 3])
            if timed:
                aged(n, v[0], v[1], v[2], times[0], times[2], v[10], v[11], v[12], v[13], k, limits, clock)
                aged(n, v[3], v[4], v[5], times[1], times[2], v[14], v[15], v[16], v[17], k, limits, clock)
                if predicting:
                    predicted(n, v[0], v[3], v[12], v[16], v[25], v[26], k)
            elif predicting:
                predicted(n, v[0], v[3], v[1], v[4], v[25], v[26], k)
            own_a, seen_a, elapsed_a = (v[10], v[11], v[13]) if timed else (v[1], v[1], v[18])
            own_b, seen_b, elapsed_b = (v[14], v[15], v[17]) if timed else (v[4], v[4], v[18])
            ones = v[18]
            weights(n, seen_a, v[19])
            weights(n, seen_b, v[20])
            sums(n, v[0], v[3], v[20], v[6], v[7], ones, v[21], v[22], k)
            tally.unconverged[0] += settled(
                n, v[0], own_a, v[2], v[21], v[22], elapsed_a, v[8], v[27], v[28], v[29], v[23], k
            )
            if limited(n, v[0], own_a, v[2], v[27], v[28], v[29], flags[0], limits):
                tallied(n, flags[0], tally.clamps)
            sums(n, v[3], v[0], v[19], v[7], v[6], ones, v[21], v[22], k)
            tally.unconverged[0] += settled(
                n, v[3], own_b, v[5], v[21], v[22], elapsed_b, v[9], v[30], v[31], v[32], v[24], k
            )
            if limited(n, v[3], own_b, v[5], v[30], v[31], v[32], flags[1], limits):
                tallied(n, flags[1], tally.clamps)
            for i in range(n):
                at = order[low + i]
                x = a[at]
                y = b[at]
                state[x, 0] = v[27, i]
                state[x, 1] = v[28, i]
                state[x, 2] = v[29, i]
                state[y, 0] = v[30, i]
                state[y, 1] = v[31, i]
                state[y, 2] = v[32, i]
                if timed:
                    now = times[2, i]
                    last[x, 3] = now if now > times[0, i] else times[0, i]
                    last[y, 3] = now if now > times[1, i] else times[1, i]
                if counting:
                    column = 0 if s[at] > 0.5 else (1 if s[at] == 0.5 else 2)
                    counts[x, column] += 1
                    counts[y, 2 - column] += 1
            if predicting:
                for i in range(n):
                    at = first + order[low + i]
                    predictions.logit[at] = v[25, i]
                    predictions.p[at] = v[26, i]
            if recording:
                for i in range(n):
                    row = 2 * (first + order[low + i])
                    for side in range(2):
                        steps.mu_before[row + side] = v[3 * side, i]
                        steps.phi2_before[row + side] = seen_b[i] if side else seen_a[i]
                        steps.sigma2_before[row + side] = v[3 * side + 2, i]
                        steps.mu_after[row + side] = v[27 + 3 * side, i]
                        steps.phi2_after[row + side] = v[28 + 3 * side, i]
                        steps.sigma2_after[row + side] = v[29 + 3 * side, i]
                        steps.flags[row + side] = flags[side, i]
                        steps.converged[row + side] = 0 if v[23 + side, i] == 2.0 else 1
            low += n

    @variant
    def waves(
        begin: int,
        end: int,
        a: Codes,
        b: Codes,
        s: Floats,
        when: Wholes,
        rows: Rows,
        predictions: Predictions,
        steps: Steps,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
        window: int,
    ) -> None:
        """Rates games begin..end, each a unit of its own. Changes rows, predictions, steps and tally in place."""
        v = np.empty((33, BLOCK))
        v[18, :] = 1.0
        v[8, :] = 0.0
        v[9, :] = 0.0
        times = np.empty((3, BLOCK), np.int64)
        flags = np.empty((2, BLOCK), np.int64)
        depth = np.zeros(len(rows.state), np.int32)
        level = np.empty(window, np.int32)
        start = np.empty(window + 3, np.int64)
        order = np.empty(window, np.int32)
        base = 0
        for first in range(begin, end, window):
            stop = min(end, first + window)
            wa = a[first:stop]
            wb = b[first:stop]
            ws = s[first:stop]
            wt = when[first:stop] if len(when) else when
            top = levels(wa, wb, depth, base, level, start, order)
            base += top
            for d in range(top):
                play(
                    start[d], start[d + 1], first, order, wa, wb, ws, wt, rows, v, times, flags, predictions, steps,
                    tally, k, limits, clock,
                )  # fmt: skip
            if not counting:
                for i in range(stop - first):
                    column = 0 if ws[i] > 0.5 else (1 if ws[i] == 0.5 else 2)
                    rows.counts[wa[i], column] += 1
                    rows.counts[wb[i], 2 - column] += 1
            if not timed and len(when):
                for i in range(stop - first):
                    x = wa[i]
                    rows.last[x, 3] = wt[i] if wt[i] > rows.last[x, 3] else rows.last[x, 3]
                    y = wb[i]
                    rows.last[y, 3] = wt[i] if wt[i] > rows.last[y, 3] else rows.last[y, 3]

    return waves
