"""`python -m benchmarks [--quick]`: prints what was measured as one JSON document."""

import argparse
import json
import platform
import sys
from importlib.metadata import version

from benchmarks.logs import logs
from benchmarks.speed import measure


def main() -> int:
    """Measures every log that is there; 1 where there is none."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one log, three runs: does it still work?")
    quick = parser.parse_args().quick
    measured = {one.name: measure(one, 3 if quick else 9) for one in logs(quick)}
    if not measured:
        print("no game logs: examples/football has none, and neither has TALLYMARK_DATA", file=sys.stderr)
        return 1
    machine = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        **{name: version(name) for name in ("numpy", "numba")},
    }
    print(json.dumps({"machine": machine, "logs": measured}, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
