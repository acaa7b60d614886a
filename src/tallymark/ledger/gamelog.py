"""A pool's matches as a game log: what an analyst replays, and what another methodology is tried on."""

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from tallymark.games import GameLog
from tallymark.games.ids import Id, encode
from tallymark.games.log import in_order
from tallymark.games.report import Findings
from tallymark.ledger.fold.history import History
from tallymark.ledger.fold.periods import Behind, in_total_order
from tallymark.ledger.fold.played import Match, pairings
from tallymark.replay.columns import NEVER


def log_of(matches: Sequence[Match], behind: Behind = MappingProxyType({})) -> GameLog:
    """Every match with a result as its games between two, in the total order of game logs; `behind` as
    `in_total_order` has it.

    >>> from tallymark.ledger.fold.played import read_match
    >>> log_of([read_match(b'{"id":"m1","player_a":"ann","player_b":"bob","score_a":1}')]).players
    ['ann', 'bob']
    """
    told = in_total_order([match for match in matches if match.has_result], behind)
    log, of = pairings(told)
    names: list[Id] = [told[n].id for n in of]
    codes, table = encode(names, "match")
    timed = log.time is not None and bool((log.time != NEVER).all())
    coded = replace(log, time=log.time if timed else None)._coded()
    # Ids made of content have an order of their own, which is none: the ledger's is.
    coded.order = np.array(of, np.int64)
    several = bool(log.match is not None)
    if several:  # a match of several players has several games
        coded.match, coded.matches = codes, table
    else:
        coded.game, coded.games = codes, table
    return in_order(coded, np.ones(len(log), bool), Findings(len(log)))


def known(history: History) -> list[Match]:
    """The matches that count, and those that are not rated for what they are: other rules may rate them."""
    return [match for match, _ in history.counted()] + [match for match, _ in history.unrated.values()]
