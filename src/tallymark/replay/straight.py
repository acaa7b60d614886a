"""Logs that are a schedule as they stand, where nothing has to be moved or copied: the usual large ones.

One pool, whose players are the rows; every game rated; and either one game a unit or calendar periods, which lie behind
one another in a log that is in order of time. What `scheduling.build` makes of such a log is the same, told longer.
"""

import numpy as np
from numpy.typing import NDArray

from tallymark.games import GameLog, Source
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER, Games, Units
from tallymark.replay.eligibility import Eligibility
from tallymark.replay.roster import Roster
from tallymark.replay.schedule import DAY, NONE, Head, Schedule

_MOST_PERIODS = 10_000_000


def straight_schedule(
    log: GameLog, methodology: Methodology, roster: Roster, heads: list[Head], eligibility: Eligibility
) -> Schedule | None:
    """The schedule of such a log, None for any other."""
    period = methodology.period
    published = methodology.published
    if (
        len(log) == 0
        or len(roster.pools) != 1
        or len(roster) != len(log.players)
        or eligibility.reason is not None
        or eligibility.loser_only is not None
        or (log.match is not None and not methodology.numbers.exact)
        or heads != [Head(NEVER, NEVER, NEVER)]
        or period.sum_order == "opponent"
        or not (published.peak == "none" or log.source is None or len(published.peak_sources) == len(Source))
    ):
        return None
    units, head = Units(NONE, NONE if log.time is None else log.time), heads[0]
    open_period = first_period = NEVER
    most = 2
    closed_units = len(log)
    if log.time is not None:
        head = head._replace(last=int(log.time[-1]))
    if period.kind == "calendar":
        assert log.time is not None  # refused before
        stated = period.origin_instant
        origin = int(log.time[0]) // DAY * DAY if stated is None else stated
        first_period = (int(log.time[0]) - origin) // period.length
        open_period = (int(log.time[-1]) - origin) // period.length
        if open_period - first_period >= _MOST_PERIODS:
            return None
        head = head._replace(origin=origin)
        units = _periods(log.time, origin, period.length, first_period, open_period)
        closed_units = len(units.when) - 1
        most = 2 * int(np.diff(units.start).max())
    return Schedule(
        games=Games(
            a=log.a,
            b=log.b,
            s=log.score,
            share=np.zeros(0),
            loser_only=NONE,
            peak=NONE,
            at=NONE if log.time is None else log.time,
            start_a=np.zeros(0),
            start_b=np.zeros(0),
        ),
        units=units,
        order=None,
        closed_units=closed_units,
        most=most,
        heads=[head],
        open_period=np.array([open_period], np.int64),
        first_period=np.array([first_period], np.int64),
        reason=None,
        late=0,
    )


def _periods(time: NDArray[np.int64], origin: int, length: int, first: int, last: int) -> Units:
    """The periods that have games, found by where they begin."""
    number = np.arange(first, last + 2, dtype=np.int64)
    start = np.searchsorted(time, origin + number * length).astype(np.int64)
    played = np.flatnonzero(np.diff(start))
    return Units(np.append(start[played], start[-1]), number[played])
