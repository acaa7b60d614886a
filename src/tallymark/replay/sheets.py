"""Units of many games, in blocks: a rating period, or matches that share no player.

Everyone's games of a unit are rated from the values before it, so a unit is three passes: what the games need of each
player onto a sheet, the sums of the games in their order, everyone's values after them. Units that share no player
commute (see `waves`): matches of one level are passed through together, as if they were one unit.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tallymark.methodology.limits import Limits
from tallymark.numeric import formula, named_after
from tallymark.replay.blocks import BLOCK, Floats, Wholes, make_stages
from tallymark.replay.columns import Clock, Predictions, Steps, Tally
from tallymark.replay.levels import by_level, unit_levels
from tallymark.replay.paper import WINDOW, Paper, Told, book, entered
from tallymark.replay.rows import Needs, Rows
from tallymark.systems import Constants, Formulas

Sheets: TypeAlias = Callable[..., None]


@formula(inline=False)
def scratch() -> tuple[Floats, Wholes, Wholes]:
    """The columns of a block: doubles, of which three are of one value all along, times, and flags."""
    v = np.empty((17, BLOCK))
    v[14, :] = 1.0
    v[15, :] = 0.0
    v[16, :] = 1.0
    return v, np.empty((2, BLOCK), np.int64), np.empty(BLOCK, np.int64)


def make_sheets(run: Formulas, grows_first: bool, needs: Needs) -> tuple[Sheets, Sheets]:
    """The passes over one system's formulas, unit by unit and by levels. Only what a replay needs is in the code.

    Nothing is published here, and every game counts for both.
    """
    timed, counting, predicting, recording = needs.timed, needs.counting, needs.predicting, needs.recording
    aged, weights, sums, settled, limited, tallied, predicted = make_stages(run, grows_first)
    variant = named_after(run, grows_first, *needs)

    @formula(inline=False)
    @variant
    def prepare(
        n_all: int, rows: Rows, p: Paper, v: Floats, times: Wholes, k: Constants, limits: Limits, clock: Clock
    ) -> None:
        """Writes the sheet's rows of the participants."""
        for low in range(0, n_all, BLOCK):
            n = min(BLOCK, n_all - low)
            for i in range(n):
                x = p.who[low + i]
                v[0, i] = rows.state[x, 0]
                v[1, i] = rows.state[x, 1]
                v[2, i] = rows.state[x, 2]
                if timed:
                    times[0, i] = rows.last[x, 3]
                    times[1, i] = p.now[low + i]
            if timed:
                aged(n, v[0], v[1], v[2], times[0], times[1], v[3], v[4], v[5], v[6], k, limits, clock)
                weights(n, v[4], v[7])
            else:
                weights(n, v[1], v[7])
            for i in range(n):
                x = p.who[low + i]
                p.sheet[x, 0] = v[0, i]
                p.sheet[x, 1] = v[7, i]
                p.sheet[x, 2] = 0.0
                p.sheet[x, 3] = 0.0
                if predicting:
                    p.ahead[x] = v[5, i] if timed else v[1, i]

    @formula(inline=False)
    @variant
    def add(low: int, high: int, told: Told, p: Paper, v: Floats, predictions: Predictions, k: Constants) -> None:
        """Adds games low..high to the sums, in their order."""
        sheet = p.sheet
        a, b, s = told.a, told.b, told.s
        shared = len(told.share) > 0
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
            if shared:
                for i in range(n):
                    v[16, i] = told.share[low + i]
            if predicting:
                for i in range(n):
                    v[11, i] = p.ahead[a[low + i]]
                    v[12, i] = p.ahead[b[low + i]]
                predicted(n, v[0], v[2], v[11], v[12], v[13], v[6], k)
                for i in range(n):
                    at = told.places[low + i] if len(told.places) else low + i
                    predictions.logit[at] = v[13, i]
                    predictions.p[at] = v[6, i]
            sums(n, v[0], v[2], v[3], v[4], v[5], v[16], v[7], v[8], k)
            sums(n, v[2], v[0], v[1], v[5], v[4], v[16], v[9], v[10], k)
            for i in range(n):
                x = a[low + i]
                y = b[low + i]
                sheet[x, 2] += v[7, i]
                sheet[x, 3] += v[8, i]
                sheet[y, 2] += v[9, i]
                sheet[y, 3] += v[10, i]
            low += n

    @formula(inline=False)
    @variant
    def close(
        n_all: int,
        rows: Rows,
        p: Paper,
        v: Floats,
        times: Wholes,
        flags: Wholes,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
    ) -> None:
        """The participants' values after their games."""
        for low in range(0, n_all, BLOCK):
            n = min(BLOCK, n_all - low)
            for i in range(n):
                x = p.who[low + i]
                v[0, i] = rows.state[x, 0]
                v[1, i] = rows.state[x, 1]
                v[2, i] = rows.state[x, 2]
                v[7, i] = p.sheet[x, 2]
                v[8, i] = p.sheet[x, 3]
                times[0, i] = rows.last[x, 3]
                times[1, i] = p.now[low + i]
                if counting:
                    c = rows.counts
                    v[9, i] = float(c[x, 0] + c[x, 1] + c[x, 2] + c[x, 3])
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
                    x = p.who[low + i]
                    p.kept[x, 0] = v[0, i]
                    p.kept[x, 1] = v[4, i] if timed else v[1, i]
                    p.kept[x, 2] = v[2, i]
                    p.kept[x, 3] = float(flags[i])
                    p.kept[x, 4] = 0.0 if v[13, i] == 2.0 else 1.0
            for i in range(n):
                x = p.who[low + i]
                rows.state[x, 0] = v[10, i]
                rows.state[x, 1] = v[11, i]
                rows.state[x, 2] = v[12, i]
                rows.last[x, 3] = times[1, i] if times[1, i] > times[0, i] else times[0, i]

    @formula(inline=False)
    @variant
    def record(low: int, high: int, told: Told, rows: Rows, p: Paper, steps: Steps) -> None:
        for i in range(low, high):
            at = told.places[i] if len(told.places) else i
            for side in range(2):
                x = told.b[i] if side else told.a[i]
                row = 2 * at + side
                steps.mu_before[row] = p.kept[x, 0]
                steps.phi2_before[row] = p.kept[x, 1]
                steps.sigma2_before[row] = p.kept[x, 2]
                steps.mu_after[row] = rows.state[x, 0]
                steps.phi2_after[row] = rows.state[x, 1]
                steps.sigma2_after[row] = rows.state[x, 2]
                steps.flags[row] = int(p.kept[x, 3])
                steps.converged[row] = int(p.kept[x, 4])

    @formula(inline=False)
    @variant
    def through(
        low: int,
        high: int,
        when: int,
        told: Told,
        rows: Rows,
        p: Paper,
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
        """Games low..high, of one unit or of units that share no player."""
        n = entered(low, high, when, told, p)
        prepare(n, rows, p, v, times, k, limits, clock)
        add(low, high, told, p, v, predictions, k)
        close(n, rows, p, v, times, flags, tally, k, limits, clock)
        book(n, rows, p)
        if recording:
            record(low, high, told, rows, p, steps)

    @variant
    def sheets(
        begin: int,
        end: int,
        told: Told,
        start: Wholes,
        when: Wholes,
        rows: Rows,
        p: Paper,
        predictions: Predictions,
        steps: Steps,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
    ) -> None:
        """Rates units begin..end, one after the other. Changes rows, predictions, steps and tally in place."""
        v, times, flags = scratch()
        for unit in range(begin, end):
            through(
                start[unit], start[unit + 1], when[unit], told, rows, p, v, times, flags, predictions, steps, tally,
                k, limits, clock,
            )  # fmt: skip

    @variant
    def by_levels(
        begin: int,
        end: int,
        told: Told,
        start: Wholes,
        when: Wholes,
        rows: Rows,
        p: Paper,
        predictions: Predictions,
        steps: Steps,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
    ) -> None:
        """The same for units of a few games each: those of a window that share no player, together."""
        v, times, flags = scratch()
        depth = np.zeros(len(rows.state), np.int32)
        base = 0
        first = begin
        while first < end:
            stop = first + 1
            while stop < end and start[stop + 1] - start[first] <= WINDOW:
                stop += 1
            top = unit_levels(first, stop, told, start, depth, base, p.unit)
            place = np.zeros(top + 1, np.int64)
            sorted_ = by_level(first, stop, told, start, when, p.unit, place)
            for level in range(top):
                through(
                    place[level], place[level + 1], 0, sorted_, rows, p, v, times, flags, predictions, steps, tally,
                    k, limits, clock,
                )  # fmt: skip
            base += top
            first = stop

    return sheets, by_levels
