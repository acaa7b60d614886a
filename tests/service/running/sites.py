"""A crowd on a site: clients that send twice and come back, servers that are killed, listeners who must not care."""

import http.client
import json
import os
import random
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from crowd import POOL, PROCESSES, Answer, Counted, Crowd, Match, checked
from listeners import Listener
from told import bodies

from tallymark.ledger.entries import GENESIS, chained, item_in
from tallymark.ledger.ledger import Ledger, wall_clock
from tallymark.service import schema
from tallymark.service.keys.keyring import Keyring


def serve(url: str, port: int, log: str) -> None:
    """`tallymark serve`, in this process, begun again while there is no database; what it logs goes to a file."""
    from tallymark.cli import main
    from tallymark.cli.endings import Ending

    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.environ |= {
        "TALLYMARK_LOG_REQUESTS": "false",
        "TALLYMARK_READS_A_MINUTE": "0",
        "TALLYMARK_BEAT_SECONDS": "0.1",
    }
    sys.argv = ["tallymark", "serve", "--ledger", url, "--port", str(port)]
    while True:
        try:
            main()
        except SystemExit as ended:
            if ended.code != Ending.UNREADABLE:
                raise
        threading.Event().wait(0.1)


class _Client:
    """Sends to one of the servers until it has an answer."""

    def __init__(self, ports: Sequence[int], key: str, rng: random.Random) -> None:
        self._ports, self._key, self._rng = ports, key, rng
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: bytes, kind: str) -> tuple[int, bytes]:
        """Status and body of the answer, however long it takes to get one."""
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": kind}
        while True:
            try:
                if self._connection is None:
                    self._connection = http.client.HTTPConnection(
                        "127.0.0.1", self._rng.choice(self._ports), timeout=60
                    )
                self._connection.request(method, path, body, headers)
                answer = self._connection.getresponse()
                found = answer.status, answer.read()
            except (OSError, http.client.HTTPException):
                self._connection = None
            else:
                if found[0] != 503:
                    return found
            threading.Event().wait(0.02)


def send(ports: Sequence[int], key: str, mine: list[Match], told: str, batch: int) -> None:
    """Sends from where it stopped, one by one or many in a body; notes each answer when it has it."""
    path = Path(told)
    done = path.read_bytes().count(b"\n") if path.exists() else 0
    client = _Client(ports, key, random.Random(os.getpid()))
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    while done < len(mine):
        some = mine[done : done + batch]
        answers = [_put(client, some[0])] if batch == 1 else _post(client, some)
        # One write, so that a kill leaves whole lines.
        os.write(descriptor, b"".join(orjson.dumps(one) + b"\n" for one in answers))
        done += len(some)
    os.close(descriptor)


def _put(client: _Client, match: Match) -> list[object]:
    body = orjson.dumps({name: value for name, value in match.items() if name != "id"})
    status, answer = client.ask("PUT", f"/v1/pools/{POOL}/matches/{match['id']}", body, "application/json")
    assert status in (200, 201, 409), answer
    found = json.loads(answer)
    if status != 409:
        assert found["replayed"] == (status == 200)
    return _noted(match, found if status != 409 else {"problem": found})


def _post(client: _Client, some: list[Match]) -> list[list[object]]:
    body = b"".join(orjson.dumps(match) + b"\n" for match in some)
    status, answer = client.ask("POST", f"/v1/pools/{POOL}/matches", body, "application/x-ndjson")
    assert status == 200, answer
    lines = [json.loads(line) for line in answer.splitlines()]
    assert [line["line"] for line in lines] == list(range(1, len(some) + 1))
    return [_noted(match, line) for match, line in zip(some, lines, strict=True)]


def _noted(match: Match, told: dict[str, Any]) -> list[object]:
    """An answer: id, score, receipt, whether it was received, and in a conflict the score that the id stands for."""
    if "problem" not in told:
        assert told["id"] == match["id"]
        return [match["id"], match["score_a"], told["receipt"], True, None]
    problem = told["problem"]
    assert problem["type"] == "/problems/conflict", problem
    first, second = json.loads(problem["first"]), json.loads(problem["second"])
    assert second == match
    assert first["id"] == match["id"]
    assert first != match
    return [match["id"], match["score_a"], None, False, first["score_a"]]


