"""Starting bands: what newcomers declared, with a game or on a list, where that lets them start, and what is stored."""

import numpy as np
from numpy.typing import NDArray

from tallymark.games import GameLog
from tallymark.methodology import Methodology
from tallymark.replay.columns import Players
from tallymark.replay.roster import Roster
from tallymark.replay.schedule import Schedule, sealed
from tallymark.replay.snapshot import Snapshot


def starts_of(rules: Methodology) -> NDArray[np.float64]:
    """mu of newcomers by the starting band that they declared, of those who declared none first.

    >>> from tallymark import methodology
    >>> (starts_of(methodology("go-onchain")) * 2**32).tolist()
    [0.0, -19527185874.0, -14325007612.0, 0.0, 8358606577.0]
    """
    bands = range(len(rules.system.bands()) + 1)
    return np.array([rules.entered(rules.initial(band)).mu for band in bands])


def declaring(schedule: Schedule, log: GameLog, rules: Methodology, who: Roster, start: Snapshot | None) -> Schedule:
    """The schedule with the bands of its games, where anybody declares one and the rules have any.

    A game that does not say it leaves to the list that the replay starts from. Whether a band counts is the fold's
    business: it does for who has no state yet.
    """
    columns = (log.band_a, log.band_b)
    listed = np.zeros(len(who), np.int64)
    if start is not None and np.asarray(start.state.band).any():
        listed[who.rows(start.pool, start.player)] = np.where(np.asarray(start.state.rated) > 0, 0, start.state.band)
    if not rules.system.undeclared or (log.band_a is None and log.band_b is None and not listed.any()):
        return schedule
    games, places = schedule.games, slice(None) if schedule.order is None else schedule.order
    a, b = (
        listed[np.asarray(rows)] if column is None else np.where(column[places] > 0, column[places], listed[rows])
        for column, rows in zip(columns, (games.a, games.b), strict=True)
    )
    starts = starts_of(rules)
    return sealed(schedule._replace(games=games._replace(start_a=starts[a], start_b=starts[b]), bands=(a, b)))


def bands_after(
    schedule: Schedule, rules: Methodology, before: Players, rated: NDArray[np.bool_], games: int
) -> NDArray[np.int64]:
    """Each player's band after the first games of a schedule, where those who are `rated` then have a state.

    It is stored with the first game that counts for the player; who has none keeps what a list declared.
    """
    first = np.full(len(rated), rules.system.undeclared, np.int64)
    if schedule.bands is not None:
        played = schedule.games
        rows = np.stack([played.a, played.b], axis=1)[:games]
        bands = np.stack(schedule.bands, axis=1)[:games]
        counts = np.ones(rows.shape, np.bool_)
        if len(played.loser_only):
            score, alone = np.asarray(played.s)[:games], np.asarray(played.loser_only)[:games] > 0
            counts = ~np.stack([alone & (score > 0.5), alone & (score < 0.5)], axis=1)
        rows, bands = rows[counts][::-1], bands[counts][::-1]
        first[rows] = np.where(bands > 0, bands, rules.system.undeclared)  # the last assignment stays
    new = rated & (np.asarray(before.rated) == 0)
    return np.where(new, first, np.asarray(before.band))
