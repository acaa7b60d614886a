"""openskill: Weng-Lin's Plackett-Luce, game by game. tallymark has no Weng-Lin: it is held against Glicko-2 by game."""

from collections.abc import Callable

from benchmarks.peers.peer import Peer, Run, glicko2_by_game, module, timed
from tallymark import GameLog


def _ready(log: GameLog, _: int) -> Callable[[], Run]:
    model = module("openskill.models").PlackettLuce()
    scores = [[score, 1.0 - score] for score in log.score.tolist()]
    games = list(zip(log.a.tolist(), log.b.tolist(), scores, strict=True))

    def replay() -> None:
        players = [model.rating() for _ in log.players]
        for a, b, score in games:
            (players[a],), (players[b],) = model.rate([[players[a]], [players[b]]], scores=score)

    return timed(replay)


PEER = Peer("openskill", "Plackett-Luce, game by game, beside Glicko-2 by game", glicko2_by_game, _ready)
