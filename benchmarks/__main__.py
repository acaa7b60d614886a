"""`python -m benchmarks [--quick] [--only NAME]`: ratios of speed as one JSON document."""

import argparse
import json
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from itertools import islice

from benchmarks.compare import MOST, compare
from benchmarks.logs import logs
from benchmarks.speed import measure

_PACKAGES = ("numpy", "numba", "riix", "glicko2", "elote", "openskill")


def main() -> int:
    """Measures every log that is there: the engines with each other, and ours with what people use instead."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the head of one log: does it still work?")
    parser.add_argument("--only", metavar="NAME", help="one log alone: " + ", ".join(one.name for one in logs()))
    given = parser.parse_args()
    found = [one for one in logs() if given.only in (None, one.name)]
    if not found:
        parser.error(f"there is no log {given.only}")
    runs, most = (1, 3000) if given.quick else (5, MOST)
    document: dict[str, object] = {"machine": _machine(), "quick": given.quick}
    engines, peers = {}, {}
    for one in islice(found, 1 if given.quick else None):
        print(f"{one.name} ...", file=sys.stderr)
        peers[one.name] = compare(one, runs, most)
        engines[one.name] = measure(one, runs)
    print(json.dumps({**document, "peers": peers, "engines": engines}, indent=2))
    return 0


def _machine() -> dict[str, str | None]:
    packages: dict[str, str | None] = {}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            packages[name] = None
    return {"python": platform.python_version(), "machine": platform.machine(), **packages}


if __name__ == "__main__":
    raise SystemExit(main())
