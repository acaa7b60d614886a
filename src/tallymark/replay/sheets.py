"""Units of many games, in blocks: a rating period, or matches that share no player.

Everyone's games of a unit are rated from the values before it, so a unit is three passes: what the games need of each
player onto a sheet, the sums of the games in their order, everyone's values after them. Units that share no player
commute (see `waves`): matches of one level are passed through together, as if they were one unit.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np

from tallymark.methodology.limits import Limits
from tallymark.numeric import formula
from tallymark.replay.blocks import BLOCK, Codes, Floats, Wholes, make_stages
from tallymark.replay.columns import Clock, Predictions, Steps, Tally
from tallymark.replay.rows import Rows
from tallymark.systems import Constants, Formulas

Sheets: TypeAlias = Callable[..., None]


@formula(inline=False)
def aligned(n: int, width: int) -> Floats:
    """Rows of doubles, each inside a cache line where their width divides one."""
    raw = np.empty(width * n + 8)
    skip = (64 - raw.ctypes.data % 64) % 64 // 8
    return raw[skip : skip + width * n].reshape(n, width)


def make_sheets(run: Formulas, grows_first: bool, timed: bool, counting: bool, predicting: bool, recording: bool) -> Sheets:
    """The pass over one system's formulas; what a replay does not need is not in the code (see `make_waves`)."""
    aged, weights, sums, settled, limited, tallied, predicted = make_stages(run, grows_first)

    @formula(inline=False)
    def prepare(low, high, who, now, rows, sheet, ahead, v, times, k, limits, clock):
        """Writes the sheet's rows of participants low..high."""
        while low < high:
            n = min(BLOCK, high - low)
            for i in range(n):
                x = who[low + i]
                v[0, i] = rows.state[x, 0]
                v[1, i] = rows.state[x, 1]
                v[2, i] = rows.state[x, 2]
                if timed:
                    times[0, i] = rows.last[x, 3]
                    times[1, i] = now[low + i]
            if timed:
                aged(n, v[0], v[1], v[2], times[0], times[1], v[3], v[4], v[5], v[6], k, limits, clock)
                weights(n, v[4], v[7])
            else:
                weights(n, v[1], v[7])
            for i in range(n):
                x = who[low + i]
                sheet[x, 0] = v[0, i]
                sheet[x, 1] = v[7, i]
                sheet[x, 2] = 0.0
                sheet[x, 3] = 0.0
                if predicting:
                    ahead[x] = v[5, i] if timed else v[1, i]
            low += n

    @formula(inline=False)
    def add(low, high, a, b, s, share, sheet, ahead, v, predictions, k):
        """Adds games low..high to the sums."""
        while low < high:
            n = min(BLOCK, high - low)
            for i in range(n):
                x = a[low + i]
                y = b[low + i]
                v[0, i] = sheet[x, 0]
                v[1, i] = sheet[x, 1]
                v[2, i] = sheet[y, 0]
                v[3, i] = sheet[y, 1]
                v[4, i] = s[low + i]
                v[5, i] = 1.0 - s[low + i]
                v[6, i] = share[low + i] if len(share) else 1.0
                if predicting:
                    v[11, i] = ahead[x]
                    v[12, i] = ahead[y]
            if predicting:
                predicted(n, v[0], v[2], v[11], v[12], v[13], v[14], k)
                for i in range(n):
                    predictions.logit[low + i] = v[13, i]
                    predictions.p[low + i] = v[14, i]
            sums(n, v[0], v[2], v[3], v[4], v[5], v[6], v[7], v[8], k)
            sums(n, v[2], v[0], v[1], v[5], v[4], v[6], v[9], v[10], k)
            for i in range(n):
                x = a[low + i]
                y = b[low + i]
                sheet[x, 2] += v[7, i]
                sheet[x, 3] += v[8, i]
                sheet[y, 2] += v[9, i]
                sheet[y, 3] += v[10, i]
            low += n

    @formula(inline=False)
    def close(low, high, who, now, rows, sheet, v, times, flags, tally, kept, k, limits, clock):
        """The values of participants low..high after their games."""
        while low < high:
            n = min(BLOCK, high - low)
            for i in range(n):
                x = who[low + i]
                v[0, i] = rows.state[x, 0]
                v[1, i] = rows.state[x, 1]
                v[2, i] = rows.state[x, 2]
                v[7, i] = sheet[x, 2]
                v[8, i] = sheet[x, 3]
                times[0, i] = rows.last[x, 3]
                times[1, i] = now[low + i]
                if counting:
                    v[9, i] = float(rows.counts[x, 0] + rows.counts[x, 1] + rows.counts[x, 2])
            if timed:
                aged(n, v[0], v[1], v[2], times[0], times[1], v[3], v[4], v[5], v[6], k, limits, clock)
            own, elapsed = (v[3], v[6]) if timed else (v[1], v[14])
            played = v[9] if counting else v[15]
            tally.unconverged[0] += settled(
                n, v[0], own, v[2], v[7], v[8], elapsed, played, v[10], v[11], v[12], v[13], k
            )
            if limited(n, v[0], own, v[2], v[10], v[11], v[12], flags, limits):
                tallied(n, flags, tally.clamps)
            if recording:
                for i in range(n):
                    x = who[low + i]
                    kept[x, 0] = v[0, i]
                    kept[x, 1] = v[4, i] if timed else v[1, i]
                    kept[x, 2] = v[2, i]
                    kept[x, 3] = float(flags[i])
                    kept[x, 4] = 0.0 if v[13, i] == 2.0 else 1.0
            for i in range(n):
                x = who[low + i]
                rows.state[x, 0] = v[10, i]
                rows.state[x, 1] = v[11, i]
                rows.state[x, 2] = v[12, i]
                rows.last[x, 3] = times[1, i] if times[1, i] > times[0, i] else times[0, i]
            low += n

    @formula(inline=False)
    def count(low, high, a, b, s, counts):
        for i in range(low, high):
            column = 0 if s[i] > 0.5 else (1 if s[i] == 0.5 else 2)
            counts[a[i], column] += 1
            counts[b[i], 2 - column] += 1

    @formula(inline=False)
    def record(low, high, a, b, rows, kept, steps):
        for i in range(low, high):
            for side in range(2):
                x = b[i] if side else a[i]
                row = 2 * i + side
                steps.mu_before[row] = kept[x, 0]
                steps.phi2_before[row] = kept[x, 1]
                steps.sigma2_before[row] = kept[x, 2]
                steps.mu_after[row] = rows.state[x, 0]
                steps.phi2_after[row] = rows.state[x, 1]
                steps.sigma2_after[row] = rows.state[x, 2]
                steps.flags[row] = int(kept[x, 3])
                steps.converged[row] = int(kept[x, 4])

    def sheets(begin, end, a, b, s, share, start, when, rows, predictions, steps, tally, k, limits, clock):
        """Rates units begin..end. Changes rows, predictions, steps and tally in place."""
        players = len(rows.state)
        sheet = aligned(players, 4)
        ahead = np.empty(players if predicting else 0)
        kept = np.empty((players if recording else 0, 5))
        slot = np.full(players, -1, np.int32)
        who = np.empty(players, np.int32)
        now = np.empty(players, np.int64)
        v = np.empty((16, BLOCK))
        v[14, :] = 1.0
        v[15, :] = 0.0
        times = np.empty((2, BLOCK), np.int64)
        flags = np.empty(BLOCK, np.int64)
        for unit in range(begin, end):
            low = start[unit]
            high = start[unit + 1]
            n = 0
            for i in range(low, high):
                for side in range(2):
                    x = b[i] if side else a[i]
                    if slot[x] < 0:
                        slot[x] = 0
                        who[n] = x
                        n += 1
            if 4 * n > players:  # in the order of memory, where nearly all of it is visited
                n = 0
                for x in range(players):
                    if slot[x] == 0:
                        who[n] = x
                        n += 1
            for j in range(n):
                now[j] = when[unit]
                slot[who[j]] = -1
            prepare(0, n, who, now, rows, sheet, ahead, v, times, k, limits, clock)
            add(low, high, a, b, s, share, sheet, ahead, v, predictions, k)
            close(0, n, who, now, rows, sheet, v, times, flags, tally, kept, k, limits, clock)
            count(low, high, a, b, s, rows.counts)
            if recording:
                record(low, high, a, b, rows, kept, steps)

    return sheets
