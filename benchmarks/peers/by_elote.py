"""elote: an object a competitor, game by game."""

from collections.abc import Callable

import numpy as np

from benchmarks.peers.peer import Peer, Ratings, Run, Skipped, elo, module, timed
from tallymark import GameLog


def _ready(log: GameLog, _: int) -> Callable[[], Run]:
    competitor = module("elote").EloCompetitor
    if not np.isin(log.score, (0.0, 0.5, 1.0)).all():
        raise Skipped("elote knows wins, draws and losses alone")
    games = list(zip(log.a.tolist(), log.b.tolist(), log.score.tolist(), strict=True))

    def replay() -> Ratings:
        players = [competitor(initial_rating=1500, k_factor=32) for _ in log.players]
        for a, b, score in games:
            if score == 1.0:
                players[a].beat(players[b])
            elif score == 0.0:
                players[b].beat(players[a])
            else:
                players[a].tied(players[b])
        return np.array([player.rating for player in players])

    return timed(replay)


PEER = Peer("elote Elo", "Elo, game by game", elo, _ready, within=1e-6)
