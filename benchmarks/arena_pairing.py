"""`python -m benchmarks.arena_pairing [--quick]`: what a tick costs with 10,000 who wait, and with 100,000.

For each kind of queue: the best seconds of several runs on the process's own clock (the two sizes by turns, so that a
busy machine is as busy for both), their ratio, and the tables that were made. A bar: 100,000 under one second, and at
most 15 times 10,000 on the first queue.
"""

import argparse
import json
import os
import platform
import random
import time
from collections.abc import Callable
from typing import Final

from tallymark.arena.pairing.rules import PairingRules, rules_for
from tallymark.arena.pairing.tick import tick
from tallymark.arena.pairing.waiting import House, Waiting

_NOW: Final = 600_000
_HOUSE: Final = [House(f"house-{n}", 1000.0 + 100.0 * n, 60.0) for n in range(10)]

Queue = list[Waiting]


def _spread(n: int) -> Queue:
    """As a site has them: ratings around 1500, waits up to ten minutes, owners with some agents each."""
    rng = random.Random(n)
    return [
        Waiting(k, f"agent-{k:06}", f"o{rng.randrange(n)}", rng.gauss(1500, 250), 80.0, rng.randrange(_NOW))
        for k in range(n)
    ]


def _newcomers(n: int) -> Queue:
    """All at 1500."""
    rng = random.Random(n)
    return [Waiting(k, f"agent-{k:06}", f"o{k}", 1500.0, 350.0, rng.randrange(_NOW)) for k in range(n)]


def _one_owner(n: int) -> Queue:
    """Nine of ten are of one owner, and find nobody but house agents."""
    rng = random.Random(n)
    return [
        Waiting(k, f"agent-{k:06}", "one" if k % 10 else f"o{k}", rng.gauss(1500, 250), 80.0, rng.randrange(_NOW))
        for k in range(n)
    ]


def _apart(n: int) -> Queue:
    """Nobody has anybody in reach."""
    rng = random.Random(n)
    return [Waiting(k, f"agent-{k:06}", f"o{k}", 1300.0 * k, 80.0, rng.randrange(_NOW)) for k in range(n)]


QUEUES: Final[dict[str, tuple[Callable[[int], Queue], PairingRules, list[House]]]] = {
    "spread": (_spread, rules_for((2,)), _HOUSE),
    "newcomers": (_newcomers, rules_for((2,)), _HOUSE),
    "one owner": (_one_owner, rules_for((2,)), _HOUSE),
    "nobody in reach, with house agents": (_apart, rules_for((2,)), _HOUSE),
    "nobody in reach": (_apart, rules_for((2,)), []),
    "tables of 5 to 8": (_spread, rules_for((5, 6, 7, 8)), _HOUSE),
    "k of 0.5": (_spread, PairingRules(deviation_milli=500), _HOUSE),
}


def measured(name: str, few: int, many: int, runs: int) -> dict[str, float]:
    """Seconds of both sizes, their ratio, and tables."""
    make, rules, house = QUEUES[name]
    small, large = make(few), make(many)
    best = {few: float("inf"), many: float("inf")}
    for _ in range(runs):
        for queue in (small, large):
            began = time.process_time()
            tables = tick(queue, house, _NOW, rules)
            best[len(queue)] = min(best[len(queue)], time.process_time() - began)
    return {
        f"{few:,}": round(best[few], 4),
        f"{many:,}": round(best[many], 4),
        "ratio": round(best[many] / best[few], 1),
        "tables": len(tables),
    }


def main() -> int:
    """Prints one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena_pairing", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small queues, once: does it still work?")
    quick = parser.parse_args().quick
    few, many, runs = (200, 2000, 2) if quick else (10_000, 100_000, 7)
    document: dict[str, object] = {"machine": platform.machine(), "cpus": os.cpu_count(), "load": os.getloadavg()}
    document["queues"] = {name: measured(name, few, many, runs) for name in QUEUES}
    print(json.dumps(document, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
