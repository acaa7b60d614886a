"""Games in strict order, many at once: those that share no player commute.

level(game) = 1 + the highest level of the games before it that share a player with it. Games of one level touch
different players, so they may be rated in any order, or in blocks that the compiler vectorises, and give what the fold
gives, bit for bit. Levels are taken in windows of the log, which keeps everything in the processor's cache; the window
changes the speed, never a bit.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from tallymark.methodology.limits import Limits
from tallymark.numeric import formula, named_after
from tallymark.replay.blocks import BLOCK, Codes, Counts, Floats, Wholes, make_stages, publish_block
from tallymark.replay.columns import NEVER, Clock, Predictions, Shown, Steps, Tally
from tallymark.replay.levels import levels
from tallymark.replay.rows import MARKS, Needs, Rows
from tallymark.replay.sharing import add, fetch, wait
from tallymark.systems import Constants, Formulas

WINDOW: Final = 1 << 16
"""Games whose levels are found at once; 2**14 to 2**17 is best on the processors that were tried."""

LANES: Final = 16
"""Sides that are rated at once where a level has few games: two of the widest registers."""
FEW: Final = 2 * LANES
"""Games of a level up to which they are rated so: the columns of a block would cost more than they win."""

_PART: Final = BLOCK // 4
"""Games whose rows are fetched at once: memory takes only so many requests."""

Waves: TypeAlias = Callable[..., None]


class Desk(NamedTuple):
    """What the threads of a pass share. Two windows are there: one that is rated, one whose levels are found."""

    depth: Counts
    level: Codes
    order: Codes
    start: Wholes
    tops: Wholes
    taken: Wholes
    done: Wholes
    ready: Wholes
    """Windows whose levels are known."""
    left: Wholes
    """Windows that each thread is through with."""


def desk(players: int, games: int, window: int, threads: int) -> Desk:
    """A desk for a pass of so many threads over so many games."""
    size = max(1, min(window, games))
    return Desk(
        depth=np.zeros(players, np.int32),
        level=np.empty(size, np.uint32),
        order=np.empty((2, size), np.uint32),
        start=np.empty((2, size + 3), np.int64),
        tops=np.zeros(2, np.int64),
        taken=np.zeros((2, size + 1), np.int64),
        done=np.zeros((2, size + 1), np.int64),
        ready=np.zeros(1, np.int64),
        left=np.zeros(threads, np.int64),
    )


def make_waves(run: Formulas, grows_first: bool, needs: Needs) -> Waves:
    """The pass over one system's formulas; what a replay does not need is not in the code."""
    aged, weights, sums, settled, limited, tallied, predicted = make_stages(run, grows_first)
    timed, counting, predicting, recording = needs.timed, needs.counting, needs.predicting, needs.recording
    publishing, excepting = needs.publishing, needs.excepting
    plain = not (timed or counting or predicting or recording or publishing or excepting)
    _, weights_of, sums_of, settled_of, limited_of, _, _ = make_stages(run, grows_first, pasted=True)
    variant = named_after(run, grows_first, *needs)

    @formula(inline=False)
    @variant
    def narrow(
        first: int,
        last: int,
        start: Wholes,
        order: Codes,
        a: Codes,
        b: Codes,
        s: Floats,
        state: Floats,
        c: Floats,
        flags: Wholes,
        tally: Tally,
        k: Constants,
        limits: Limits,
    ) -> None:
        """Levels first..last, of a few games each: both sides of some at once, in as many lanes every time."""
        mu, phi2, sigma2, mu_other, phi2_other, g = c[0], c[1], c[2], c[3], c[4], c[5]
        score, other_score, w, u, doubt, ones, zeros = c[6], c[7], c[8], c[9], c[10], c[11], c[12]
        new_mu, new_phi2, new_sigma2 = c[13], c[14], c[15]
        clamps, capped = tally.clamps, 0
        for d in range(first, last):
            low, high = start[d], start[d + 1]
            while low < high:
                n = min(LANES // 2, high - low)
                for i in range(n):
                    at = order[low + i]
                    x = a[at]
                    y = b[at]
                    mu[2 * i] = state[x, 0]
                    phi2[2 * i] = state[x, 1]
                    sigma2[2 * i] = state[x, 2]
                    mu_other[2 * i] = state[y, 0]
                    phi2_other[2 * i] = state[y, 1]
                    score[2 * i] = s[at]
                    other_score[2 * i] = 1.0 - s[at]
                    mu[2 * i + 1] = state[y, 0]
                    phi2[2 * i + 1] = state[y, 1]
                    sigma2[2 * i + 1] = state[y, 2]
                    mu_other[2 * i + 1] = state[x, 0]
                    phi2_other[2 * i + 1] = state[x, 1]
                    score[2 * i + 1] = 1.0 - s[at]
                    other_score[2 * i + 1] = s[at]
                weights_of(LANES, phi2_other, g)
                sums_of(LANES, mu, mu_other, g, score, other_score, ones, w, u, k)
                capped += settled_of(
                    LANES, 2 * n, mu, phi2, sigma2, w, u, ones, zeros, new_mu, new_phi2, new_sigma2, doubt, k
                )
                if limited_of(LANES, mu, phi2, sigma2, new_mu, new_phi2, new_sigma2, flags, limits):
                    tallied(2 * n, flags, clamps)
                for i in range(n):
                    at = order[low + i]
                    x = a[at]
                    y = b[at]
                    state[x, 0] = new_mu[2 * i]
                    state[x, 1] = new_phi2[2 * i]
                    state[x, 2] = new_sigma2[2 * i]
                    state[y, 0] = new_mu[2 * i + 1]
                    state[y, 1] = new_phi2[2 * i + 1]
                    state[y, 2] = new_sigma2[2 * i + 1]
                low += n
        tally.unconverged[0] += capped

    @formula(inline=True)
    @variant
    def ahead(low: int, high: int, order: Codes, a: Codes, b: Codes, rows: Rows) -> None:
        """Fetches the rows of games that come next."""
        for i in range(min(low, len(a)), min(high, len(a))):
            fetch(rows.state, a[order[i]])
            fetch(rows.state, b[order[i]])
            if publishing:
                fetch(rows.peaks, a[order[i]])
                fetch(rows.peaks, b[order[i]])

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
        loser_only: Wholes,
        peak: Wholes,
        rows: Rows,
        v: Floats,
        times: Wholes,
        flags: Wholes,
        marks: Wholes,
        predictions: Predictions,
        steps: Steps,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
        shown: Shown,
    ) -> None:
        """Games low..high of the window's order, none of which share a player; `first` is the window's in the log."""
        state, last, counts, peaks = rows.state, rows.last, rows.counts, rows.peaks
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
                if publishing:
                    marks[0, i] = counts[x, MARKS]
                    marks[1, i] = counts[y, MARKS]
                    v[33, i] = peaks[x, 3]
                    v[34, i] = peaks[y, 3]
                    marks[2, i] = 1 if len(peak) == 0 or peak[at] > 0 else 0
                    if excepting and loser_only[at] > 0:
                        marks[2, i] = 0
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
            ahead(low + n, low + n + _PART, order, a, b, rows)
            weights(n, seen_a, v[19])
            weights(n, seen_b, v[20])
            ahead(low + n + _PART, low + n + 2 * _PART, order, a, b, rows)
            sums(n, v[0], v[3], v[20], v[6], v[7], ones, v[21], v[22], k)
            tally.unconverged[0] += settled(
                n, n, v[0], own_a, v[2], v[21], v[22], elapsed_a, v[8], v[27], v[28], v[29], v[23], k
            )
            if excepting:
                for i in range(n):
                    if loser_only[order[low + i]] > 0 and v[6, i] > 0.5:  # aged, nothing else
                        v[27, i] = v[0, i]
                        v[28, i] = v[12, i] if timed else v[1, i]
                        v[29, i] = v[2, i]
            if limited(n, v[0], own_a, v[2], v[27], v[28], v[29], flags[0], limits):
                tallied(n, flags[0], tally.clamps)
            ahead(low + n + 2 * _PART, low + n + 3 * _PART, order, a, b, rows)
            sums(n, v[3], v[0], v[19], v[7], v[6], ones, v[21], v[22], k)
            ahead(low + n + 3 * _PART, low + n + BLOCK, order, a, b, rows)
            tally.unconverged[0] += settled(
                n, n, v[3], own_b, v[5], v[21], v[22], elapsed_b, v[9], v[30], v[31], v[32], v[24], k
            )
            if excepting:
                for i in range(n):
                    if loser_only[order[low + i]] > 0 and v[6, i] < 0.5:
                        v[30, i] = v[3, i]
                        v[31, i] = v[16, i] if timed else v[4, i]
                        v[32, i] = v[5, i]
            if limited(n, v[3], own_b, v[5], v[30], v[31], v[32], flags[1], limits):
                tallied(n, flags[1], tally.clamps)
            if publishing:
                if shown.peak_games > 0.0:
                    most = shown.peak_phi2
                    for i in range(n):
                        settled_a = (v[8, i] >= shown.peak_games) & (seen_a[i] <= most)
                        settled_b = (v[9, i] >= shown.peak_games) & (seen_b[i] <= most)
                        marks[2, i] = marks[2, i] if settled_a & settled_b else 0
                publish_block(n, v[27], v[28], v[6], marks[2], marks[0], v[33], shown)
                publish_block(n, v[30], v[31], v[7], marks[2], marks[1], v[34], shown)
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
                # The winner of a game that counts for the loser only has no result, and a time only if one before.
                counts_a = not (excepting and loser_only[at] > 0 and v[6, i] > 0.5)
                counts_b = not (excepting and loser_only[at] > 0 and v[6, i] < 0.5)
                if timed:
                    now = times[2, i]
                    if counts_a or times[0, i] != NEVER:
                        last[x, 3] = now if now > times[0, i] else times[0, i]
                    if counts_b or times[1, i] != NEVER:
                        last[y, 3] = now if now > times[1, i] else times[1, i]
                if counting:
                    below = int(s[at] <= 0.5) + int(s[at] < 0.5)
                    counts[x, below] += np.int32(counts_a)
                    counts[y, 2 - below] += np.int32(counts_b)
                if publishing and counts_a:
                    counts[x, MARKS] = np.int32(marks[0, i])
                    peaks[x, 3] = v[33, i]
                if publishing and counts_b:
                    counts[y, MARKS] = np.int32(marks[1, i])
                    peaks[y, 3] = v[34, i]
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

    @formula(inline=False)
    @variant
    def booked(a: Codes, b: Codes, s: Floats, when: Wholes, rows: Rows) -> None:
        """What no update asks for, in the order of the games: results, and where states do not age, their times."""
        counts, last = rows.counts, rows.last
        if not counting:
            for i in range(len(a)):
                below = int(s[i] <= 0.5) + int(s[i] < 0.5)
                counts[a[i], below] += np.int32(1)
                counts[b[i], 2 - below] += np.int32(1)
        if not timed and len(when) > 0:
            for i in range(len(a)):
                x = a[i]
                y = b[i]
                last[x, 3] = when[i] if when[i] > last[x, 3] else last[x, 3]
                last[y, 3] = when[i] if when[i] > last[y, 3] else last[y, 3]

    @variant
    def waves(
        begin: int,
        end: int,
        a: Codes,
        b: Codes,
        s: Floats,
        when: Wholes,
        loser_only: Wholes,
        peak: Wholes,
        rows: Rows,
        predictions: Predictions,
        steps: Steps,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
        shown: Shown,
        desk: Desk,
        thread: int,
        threads: int,
    ) -> None:
        """Rates games begin..end, each a unit of its own. Changes rows, predictions, steps and tally in place.

        Every thread calls this with its number and a tally of its own. The last one looks for levels, a window ahead of
        the others, and then rates with them; blocks of a level are taken by who comes, and the next level begins when
        all of them are done.
        """
        v = np.empty((35, BLOCK))
        v[18, :] = 1.0
        v[8, :] = 0.0
        v[9, :] = 0.0
        c = np.ones((16, LANES))
        c[12, :] = 0.0
        times = np.empty((3, BLOCK), np.int64)
        flags = np.empty((2, BLOCK), np.int64)
        marks = np.empty((3, BLOCK), np.int64)
        window = desk.order.shape[1]
        windows = (end - begin + window - 1) // window
        base = 0
        for w in range(-1, windows):
            ahead = w + 1
            if thread == threads - 1 and ahead < windows:
                for other in range(threads):  # nobody may still look at what is written over now
                    wait(desk.left, other, w)
                first = begin + ahead * window
                stop = min(end, first + window)
                here = ahead % 2
                times_ = when[first:stop] if len(when) > 0 else when
                top = levels(
                    a[first:stop], b[first:stop], desk.depth, base, desk.level, desk.start[here], desk.order[here]
                )
                base += top
                desk.tops[here] = top
                desk.taken[here, :top] = 0
                desk.done[here, :top] = 0
                booked(a[first:stop], b[first:stop], s[first:stop], times_, rows)
                add(desk.ready, 0, 1)
            if w < 0:
                continue
            wait(desk.ready, 0, w + 1)
            first = begin + w * window
            stop = min(end, first + window)
            here = w % 2
            start, order, taken, done = desk.start[here], desk.order[here], desk.taken[here], desk.done[here]
            a_, b_, s_, only_, peak_ = (
                a[first:stop],
                b[first:stop],
                s[first:stop],
                loser_only[first:stop],
                peak[first:stop],
            )
            times_ = when[first:stop] if len(when) > 0 else when
            d = 0
            while d < desk.tops[here]:
                after = d
                while plain and after < desk.tops[here] and start[after + 1] - start[after] <= FEW:
                    after += 1
                if after > d:  # threads would wait for one another longer than one takes
                    if thread == 0:
                        narrow(d, after, start, order, a_, b_, s_, rows.state, c, flags[0], tally, k, limits)
                        add(done, d, 1)
                    wait(done, d, 1)
                    d = after
                    continue
                blocks = (start[d + 1] - start[d] + BLOCK - 1) // BLOCK if threads > 1 else 1
                while True:
                    block = add(taken, d, 1)
                    if block >= blocks:
                        break
                    low = start[d] + block * BLOCK
                    high = min(start[d + 1], low + BLOCK) if threads > 1 else start[d + 1]
                    play(
                        low, high, first, order, a_, b_, s_, times_, only_, peak_, rows, v, times, flags, marks,
                        predictions, steps, tally, k, limits, clock, shown,
                    )  # fmt: skip
                    add(done, d, 1)
                wait(done, d, blocks)
                d += 1
            add(desk.left, thread, 1)

    return waves
