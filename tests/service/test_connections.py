"""What a connection may cost that sends more than it should, or never reads, on plain sockets."""

import asyncio
import base64
import json
import logging
import re
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from arenas import Arena, arena
from fastapi import FastAPI
from halls import until
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from tallymark.service.arena import play
from tallymark.service.state import Service
from tallymark.service.web import http, sockets
from tallymark.service.web.unsent import Unsent

CLOSE, PING, PONG, TEXT, BYTES, MORE = 0x8, 0x9, 0xA, 0x1, 0x2, 0x0
KEPT = 1024
"""Bytes that the machine keeps of what the server sent: what is beyond is in the server's memory."""


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("connections"), KEPT) as found:
        yield found


def client(here: Arena, *, reads: bool = False) -> socket.socket:
    """A connection, of which the machine takes next to nothing where it does not read."""
    found = socket.socket()
    if not reads:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    found.settimeout(20)
    found.connect(("127.0.0.1", int(here.url.rpartition(":")[2])))
    return found


def frame(opcode: int, data: bytes = b"", *, last: bool = True) -> bytes:
    """As a client sends it, with a mask of nothing."""
    size = bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack(">BH", 0x80 | 126, len(data))
    return bytes([0x80 * last | opcode]) + size + bytes(4) + data


HANDSHAKE = (
    b"GET /v1/arena/play HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: " + base64.b64encode(bytes(16)) + b"\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def socketed(here: Arena, agent: str | None = None, *, reads: bool = False) -> socket.socket:
    """A WebSocket, which has said hello where it is an agent's."""
    found = client(here, reads=reads)
    found.sendall(HANDSHAKE)
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += found.recv(1)
    assert head.startswith(b"HTTP/1.1 101 ")
    if agent is not None:
        hello = {"type": "hello", "protocol": 1, "key": here.keys["ann"], "agent": agent}
        found.sendall(frame(TEXT, json.dumps(hello).encode()))
        opcode, size = found.recv(2)
        assert (opcode, size) == (0x80 | TEXT, 126)
        (length,) = struct.unpack(">H", found.recv(2))
        while length:
            length -= len(found.recv(length))
    return found


def there(here: Arena, one: socket.socket) -> list[int]:
    """How many bytes wait in the server's memory for a client; nothing where the server has ended its connection."""
    name = one.getsockname()
    found = [each for each in list(here.server.server_state.connections) if getattr(each, "client", None) == name]
    return [each.transport.get_write_buffer_size() for each in found]


def flood(here: Arena, one: socket.socket, piece: bytes, most: int = 20_000_000) -> int:
    """Sends until the server ends it, or so many bytes; what waited in the server's memory, at most."""
    waited = 0
    with suppress(OSError):
        for _ in range(most // len(piece)):
            one.sendall(piece)
            waited = max(waited, *there(here, one), 0)
        pytest.fail(f"{most:,} bytes were taken, and {waited:,} waited")
    return waited


@pytest.mark.parametrize("agent", [None, "ann-pings"])
def test_pings_whose_answers_are_not_read_end_their_connection_alone(
    here: Arena, agent: str | None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sockets, "STALL", 0.1)
    with here.agent("bob", "bob-beside") as beside, caplog.at_level(logging.WARNING, "tallymark.service"):
        with socketed(here, agent) as one:
            assert flood(here, one, frame(PING, b"x" * 125) * 500) < 32_000
            until(lambda: not there(here, one))  # though it reads nothing, not even that it is to go
        beside.say(type="join", game="hex")
        assert beside.hear("queued")["game"] == "hex"
    told = [each.getMessage() for each in caplog.records if each.name == "tallymark.service"]
    assert told[:1] == [
        "the connection of 127.0.0.1 is ended: more than 100 frames that are no messages, or 20 a second"
    ]
    assert len(told) == 1


@pytest.mark.parametrize(
    ("first", "further"),
    [
        (b"", frame(PING)),
        (b"", frame(PONG, b"none was asked for")),
        (frame(TEXT, last=False), frame(MORE, last=False)),
        (frame(BYTES, last=False), frame(MORE) + frame(TEXT, last=False)),
    ],
    ids=["pings", "pongs", "pieces", "messages in two pieces"],
)
def test_frames_that_are_no_messages_are_counted(here: Arena, first: bytes, further: bytes) -> None:
    with socketed(here, "ann-frames", reads=True) as one:
        one.sendall(first + further * 110)
        heard = b""
        with suppress(OSError):
            while got := one.recv(4096):
                heard += got
    assert struct.pack(">H", 1008) + b"more than 100 frames" in heard


def test_as_many_frames_as_messages_are_answered(here: Arena) -> None:
    with socketed(here, "ann-quick", reads=True) as one:
        one.sendall(b"".join(frame(PING, bytes([n])) for n in range(100)))
        heard = b""
        while len(heard) < 300:
            heard += one.recv(4096)
    assert heard == b"".join(bytes([0x80 | PONG, 1, n]) for n in range(100))


def test_who_reads_nothing_is_not_waited_for_at_the_end_of_its_hello(
    here: Arena, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sockets, "STALL", 0.1)
    monkeypatch.setattr(play, "HELLO_SECONDS", 0.2)
    with caplog.at_level(logging.WARNING, "tallymark.service"), socketed(here) as one:
        one.sendall(frame(PING, b"x" * 125) * 95)
        until(lambda: sum(there(here, one)) > 1000)
        until(lambda: not there(here, one))
    assert "was taken for 0.1 seconds" in caplog.text


def test_requests_ahead_of_their_answers_are_answered_in_order_up_to_a_number(
    here: Arena, caplog: pytest.LogCaptureFixture
) -> None:
    with client(here, reads=True) as one:
        for n in range(60):
            one.sendall(b"GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Request-Id: n-%d\r\n\r\n" % n)
        heard = b""
        while heard.count(b"HTTP/1.1 404") < 60 or not heard.endswith(b"}"):
            heard += one.recv(1 << 16)
        assert [int(n) for n in re.findall(rb"x-request-id: n-(\d+)", heard)] == list(range(60))
    with caplog.at_level(logging.WARNING, "tallymark.service"), client(here) as one:
        waited = flood(here, one, b"GET /v1/pools HTTP/1.1\r\nHost: x\r\n\r\n" * (http.PIPELINED + 2))
    assert waited < 100_000
    assert "more than 100 requests came before an answer" in caplog.text


def test_who_takes_nothing_of_an_answer_is_sent_away(here: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "STALL", 0.1)
    with client(here) as one:
        one.sendall(b"GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 3)
        until(lambda: sum(there(here, one)) > 50_000)
        until(lambda: not there(here, one))
    with client(here) as one:  # a rest that is small, where nothing comes after it
        one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        until(lambda: not there(here, one))


CHUNKED = b"POST /v1/pools/hex/matches HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "begun",
    [b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ", CHUNKED + b"0\r\nX-Long: ", CHUNKED + b"2\r\n{}\r\n1;long="],
    ids=["head", "trailer", "extension"],
)
def test_a_head_and_a_trailer_have_an_end(here: Arena, begun: bytes, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "tallymark.service"), client(here, reads=True) as one:
        one.sendall(begun)
        with suppress(OSError):
            for _ in range(2000):
                one.sendall(b"x" * 10_000)
            pytest.fail("20 MB were taken")
    assert "a request has more than 65,536 bytes that are no body" in caplog.text


def test_a_reader_of_a_stream_who_asked_for_more_leaves_its_place(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with arena(tmp_path, beat_seconds=0.05) as other:
        until(lambda: other.server.started)
        app = other.server.config.app
        assert isinstance(app, FastAPI)
        service: Service = app.state.service
        with client(other, reads=True) as one:
            one.sendall(b"GET /v1/pools/hex/stream HTTP/1.1\r\nHost: x\r\n\r\n" * 2)
            until(lambda: service.live.readers == 1)
        until(lambda: service.live.readers == 0)
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


class Slow(asyncio.Transport):
    """A transport from whose memory nothing goes."""

    def __init__(self, socket: socket.socket) -> None:
        super().__init__({"socket": socket})
        self.aborted = False

    def get_write_buffer_size(self) -> int:
        return 1000

    def abort(self) -> None:
        self.aborted = True


@pytest.mark.parametrize("reads", [True, False])
def test_who_takes_what_the_system_keeps_is_slow_and_not_away(reads: bool) -> None:
    async def watched() -> bool:
        server, client = socket.socketpair()
        with server, client:
            server.setblocking(False)
            with suppress(BlockingIOError):
                while True:
                    server.send(bytes(1000))
            line = Slow(server)
            unsent = Unsent(line, 30)
            unsent.watch()
            timer = unsent._timer
            assert timer is not None
            if reads:
                client.recv(1000)
            timer._run()  # 30 seconds later
            unsent.stop()
            return line.aborted

    assert asyncio.run(watched()) is not reads


class Line(asyncio.Transport):
    """A transport whose end comes later than it is closed, as that of a socket."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False
        self.sent = b""

    def write(self, data: "bytes | bytearray | memoryview[Any]") -> None:
        self.sent += bytes(data)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def get_write_buffer_size(self) -> int:
        return 0


def test_a_server_that_stops_has_nothing_to_say_to_who_has_just_hung_up() -> None:
    """Else it would not end what others do, and not finish its batch."""

    async def accepting(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    async def stopped() -> bytes:
        config = uvicorn.Config(accepting, ws=sockets.WebSocket, log_config=None)
        config.load()
        line, state = Line(), ServerState()
        protocol = sockets.WebSocket(config, state, {})
        protocol.connection_made(line)
        protocol.data_received(HANDSHAKE)
        while b"101" not in line.sent:
            await asyncio.sleep(0)
        protocol.data_received(frame(CLOSE))
        assert line.closed
        protocol.shutdown()
        protocol.connection_lost(None)
        await asyncio.gather(*state.tasks)
        return line.sent

    assert asyncio.run(stopped()).endswith(b"\x88\x00")
