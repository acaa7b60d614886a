"""Which pass a compiled replay takes: by levels of games, by periods, by levels of matches, or the plain fold.

All of them give the same bits; the plain fold is taken where published states depend on the order of games.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from tallymark.replay.blocks import Codes, Wholes
from tallymark.replay.columns import NEVER, Games, Players, Predictions, Shown, Steps, Tally, Units
from tallymark.replay.compiled import compiled
from tallymark.replay.rows import Rows, Rules, rows_of
from tallymark.replay.sheets import Sheets, Told, make_sheets, paper
from tallymark.replay.threads import together
from tallymark.replay.waves import WINDOW, Waves, desk, make_waves
from tallymark.systems import Formulas

_FEW: int = 64
"""Games a unit, on average, below which units are looked at for players they share."""
_EMPTY_CODES = np.zeros(0, np.int32)


class Kept(NamedTuple):
    """What a pass writes besides the players."""

    predictions: Predictions
    steps: Steps
    tally: Tally


@cache
def _waves(run: Formulas, grows_first: bool, timed: bool, counting: bool, predicting: bool, recording: bool) -> Waves:
    return compiled(make_waves(run, grows_first, timed, counting, predicting, recording))


@cache
def _sheets(
    run: Formulas, grows_first: bool, timed: bool, counting: bool, predicting: bool, recording: bool, few: bool
) -> Sheets:
    return compiled(make_sheets(run, grows_first, timed, counting, predicting, recording)[1 if few else 0])


def passable(shown: Shown, games: Games) -> bool:
    """Whether the passes know all there is to do; else the fold does it."""
    return shown.established_phi2 < 0.0 and shown.peak_phi2 < 0.0 and not len(games.loser_only)


def rate(
    first: int, last: int, games: Games, units: Units, players: Players, kept: Kept, rules: Rules, threads: int = 1
) -> None:
    """Rates units first..last, as the fold would: changes players, predictions, steps and tally in place."""
    if first == last:
        return
    a, b, s = np.asarray(games.a, np.int32), np.asarray(games.b, np.int32), np.asarray(games.s)
    start, when = np.asarray(units.start, np.int64), np.asarray(units.when, np.int64)
    predicting, recording = len(kept.predictions.p) > 0, len(kept.steps.flags) > 0
    rows = rows_of(players)
    switches = (rules.clock.kind > 0.0, rules.counts_games, predicting, recording)
    if not len(start) or len(start) - 1 == len(a):
        begin, end = first, last
        waves = _waves(rules.run, rules.grows_first, *switches)
        shared = desk(len(rows.state), last - first, WINDOW, threads)
        tallies = [kept.tally, *(blank_tally() for _ in range(threads - 1))]

        def share(thread: int, end: int = last, threads: int = threads) -> None:
            waves(
                first, end, a, b, s, when, rows, kept.predictions, kept.steps, tallies[thread], rules.k, rules.limits,
                rules.clock, shared, thread, threads,
            )  # fmt: skip

        share(0, first, 1)  # compiled, or read from the disk, before threads wait for one another
        together(share, threads)
        for tally in tallies[1:]:
            for total, more in zip(kept.tally, tally, strict=True):
                np.asarray(total)[:] += np.asarray(more)
    else:
        begin, end = int(start[first]), int(start[last])
        few = end - begin < _FEW * (last - first)
        told = Told(a, b, s, np.asarray(games.share), np.zeros(0, np.int64), _EMPTY_CODES)
        scratch = paper(len(rows.state), end - begin, predicting, recording)
        _sheets(rules.run, rules.grows_first, *switches, few)(
            first, last, told, start, when, rows, scratch, *kept, rules.k, rules.limits, rules.clock
        )
    _written(players, rows)
    if len(games.at):
        _latest()(begin, end, a, b, np.asarray(games.at), np.asarray(players.last_played))


def blank_tally() -> Tally:
    """Counters at nothing."""
    return Tally(np.zeros(5, np.int64), np.zeros(1, np.int64))


def _written(players: Players, rows: Rows) -> None:
    """The rows as columns again. Whoever has one more result is rated now."""
    mu, phi2, sigma2, last, rated, games, wins, draws, losses = (np.asarray(column) for column in players[:9])
    mu[:], phi2[:], sigma2[:] = rows.state[:, 0], rows.state[:, 1], rows.state[:, 2]
    played = np.zeros(len(mu), np.int64)
    for at, column in enumerate((wins, draws, losses)):
        column += rows.counts[:, at]
        played += rows.counts[:, at]
    rated[played > 0] = 1
    games += played
    known = rows.last[:, 3] != NEVER
    last[known] = rows.last[known, 3]


def latest(begin: int, end: int, a: Codes, b: Codes, at: Wholes, last_played: Wholes) -> None:
    """The instant of each player's last game."""
    for i in range(begin, end):
        x = a[i]
        y = b[i]
        last_played[x] = at[i] if at[i] > last_played[x] else last_played[x]
        last_played[y] = at[i] if at[i] > last_played[y] else last_played[y]


@cache
def _latest() -> Callable[[int, int, Codes, Codes, Wholes, Wholes], None]:
    return compiled(latest)
