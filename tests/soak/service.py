"""`python tests/soak/service.py`: what tests/service does in small through HTTP, in full: 8 clients, 200 kills.

On SQLite, and with two servers on a PostgreSQL of its own; one JSON document, or the AssertionError of what was not as
it must be.
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
sys.path[:0] = [str(_TESTS / name) for name in ("ledger", "postgres", "service/running")]

from cluster import Cluster, programs  # noqa: E402
from crowd import killed, sends  # noqa: E402
from sites import Listening, Site, heard  # noqa: E402

_CLIENTS = 8
_LISTENERS = 5


@contextmanager
def _stores(folder: Path) -> Iterator[dict[str, tuple[str, Cluster | None]]]:
    stores: dict[str, tuple[str, Cluster | None]] = {"sqlite": (f"sqlite:///{folder / 'ledger.db'}", None)}
    found = programs()
    if found is None:
        yield stores
        return
    with Cluster(found, durable=True) as server:
        yield {**stores, "postgresql": (server.schema(), server)}


def _run(url: str, folder: Path, each: int, kills: int, server: Cluster | None) -> dict[str, object]:
    shares = sends(_CLIENTS * each, _CLIENTS, seed=3)
    distinct = len({match["id"] for share in shares for match in share})
    site = Site(url, folder, shares, [1, 30, 1, 200], 1 if server is None else 2)
    restarts = []
    if kills and server is not None:
        restarts = [lambda: server.restart("fast"), lambda: server.restart("immediate")] * 2
    began = time.perf_counter()
    for n in range(len(site.ports)):
        site.start_rater(n)
    listeners = [Listening(site.ports, seed) for seed in range(_LISTENERS)]
    for n in range(_CLIENTS):
        site.start_writer(n)
    died = killed(site, kills, 4, restarts, patience=10.0)
    site.sent()
    for one in listeners:
        one.finish(distinct + 1)
    site.finish()
    took = time.perf_counter() - began
    return {
        **heard(url, folder, site, shares, listeners)._asdict(),
        "servers": len(site.ports),
        "killed": {"clients": died["writers"], "servers": died["raters"]},
        "restarts": len(restarts),
        "connections of listeners": [one.connections for one in listeners],
        "seconds": round(took, 1),
    }


def main() -> int:
    """Both, on both stores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--each", type=int, default=5_000, help="matches that each of 8 clients sends")
    given = parser.parse_args()
    document: dict[str, dict[str, object]] = {}
    for name, kills in (("races", 0), ("kills", given.kills)):
        with tempfile.TemporaryDirectory() as folder, _stores(Path(folder)) as stores:
            for store, (url, server) in stores.items():
                own = Path(folder) / store  # what one store's clients noted is not another's
                own.mkdir()
                found = _run(url, own, given.each, kills, server)
                document.setdefault(name, {})[store] = found
                print(name, store, found, file=sys.stderr)
    print(json.dumps(document, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
