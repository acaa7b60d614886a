"""The stages of a unit of many games (see `sheets`): what its games need of each player onto a sheet, what they add,
and everyone's values after them. Only what a replay needs is in the code.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from tallymark.methodology.limits import Limits
from tallymark.numeric import formula, named_after
from tallymark.replay.blocks import BLOCK, Codes, Floats, Wholes, make_stages
from tallymark.replay.columns import NEVER, Clock, Predictions, Steps, Tally
from tallymark.replay.paper import (
    ELAPSED,
    MU,
    OWN,
    PLAYED,
    RESULTS,
    G,
    Paper,
    Told,
    U,
    W,
    book,
    note,
)  # fmt: skip
from tallymark.replay.rows import Needs, Rows
from tallymark.replay.sharing import fetch
from tallymark.systems import Constants, Formulas

_AHEAD: Final = 32
"""Games computed between two fetches: about what memory gives in that time."""
_OWN: Final = 24
"""Sides between the fetch of a row, which another thread has read, and its change."""


class SheetStages(NamedTuple):
    """In the order in which a unit goes through them; `enter_own` is what `enter` is for several threads."""

    prepare: Callable[..., None]
    weigh: Callable[..., None]
    enter: Callable[..., None]
    enter_own: Callable[..., None]
    close: Callable[..., None]
    record: Callable[..., None]


def make_sheet_stages(run: Formulas, grows_first: bool, needs: Needs) -> SheetStages:
    """The stages over one system's formulas."""
    timed, counting, predicting, recording = needs.timed, needs.counting, needs.predicting, needs.recording
    aged, weights, _, settled, limited, tallied, predicted = make_stages(run, grows_first)
    sums = make_stages(run, grows_first, pasted=True).sums
    variant = named_after(run, grows_first, *needs)

    @formula(inline=True)
    @variant
    def prepare(
        low: int,
        high: int,
        everyone: bool,
        when: int,
        several: bool,
        rows: Rows,
        p: Paper,
        v: Floats,
        times: Wholes,
        k: Constants,
        limits: Limits,
        clock: Clock,
    ) -> None:
        """Writes the sheet's rows of participants low..high."""
        while low < high:
            n = min(BLOCK, high - low)
            for i in range(n):
                x = low + i if everyone else p.who[low + i]
                v[0, i] = rows.state[x, 0]
                v[1, i] = rows.state[x, 1]
                v[2, i] = rows.state[x, 2]
                if timed:
                    times[0, i] = rows.last[x, 3]
                    times[1, i] = p.now[low + i] if several else when
            if timed:
                aged(n, v[0], v[1], v[2], times[0], times[1], v[3], v[4], v[5], v[6], k, limits, clock)
                weights(n, v[4], v[7])
            else:
                weights(n, v[1], v[7])
            for i in range(n):
                x = low + i if everyone else p.who[low + i]
                p.sheet[x, MU] = v[0, i]
                p.sheet[x, G] = v[7, i]
                p.sheet[x, W] = 0.0
                p.sheet[x, U] = 0.0
                p.whole[x, RESULTS] = 0
                p.whole[x, PLAYED] = NEVER
                p.sheet[x, OWN] = v[3, i] if timed else v[1, i]
                p.sheet[x, ELAPSED] = v[6, i] if timed else 1.0
                if predicting:
                    p.ahead[x] = v[5, i] if timed else v[1, i]
                if recording:
                    p.kept[x, 0] = v[0, i]
                    p.kept[x, 1] = v[4, i] if timed else v[1, i]
                    p.kept[x, 2] = v[2, i]
            low += n

    @formula(inline=True)
    @variant
    def weigh(
        low: int,
        high: int,
        after: int,
        told: Told,
        p: Paper,
        out: Floats,
        to: int,
        v: Floats,
        predictions: Predictions,
        k: Constants,
    ) -> None:
        """Writes what games low..high add to `out`, from its column `to`. Fetches rows of the games after them."""
        sheet, a, b, s = p.sheet, told.a, told.b, told.s
        n = high - low
        for i in range(n):
            x = a[low + i]
            y = b[low + i]
            v[0, i] = sheet[x, MU]
            v[1, i] = sheet[x, G]
            v[2, i] = sheet[y, MU]
            v[3, i] = sheet[y, G]
            v[4, i] = s[low + i]
            v[5, i] = 1.0 - s[low + i]
        if len(told.share) > 0:
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
        for c in range(0, n, _AHEAD):
            for i in range(min(high + c, after), min(high + c + _AHEAD, after)):
                fetch(sheet, a[i])
                fetch(sheet, b[i])
            d = min(c + _AHEAD, n)
            o = to + c
            sums(
                d - c, v[0, c:d], v[2, c:d], v[3, c:d], v[4, c:d], v[5, c:d], v[16, c:d], out[0, o:], out[1, o:], k
            )  # fmt: skip
            sums(
                d - c, v[2, c:d], v[0, c:d], v[1, c:d], v[5, c:d], v[4, c:d], v[16, c:d], out[2, o:], out[3, o:], k
            )  # fmt: skip

    @formula(inline=True)
    @variant
    def enter(low: int, high: int, told: Told, p: Paper, out: Floats) -> None:
        """Adds what games low..high add, in their order."""
        sheet, a, b, s = p.sheet, told.a, told.b, told.s
        dated = len(told.at) > 0
        for i in range(low, high):
            x = a[i]
            y = b[i]
            below = int(s[i] <= 0.5) + int(s[i] < 0.5)
            at = told.at[i] if dated else NEVER
            sheet[x, W] += out[0, i - low]
            sheet[x, U] += out[1, i - low]
            note(x, below, at, p)
            sheet[y, W] += out[2, i - low]
            sheet[y, U] += out[3, i - low]
            note(y, 2 - below, at, p)

    @formula(inline=False)
    @variant
    def enter_own(
        low: int, high: int, told: Told, p: Paper, out: Floats, own: Codes, thread: int, threads: int
    ) -> None:
        """The same for the sides of one thread's players alone, in their order."""
        a, b = told.a, told.b
        n = 0
        for i in range(low, high):  # without a branch, which would often be taken the wrong way
            own[n] = 2 * (i - low)
            n += int(((a[i] & 1023) * threads >> 10) == thread)
            own[n] = 2 * (i - low) + 1
            n += int(((b[i] & 1023) * threads >> 10) == thread)
        dated = len(told.at) > 0
        for j in range(n):
            if j + _OWN < n:
                later = low + (own[j + _OWN] >> 1)
                fetch(p.sheet, b[later] if own[j + _OWN] & 1 else a[later])
            side = own[j] & 1
            at = own[j] >> 1
            i = low + at
            x = b[i] if side else a[i]
            s = told.s[i]
            below = int(s <= 0.5) + int(s < 0.5)
            p.sheet[x, W] += out[2 * side, at]
            p.sheet[x, U] += out[2 * side + 1, at]
            note(x, 2 - below if side else below, told.at[i] if dated else NEVER, p)

    @formula(inline=True)
    @variant
    def close(
        low: int,
        high: int,
        everyone: bool,
        when: int,
        several: bool,
        rows: Rows,
        p: Paper,
        v: Floats,
        times: Wholes,
        flags: Wholes,
        who: Codes,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
    ) -> None:
        """The values of participants low..high after their games."""
        while low < high:
            n = 0
            if everyone:
                for x in range(low, min(high, low + BLOCK)):
                    who[n] = x
                    n += int(p.whole[x, RESULTS] != 0)
            else:
                n = min(BLOCK, high - low)
                for i in range(n):  # a copy of a slice would bring the compiler numpy's words for shapes that differ
                    who[i] = p.who[low + i]
            for i in range(n):
                x = who[i]
                v[0, i] = p.sheet[x, MU]
                v[1, i] = p.sheet[x, OWN]
                v[2, i] = rows.state[x, 2]
                v[3, i] = p.sheet[x, ELAPSED]
                v[7, i] = p.sheet[x, W]
                v[8, i] = p.sheet[x, U]
                if counting:
                    c = rows.counts
                    v[9, i] = float(c[x, 0] + c[x, 1] + c[x, 2] + c[x, 3])
            played = v[9] if counting else v[15]
            tally.unconverged[0] += settled(
                n, n, v[0], v[1], v[2], v[7], v[8], v[3], played, v[10], v[11], v[12], v[13], k
            )
            if limited(n, v[0], v[1], v[2], v[10], v[11], v[12], flags, limits):
                tallied(n, flags, tally.clamps)
            if recording:
                for i in range(n):
                    p.kept[who[i], 3] = float(flags[i])
                    p.kept[who[i], 4] = 0.0 if v[13, i] == 2.0 else 1.0
            for i in range(n):
                x = who[i]
                now = p.now[low + i] if several else when
                rows.state[x, 0] = v[10, i]
                rows.state[x, 1] = v[11, i]
                rows.state[x, 2] = v[12, i]
                rows.last[x, 3] = now if now > rows.last[x, 3] else rows.last[x, 3]
                book(x, rows.counts, p)
            low += BLOCK

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

    return SheetStages(prepare, weigh, enter, enter_own, close, record)
