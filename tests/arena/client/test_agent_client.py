"""An agent that plays: against a server that does what an arena's would, message by message."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from tallymark.arena import Agent, End, Request
from tallymark.arena.client.line import address
from tallymark.errors import ArenaError, InputError

READY = {"type": "ready", "protocol": 1, "agent": "first"}
REQUEST = {
    "type": "action_request",
    "match": "hex-1",
    "game": "hex",
    "seat": 1,
    "request": 4,
    "deadline_ms": 10_000,
    "observation": {"actions": ["a1"]},
    "legal": ["b1", "b2"],
    "unheard_of": "a later version may say more",
}
END = {"type": "match_end", "match": "hex-1", "game": "hex", "seat": 1, "rank": 1, "reason": "normal", "told": "won"}


class Last(Agent):
    """Takes the last action that it may."""

    def __init__(self) -> None:
        super().__init__("first", key="tallymark_k", version="2")
        self.requests: list[Request] = []

    def act(self, request: Request) -> str:
        self.requests.append(request)
        return request.legal[-1]


@contextmanager
def arena(answer: Callable[[ServerConnection], None]) -> Iterator[str]:
    with serve(answer, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        host, port = server.socket.getsockname()[:2]
        yield f"http://{host}:{port}"
        server.shutdown()
    thread.join()


def say(line: ServerConnection, *messages: object) -> None:
    for message in messages:
        line.send(json.dumps(message))


def test_an_agent_says_hello_waits_acts_and_leaves_when_it_has_played_enough() -> None:
    heard: list[dict[str, object]] = []

    def answer(line: ServerConnection) -> None:
        heard.append(json.loads(line.recv()))
        say(line, READY)
        heard.append(json.loads(line.recv()))
        say(line, {"type": "something new"}, REQUEST)
        heard.append(json.loads(line.recv()))
        say(line, {"type": "error", "match": "hex-1", "code": "stale", "message": "x"}, {**END, "seed": "00"})
        with pytest.raises(ConnectionClosed):
            line.recv()

    agent = Last()
    with arena(answer) as url:
        ends = agent.play(url, "hex", matches=1)
    assert heard == [
        {"type": "hello", "protocol": 1, "key": "tallymark_k", "agent": "first", "version": "2"},
        {"type": "join", "game": "hex"},
        {"type": "action", "match": "hex-1", "request": 4, "action": "b2"},
    ]
    assert ends == [End("hex-1", "hex", 1, 1, "normal", "won", None, "00")]
    (request,) = agent.requests
    assert (request.deadline_ms, request.observation) == (10_000, {"actions": ["a1"]})


def test_a_connection_that_breaks_is_made_again_after_longer_and_longer_pauses() -> None:
    calls, pauses = 0, list[float]()

    def answer(line: ServerConnection) -> None:
        nonlocal calls
        calls += 1
        line.recv()
        if calls == 2:
            say(line, {"type": "error", "code": "closed", "message": "the arena is stopped"})
        if calls == 4:
            say(line, {**END, "seed": "00"})
        elif calls == 3:
            say(line, READY)  # it was there: pauses begin anew
        line.close()

    with arena(answer) as url:
        Last().play(url, "hex", matches=1, pause=pauses.append)
    assert pauses == [1, 1, 1]


def test_what_the_arena_refuses_is_raised_and_so_is_what_the_agent_raises() -> None:
    def refuse(line: ServerConnection) -> None:
        line.recv()
        say(line, {"type": "error", "code": "wrong-key", "message": "no such key"})

    with arena(refuse) as url, pytest.raises(ArenaError, match="no such key") as refused:
        Last().play(url, "hex")
    assert refused.value.code == "wrong-key"

    class Broken(Last):
        def act(self, request: Request) -> str:
            raise OSError("the model does not answer")

    def ask(line: ServerConnection) -> None:
        line.recv()
        say(line, REQUEST)
        with pytest.raises(ConnectionClosed):
            line.recv()

    with arena(ask) as url, pytest.raises(OSError, match="the model does not answer"):
        Broken().play(url, "hex")


def test_a_message_of_another_form_names_its_field() -> None:
    def ask(line: ServerConnection) -> None:
        line.recv()
        say(line, {**REQUEST, "deadline_ms": "soon"})

    with arena(ask) as url, pytest.raises(InputError, match="deadline_ms of a message action_request is 'soon'"):
        Last().play(url, "hex")


@pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "ftp://x", "http://x/path", "http://"])
def test_what_is_no_address_of_an_arena_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="url is"):
        address(url)


@pytest.mark.parametrize("version", ["HTTP/1.0", "HTTP/1.1"])
def test_a_server_without_an_arena_is_said_so(version: str) -> None:
    class Without(BaseHTTPRequestHandler):
        protocol_version = version

        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *words: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Without) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        with pytest.raises(ArenaError, match=r"there is no arena|does not speak WebSocket"):
            Last().play(f"http://127.0.0.1:{server.server_port}", "hex")
        server.shutdown()
    thread.join()


def test_wishes_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="matches is 0"):
        Last().play("http://127.0.0.1:1", "hex", matches=0)
    with pytest.raises(InputError, match="games is empty"):
        Last().play("http://127.0.0.1:1", [])


def test_what_was_said_before_a_line_broke_is_heard_though_the_agent_was_thinking(
    caplog: pytest.LogCaptureFixture,
) -> None:
    gone = threading.Event()
    missed = {
        "type": "missed",
        "match": "w-1",
        "request": 4,
        "reason": "illegal",
        "action": "skip",
        "message": "too long",
    }

    alone = {"type": "alone", "game": "hex", "waited_ms": 30_000, "message": "nobody is in range"}

    def answer(line: ServerConnection) -> None:
        line.recv()
        say(line, alone, REQUEST, missed)
        say(line, {"type": "error", "code": "too-many", "message": "slower"}, {**END, "seed": "00"})
        line.close()
        gone.set()

    class Thinking(Last):
        def act(self, request: Request) -> str:
            assert gone.wait(20)
            return super().act(request)

    with arena(answer) as url:
        ends = Thinking().play(url, "hex", matches=1)
    assert [end.match for end in ends] == ["hex-1"]
    assert [record.getMessage() for record in caplog.records] == [
        "first: nobody is in range",
        "first: too long in w-1, so 'skip' was played",
        "first: slower",
    ]


def test_who_cannot_be_reached_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    class Enough(Exception):
        pass

    def pause(seconds: float) -> None:
        raise Enough

    with pytest.raises(Enough):
        Last().play("http://127.0.0.1:1", "hex", pause=pause)
    (record,) = caplog.records
    assert "ws://127.0.0.1:1/v1/arena/play" in record.getMessage()
    assert "trying again in 1 s" in record.getMessage()
