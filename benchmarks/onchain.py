"""`python -m benchmarks.onchain [--quick]`: go-onchain-v2 in columns and in strict order against Python's integers.

Three figures of one run: an update by `tallymark.fixedpoint`, an update in columns by the same formulas compiled, and a
game of a strict-order replay to states. Every random update is compared, all seven integers of it.
"""

import argparse
import json
import time
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

import tallymark as tm
from tallymark.fixedpoint.constants import DT_MAX, KNOTS, MU_HI, MU_LO, PHI_MAX, PHI_MIN
from tallymark.fixedpoint.formulas import game
from tallymark.fixedpoint.units import HALF
from tallymark.games.synthetic import synthetic
from tallymark.replay.compiled import compiled

Wholes = NDArray[np.int64]

SEED: Final = 20261130
UPDATES: Final = 1_000_000
GAMES: Final = 5_000_000
_BLOCK: Final = 2500
"""Updates whose columns stay near the processor."""
_RUNS: Final = 3


def main() -> None:
    """Prints microseconds and ratios as one JSON document; an error where one update differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.onchain", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a hundredth of it: does it still work?")
    parser.add_argument("--games", type=int, default=GAMES, help="games of the replay (%(default)s)")
    given = parser.parse_args()
    part = 100 if given.quick else 1
    print(json.dumps(measured(UPDATES // part, given.games // part), indent=2))


def measured(updates: int, games: int) -> dict[str, object]:
    """The figures, of so many updates and games."""
    columns = random_updates(updates)
    blocks = np.ascontiguousarray(columns.reshape(8, -1, _BLOCK).swapaxes(0, 1))
    after = np.zeros((len(blocks), 7, _BLOCK), np.int64)
    kernel = compiled(in_columns)
    kernel(blocks[0], after[0])  # compiled, or read from the disk

    def all_columns() -> None:
        for block, out in zip(blocks, after, strict=True):
            kernel(block, out)

    column = _least(all_columns) / updates
    start = time.perf_counter()
    expected = [_updated(*row) for row in columns.T.tolist()]
    python = (time.perf_counter() - start) / updates
    found = after.swapaxes(0, 1).reshape(7, -1).T.tolist()
    different = sum(tuple(one) != two for one, two in zip(found, expected, strict=True))
    if different:
        raise SystemExit(f"{different} of {updates} updates differ")
    log = synthetic(games, max(2, games // 50), seed=1)
    tm.replay(log.taken(np.arange(min(games, 1000))), "go-onchain", engine="compiled", threads=1)
    replayed = _least(lambda: tm.replay(log, "go-onchain", engine="compiled", threads=1)) / games
    return {
        "updates_that_are_equal": updates,
        "games_of_the_replay": games,
        "microseconds": {
            "python_update": round(python * 1e6, 3),
            "update_in_columns": round(column * 1e6, 4),
            "game_of_a_replay": round(replayed * 1e6, 4),
        },
        "seconds_of_the_replay": round(replayed * games, 3),
        "python_over_columns": round(python / column),
        "python_over_replay": round(python / replayed),
    }


def random_updates(n: int) -> Wholes:
    """Rows mu, phi, last of a and of b, score, t: all over the domain, and a third of each at its edges."""
    rng = np.random.default_rng(SEED)
    t = rng.integers(1 << 31, 1 << 32, n)

    def edged(values: Wholes, edges: list[int]) -> Wholes:
        return np.where(rng.random(n) < 0.3, rng.choice(np.array(edges), n) + rng.integers(-3, 4, n), values)

    def player() -> tuple[Wholes, ...]:
        mu = edged(rng.integers(MU_LO, MU_HI + 1, n), [MU_LO, MU_HI, 0, *KNOTS])
        phi = np.clip(edged(rng.integers(PHI_MIN, PHI_MAX + 1, n), [PHI_MIN, PHI_MAX, 1 << 32]), PHI_MIN, PHI_MAX)
        since = edged(rng.integers(0, 1 << rng.integers(5, 31, n)), [0, DT_MAX, 5736552, 28682760, -86400])
        return mu, np.where(rng.random(n) < 0.05, 0, phi), t - since

    return np.array([*player(), *player(), rng.integers(0, 3, n) * HALF, t])


def in_columns(c: Wholes, out: Wholes) -> None:
    """Writes both new states and P of updates as `random_updates` has them."""
    for i in range(c.shape[1]):
        done = game(c[0, i], c[1, i], c[2, i], c[3, i], c[4, i], c[5, i], c[6, i], c[7, i])
        out[0, i], out[1, i], out[2, i] = done.side_a.mu, done.side_a.phi, done.last_a
        out[3, i], out[4, i], out[5, i] = done.side_b.mu, done.side_b.phi, done.last_b
        out[6, i] = done.chance.p


def _updated(*state: int) -> tuple[int, ...]:
    done = game(*state)
    a, b = done.side_a, done.side_b
    return a.mu, a.phi, done.last_a, b.mu, b.phi, done.last_b, done.chance.p


def _least(work: Callable[[], object]) -> float:
    """The least of a few times, which others on the machine disturb less than a mean."""
    seconds = []
    for _ in range(_RUNS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


if __name__ == "__main__":
    main()