class Listening:
    """Listens in a thread of its own, and comes back whenever it is cut off; sometimes it leaves by itself."""

    def __init__(self, ports: Sequence[int], seed: int) -> None:
        self._ports, self._rng = ports, random.Random(seed)
        self.entries: list[tuple[object, object]] = []
        """Position and hash of each entry, as they came."""
        self.connections = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def finish(self, count: int) -> None:
        """Waits until it was told so many entries."""
        limit = threading.Event()
        for _ in range(3000):
            if len(self.entries) >= count or not self._thread.is_alive():
                break
            limit.wait(0.02)
        self._stop.set()
        self._thread.join(60)

    def _run(self) -> None:
        while not self._stop.is_set():
            last = self.entries[-1][0] if self.entries else 0
            assert isinstance(last, int)
            try:
                with Listener(self._rng.choice(self._ports), POOL, last=last, timeout=2) as listener:
                    if listener.status == 503:
                        raise ConnectionError("the ledger cannot be read just now")
                    assert listener.status == 200
                    self.connections += 1
                    self._read(listener, self._rng.choice([20, 200, 1000, 10**9]))
            except OSError:
                self._stop.wait(0.02)

    def _read(self, listener: Listener, most: int) -> None:
        for event in listener.events:
            if event.kind == "entry":
                assert event.id == event.data["position"]
                self.entries.append((event.id, event.data["hash"]))
                most -= 1
            if most == 0 or self._stop.is_set():
                return


class Site(Crowd):
    """Clients (`writers`) of some servers (`raters`) on one ledger, each a process."""

    def __init__(
        self, url: str, folder: Path, shares: Sequence[list[Match]], batches: Sequence[int], servers: int = 1
    ) -> None:
        super().__init__(url, folder, shares, batches)
        with Ledger.open(url) as ledger:
            schema.upgraded(ledger.store)
            self._key = Keyring(ledger.store, wall_clock, 0.0).make("crowd", ["append"])[1]
        self.ports = [_free() for _ in range(servers)]

    def start_writer(self, n: int) -> None:
        batch = self._batches[n % len(self._batches)]
        told = str(self._folder / f"told{n}")
        arguments = (self.ports, self._key, self._shares[n], told, batch)
        self.writers[n] = PROCESSES.Process(target=send, args=arguments, daemon=True)
        self.writers[n].start()

    def start_rater(self, n: int) -> None:
        arguments = (self._url, self.ports[n], str(self._folder / f"log{n}"))
        self.raters[n] = PROCESSES.Process(target=serve, args=arguments, daemon=True)
        self.raters[n].start()

    def sent(self) -> None:
        """Waits until every client has all its answers."""
        for process in self.writers.values():
            process.join(300)
        assert [process.exitcode for process in self.writers.values()] == [0] * len(self.writers)

    def finish(self) -> None:
        """Stops the servers, as whoever runs them does."""
        for process in self.raters.values():
            assert process.pid is not None
            os.kill(process.pid, signal.SIGTERM)
        for process in self.raters.values():
            process.join(60)
        assert [process.exitcode for process in self.raters.values()] == [0] * len(self.raters)

    def answers(self) -> list[Answer]:
        return [(name, score, number, received) for name, score, number, received, _ in self._told()]

    def conflicts(self) -> list[tuple[str, float]]:
        """Ids and the scores that a conflict said they stand for."""
        return [(name, first) for name, _, _, received, first in self._told() if not received]

    def errors(self) -> list[str]:
        """What the servers logged that is an error."""
        lines = [line for path in sorted(self._folder.glob("log*")) for line in path.read_text().splitlines()]
        return [line for line in lines if '"level":"error"' in line or "Traceback" in line]

    def _told(self) -> list[Any]:
        return [json.loads(line) for n in self.writers for line in (self._folder / f"told{n}").read_text().splitlines()]


def _free() -> int:
    with socket.socket() as port:
        port.bind(("127.0.0.1", 0))
        found: int = port.getsockname()[1]
        return found


def heard(url: str, folder: Path, site: Site, shares: Sequence[list[Match]], listeners: Sequence[Listening]) -> Counted:
    """Everything that must be true when all is sent, told and stopped, or an AssertionError."""
    counted = checked(url, folder, site, shares)
    with Ledger.open(url) as ledger:
        stream = bodies(ledger, POOL)
    links = [GENESIS]
    for body in stream:
        links.append(chained(links[-1], body))
    entries = [(n, link.hex()) for n, link in enumerate(links[1:], 1)]
    for one in listeners:  # every entry, once, in its order
        assert one.entries == entries
    standing = {match["id"]: match["score_a"] for match in map(_match, stream[1:])}
    for name, first in site.conflicts():
        assert first == standing[name]
    return counted


def _match(body: bytes) -> Any:
    return orjson.loads(item_in(body, "rated") or b"")
