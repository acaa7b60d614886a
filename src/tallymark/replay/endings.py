"""Endings that keep games from being rated: which, and how many of each."""

import numpy as np

from tallymark.games import Ending, GameLog
from tallymark.methodology import Methodology


def endings_not_rated(log: GameLog, rules: Methodology) -> dict[str, int]:
    """How many games of the log the rules do not rate for their ending, by that; it is the first reason they look for.

    >>> log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1], ending=["walkover"])
    >>> from tallymark.methodology import methodology
    >>> endings_not_rated(log, methodology("elo"))
    {'walkover': 1}
    """
    if log.ending is None:
        return {}
    counts = {ending.value: int(np.count_nonzero(log.ending == ending.code)) for ending in Ending}
    return {word: count for word, count in counts.items() if count and word not in rules.rated.endings}
