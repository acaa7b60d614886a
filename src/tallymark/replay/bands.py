"""Starting bands: what newcomers declared, with a game or on a list, where that lets them start, and what is stored."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.games import GameLog
from tallymark.methodology import Methodology
from tallymark.replay.roster import Roster
from tallymark.replay.schedule import Schedule, sealed
from tallymark.replay.snapshot import Snapshot


def starts_of(rules: Methodology) -> NDArray[np.float64]:
    """mu of newcomers by the starting band that they declared, of those who declared none first.

    >>> from tallymark import methodology
    >>> (starts_of(methodology("go-onchain")) * 2**32).tolist()
    [0.0, -19522877321.0, -14326625622.0, 0.0, 8341418243.0]
    """
    bands = range(len(rules.system.bands()) + 1)
    return np.array([rules.entered(rules.initial(band)).mu for band in bands])


class AtStart(NamedTuple):
    """Each player's band before the first game, 0 for none."""

    stored: NDArray[np.int64]
    """Of those who are rated."""
    declared: NDArray[np.int64]
    """By a list, of those who are not."""


def bands_at_start(who: Roster, rules: Methodology, start: Snapshot | None) -> AtStart:
    """The bands that a replay starts from."""
    found = AtStart(np.zeros(len(who), np.int64), np.zeros(len(who), np.int64))
    if start is not None and start.bands is not None and rules.system.undeclared:
        rows, rated = who.rows(start.pool, start.player), np.asarray(start.state.rated) > 0
        found.stored[rows], found.declared[rows] = np.where(rated, start.bands, 0), np.where(rated, 0, start.bands)
    return found


def declaring(schedule: Schedule, log: GameLog, rules: Methodology, who: Roster, start: Snapshot | None) -> Schedule:
    """The schedule with the bands of its games, where anybody declares one and the rules have any.

    A game that does not say it leaves to the list that the replay starts from. Whether a band counts is the fold's
    business: it does for who has no state yet.
    """
    columns = (log.band_a, log.band_b)
    listed = bands_at_start(who, rules, start).declared
    if not rules.system.undeclared or (log.band_a is None and log.band_b is None and not listed.any()):
        return schedule
    games, places = schedule.games, slice(None) if schedule.order is None else schedule.order
    a, b = (
        listed[np.asarray(rows)] if column is None else np.where(column[places] > 0, column[places], listed[rows])
        for column, rows in zip(columns, (games.a, games.b), strict=True)
    )
    starts = starts_of(rules)
    return sealed(schedule._replace(games=games._replace(start_a=starts[a], start_b=starts[b]), bands=(a, b)))


def stored_bands(schedule: Schedule, rules: Methodology, players: int, games: int) -> NDArray[np.int64]:
    """The band that the first of so many games of a schedule stores for each player: of those that count for it."""
    first = np.full(players, rules.system.undeclared, np.int64)
    if schedule.bands is None:
        return first
    played = schedule.games
    rows = np.stack([played.a, played.b], axis=1)[:games]
    bands = np.stack(schedule.bands, axis=1)[:games]
    counts = np.ones(rows.shape, np.bool_)
    if len(played.loser_only):
        score, alone = np.asarray(played.s)[:games], np.asarray(played.loser_only)[:games] > 0
        counts = ~np.stack([alone & (score > 0.5), alone & (score < 0.5)], axis=1)
    rows, bands = rows[counts][::-1], bands[counts][::-1]
    first[rows] = np.where(bands > 0, bands, rules.system.undeclared)  # the last assignment stays
    return first
