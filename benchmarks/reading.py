"""`python -m benchmarks.reading [--quick] [--rows N]`: how fast large CSV is read, and in how much memory.

Each run is a process of its own, so that the peak of its memory is its own. The peer is duckdb: `read_csv` into a table
of its own in memory, sorted by time, with the settings it comes with. Runs of both take turns.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

import duckdb

import tallymark as tm
from benchmarks.made import SEED, write_games
from tallymark.games import log, reading

_MILLION = 1_000_000


class Run(TypedDict):
    """One process: wall seconds of the work (imports left out), processor seconds, GiB of memory at its peak."""

    rows: int
    seconds: float
    processor: float
    peak_gib: float
    stages: dict[str, float]


def main() -> int:
    """Prints what was measured as one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rows, one run: does it still work?")
    parser.add_argument("--rows", type=int, default=10 * _MILLION)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--run", choices=_WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.run:
        print(json.dumps(_measured(_WAYS[given.run], given.file)))
        return 0
    rows, runs = (200_000, 1) if given.quick else (given.rows, given.runs)
    print(json.dumps({"seed": SEED, **measure(rows, runs)}, indent=2))
    return 0


def measure(rows: int, runs: int) -> dict[str, object]:
    """Each file read by each way, in turns; the quickest run of each counts, since others only add to the time."""
    files = {
        "seconds": {},
        "minutes": {"minutes": True},
        "distinct game ids": {"ids": True},
    }
    measured: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, options in files.items():
            path = Path(folder) / "games.csv"
            write_games(path, rows, **options)
            ways: dict[str, list[Run]] = {"tallymark": [], "duckdb": []}
            for _ in range(runs):
                for way, found in ways.items():
                    found.append(_in_a_process(way, path))
            for found in ways.values():
                assert {run["rows"] for run in found} == {rows}, f"{name}: not every row was read"
            best = {way: min(found, key=lambda run: run["seconds"]) for way, found in ways.items()}
            measured[name] = {
                "rows": rows,
                "bytes": path.stat().st_size,
                "rows_a_second": round(rows / best["tallymark"]["seconds"]),
                "ratio": round(best["tallymark"]["seconds"] / best["duckdb"]["seconds"], 2),
                "ratio_of_processor_seconds": round(
                    min(run["processor"] for run in ways["tallymark"])
                    / min(run["processor"] for run in ways["duckdb"]),
                    2,
                ),
                **best,
            }
        path = Path(folder) / "games.csv"
        write_games(path, min(rows, _MILLION))
        measured["to a ratings file"] = {"rows": min(rows, _MILLION), **_in_a_process("rate", path)}
    return measured


def _in_a_process(way: str, path: Path) -> Run:
    command = [sys.executable, "-m", "benchmarks.reading", "--run", way, "--file", str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    run: Run = json.loads(done.stdout.splitlines()[-1])
    return run


def _measured(work: Callable[[Path, dict[str, float]], int], path: Path) -> Run:
    stages: dict[str, float] = {}
    start, before = time.perf_counter(), _processor()
    rows = work(path, stages)
    seconds, processor = time.perf_counter() - start, _processor() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform != "darwin" else 2**30)
    rounded = {name: round(value, 3) for name, value in stages.items()}
    return Run(
        rows=rows, seconds=round(seconds, 3), processor=round(processor, 3), peak_gib=round(peak, 3), stages=rounded
    )


def _processor() -> float:
    times = os.times()
    return times.user + times.system


def _read(path: Path, stages: dict[str, float]) -> int:
    """`read_games`, its stages timed from outside, by the names that the module calls them by."""
    with (
        _timed(reading, "read_table", "text to columns", stages),
        _timed(reading, "logged", "columns to a log", stages),
        _timed(log, "check_games", "checked", stages),
    ):
        games = tm.read_games(path)
    stages["in order, repeats, notes"] = stages.pop("columns to a log") - stages["checked"]
    return len(games)


def _duckdb(path: Path, stages: dict[str, float]) -> int:
    """The file in a table of duckdb's own, in the order of time: what nothing but reading and sorting costs."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE games AS SELECT * FROM read_csv(?) ORDER BY played_at", [str(path)])
        found = connection.execute("SELECT count(*) FROM games").fetchone()
    return int(found[0]) if found else 0


def _rate(path: Path, stages: dict[str, float]) -> int:
    """What `tallymark rate games.csv -o ratings.csv` does, a stage at a time."""
    with _stage("read", stages):
        games = tm.read_games(path)
    with _stage("replay", stages):
        result = tm.replay(games, "lichess")
    with _stage("write", stages):
        result.ratings.write(path.with_name("ratings.csv"))
    return len(games)


_WAYS = {"tallymark": _read, "duckdb": _duckdb, "rate": _rate}


@contextmanager
def _stage(name: str, stages: dict[str, float]) -> Iterator[None]:
    start = time.perf_counter()
    try:
        yield
    finally:
        stages[name] = stages.get(name, 0.0) + time.perf_counter() - start


@contextmanager
def _timed(module: object, name: str, stage: str, stages: dict[str, float]) -> Iterator[None]:
    """In here the function of a module is timed whenever it is called by its name there."""
    function = getattr(module, name)

    def watched(*arguments: object, **options: object) -> object:
        with _stage(stage, stages):
            return function(*arguments, **options)

    setattr(module, name, watched)
    try:
        yield
    finally:
        setattr(module, name, function)


if __name__ == "__main__":
    raise SystemExit(main())
