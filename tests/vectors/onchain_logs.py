"""Logs of Go games that a contract may see, and its players after them by the rules of the fixed point alone."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from tallymark import GameLog
from tallymark.fixedpoint import NEVER_RATED, Player
from tallymark.fixedpoint.rules import Result, VoidReason, rate


def go_log(n: int, players: int, seed: int = 20261129, bands: bool = False) -> GameLog:
    """Games a contract may see: short ones, given up or not, of queues or not, drawn, weeks apart.

    With `bands`, players declare one with most games, another one each time.
    """
    rng = np.random.default_rng(seed)
    a = rng.integers(0, players, n)
    choices = np.array([None, 0, 1, 2, 3, 4], object)
    columns = {name: rng.choice(choices, n) for name in (("band_a", "band_b") if bands else ())}
    return GameLog.from_arrays(
        player_a=a,
        player_b=(a + rng.integers(1, players, n)) % players,
        score_a=rng.choice([0.0, 0.5, 1.0], n, p=[0.45, 0.1, 0.45]),
        played_at=np.sort(rng.integers(10**15, 10**15 + 400 * 86400 * 10**6, n)).view("datetime64[us]"),
        steps=rng.integers(0, 120, n),
        ending=rng.choice(["normal", "resignation", "timeout"], n, p=[0.3, 0.5, 0.2]),
        source=rng.choice(["queue", "tournament"], n, p=[0.8, 0.2]),
        **columns,
    )


def contract(log: GameLog, listed: Mapping[int | str, int] = MappingProxyType({})) -> dict[int | str, Player]:
    """Every player after the log, by the rules of the fixed point alone.

    `listed`: the band of players in games that name none.
    """
    players: dict[int | str, Player] = dict.fromkeys(log.players, NEVER_RATED)
    table = log.to_table()
    columns = ("player_a", "player_b", "score_a", "steps", "ending", "source")
    bands = (table[name].tolist() if name in table.columns else [None] * len(log) for name in ("band_a", "band_b"))
    for at, a, b, score, steps, ending, source, band_a, band_b in zip(
        np.asarray(table["played_at"]).astype(np.int64).tolist(), *(table[name].tolist() for name in columns), *bands,
        strict=True,
    ):  # fmt: skip
        result = Result(
            int(2 * score), at // 10**6, steps, forfeit=ending in ("resignation", "timeout"), queue=source == "queue",
            band_a=band_a or listed.get(a, 0), band_b=band_b or listed.get(b, 0),
        )  # fmt: skip
        done = rate(players[a], players[b], result)
        if not isinstance(done, VoidReason):
            players[a], players[b] = done.a, done.b
    return players
