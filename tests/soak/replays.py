"""`python tests/soak/replays.py`: 1,000 matches of every game are stored; another process plays them back and compares
every state hash.

One JSON document, or the error that names the first record that does not follow.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

_TESTS = Path(__file__).resolve().parent.parent
sys.path.append(str(_TESTS / "arena" / "referee"))

from refereed import played  # noqa: E402

from tallymark import Ledger  # noqa: E402
from tallymark.arena.games.catalogue import game, games  # noqa: E402
from tallymark.arena.referee.replaying import Replay  # noqa: E402
from tallymark.arena.store import records, schema  # noqa: E402


def _names(count: int) -> list[tuple[str, int]]:
    """Games in turn, and numbers of matches."""
    known = games()
    return [(known[n % len(known)].name, n // len(known) + 1) for n in range(count)]


def _store(where: Path, count: int) -> None:
    with Ledger.open(where, create=True) as ledger:
        schema.upgraded(ledger.store)
        for name, number in _names(count):
            lines = played(game(name), number, misses=max(game(name).seats) > 2)
            with ledger.store.writing() as connection:
                rows = [(f"{name}-{number}", n, line) for n, line in enumerate(lines)]
                records.keep(ledger.store, connection, rows)


def _replay(where: Path, count: int) -> dict[str, object]:
    found: Counter[str] = Counter()
    began = time.perf_counter()
    with Ledger.open(where) as ledger, ledger.store.reading() as connection:
        for name, number in _names(count):
            replay = Replay(records.of(connection, f"{name}-{number}"), game)
            for _ in replay.steps():
                pass
            found.update(matches=1, records=len(replay.records), states=replay.states)
    return {**found, "seconds": round(time.perf_counter() - began, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--replay", type=Path, help="the ledger whose matches are played back: what is run by itself")
    given = parser.parse_args()
    if given.replay is not None:
        print(json.dumps(_replay(given.replay, given.matches)))
        return
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder) / "arena.db"
        _store(where, given.matches)
        again = [sys.executable, __file__, "--replay", str(where), "--matches", str(given.matches)]
        done = subprocess.run(again, check=False)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
