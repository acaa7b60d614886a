"""`python tests/soak/arena.py`: what tests/arena/hall does in small, in full: 200 agents of mixed manners, an hour of
arena time on a clock that is set, twelve restarts, half of them without a word.

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
sys.path[:0] = [str(_TESTS / name) for name in ("arena/hall", "arena/referee", "postgres")]

from cluster import Cluster, programs  # noqa: E402
from guests import Simulation, checked  # noqa: E402
from halls import Time  # noqa: E402

from tallymark.arena.games.catalogue import game  # noqa: E402
from tallymark.ledger.ledger import Ledger  # noqa: E402

_GAMES = ("tic-tac-toe", "connect-four", "kuhn-poker", "werewolf")


@contextmanager
def _stores(folder: Path) -> Iterator[dict[str, str]]:
    stores = {"sqlite": f"sqlite:///{folder / 'arena.db'}"}
    found = programs()
    if found is None:
        yield stores
        return
    with Cluster(found) as server:
        yield {**stores, "postgresql": server.schema()}


def main() -> int:
    """The same on both stores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guests", type=int, default=200)
    parser.add_argument("--minutes", type=int, default=60, help="of arena time")
    parser.add_argument("--restarts", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", choices=("sqlite", "postgresql"), help="one of both")
    given = parser.parse_args()
    document: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder, _stores(Path(folder)) as stores:
        for store, url in stores.items():
            if given.store not in (None, store):
                continue
            clock = Time()
            began = time.perf_counter()
            with Ledger.open(url, create=True, clock=clock.utc) as ledger:
                games = [game(name) for name in _GAMES]
                sim = Simulation(ledger, clock, games, guests=given.guests, seed=given.seed)
                sim.run(given.minutes * 60_000, given.restarts)
                counts = checked(sim, url)
            took = round(time.perf_counter() - began, 1)
            document[store] = {**counts._asdict(), "arena minutes": round(clock.ms / 60_000, 1), "seconds": took}
            print(store, document[store], file=sys.stderr)
    print(json.dumps(document, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
