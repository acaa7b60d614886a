"""votes.mjs under Node: the integers that votes-v1 gives here, and the very bits of its predictions.

`TALLYMARK_UPDATES=1000000` makes it a million updates; the default is a tenth of that.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import votes_vectors
from numpy.typing import NDArray

import tallymark as tm
from tallymark.methodology import methodology
from tallymark.replay import Snapshot

UPDATES: Final = int(os.environ.get("TALLYMARK_UPDATES", "100000"))
SEED: Final = 20261130
HERE: Final = Path(__file__).parent
LOW: Final = (0, 100, 1)
HIGH: Final = (300000, 35000, 1000000)
MULTIPLIERS: Final = np.array([100.0, 100.0, 1000000.0])
CLAMPS: Final = {"": 0, "change": 1, "rating": 2, "deviation": 4, "volatility": 8}
Ints = NDArray[np.int64]
Run = Callable[..., bytes]


def test_the_file_is_what_its_generator_makes() -> None:
    assert votes_vectors.main(["--check"]) == 0, "python tests/sdk/votes_vectors.py"


def items(chance: np.random.Generator, n: int) -> Ints:
    """Items as they occur, a fifth from anywhere in the ranges, and a good part at their ends."""
    usual = np.column_stack(
        [chance.normal(150000, 30000, n), chance.uniform(3000, 35000, n), chance.normal(60000, 4000, n)]
    )
    far = chance.uniform(LOW, HIGH, (n, 3))
    far[:, 2] = np.exp(chance.uniform(0.0, np.log(1e6), n))
    drawn = np.where(chance.random((n, 1)) < 0.2, far, usual)
    drawn = np.where(chance.random((n, 3)) < 0.03, LOW, drawn)
    drawn = np.where(chance.random((n, 3)) < 0.03, HIGH, drawn)
    return np.clip(np.rint(drawn), LOW, HIGH).astype(np.int64)


def test_random_votes_are_the_same_integers(node: Run) -> None:
    n = UPDATES // 2
    chance = np.random.default_rng(SEED)
    a, b = items(chance, n), items(chance, n)
    half_points = chance.choice([0, 1, 2], n, p=[0.45, 0.1, 0.45])
    shown = np.concatenate([a, b]) / MULTIPLIERS
    start = Snapshot.from_arrays(
        player=np.arange(2 * n), rating=shown[:, 0], deviation=shown[:, 1], volatility=shown[:, 2], at="2026-01-01"
    )
    log = tm.GameLog.from_arrays(player_a=np.arange(n), player_b=np.arange(n, 2 * n), score_a=half_points / 2.0)
    rules = methodology("votes-v1").with_(draws=True)
    run = tm.replay(log, rules, start=start, history=True, predictions=True, engine="compiled")
    names = ("rating_after", "deviation_after", "volatility_after")
    after = np.rint(np.column_stack([run.history[name] for name in names]) * MULTIPLIERS).astype(np.int64)
    flags = [sum(CLAMPS[word] for word in words.split("+")) for words in run.history["clamped"].tolist()]
    ours = np.column_stack([after, flags, run.history["converged"].astype(np.int64)]).reshape(n, 10)
    ours = np.column_stack([ours, run.predictions["p_a"].view(np.int64)])

    rows = np.column_stack([a, b, half_points]).astype("<i8")
    theirs = np.frombuffer(node(HERE / "answering.mjs", "votes", given=rows.tobytes()), "<i8").reshape(-1, 11)
    different = np.flatnonzero((theirs != ours).any(axis=1))
    assert len(theirs) == n
    assert [(rows[i].tolist(), theirs[i].tolist(), ours[i].tolist()) for i in different[:3]] == []
    assert len(set(flags)) > 3
