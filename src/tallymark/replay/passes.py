"""Which pass a compiled replay takes: by levels of games, by periods, by levels of matches, or the plain fold.

All of them give the same bits; the plain fold is taken where published states depend on the order of games.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from tallymark.replay.blocks import Codes, Floats, Wholes
from tallymark.replay.columns import NEVER, Games, Predictions, Steps, Tally, Units
from tallymark.replay.compiled import compiled
from tallymark.replay.paper import Told, paper
from tallymark.replay.rows import Needs, Rules
from tallymark.replay.sheets import Sheets, make_sheets, pays_shared
from tallymark.replay.standing import Standing
from tallymark.replay.threads import together
from tallymark.replay.waves import WINDOW, Waves, desk, make_waves
from tallymark.systems import Formulas
from tallymark.systems.glicko2 import undone

_FEW: int = 64
"""Games a unit, on average, below which units are looked at for players they share."""
_NO_TIMES = np.zeros(0, np.int64)
_NO_PLACES = np.zeros(0, np.uint32)


class Kept(NamedTuple):
    """What a pass writes besides the players."""

    predictions: Predictions
    steps: Steps
    tally: Tally


@cache
def _waves(run: Formulas, grows_first: bool, needs: Needs) -> Waves:
    return compiled(make_waves(run, grows_first, needs))


@cache
def _sheets(run: Formulas, grows_first: bool, needs: Needs, few: bool) -> Sheets:
    return compiled(make_sheets(run, grows_first, needs)[1 if few else 0])


def passable(games: Games, units: Units, standing: Standing, rules: Rules) -> bool:
    """Whether the passes know all there is to do; else the fold does it."""
    if rules.exact:
        return True
    exceptions, starting = len(games.loser_only) > 0, len(games.start_a) > 0
    if len(units.start) and len(units.start) - 1 != len(games.a):
        return not (exceptions or starting or published(rules))
    if not (exceptions or starting):
        return True
    # Of who aged and nothing else, neither a grid nor a solver that gives up may touch the state; and who starts
    # where they declared is told from others by having no time.
    players = standing.columns()
    dateless = (np.asarray(players.rated) > 0) & (np.asarray(players.last) == NEVER)
    only_aged = not exceptions or (not rules.limits.rating_steps > 0.0 and rules.run.quick is not undone)
    return only_aged and not bool(dateless.any())


def published(rules: Rules) -> bool:
    """Whether there are established players or peaks."""
    return rules.shown.established_phi2 >= 0.0 or rules.shown.peak_phi2 >= 0.0


def rate(
    first: int, last: int, games: Games, units: Units, standing: Standing, kept: Kept, rules: Rules, threads: int = 1
) -> None:
    """Rates units first..last, as the fold would; changes where players stand, predictions, steps and tally."""
    if first == last:
        return
    a, b = (np.asarray(side, np.int32).view(np.uint32) for side in (games.a, games.b))
    s = np.asarray(games.s)
    start, when = np.asarray(units.start, np.int64), np.asarray(units.when, np.int64)
    loser_only = np.asarray(games.loser_only, np.int64)
    publishing, excepting = published(rules), len(loser_only) > 0
    rows, last_played = standing.rows(publishing)
    needs = Needs(
        timed=rules.clock.kind > 0.0,
        counting=rules.counts_games or publishing or excepting,
        predicting=len(kept.predictions.p) > 0,
        recording=len(kept.steps.flags) > 0,
        publishing=publishing,
        excepting=excepting,
        exact=rules.exact,
        starting=len(games.start_a) > 0,
    )
    clocked = False
    tallies = [kept.tally, *(blank_tally() for _ in range(threads - 1))]
    if not len(start) or len(start) - 1 == len(a):
        waves = _waves(rules.run, rules.grows_first, needs)
        shared = desk(len(rows.state), last - first, WINDOW, threads)
        peak = np.asarray(games.peak, np.int64)
        at = np.asarray(games.at)
        start_a, start_b = np.asarray(games.start_a, np.float64), np.asarray(games.start_b, np.float64)
        # Where states have the instants of games, and always had, they tell when everybody played last.
        one_memory = at.ctypes.data == when.ctypes.data and len(at) == len(when)
        clocked = rules.clock.kind > 1.0 and one_memory and np.array_equal(last_played, rows.last[:, 3])
        if len(at) and not clocked:
            _latest()(first, last, a, b, s, at, loser_only, standing.rated(slice(None)).astype(np.int64), last_played)

        def share(thread: int, threads: int, end: int) -> None:
            waves(
                first, end, a, b, s, when, loser_only, peak, start_a, start_b, rows, kept.predictions, kept.steps,
                tallies[thread], rules.k, rules.limits, rules.clock, rules.shown, shared, thread, threads,
            )  # fmt: skip
    else:
        count = int(start[last]) - int(start[first])
        few = count < _FEW * (last - first)
        if few or not pays_shared(needs):
            threads = 1
        sheets = _sheets(rules.run, rules.grows_first, needs, few)
        told = Told(a, b, s, np.asarray(games.share), np.asarray(games.at, np.int64), _NO_TIMES, _NO_PLACES)
        scratch = paper(len(rows.state), count, needs.predicting, needs.recording, threads, last_played)

        def share(thread: int, threads: int, end: int) -> None:
            sheets(
                first, end, told, start, when, rows, scratch, kept.predictions, kept.steps, tallies[thread],
                rules.k, rules.limits, rules.clock, thread, threads,
            )  # fmt: skip

    share(0, 1, first)  # compiled, or read from the disk, before threads wait for one another
    together(lambda thread: share(thread, threads, last), threads)
    for tally in tallies[1:]:
        for total, more in zip(kept.tally, tally, strict=True):
            np.asarray(total)[:] += np.asarray(more)
    if clocked:
        last_played[:] = rows.last[:, 3]


def blank_tally() -> Tally:
    """Counters at nothing."""
    return Tally(np.zeros(5, np.int64), np.zeros(1, np.int64))


def latest(
    begin: int,
    end: int,
    a: Codes,
    b: Codes,
    s: Floats,
    at: Wholes,
    loser_only: Wholes,
    rated: Wholes,
    last_played: Wholes,
) -> None:
    """The instant of each player's last game; of one that counts for the loser only, the winner's if rated before."""
    excepting = len(loser_only) > 0
    for i in range(begin, end):
        x = a[i]
        y = b[i]
        if excepting:
            alone = loser_only[i] > 0
            rated[x] = 1 if not alone or s[i] < 0.5 else rated[x]
            rated[y] = 1 if not alone or s[i] > 0.5 else rated[y]
            last_played[x] = at[i] if rated[x] > 0 and at[i] > last_played[x] else last_played[x]
            last_played[y] = at[i] if rated[y] > 0 and at[i] > last_played[y] else last_played[y]
        else:
            last_played[x] = at[i] if at[i] > last_played[x] else last_played[x]
            last_played[y] = at[i] if at[i] > last_played[y] else last_played[y]


@cache
def _latest() -> Callable[[int, int, Codes, Codes, Floats, Wholes, Wholes, Wholes, Wholes], None]:
    return compiled(latest)
