"""`python -m benchmarks.service [--quick]`: how fast the service takes matches, beside an endpoint that does nothing.

Single `PUT`s over 16 connections, from the first one sent until the last is rated and visible, and in the same run the
same requests to an empty FastAPI `def` endpoint; then many matches in one request; then, at half the pace of single
ones, how long until a listener of the stream has a match that was acknowledged. Servers and client are processes of
their own. What is told is the median of the rounds, in which the two take turns.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

import tallymark as tm
from benchmarks.service_live import live

CONNECTIONS: Final = 16
PLAYERS: Final = 1000
_PATH: Final = "/v1/pools/chess/matches"
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def body(rng: random.Random) -> dict[str, str | float]:
    """A match of two of a thousand players, without its id."""
    a, b = rng.sample(range(PLAYERS), 2)
    score = rng.choice([0, 0.5, 1])
    return {"player_a": f"p{a}", "player_b": f"p{b}", "score_a": score, "played_at": "2026-01-31T18:30:00Z"}


async def put_all(port: int, key: str, count: int, name: str) -> list[float]:
    """So many matches over 16 connections, each the next one when the last is answered; seconds of each."""
    seconds: list[float] = []

    async def one(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        rng = random.Random(number)
        for n in range(count // CONNECTIONS):
            text = json.dumps(body(rng)).encode()
            head = (
                f"PUT {_PATH}/{name}-{number}-{n} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
            )
            began = time.perf_counter()
            writer.write(head.encode() + text)
            answer = await reader.readuntil(b"\r\n\r\n")
            seconds.append(time.perf_counter() - began)
            assert answer.startswith(b"HTTP/1.1 20"), answer
            length = re.search(rb"content-length: ([0-9]+)", answer)
            assert length is not None
            await reader.readexactly(int(length[1]))
        writer.close()

    await asyncio.gather(*(one(number) for number in range(CONNECTIONS)))
    return sorted(seconds)


def client(port: int, key: str, count: int, name: str) -> None:
    """What the client's process does: prints seconds, and the longest but one in a hundred."""
    began = time.perf_counter()
    seconds = asyncio.run(put_all(port, key, count, name))
    print(json.dumps({"seconds": time.perf_counter() - began, "p99": seconds[len(seconds) * 99 // 100]}))


def empty() -> None:
    """What the other server does: nothing, by a plain `def`."""
    import uvicorn
    from fastapi import FastAPI

    app = FastAPI()

    @app.put(_PATH + "/{match}")
    def put(match: str, body: dict[str, str | float]) -> dict[str, bool]:
        return {"ok": True}

    config = uvicorn.Config(app, port=0, access_log=False, log_level="info")
    uvicorn.Server(config).run()


@contextmanager
def server(*words: str) -> Iterator[tuple[int, int]]:
    """A server in a process of its own: its port and the number of the process."""
    limits = {"TALLYMARK_READS_A_MINUTE": "0", "TALLYMARK_WRITES_A_MINUTE": "0", "TALLYMARK_STREAMS": "1000"}
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", *words], stdout=log, stderr=log, env=os.environ | limits
        )
        try:
            yield _port(log.fileno(), process), process.pid
        finally:
            process.terminate()
            process.wait()


def _port(log: int, process: "subprocess.Popen[bytes]") -> int:
    for _ in range(600):
        told = os.pread(log, 1 << 16, 0).decode()
        found = re.search(r"http://127\.0\.0\.1:([0-9]+)", told)
        if found is not None:
            return int(found[1])
        assert process.poll() is None, told
        time.sleep(0.1)
    raise AssertionError("no server after a minute")


def _cpu(process: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _settled(port: int, entries: int) -> None:
    """Waits until a board is as of an entry."""
    while True:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/pools/chess/boards/all-time?limit=1") as answer:
            if json.load(answer)["position"] >= entries:
                return
        time.sleep(0.005)


def _round(port: int, process: int, key: str, count: int, name: str, done: Callable[[], None]) -> dict[str, float]:
    words = [sys.executable, "-m", "benchmarks.service", "--client", str(port), key, str(count), name]
    cpu, began = _cpu(process), time.perf_counter()
    told = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    sent = time.perf_counter()
    done()
    late = time.perf_counter() - sent  # the client's start is not the server's
    return {
        "a_second": count / (told["seconds"] + late),
        "p99_ms": 1000 * told["p99"],
        "cpu_ms": 1000 * (_cpu(process) - cpu) / count,
        "visible_after_ms": 1000 * late,
        "whole": time.perf_counter() - began,
    }


def singly(path: str, key: str, count: int, rounds: int) -> dict[str, object]:
    """Single `PUT`s, beside the empty endpoint."""
    with ExitStack() as stack:
        ours = stack.enter_context(server("tallymark", "serve", "--ledger", path, "--port", "0"))
        other = stack.enter_context(server("benchmarks.service", "--empty"))
        found: dict[str, list[dict[str, float]]] = {"service": [], "empty": []}
        for n in range(rounds + 1):  # the first one warms up
            entries = 1 + (count // CONNECTIONS) * CONNECTIONS * (n + 1)
            nothing = _round(*other, key, count, f"e{n}", lambda: None)
            put = _round(*ours, key, count, f"r{n}", partial(_settled, ours[0], entries))
            if n:
                found["empty"].append(nothing)
                found["service"].append(put)
    told: dict[str, object] = {
        name: {field: round(median(one[field] for one in many), 3) for field in many[0] if field != "whole"}
        for name, many in found.items()
    }
    pairs = zip(found["service"], found["empty"], strict=True)
    ratios = [(ours_["a_second"] / empty_["a_second"], empty_["cpu_ms"] / ours_["cpu_ms"]) for ours_, empty_ in pairs]
    return told | {
        "of_empty": round(median(speed for speed, _ in ratios), 3),
        "of_empty_by_cpu": round(median(cpu for _, cpu in ratios), 3),
    }


def in_bulk(path: str, key: str, count: int, rounds: int) -> dict[str, object]:
    """Many in one request, until the last is rated and visible."""
    speeds = []
    with server("tallymark", "serve", "--ledger", path, "--port", "0") as (port, _):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/pools/chess") as answer:
            position = json.load(answer)["position"]
        for n in range(rounds):
            rng = random.Random(n)
            lines = "".join(json.dumps({"id": f"b{n}-{k}", **body(rng)}) + "\n" for k in range(count))
            headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/x-ndjson"}
            sent = urllib.request.Request(f"http://127.0.0.1:{port}{_PATH}", lines.encode(), headers, method="POST")
            began = time.perf_counter()
            with urllib.request.urlopen(sent) as answer:
                assert answer.read().count(b"\n") == count
            received = time.perf_counter() - began
            position += count
            _settled(port, position)
            speeds.append((count / received, count / (time.perf_counter() - began)))
    return {
        "received_a_second": round(median(speed for speed, _ in speeds)),
        "rated_a_second": round(median(speed for _, speed in speeds)),
    }


def streamed(path: str, key: str, pace: float, count: int) -> dict[str, object]:
    """From acknowledged to told by the stream, at that many matches a second."""
    with server("tallymark", "serve", "--ledger", path, "--port", "0") as (port, _):
        live(port, key, pace, min(count, 800), "warm")
        return live(port, key, pace, count, "told")


def main() -> int:
    """Measures and prints one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few requests: does it still work?")
    parser.add_argument("--client", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--empty", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.client is not None:
        port, key, count, name = given.client
        client(int(port), key, int(count), name)
        return 0
    if given.empty:
        empty()
        return 0
    from tallymark.service import schema
    from tallymark.service.keys.keyring import Keyring

    count, rounds = (800, 1) if given.quick else (8000, 5)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "ledger.db")
        with tm.Ledger.open(path, create=True) as ledger:
            ledger.open_pool("chess", "arena")
            schema.upgraded(ledger.store)
            _, key = Keyring(ledger.store, ledger.now, 0.0).make("benchmark", ["append"])
        document: dict[str, Any] = {
            "machine": {"machine": platform.machine(), "cpus": os.cpu_count(), "load before": os.getloadavg()[0]},
            "quick": given.quick,
            "singly": singly(path, key, count, rounds),
            "in_bulk": in_bulk(path, key, 5 * count, rounds),
        }
        pace = document["singly"]["service"]["a_second"] / 2
        document["streamed at half the pace"] = streamed(path, key, pace, count)
    print(json.dumps(document, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
