"""Units of many games, in blocks: a rating period, or matches that share no player.

Everyone's games of a unit are rated from the values before it, so a unit is three passes: what the games need of each
player onto a sheet, the sums of the games in their order, everyone's values after them. Units that share no player
commute (see `waves`): matches of one level are passed through together, as if they were one unit.

Where a unit has about as many games as there are players, all of them are walked through in the order of memory, and
nobody is listed. A game then costs its two rows of the sheet, which lie anywhere in memory: they are fetched while the
games before are computed. Threads share the games of such a unit to find what they add, and each of them adds it to
players of its own, so that everyone's sums keep the order of the games.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from tallymark.methodology.limits import Limits
from tallymark.numeric import formula, named_after
from tallymark.replay.blocks import BLOCK, Codes, Floats, Wholes
from tallymark.replay.columns import Clock, Predictions, Steps, Tally
from tallymark.replay.levels import by_level, unit_levels
from tallymark.replay.paper import SHARED, WINDOW, Paper, Told, listed
from tallymark.replay.rows import Needs, Rows
from tallymark.replay.sharing import meet
from tallymark.replay.sheet_stages import make_sheet_stages
from tallymark.systems import Constants, Formulas

Sheets: TypeAlias = Callable[..., None]

_ALONE: Final = 4 * SHARED
"""Games of a unit below which one thread is done before several have met."""


def pays_shared(needs: Needs) -> bool:
    """Whether threads pay: where a replay is asked for states alone, what takes its time is memory, which they share.

    >>> pays_shared(Needs(timed=True, counting=False, predicting=False, recording=False))
    False
    """
    return needs.predicting or needs.recording


class Work(NamedTuple):
    """The columns of a block."""

    v: Floats
    times: Wholes
    flags: Wholes
    who: Codes
    own: Codes
    """Sides of some games, for threads."""


@formula(inline=False, allocates=True)
def scratch() -> Work:
    """The columns of a block, of which two are of one value all along."""
    v = np.empty((17, BLOCK))
    v[15, :] = 0.0
    v[16, :] = 1.0
    return Work(
        v,
        np.empty((2, BLOCK), np.int64),
        np.empty(BLOCK, np.int64),
        np.empty(BLOCK + 1, np.uint32),
        np.empty(2 * SHARED + 1, np.uint32),
    )


def make_sheets(run: Formulas, grows_first: bool, needs: Needs) -> tuple[Sheets, Sheets]:
    """The passes over one system's formulas, unit by unit and by levels. Only what a replay needs is in the code.

    Nothing is published here, and every game counts for both.
    """
    recording, shares = needs.recording, pays_shared(needs)
    prepare, weigh, enter, enter_own, close, record = make_sheet_stages(run, grows_first, needs)
    variant = named_after(run, grows_first, *needs)

    @formula(inline=False)
    @variant
    def alone(
        low: int,
        high: int,
        when: int,
        told: Told,
        rows: Rows,
        p: Paper,
        work: Work,
        predictions: Predictions,
        steps: Steps,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
    ) -> None:
        """Games low..high, of one unit or of units that share no player, by one thread."""
        v, times, flags, who, _ = work
        several = len(told.when) > 0
        everyone = not several and 2 * (high - low) >= len(rows.state)
        n = len(rows.state) if everyone else listed(low, high, told, p)
        prepare(0, n, everyone, when, several, rows, p, v, times, k, limits, clock)
        for first in range(low, high, BLOCK):
            stop = min(high, first + BLOCK)
            weigh(first, stop, high, told, p, p.sums[0], 0, v, predictions, k)
            enter(first, stop, told, p, p.sums[0])
        close(0, n, everyone, when, several, rows, p, v, times, flags, who, tally, k, limits, clock)
        if recording:
            record(low, high, told, rows, p, steps)

    @formula(inline=False)
    @variant
    def shared(
        low: int,
        high: int,
        when: int,
        told: Told,
        rows: Rows,
        p: Paper,
        work: Work,
        predictions: Predictions,
        steps: Steps,
        tally: Tally,
        k: Constants,
        limits: Limits,
        clock: Clock,
        thread: int,
        threads: int,
        met: int,
    ) -> int:
        """The same by several threads, each of which calls this; returns how often they have met."""
        v, times, flags, who, own = work
        everyone = 2 * (high - low) >= len(rows.state)
        met = meet(p.met, met, threads)
        if thread == 0:
            p.present[0] = len(rows.state) if everyone else listed(low, high, told, p)
        met = meet(p.met, met, threads)
        n = p.present[0]
        begin, end = n * thread // threads, n * (thread + 1) // threads
        prepare(begin, end, everyone, when, False, rows, p, v, times, k, limits, clock)
        met = meet(p.met, met, threads)
        here = 0
        for first in range(low, high, SHARED):
            stop = min(high, first + SHARED)
            begin = first + (stop - first) * thread // threads
            last = first + (stop - first) * (thread + 1) // threads
            for one in range(begin, last, BLOCK):
                weigh(one, min(last, one + BLOCK), last, told, p, p.sums[here], one - first, v, predictions, k)
            met = meet(p.met, met, threads)
            enter_own(first, stop, told, p, p.sums[here], own, thread, threads)
            here = 1 - here  # who is through writes there what the others do not read any more
        met = meet(p.met, met, threads)
        begin, end = n * thread // threads, n * (thread + 1) // threads
        close(begin, end, everyone, when, False, rows, p, v, times, flags, who, tally, k, limits, clock)
        met = meet(p.met, met, threads)
        if recording:
            games = high - low
            record(low + games * thread // threads, low + games * (thread + 1) // threads, told, rows, p, steps)
            met = meet(p.met, met, threads)
        return met

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
        thread: int,
        threads: int,
    ) -> None:
        """Rates units begin..end, one after the other. Changes rows, predictions, steps and tally in place.

        Every thread calls this with its number and a tally of its own; small units are the first one's.
        """
        work = scratch()
        met = 0
        for unit in range(begin, end):
            low, high = start[unit], start[unit + 1]
            if shares and threads > 1 and high - low >= _ALONE:
                met = shared(
                    low, high, when[unit], told, rows, p, work, predictions, steps, tally, k, limits, clock,
                    thread, threads, met,
                )  # fmt: skip
            elif thread == 0:
                alone(low, high, when[unit], told, rows, p, work, predictions, steps, tally, k, limits, clock)

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
        thread: int,
        threads: int,
    ) -> None:
        """The same for units of a few games, by one thread: those of a window that share no player, at once."""
        work = scratch()
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
                alone(
                    place[level], place[level + 1], 0, sorted_, rows, p, work, predictions, steps, tally, k, limits,
                    clock,
                )  # fmt: skip
            base += top
            first = stop

    return sheets, by_levels
