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
from tallymark.replay.blocks import BLOCK, Codes, Counts, Floats, Wholes
from tallymark.replay.columns import Clock, Predictions, Shown, Steps, Tally
from tallymark.replay.levels import levels
from tallymark.replay.pairs import LANES, make_pairs
from tallymark.replay.rows import Needs, Rows
from tallymark.replay.sharing import add, wait
from tallymark.replay.sides import Level
from tallymark.systems import Constants, Formulas

WINDOW: Final = 1 << 16
"""Games whose levels are found at once; 2**14 to 2**17 is best on the processors that were tried."""

FEW: Final = 2 * LANES
"""Games of a level up to which they are rated in lanes: the columns of a block would cost more than they win."""

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
    block, play, narrow = make_pairs(run, grows_first, needs)
    timed, counting = needs.timed, needs.counting
    only_states = not any(needs)
    variant = named_after(run, grows_first, *needs)

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
        start_a: Floats,
        start_b: Floats,
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
        columns = block()
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
            start, taken, done = desk.start[here], desk.taken[here], desk.done[here]
            games = Level(
                desk.order[here], a[first:stop], b[first:stop], s[first:stop],
                when[first:stop] if len(when) > 0 else when, loser_only[first:stop], peak[first:stop],
                start_a[first:stop], start_b[first:stop], first,
            )  # fmt: skip
            d = 0
            while d < desk.tops[here]:
                if only_states:  # around all of it: else `narrow` is compiled where nothing calls it
                    after = d
                    while after < desk.tops[here] and start[after + 1] - start[after] <= FEW:
                        after += 1
                    if after > d:  # threads would wait for one another longer than one takes
                        if thread == 0:
                            narrow(d, after, start, games, rows, columns, tally, k, limits)
                            add(done, d, 1)
                        wait(done, d, 1)
                        d = after
                        continue
                blocks = (start[d + 1] - start[d] + BLOCK - 1) // BLOCK if threads > 1 else 1
                while True:
                    one = add(taken, d, 1)
                    if one >= blocks:
                        break
                    low = start[d] + one * BLOCK
                    high = min(start[d + 1], low + BLOCK) if threads > 1 else start[d + 1]
                    play(low, high, games, rows, columns, predictions, steps, tally, k, limits, clock, shown)
                    add(done, d, 1)
                wait(done, d, blocks)
                d += 1
            add(desk.left, thread, 1)

    return waves
