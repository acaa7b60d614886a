"""Units of many games, in blocks: a rating period, or matches that share no player.

Everyone's games of a unit are rated from the values before it, so a unit is three passes: what the games need of each
player onto a sheet, the sums of the games in their order, everyone's values after them. Units that share no player
commute (see `waves`): matches of one level are passed through together, as if they were one unit.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from tallymark.methodology.limits import Limits
from tallymark.numeric import formula, named_after
from tallymark.replay.blocks import BLOCK, Codes, Floats, Wholes, make_stages
from tallymark.replay.columns import Clock, Predictions, Steps, Tally
from tallymark.replay.rows import Needs, Rows, aligned
from tallymark.systems import Constants, Formulas

WINDOW: Final = 1 << 15
"""Games of matches whose levels are found at once."""
_FIELD: Final = (1 << 21) - 1
_FULL: Final = (1 << 20) | (1 << 41) | (1 << 62)
"""The highest bits of the three fields of results."""

Sheets: TypeAlias = Callable[..., None]


class Paper(NamedTuple):
    """Scratch of a pass, one row a player. Made by numpy, whose large arrays lie in large pages."""

    sheet: Floats
    """mu, g, w, u."""
    ahead: Floats
    """phi^2 that a prediction uses."""
    kept: Floats
    """mu, phi^2, sigma^2 before the unit, flags, converged: for the history."""
    who: Codes
    """The participants."""
    now: Wholes
    """The time of each participant's unit."""
    results: Wholes
    """Wins, draws and losses of the unit, 21 bits each; 0 for who is no participant."""
    spilled: Codes
    """Results that have no room there, and a last row that says whether there are any."""
    unit: Codes
    """The level of each unit of a window; a unit has two players at least."""


def paper(players: int, games: int, predicting: bool, recording: bool) -> Paper:
    """Scratch for so many players."""
    return Paper(
        sheet=aligned(players, 4),
        ahead=np.empty(players if predicting else 0),
        kept=np.empty((players if recording else 0, 5)),
        who=np.empty(players + 1, np.int32),
        now=np.empty(players + 1, np.int64),
        results=np.zeros(players, np.int64),
        spilled=np.zeros((players + 1, 3), np.int32),
        unit=np.empty(min(games, WINDOW), np.int32),
    )


class Told(NamedTuple):
    """Games as a pass reads them, unit by unit. Empty columns stand for what all games share."""

    a: Codes
    b: Codes
    s: Floats
    share: Floats
    """1 / (n - 1) where n players met; empty: 1."""
    when: Wholes
    """The time of each game's unit; empty: the pass is told of it."""
    places: Codes
    """Where the game stands in the log; empty: here."""


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
    def entered(low: int, high: int, when: int, told: Told, p: Paper) -> int:
        """Lists the participants of games low..high, with their times and results; returns how many there are."""
        a, b, s, who, now, results = told.a, told.b, told.s, p.who, p.now, p.results
        several = len(told.when) > 0
        n = 0
        for i in range(low, high):  # without a branch, which would often be taken the wrong way
            below = np.int64(s[i] <= 0.5) + np.int64(s[i] < 0.5)
            x = a[i]
            y = b[i]
            time = told.when[i] if several else when
            r = results[x]
            who[n] = x
            now[n] = time
            n += int(r == 0)
            r += np.int64(1) << (21 * below)
            results[x] = r
            q = results[y]
            who[n] = y
            now[n] = time
            n += int(q == 0)
            q += np.int64(1) << (42 - 21 * below)
            results[y] = q
            if (r | q) & _FULL:
                spill(x, p)
                spill(y, p)
        if 4 * n > len(results) and not several:  # in the order of memory, where nearly all of it is visited
            n = 0
            for z in range(len(results)):
                who[n] = z
                now[n] = when
                n += int(results[z] != 0)
        return n

    @formula(inline=False)
    @variant
    def spill(x: int, p: Paper) -> None:
        """Puts results aside where a field of theirs is nearly full; one is left, for the player is listed."""
        r = p.results[x]
        if r & _FULL:
            for field in range(3):
                p.spilled[x, field] += np.int32((r >> (21 * field)) & _FIELD)
            p.spilled[x, 0] -= np.int32(1)
            p.results[x] = 1
            p.spilled[len(p.results), 0] = 1

    @formula(inline=False)
    @variant
    def book(n: int, rows: Rows, p: Paper) -> None:
        """Books the results of the participants."""
        for j in range(n):
            x = p.who[j]
            r = p.results[x]
            p.results[x] = 0
            for field in range(3):
                rows.counts[x, field] += np.int32((r >> (21 * field)) & _FIELD)
        if p.spilled[len(p.results), 0]:
            for j in range(n):
                for field in range(3):
                    rows.counts[p.who[j], field] += p.spilled[p.who[j], field]
                    p.spilled[p.who[j], field] = 0

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
        v = np.empty((17, BLOCK))
        v[14, :] = 1.0
        v[15, :] = 0.0
        v[16, :] = 1.0
        times = np.empty((2, BLOCK), np.int64)
        flags = np.empty(BLOCK, np.int64)
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
        v = np.empty((17, BLOCK))
        v[14, :] = 1.0
        v[15, :] = 0.0
        v[16, :] = 1.0
        times = np.empty((2, BLOCK), np.int64)
        flags = np.empty(BLOCK, np.int64)
        depth = np.zeros(len(rows.state), np.int32)
        base = 0
        first = begin
        while first < end:
            stop = first + 1
            while stop < end and start[stop + 1] - start[first] <= WINDOW:
                stop += 1
            begins = start[first]
            count_ = start[stop] - begins
            top = 0
            if stop > first + 1:
                for unit in range(first, stop):
                    d = base
                    for i in range(start[unit], start[unit + 1]):
                        d = depth[told.a[i]] if depth[told.a[i]] > d else d
                        d = depth[told.b[i]] if depth[told.b[i]] > d else d
                    for i in range(start[unit], start[unit + 1]):
                        depth[told.a[i]] = np.int32(d + 1)
                        depth[told.b[i]] = np.int32(d + 1)
                    p.unit[unit - first] = np.int32(d - base)
                    top = d + 1 - base if d + 1 - base > top else top
            else:
                p.unit[0] = 0
                top = 1
            # Games by level, in their order.
            place = np.zeros(top + 1, np.int64)
            for unit in range(first, stop):
                place[p.unit[unit - first] + 1] += start[unit + 1] - start[unit]
            for level in range(top):
                place[level + 1] += place[level]
            low = place.copy()
            a = np.empty(count_, np.int32)
            b = np.empty(count_, np.int32)
            s = np.empty(count_)
            share = np.empty(count_ if len(told.share) else 0)
            times_ = np.empty(count_, np.int64)
            index = np.empty(count_, np.int32)
            for unit in range(first, stop):
                at = place[p.unit[unit - first]]
                for i in range(start[unit], start[unit + 1]):
                    a[at] = told.a[i]
                    b[at] = told.b[i]
                    s[at] = told.s[i]
                    if len(share):
                        share[at] = told.share[i]
                    times_[at] = when[unit]
                    index[at] = np.int32(i)
                    at += 1
                place[p.unit[unit - first]] = at
            sorted_ = Told(a, b, s, share, times_, index)
            for level in range(top):
                through(
                    low[level], low[level + 1], 0, sorted_, rows, p, v, times, flags, predictions, steps, tally,
                    k, limits, clock,
                )  # fmt: skip
            base += top
            first = stop

    return sheets, by_levels
