"""`python -m benchmarks.ledger [--quick]`: how fast a ledger appends and rates, on SQLite and on PostgreSQL.

Beside what the same database does without a ledger, in the same run: a bulk insert of the same rows (receipt, inbox and
entry of each match) by SQLAlchemy Core in batches of 5000, and commits of one match each. PostgreSQL is a cluster of
its own on a socket, with fsync; SQLite has synchronous FULL. What is measured is the median of five.
"""

import argparse
import json
import multiprocessing as mp
import os
import platform
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

from sqlalchemy import Executable, insert, select

from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.store import Store, open_store
from tallymark.ledger.tables import ENTRY, INBOX, RECEIPT

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "postgres"))

from cluster import Cluster, programs

PLAYERS: Final = 10_000
CLIENTS: Final = 64
PROCESSES: Final = 8
_BULK: Final = 5000
_CONTEXT: Final = mp.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tallymark.ledger.ledger", "sqlalchemy.dialects.sqlite", "psycopg"])
Match = dict[str, str | float]
Fresh = Callable[[], str]
"""The URL of a place for a new ledger."""


def matches(n: int, seed: int = 1) -> list[Match]:
    """Matches of two of 10,000 players, with ids and times."""
    rng = random.Random(seed)
    made: list[Match] = []
    for k in range(n):
        a, b = rng.sample(range(PLAYERS), 2)
        at = f"2026-{1 + k % 12:02}-{1 + k % 28:02}T{k % 24:02}:00:00Z"
        score = rng.choice([0, 0.5, 1])
        made.append({"id": f"m{seed}-{k}", "player_a": f"p{a}", "player_b": f"p{b}", "score_a": score, "played_at": at})
    return made


@contextmanager
def _new(fresh: Fresh) -> Iterator[tuple[Ledger, str]]:
    url = fresh()
    with Ledger.open(url, create=True) as ledger:
        ledger.open_pool("p", "arena")
        yield ledger, url


def in_one_process(fresh: Fresh, played: list[Match], batch: int) -> float:
    """Matches a second from the first append to the last rating: appended in batches, and then rated."""
    with _new(fresh) as (ledger, _):
        began = time.perf_counter()
        for low in range(0, len(played), batch):
            ledger.append_many(played[low : low + batch], pool="p")
        ledger.settle()
        return len(played) / (time.perf_counter() - began)


def end_to_end(fresh: Fresh, played: list[Match], batch: int) -> float:
    """The same where another process is at work as a rater, as a service has it."""
    with _new(fresh) as (ledger, url), _rater(url):
        ledger.settled(ledger.append({**played[0], "id": "first"}, pool="p"))
        began = time.perf_counter()
        for low in range(0, len(played), batch):
            found = ledger.append_many(played[low : low + batch], pool="p")
        last = found[-1]
        assert isinstance(last, Receipt)
        ledger.settled(last)
        return len(played) / (time.perf_counter() - began)


@contextmanager
def _rater(url: str) -> Iterator[None]:
    stop = _CONTEXT.Event()
    process = _CONTEXT.Process(target=_rate, args=(url, stop))
    process.start()
    yield
    stop.set()
    process.join()


def bulk(fresh: Fresh, played: list[Match]) -> float:
    """Matches a second of a bulk insert of the rows that the ledger of these matches has."""
    with _new(fresh) as (ledger, url):
        ledger.append_many(played, pool="p")
        store = open_store(url)
        waiting = _rows(store, select(INBOX))
        ledger.settle()
        receipts, entries = _rows(store, select(RECEIPT)), _rows(store, select(ENTRY).where(ENTRY.c.position > 1))
        store.close()
    with _new(fresh) as (_, url):
        store = open_store(url)
        began = time.perf_counter()
        for low in range(0, len(played), _BULK):
            with store.writing() as connection:
                for table, rows in ((RECEIPT, receipts), (INBOX, waiting), (ENTRY, entries)):
                    connection.execute(insert(table), rows[low : low + _BULK])
        took = time.perf_counter() - began
        store.close()
        return len(played) / took


def _rows(store: Store, statement: Executable) -> list[dict[str, object]]:
    with store.reading() as connection:
        return [dict(row) for row in connection.execute(statement).mappings()]


def commits(fresh: Fresh, played: list[Match]) -> float:
    """Commits a second of one thread, each of one match: its receipt and its row in the inbox, by Core."""
    with _new(fresh) as (ledger, url):
        pool = ledger.number("p")
        store = open_store(url)
        body = json.dumps(played[0]).encode()
        began = time.perf_counter()
        for n, match in enumerate(played):
            with store.writing() as connection:
                row = {"id": n + 1, "pool": pool, "item": match["id"], "digest": bytes(32), "received": 0}
                connection.execute(insert(RECEIPT), row)
                connection.execute(insert(INBOX), {"pool": pool, "receipt": n + 1, "received": 0, "body": body})
        took = time.perf_counter() - began
        store.close()
        return len(played) / took


