"""`python -m benchmarks [--quick] [--only NAME]`: ratios of speed as one JSON document."""

import argparse
import json
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from itertools import islice

from benchmarks.bulk import cases
from benchmarks.compare import MOST, compare
from benchmarks.logs import logs
from benchmarks.speed import measure

_PACKAGES = ("numpy", "numba", "riix", "glicko2", "elote", "openskill")


def main() -> int:
    """Measures every log that is there, by our engines and by what people use instead; and then millions of games."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the head of one log: does it still work?")
    parser.add_argument("--only", metavar="NAME", help=f"one of {', '.join(_names())} alone")
    given = parser.parse_args()
    if given.only not in (None, *_names()):
        parser.error(f"there is no {given.only}")
    runs, most = (1, 3000) if given.quick else (5, MOST)
    found = [one for one in logs() if given.only in (None, one.name)]
    document: dict[str, dict[str, object]] = {"peers": {}, "engines": {}, "bulk": {}}
    machine = _machine()
    for one in islice(found, 1 if given.quick else None):
        print(f"{one.name} ...", file=sys.stderr)
        document["peers"][one.name] = compare(one, runs, most)
        document["engines"][one.name] = measure(one, runs)
    for name, measured in cases(given.quick).items():
        if given.only in (None, name):
            print(f"{name} ...", file=sys.stderr)
            document["bulk"][name] = measured()
    print(json.dumps({"machine": machine, "quick": given.quick, **document}, indent=2))
    return 0


def _names() -> list[str]:
    return [*(one.name for one in logs()), *cases(quick=True)]


def _machine() -> dict[str, object]:
    packages: dict[str, object] = {}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            packages[name] = None
    busy = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    machine = {"machine": platform.machine(), "cpus": os.cpu_count(), "load before": busy}
    return {**machine, "python": platform.python_version(), **packages}


if __name__ == "__main__":
    raise SystemExit(main())
