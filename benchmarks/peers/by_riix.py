"""riix: numpy arrays of matchups, iterated period by period."""

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.peers.peer import Peer, Run, elo, glicko2_by_period, module, periods, timed
from tallymark import GameLog

_UNIT = 173.7178


def _ready(system: str, method: str, log: GameLog, days: int) -> Callable[[], Run]:
    models, data = module("riix.models." + system.lower()), module("riix.utils")
    matchups = np.column_stack([log.a, log.b]).astype(np.int64)
    when = periods(log, days).astype(np.int32)
    dataset = data.MatchupDataset.init_from_arrays(when, matchups, log.score, log.players)

    def replay() -> np.ndarray:
        model = getattr(models, system)(competitors=log.players, update_method=method)
        model.fit_dataset(dataset)
        return np.asarray(model.ratings if system == "Elo" else 1500.0 + _UNIT * model.mus)

    return timed(replay)


PEERS = (
    Peer("riix Elo", "Elo, game by game", elo, partial(_ready, "Elo", "iterative"), within=1e-6),
    # After periods without any game it takes deviations as they were before those; where there are none it is as near
    # as the solvers stop.
    Peer("riix Glicko-2", "Glicko-2 by periods", glicko2_by_period, partial(_ready, "Glicko2", "batched"), within=5.0),
    Peer(
        "riix Glicko-2, its default",
        "Glicko-2, the games of a period one after another",
        glicko2_by_period,
        partial(_ready, "Glicko2", "iterative"),
    ),
)
