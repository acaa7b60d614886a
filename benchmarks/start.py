"""`python -m benchmarks.start [--quick]`: the first `tallymark rate` of a million games, and the second.

The first finds no compiled code (an empty `NUMBA_CACHE_DIR`) and leaves its own there for the second. Python's bytecode
is there for both, as an installer leaves it. Prints seconds by what they went to, as one JSON document.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch

GAMES: Final = 1_000_000
PLAYERS: Final = 50_000
PARTS: Final = ("start", "read", "numba", "compile", "rate", "write")
"""The interpreter and imports; reading the file; importing numba; making compiled code, or loading it; rating and
scoring; writing the ratings and ending."""

_Seconds = dict[str, float]


def main() -> int:
    """Measures, and prints; the table of README goes to standard error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few games, once: does it still work?")
    parser.add_argument("--rate", nargs=3, metavar=("GAMES", "BEGAN", "SAID"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rate:
        return rated(Path(given.rate[0]), float(given.rate[1]), Path(given.rate[2]))
    document = measured(games=60_000, runs=1) if given.quick else measured(GAMES, runs=3)
    print(json.dumps({"quick": given.quick, **document}, indent=2))
    print("\n".join(rows(document)), file=sys.stderr)
    return 0


def measured(games: int, runs: int) -> dict[str, object]:
    """The quickest of some first runs, and of as many second ones."""
    from tallymark.games.synthetic import Synthesis
    from tallymark.games.synthetic_file import write_synthetic

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.csv")
        write_synthetic(path, Synthesis(games, PLAYERS, draws=0.05))
        _run(path, Path(folder, "bytecode"), Path(folder, "before"))
        first, second = [], []
        for run in range(runs):
            cache = Path(folder, f"cache-{run}")
            first.append(_run(path, Path(folder, "bytecode"), cache))
            second.append(_run(path, Path(folder, "bytecode"), cache))
        compiled = sum(file.stat().st_size for file in cache.rglob("*") if file.is_file())
    return {
        "games": games,
        "players": PLAYERS,
        "methodology": "paper-1",
        "runs": runs,
        "compiled_mib": round(compiled / 2**20, 2),
        "seconds": {
            "first": min(first, key=lambda one: one["all"]),
            "second": min(second, key=lambda one: one["all"]),
        },
    }


def rows(document: dict[str, object]) -> Iterator[str]:
    """The table of README."""
    seconds = document["seconds"]
    assert isinstance(seconds, dict)
    yield f"| seconds | {' | '.join((*PARTS, 'all'))} |"
    yield f"|{' --- |' * (len(PARTS) + 2)}"
    for name, parts in seconds.items():
        yield f"| {name} | {' | '.join(f'{parts[part]:.2f}' for part in (*PARTS, 'all'))} |"


def rated(games: Path, began: float, said: Path) -> int:
    """The command itself, in this process; writes when each part began, and what compiled code cost."""
    from tallymark.cli import main as command
    from tallymark.cli.progress import Meter

    stamps: _Seconds = {"start": began}
    stage = Meter.stage

    @contextmanager
    def stamped(meter: Meter, doing: str, text: str = "") -> Iterator[object]:
        stamps[doing] = time.time()
        if doing == "rating":
            import tallymark.replay.compiled  # noqa: F401  # what loads numba

            stamps["numba"] = time.time() - stamps[doing]
            _first_calls(stamps)
        with stage(meter, doing, text) as progress:
            yield progress

    patch.object(Meter, "stage", stamped).start()  # the only way to see the stages of the command
    sys.argv = ["tallymark", "rate", str(games), "-o", str(said.with_suffix(".parquet")), "--engine", "compiled"]
    try:
        command()
    finally:
        said.write_text(json.dumps(stamps), encoding="utf-8")
    return 0


def _first_calls(stamps: _Seconds) -> None:
    """Adds up the first call of each kernel, which makes its code or reads it; the work in it is little beside that."""
    from tallymark.replay.compiled import Compiled

    known: set[Compiled] = set()
    call = Compiled.__call__

    def timed(kernel: Compiled, *arguments: object) -> object:
        if kernel in known:
            return call(kernel, *arguments)
        known.add(kernel)
        begun = time.time()
        try:
            return call(kernel, *arguments)
        finally:
            stamps["compile"] = stamps.get("compile", 0.0) + time.time() - begun

    patch.object(Compiled, "__call__", timed).start()


def _run(games: Path, bytecode: Path, cache: Path) -> _Seconds:
    said = games.with_name("said.json")
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPYCACHEPREFIX": str(bytecode),
        "NUMBA_CACHE_DIR": str(cache),
    }
    began = time.time()
    command = [sys.executable, "-m", "benchmarks.start", "--rate", str(games), repr(began), str(said)]
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    ended = time.time()
    at: _Seconds = json.loads(said.read_text(encoding="utf-8"))
    parts = {
        "start": at["reading"] - at["start"],
        "read": at["rating"] - at["reading"],
        "numba": at["numba"],
        "compile": at["compile"],
        "rate": at["writing"] - at["rating"] - at["numba"] - at["compile"],
        "write": ended - at["writing"],
    }
    return {name: round(value, 3) for name, value in {**parts, "all": ended - began}.items()}


if __name__ == "__main__":
    raise SystemExit(main())
