"""The same replay with the package `glicko2`, as its user would write it: a loop over periods and players.

Two things are done for it. Idle periods are added at once instead of one call each, and its volatility step is
corrected: release 2.1.0 has rating^2 where the paper has phi^2, and with that fault its numbers could not be compared.
"""

import importlib
import math
from collections import defaultdict
from typing import Protocol, cast

import numpy as np

from tallymark import GameLog

_DAY = 86_400_000_000
_UNIT = 173.7178
_TAU = 0.5


class Player(Protocol):
    """What is used of the package's `Player`."""

    rating: float
    rd: float
    vol: float

    def update_player(self, ratings: list[float], deviations: list[float], scores: list[float]) -> None: ...


def player_class() -> type[Player] | None:
    """The package's class with the corrected step; None where the package is not installed."""
    try:
        module = importlib.import_module("glicko2")
    except ImportError:
        return None
    return cast(type[Player], type("Corrected", (module.Player,), {"_f": _corrected}))


def _corrected(self: Player, x: float, delta: float, v: float, a: float) -> float:
    """f of step 5 of the paper."""
    ex = math.exp(x)
    below = (self.rd / _UNIT) ** 2 + v + ex
    return ex * (delta**2 - below) / (2.0 * below**2) - (x - a) / _TAU**2


def replay(log: GameLog, days: int, player: type[Player]) -> dict[str | int, float]:
    """The rating of every player after the log, by calendar periods that are counted from the first game's day."""
    assert log.time is not None
    period = ((log.time - log.time[0] // _DAY * _DAY) // (days * _DAY)).tolist()
    a, b, score = log.a.tolist(), log.b.tolist(), log.score.tolist()
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
    return {log.players[one]: known.rating for one, known in players.items()}
