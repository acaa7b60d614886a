"""`python -m benchmarks.large [--quick]`: 30.4 million games with long ids, from Parquet to ratings and a score.

Then their history, two rows a game, into a Parquet file.

The file is made by `tallymark synth`'s library; what is measured runs in a process of its own, so that its peak of
memory is its own.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import tallymark as tm
from tallymark.games.synthetic import Synthesis
from tallymark.games.synthetic_file import write_synthetic

T = TypeVar("T")
GAMES, PLAYERS = 30_400_000, 300_000


def main() -> int:
    """Prints seconds and the peak so far, by stage, as one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a hundredth of the games: does it still work?")
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.file:
        print(json.dumps(measure(given.file), indent=2))
        return 0
    games, players = (GAMES // 100, PLAYERS // 100) if given.quick else (GAMES, PLAYERS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.parquet")
        write_synthetic(path, Synthesis(games, players, draws=0.05, zipf=1.0, ids="long"))
        command = [sys.executable, "-m", "benchmarks.large", "--file", str(path)]
        return subprocess.run(command, check=False).returncode


def measure(path: Path) -> dict[str, object]:
    """The whole way of one file, under `paper` by 7 days."""
    stages: dict[str, dict[str, float]] = {}

    def stage(name: str, work: Callable[[], T]) -> T:
        start = time.perf_counter()
        result = work()
        stages[name] = {"seconds": round(time.perf_counter() - start, 2), "peak_gib": _peak_gib()}
        return result

    rules = tm.methodology("paper").with_(period="7d")
    log = stage("read", lambda: tm.read_games(path))
    replayed = stage("replay", lambda: tm.replay(log, rules, predictions=True))
    ratings = stage("ratings", lambda: replayed.ratings)
    score = stage("score", lambda: tm.score(replayed.predictions))
    with tempfile.TemporaryDirectory() as folder:
        stage("history", lambda: replayed.write_history(Path(folder, "history.parquet")))
    assert score.games == len(log)
    assert len(ratings) == len(log.players)
    return {"games": len(log), "players": len(ratings), "log_loss": score.log_loss, "stages": stages}


def _peak_gib() -> float:
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**30, 2)


if __name__ == "__main__":
    raise SystemExit(main())
