"""The same replay with the package `glicko2`, as its user would write it: a loop over periods and players.

Two things are done for it. Idle periods are added at once instead of one call each, and its volatility step is
corrected: release 2.1.0 has rating^2 where the paper has phi^2, and with that fault its numbers could not be compared.
"""

import math
from collections import defaultdict
from collections.abc import Callable
from typing import Protocol, cast

import numpy as np

from benchmarks.peers.peer import Peer, Ratings, Run, glicko2_by_period, module, periods, timed
from tallymark import GameLog

_UNIT = 173.7178
_TAU = 0.5


class Player(Protocol):
    """What is used of the package's `Player`."""

    rating: float
    rd: float
    vol: float

    def update_player(self, ratings: list[float], deviations: list[float], scores: list[float]) -> None: ...


def _ready(log: GameLog, days: int) -> Callable[[], Run]:
    player = cast(type[Player], type("Corrected", (module("glicko2").Player,), {"_f": _corrected}))
    period = periods(log, days).tolist()
    a, b, score = log.a.tolist(), log.b.tolist(), log.score.tolist()
    return timed(lambda: replay(len(log.players), period, a, b, score, player))


def _corrected(self: Player, x: float, delta: float, v: float, a: float) -> float:
    """f of step 5 of the paper."""
    ex = math.exp(x)
    below = (self.rd / _UNIT) ** 2 + v + ex
    return ex * (delta**2 - below) / (2.0 * below**2) - (x - a) / _TAU**2


def replay(
    count: int, period: list[int], a: list[int], b: list[int], score: list[float], player: type[Player]
) -> Ratings:
    """The rating of every player after the games."""
    players: dict[int, Player] = {}
    last: dict[int, int] = {}
    start = 0
    for end in [*(np.flatnonzero(np.diff(period)) + 1).tolist(), len(a)]:
        now = period[start]
        met: dict[int, list[tuple[int, float]]] = defaultdict(list)
        for one, other, s in zip(a[start:end], b[start:end], score[start:end], strict=True):
            met[one].append((other, s))
            met[other].append((one, 1.0 - s))
        before: dict[int, tuple[float, float]] = {}
        for one in met:
            known = players.setdefault(one, player())
            idle = now - last.get(one, now - 1) - 1
            known.rd = min(350.0, math.sqrt(known.rd**2 + idle * (known.vol * _UNIT) ** 2))
            before[one] = (known.rating, known.rd)
            last[one] = now
        for one, games in met.items():
            ratings, deviations = zip(*(before[other] for other, _ in games), strict=True)
            players[one].update_player(list(ratings), list(deviations), [s for _, s in games])
            players[one].rd = min(350.0, players[one].rd)
        start = end
    return np.array([players[one].rating for one in range(count)])


# Its solver stops at 1e-6, and what that leaves adds up from period to period.
PEER = Peer("glicko2", "Glicko-2 by periods", glicko2_by_period, _ready, within=0.1)
