"""`python -m benchmarks.ledger_verify [--quick]`: an export recounted, entries a second and memory.

Matches between two in a pool by match: 300,000 of 10,000 players, as the rater would have written them. Each engine in
a process of its own. Prints one JSON document.
"""

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from tallymark import Methodology, methodology
from tallymark.ledger.bundle import end_line, text_of
from tallymark.ledger.entries import GENESIS, Entry, chained, opened
from tallymark.ledger.fold.folding import fold
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.known import Known
from tallymark.ledger.matches import match_item
from tallymark.ledger.verify import verify
from tallymark.replay.engines import Engine

MATCHES: Final = 300_000
PLAYERS: Final = 10_000
_BATCH: Final = 2000
_BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)


def main() -> int:
    """Measures, and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ledger_verify", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few entries, once: does it still work?")
    parser.add_argument("--rules", default="arena-v0", metavar="NAME", help="the pool's methodology [arena-v0]")
    parser.add_argument("--one", nargs=3, metavar=("FILE", "ENGINE", "RUNS"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        path, engine, runs = given.one
        print(json.dumps(recounted(Path(path), "compiled" if engine == "compiled" else "interpreted", int(runs))))
        return 0
    matches, players, runs = (4000, 400, 1) if given.quick else (MATCHES, PLAYERS, 5)
    rules = methodology(given.rules)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "export.txt")
        write(path, rules, matches, players)
        told = {"matches": matches, "players": players, "methodology": rules.id, "bytes": path.stat().st_size}
        engines = {engine: _apart(path, engine, runs) for engine in ("interpreted", "compiled")}
    print(json.dumps({"quick": given.quick, **told, "runs": runs, **engines}, indent=2))
    return 0


def write(path: Path, rules: Methodology, matches: int, players: int) -> None:
    """An export of one pool, as the rater would have written it."""
    rng = random.Random(1)
    at = int(_BEGIN.timestamp()) * 1_000_000
    body = opened(at, "bench", rules)
    stand = Stand(1, chained(GENESIS, body), 1, at)
    known = Known(lambda first, last: ())  # a pool of plain matches asks for no entries
    with path.open("wb") as file:
        file.write(text_of([Entry(1, stand.hash, body)]))
        for low in range(0, matches, _BATCH):
            items = [_item(rng, n, players) for n in range(low, min(low + _BATCH, matches))]
            folded = fold(stand, rules, known, items, "interpreted")
            stand = folded.stand
            known.take(folded.rows)
            file.write(text_of(folded.entries))
        file.write(end_line(stand.position, stand.hash))


def _item(rng: random.Random, n: int, players: int) -> Received:
    a, b = rng.sample(range(players), 2)
    when = _BEGIN + timedelta(seconds=n)
    match = {"id": f"m{n}", "player_a": f"p{a}", "player_b": f"p{b}", "score_a": rng.choice((0, 0.5, 1))}
    item = match_item({**match, "played_at": f"{when:%Y-%m-%dT%H:%M:%SZ}"})
    return Received(None, int(when.timestamp()) * 1_000_000, item.body)


def _apart(path: Path, engine: str, runs: int) -> dict[str, object]:
    command = [sys.executable, "-m", "benchmarks.ledger_verify", "--one", str(path), engine, str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    document: dict[str, object] = json.loads(done.stdout)
    return document


def recounted(path: Path, engine: Engine, runs: int) -> dict[str, object]:
    """One engine: the median of some runs after a first one, which loads what is not there yet; and the memory of all.

    `peak_mib`: of the whole process, the interpreter and all that it has imported too.
    """
    seconds, entries = [], 0
    for _ in range(runs + 1):
        begun = time.perf_counter()
        entries = verify(path, engine=engine).entries
        seconds.append(time.perf_counter() - begun)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "entries_per_second": round(entries / statistics.median(seconds[1:])),
        "best": round(entries / min(seconds[1:])),
        "first_run_seconds": round(seconds[0], 2),
        "peak_mib": round(peak / (2**20 if sys.platform == "darwin" else 2**10), 1),
        "numba_loaded": "numba" in sys.modules,
    }


if __name__ == "__main__":
    raise SystemExit(main())
