"""`python tests/soak/ledger.py`: what tests/ledger does in small, in full: 8 writers of 10,000 matches, 200 kills.

On SQLite and on a PostgreSQL of its own; one JSON document, or the AssertionError of what was not as it must be.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_TESTS / "ledger"), str(_TESTS / "postgres")]

from cluster import Cluster, programs  # noqa: E402
from crowd import Crowd, checked, killed, sends  # noqa: E402

_WRITERS = 8


@contextmanager
def _stores(folder: Path) -> Iterator[dict[str, tuple[str, Cluster | None]]]:
    stores: dict[str, tuple[str, Cluster | None]] = {"sqlite": (f"sqlite:///{folder / 'ledger.db'}", None)}
    found = programs()
    if found is None:
        yield stores
        return
    with Cluster(found, durable=True) as server:
        yield {**stores, "postgresql": (server.schema(), server)}


def _raced(url: str, folder: Path, each: int, raters: int) -> dict[str, object]:
    shares = sends(_WRITERS * each, _WRITERS, seed=1)
    crowd = Crowd(url, folder, shares, [1, 10, 100, 1000])
    began = time.perf_counter()
    for n in range(raters):
        crowd.start_rater(n)
    for n in range(_WRITERS):
        crowd.start_writer(n)
    crowd.finish()
    took = time.perf_counter() - began
    return {**checked(url, folder, crowd, shares)._asdict(), "raters": raters, "seconds": round(took, 1)}


def _killed(url: str, folder: Path, kills: int, server: Cluster | None) -> dict[str, object]:
    shares = sends(kills * 500, _WRITERS, seed=2)
    crowd = Crowd(url, folder, shares, [1, 7, 30, 200])
    restarts = [] if server is None else [lambda: server.restart("fast"), lambda: server.restart("immediate")] * 2
    began = time.perf_counter()
    for n in range(3):
        crowd.start_rater(n)
    for n in range(_WRITERS):
        crowd.start_writer(n)
    died = killed(crowd, kills, 3, restarts)
    crowd.finish()
    took = time.perf_counter() - began
    counted = checked(url, folder, crowd, shares)._asdict()
    return {**counted, "killed": died, "restarts": len(restarts), "seconds": round(took, 1)}


def main() -> int:
    """Both, on both stores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--each", type=int, default=10_000, help="matches that each of 8 writers sends")
    given = parser.parse_args()
    document: dict[str, dict[str, object]] = {}
    for name in ("races", "kills"):
        with tempfile.TemporaryDirectory() as folder, _stores(Path(folder)) as stores:
            for store, (url, server) in stores.items():
                own = Path(folder) / store  # what one store's writers noted is not another's
                own.mkdir()
                if name == "races":
                    found = _raced(url, own, given.each, raters=2 if server is None else 3)
                else:
                    found = _killed(url, own, given.kills, server)
                document.setdefault(name, {})[store] = found
                print(name, store, found, file=sys.stderr)
    print(json.dumps(document, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
