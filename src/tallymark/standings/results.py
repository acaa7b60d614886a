"""What the games of a log are worth to each player of each pool, in whole units of a point."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.games import Ending, GameLog
from tallymark.games.byes import is_bye
from tallymark.standings.points import Points

Whole = NDArray[np.int64]

_UNPLAYED: Final = (Ending.WALKOVER.code, Ending.BYE.code)
"""Endings of what nobody played: points, and no game."""
_NOTHING: Final = (Ending.UNFINISHED.code, Ending.ABORTED.code, Ending.VOID.code)
"""Endings that leave no result: neither points nor a game."""


class Results(NamedTuple):
    """Games and players. A player who is in several pools is one row in each; nobody called BYE is a row.

    Columns of games: `a`, `b` (rows of players, -1 for a bye), `twice_score` (2 a win of a, 1 a draw, 0 a loss),
    `played`, `scoring` (played, or without play a result all the same), `worth_a`, `worth_b`. Columns of players:
    `pool`, `player` (places in the log's tables), the counts, and `points` in units of `values`.
    """

    values: Points
    a: Whole
    b: Whole
    twice_score: Whole
    played: NDArray[np.bool_]
    scoring: NDArray[np.bool_]
    worth_a: Whole
    worth_b: Whole
    pool: Whole
    player: Whole
    games: Whole
    wins: Whole
    draws: Whole
    losses: Whole
    unplayed: Whole
    points: Whole

    def summed(self, players: Whole, values: Whole) -> Whole:
        """The sum of values by player; whole numbers, so that no order of games counts."""
        total = np.zeros(len(self.pool), np.int64)
        np.add.at(total, players, values)
        return total


def uncounted(log: GameLog) -> dict[str, int]:
    """How many games have no result for their ending, by that.

    >>> log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[0], ending=["aborted"])
    >>> uncounted(log)
    {'aborted': 1}
    """
    if log.ending is None:
        return {}
    counts = {ending.value: int(np.count_nonzero(log.ending == ending.code)) for ending in Ending}
    return {word: count for word, count in counts.items() if count and Ending(word).code in _NOTHING}


def results_of(log: GameLog, values: Points) -> Results:
    """The results of every game of a log of games between two."""
    nobody = np.array([is_bye(player) for player in log.players], bool)
    width = len(log.players)
    keys = [log.pool.astype(np.int64) * width + side for side in (log.a, log.b)]
    absent = [nobody[side] for side in (log.a, log.b)]
    everyone = np.unique(np.concatenate([key[~gone] for key, gone in zip(keys, absent, strict=True)]))
    a, b = (
        np.where(gone, -1, np.searchsorted(everyone, key)).astype(np.int64)
        for key, gone in zip(keys, absent, strict=True)
    )
    ending = np.full(len(log), -1, np.int8) if log.ending is None else log.ending
    scoring = ~np.isin(ending, _NOTHING)
    played = scoring & ~np.isin(ending, _UNPLAYED) & (a >= 0) & (b >= 0)
    twice = np.where(log.score > 0.5, 2, np.where(log.score < 0.5, 0, 1)).astype(np.int64)
    # Who loses without playing has not turned up: nothing, whatever a loss is worth.
    worth = np.array([values.loss, values.draw, values.win], np.int64)
    unplayed_worth = np.array([0, values.draw, values.win], np.int64)
    worth_a = np.where(scoring, np.where(played, worth[twice], unplayed_worth[twice]), 0)
    worth_b = np.where(scoring, np.where(played, worth[2 - twice], unplayed_worth[2 - twice]), 0)
    columns = {name: np.zeros(len(everyone), np.int64) for name in ("games", "wins", "draws", "losses", "unplayed")}
    points = np.zeros(len(everyone), np.int64)
    for side, own, worth_own in ((a, twice, worth_a), (b, 2 - twice, worth_b)):
        here = side >= 0
        for name, which in (
            ("games", played),
            ("wins", played & (own == 2)),
            ("draws", played & (own == 1)),
            ("losses", played & (own == 0)),
            ("unplayed", scoring & ~played),
        ):
            np.add.at(columns[name], side[here & which], 1)
        np.add.at(points, side[here], worth_own[here])
    return Results(
        values=values,
        a=a,
        b=b,
        twice_score=twice,
        played=played,
        scoring=scoring & (a >= 0) & (b >= 0),
        worth_a=worth_a,
        worth_b=worth_b,
        pool=everyone // max(width, 1),
        player=everyone % max(width, 1),
        points=points,
        **columns,
    )
