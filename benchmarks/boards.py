"""`python -m benchmarks.boards [--quick]`: what a page of a board costs in a small pool and in one of a million.

For each kind of page, on SQLite and on PostgreSQL: the median milliseconds in a pool of 1,000 and in one of 1,000,000,
and their ratio. Players are made, not played: one in a hundred is a house agent, one in fifty had a match lately, half
are provisional, and a third are newcomers who are all equal but for their ids. Boards of some have pages of ten, which
both pools fill, and the house agents of a week pages of three.
"""

import argparse
import json
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import islice
from math import lcm
from pathlib import Path
from statistics import median
from typing import Final

from sqlalchemy import text, update

from tallymark.ledger.fold.rows import newcomer
from tallymark.ledger.ids import key_of
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.ratings import values_of
from tallymark.ledger.stairs import built
from tallymark.ledger.store.base import Values
from tallymark.ledger.tables import RATING

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "postgres"))

from cluster import Cluster, programs

_AT_ONCE: Final = 20_000
_HOUSE: Final = 3
_LIMIT: Final = 100
_SOME: Final = 10
_WARM: Final = 3
"""Questions before those that are counted: statements are compiled and prepared."""


def people(n: int, ledger: Ledger, one_in: int) -> Iterator[Values]:
    """Rows of players."""
    rules = ledger.rules("p")
    rng = random.Random(n)
    fresh = newcomer(rules)
    for k in range(n):
        name = f"player {k:07}"
        row = fresh._replace(rated=1, games=1, wins=1, mu=0.93, phi2=2.79, settled=int(k % one_in == 0))
        if k % 3:
            row = row._replace(mu=rng.gauss(0.0, 1.2), phi2=rng.choice([0.08, 1.2]) * rng.random(), games=1 + k % 90)
        yield values_of(1, key_of(name), name, row, rules)


def fill(ledger: Ledger, n: int, one_in: int) -> None:
    """A pool with so many players, as if they had played."""
    ledger.open_pool("p", "arena")
    rows = people(n, ledger, one_in)
    while some := list(islice(rows, _AT_ONCE)):
        with ledger._store.writing() as connection:
            ledger._store.insert(connection, RATING, [tuple(row.values()) for row in some])
    with ledger._store.writing() as connection:
        house = RATING.c.player.like("%00")
        connection.execute(update(RATING).where(house).values(who=_HOUSE))
        built(connection, 1)
    with ledger._store.writes.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE" if connection.dialect.name == "sqlite" else "VACUUM ANALYZE"))


def pages(ledger: Ledger, n: int, one_in: int) -> dict[str, Callable[[], object]]:
    """What is asked for, by what it is called."""

    board, some = partial(ledger.board, "p", limit=_LIMIT), partial(ledger.board, "p", limit=_SOME)
    middle = f"player {n // 2 - n // 2 % one_in + 1:07}"
    house = f"player {n // 2 - n // 2 % lcm(100, one_in):07}"
    after = ledger.board("p", around=middle, limit=2).next
    return {
        "first page": board,
        "page behind one in the middle": partial(board, after=after),
        "around a player": partial(board, around=middle),
        "with shared ranks": partial(board, around=middle, shared=True),
        "house agents": partial(some, kind="house"),
        "house agents with shared ranks": partial(some, kind="house", shared=True),
        "provisional apart": partial(board, provisional="apart"),
        "without provisional": partial(board, provisional="without"),
        "the last 30 days": partial(some, window="rolling", days=30),
        "the last 30 days with shared ranks": partial(some, window="rolling", days=30, shared=True),
        "around a player, the last 30 days": partial(some, window="rolling", days=30, around=house),
        "this week": partial(some, window="week"),
        "this week with shared ranks": partial(some, window="week", shared=True),
        "house agents of this week, without provisional": partial(
            board, window="week", kind="house", provisional="without", limit=_HOUSE
        ),
        "around a house agent": partial(some, around=house, kind="house"),
        "search": partial(board, search="player 00001"),
    }


def measured(urls: list[str], sizes: tuple[int, int], runs: int, one_in: int) -> dict[str, dict[str, float]]:
    """Milliseconds of each kind of page in the median, in both pools, which are asked in turn: what else the machine
    does then slows both."""
    with ExitStack() as opened:
        ledgers = [opened.enter_context(Ledger.open(url, create=True)) for url in urls]
        for ledger, n in zip(ledgers, sizes, strict=True):
            fill(ledger, n, one_in)
        few, many = (pages(ledger, n, one_in) for ledger, n in zip(ledgers, sizes, strict=True))
        return {name: _compared((few[name], many[name]), sizes, runs) for name in few}


def _compared(asks: tuple[Callable[[], object], ...], sizes: tuple[int, int], runs: int) -> dict[str, float]:
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(_WARM + runs):
        for ask, times in zip(asks, took, strict=True):
            began = time.perf_counter()
            ask()
            times.append(time.perf_counter() - began)
    few, many = (1000 * median(times[_WARM:]) for times in took)
    return {f"{sizes[0]:,}": round(few, 2), f"{sizes[1]:,}": round(many, 2), "ratio": round(many / few, 2)}


def main() -> int:
    """Prints one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.boards", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small pools: does it still work?")
    parser.add_argument("--one-in", type=int, default=50, metavar="N", help="of so many had one a match lately")
    told = parser.parse_args()
    quick, one_in = told.quick, told.one_in
    sizes, runs = ((200, 2000), 3) if quick else ((1000, 1_000_000), 31)
    document: dict[str, object] = {"machine": platform.machine(), "cpus": os.cpu_count(), "load": os.getloadavg()}
    server = programs()
    with tempfile.TemporaryDirectory() as folder:
        document["sqlite"] = measured([f"sqlite:///{folder}/{n}.db" for n in sizes], sizes, runs, one_in)
        if server is not None:
            with Cluster(server) as cluster:
                document["postgresql"] = measured([cluster.schema() for _ in sizes], sizes, runs, one_in)
    print(json.dumps(document, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
