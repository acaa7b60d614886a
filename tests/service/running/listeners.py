"""Servers on a port, in a thread of this process, and readers of streams over a plain socket."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Self

import uvicorn

from tallymark.ledger.matches import Json
from tallymark.service.serving import server_of
from tallymark.service.settings import Settings


class Event(NamedTuple):
    """What a stream told: an event with its id, or, without a kind, what stands between two (a comment, an id)."""

    kind: str
    id: int | None
    data: dict[str, Json]
    text: str


class Listener:
    """Reads a stream. `buffer`: bytes that the machine takes before anything is read, where that matters."""

    def __init__(
        self,
        port: int,
        pool: str,
        *,
        after: int | None = None,
        last: int | str | None = None,
        buffer: int | None = None,
        timeout: float = 30,
    ) -> None:
        self._socket = socket.socket()
        self._file = self._socket.makefile("rb")
        try:
            if buffer is not None:
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            self._socket.settimeout(timeout)
            self._socket.connect(("127.0.0.1", port))
            query = "" if after is None else f"?after={after}"
            header = "" if last is None else f"Last-Event-ID: {last}\r\n"
            self._socket.sendall(f"GET /v1/pools/{pool}/stream{query} HTTP/1.1\r\nHost: x\r\n{header}\r\n".encode())
            self.status, self.headers = self._head()
        except BaseException:
            self.__exit__()
            raise
        self.events = self._all()
        """Everything, until the stream ends or breaks off."""

    def _head(self) -> tuple[int, dict[str, str]]:
        status = self._file.readline().split()
        if len(status) < 2:
            raise ConnectionError("nobody answered")
        headers: dict[str, str] = {}
        for line in iter(self._file.readline, b"\r\n"):
            name, colon, value = line.decode().partition(":")
            if not colon:
                raise ConnectionError("it broke off")
            headers[name.lower()] = value.strip()
        return int(status[1]), headers

    def body(self) -> bytes:
        """The whole of an answer that is no stream."""
        return self._file.read(int(self.headers["content-length"]))

    def entries(self, count: int) -> list[dict[str, Json]]:
        """The next so many entries."""
        found: list[dict[str, Json]] = []
        while len(found) < count:
            event = next(self.events)
            if event.kind == "entry":
                assert event.data["position"] == event.id
                found.append(event.data)
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
        self._socket.close()

    def _all(self) -> Iterator[Event]:
        rest = b""
        while piece := self._piece():
            *whole, rest = (rest + piece).split(b"\n\n")
            yield from map(_event, whole)
        # What was cut off in the middle is no event.

    def _piece(self) -> bytes:
        size = int(self._file.readline() or b"0", 16)
        piece = self._file.read(size)
        self._file.readline()
        return piece


def _event(text: bytes) -> Event:
    fields: dict[str, str] = {}
    for line in text.decode().split("\n"):
        name, _, value = line.partition(": ")
        assert name in ("", "id", "event", "data", "retry")
        assert name not in fields
        fields[name] = value
    number = fields.get("id")
    data = json.loads(fields["data"]) if "data" in fields else {}
    return Event(fields.get("event", ""), None if number is None else int(number), data, text.decode())


@contextmanager
def serving(settings: Settings, port: int = 0, kept: int | None = None) -> Iterator[tuple[int, uvicorn.Server]]:
    """A server on a port, a free one if it is 0, and the port. It is told to stop when the block ends, and has to
    do so soon. `kept`: bytes that the machine keeps of what is sent and not taken, where that matters."""
    server = server_of(settings)
    here = socket.socket()
    here.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if kept is not None:
        here.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, kept)  # of each connection, too
    here.bind(("127.0.0.1", port))
    here.listen(128)  # who comes before the server is there waits for it
    thread = threading.Thread(target=server.run, kwargs={"sockets": [here]})
    thread.start()
    try:
        yield here.getsockname()[1], server
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()
        here.close()