def singly(fresh: Fresh, played: list[Match]) -> float:
    """Appends a second of 64 threads of one process, each a match at a time."""
    with _new(fresh) as (ledger, _):
        ready = threading.Barrier(CLIENTS + 1)

        def client(n: int) -> None:
            ready.wait()
            for match in played[n::CLIENTS]:
                ledger.append(match, pool="p")

        threads = [threading.Thread(target=client, args=(n,)) for n in range(CLIENTS)]
        for thread in threads:
            thread.start()
        ready.wait()
        began = time.perf_counter()
        for thread in threads:
            thread.join()
        return len(played) / (time.perf_counter() - began)


def crowd(fresh: Fresh, each: int) -> dict[str, float]:
    """Eight processes that append singly while another rates: appends a second, and how long anybody waited."""
    with _new(fresh) as (_, url), _rater(url):
        ready, found = _CONTEXT.Barrier(PROCESSES + 1), _CONTEXT.SimpleQueue()
        writers = [_CONTEXT.Process(target=_append, args=(url, n, each, ready, found)) for n in range(PROCESSES)]
        for process in writers:
            process.start()
        ready.wait()
        began = time.perf_counter()
        waits = sorted(wait for _ in writers for wait in found.get())
        took = time.perf_counter() - began
        for process in writers:
            process.join()
        return {
            "appends_per_s": round(PROCESSES * each / took),
            "median_wait_s": round(waits[len(waits) // 2], 4),
            "p99_wait_s": round(waits[len(waits) * 99 // 100], 4),
            "longest_wait_s": round(waits[-1], 4),
        }


def _append(url: str, n: int, each: int, ready: threading.Barrier, found: "mp.SimpleQueue[list[float]]") -> None:
    mine = matches(each, seed=100 + n)
    waits: list[float] = []
    with Ledger.open(url) as ledger:
        ready.wait()
        for match in mine:
            began = time.perf_counter()
            ledger.append(match, pool="p")
            waits.append(time.perf_counter() - began)
    found.put(waits)


def _rate(url: str, stop: threading.Event) -> None:
    with Ledger.open(url) as ledger, ledger.rating():
        stop.wait()


def sync(folder: Path) -> float:
    """Milliseconds that a write of 4096 bytes takes to be on the disk: what no commit is faster than."""
    times: list[float] = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(200):
            file.write(bytes(4096))
            began = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - began)
    return round(1000 * median(times), 3)


def measure(fresh: Fresh, n: int, runs: int) -> dict[str, object]:
    """Everything of one store."""
    played = matches(n)

    def of(measured: Callable[[], float]) -> float:
        return median(measured() for _ in range(runs))

    plain = of(lambda: bulk(fresh, played))
    found: dict[str, object] = {"core_bulk_insert_matches_per_s": round(plain)}
    for batch in (100, 1000):
        rate = of(partial(end_to_end, fresh, played, batch))
        alone = of(partial(in_one_process, fresh, played, batch))
        found[f"batches_of_{batch}"] = {
            "end_to_end_matches_per_s": round(rate),
            "of_bulk": round(rate / plain, 2),
            "in_one_process_matches_per_s": round(alone),
        }
    single = of(lambda: commits(fresh, played[: n // 4]))
    grouped = of(lambda: singly(fresh, played[: n // 2]))
    found["commits_per_s"] = round(single)
    found["appends_of_64_clients_per_s"] = round(grouped)
    found["appends_per_commit_rate"] = round(grouped / single, 1)
    found["eight_processes"] = crowd(fresh, n // 20)
    return found


def main() -> int:
    """Prints one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ledger", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few matches, once: does it still work?")
    given = parser.parse_args()
    n, runs = (1000, 1) if given.quick else (20_000, 5)
    document: dict[str, object] = {
        "machine": {
            "machine": platform.machine(),
            "cpus": os.cpu_count(),
            "python": platform.python_version(),
            "load before": round(os.getloadavg()[0], 1),
        },
        "matches": n,
        "players": PLAYERS,
        "runs": runs,
    }
    with tempfile.TemporaryDirectory() as folder:
        names = count()
        document["sync_ms"] = sync(Path(folder))
        document["sqlite"] = measure(lambda: f"sqlite:///{folder}/{next(names)}.db", n, runs)
    if (found := programs()) is not None:
        with Cluster(found, durable=True) as server:
            document["postgresql"] = measure(server.schema, n, runs)
    print(json.dumps(document, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
