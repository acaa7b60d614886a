"""Agents at the WebSocket of a service: they say hello, wait, play, and are told what became of it."""

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from arenas import Arena, Speaker, arena
from halls import until
from websockets.exceptions import ConnectionClosed

import tallymark as tm
from tallymark.arena import Agent, End, Request, Start
from tallymark.arena.chance import commitment, seated
from tallymark.arena.wire.heard import LARGEST
from tallymark.errors import ArenaError, UnknownError
from tallymark.ledger.ledger import wall_clock
from tallymark.service.arena import play
from tallymark.service.keys.keyring import Keyring


class First(Agent):
    """Takes the first action there is."""

    start: Start | None = None

    def act(self, request: Request) -> str:
        return request.legal[0]

    def started(self, start: Start) -> None:
        self.start = start


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("arena")) as found:
        yield found


def test_two_agents_play_and_both_are_told_what_the_ledger_has(here: Arena) -> None:
    ann, bob = First("ann-1", key=here.keys["ann"]), First("bob-1", key=here.keys["bob"])
    with ThreadPoolExecutor() as pool:
        played = [pool.submit(one.play, here.url, "tic-tac-toe", matches=1) for one in (ann, bob)]
        ends: list[list[End]] = [one.result(60) for one in played]
    assert [end.match for end in ends[0]] == [end.match for end in ends[1]]
    ((last,), _) = ends
    start = ann.start
    assert start is not None
    seed = bytes.fromhex(last.seed)
    assert start.commitment == commitment(seed, last.match)
    assert [seat["agent"] for seat in start.seats] == list(seated(seed, ["ann-1", "bob-1"]))
    with tm.Ledger.open(here.path) as ledger:
        rated = {row["player"]: row["rating"] for row in ledger.ratings("tic-tac-toe").to_polars().to_dicts()}
    for (end,), name in zip(ends, ("ann-1", "bob-1"), strict=True):
        assert end.change is not None
        assert (end.change["rating_before"], end.change["rating"]) == (1500, rated[name])
    assert {end.rank for (end,) in ends} == {1, 2}  # the first actions of both make a line


def test_an_answer_that_comes_after_the_end_ends_nothing(here: Arena) -> None:
    asked, over = threading.Event(), threading.Event()

    class Late(First):
        """The match is over before it has decided on its first action."""

        def act(self, request: Request) -> str:
            asked.set()
            assert over.wait(30)
            return super().act(request)

    def rated(match: str) -> bool:
        with tm.Ledger.open(here.path) as ledger, suppress(UnknownError):
            return ledger.receipt("tic-tac-toe", match).state == "rated"
        return False

    with here.agent("bob", "bob-gone") as bob, ThreadPoolExecutor() as pool:
        bob.say(type="join", game="tic-tac-toe")
        late = pool.submit(Late("ann-late", key=here.keys["ann"]).play, here.url, "tic-tac-toe", matches=2)
        start = bob.hear("match_start")
        if start["seat"] == 0:
            bob.say(type="action", match=start["match"], request=bob.hear("action_request")["request"], action="a1")
        assert asked.wait(30)
        bob.connection.close()
        until(lambda: rated(start["match"]))
        over.set()
        other = pool.submit(First("cyd-next", key=here.keys["cyd"]).play, here.url, "tic-tac-toe", matches=1)
        first, second = late.result(60)
        assert first.reason == "disconnect"
        assert [end.match for end in other.result(60)] == [second.match]
        assert second.reason == "finished"


def refused(speaker: Speaker) -> str:
    """The code of the error that is said before the connection is closed."""
    code: str = speaker.hear("error")["code"]
    assert closed(speaker) == 1008
    return code


def closed(speaker: Speaker) -> int | None:
    """Waits until the connection is closed; the code that it was closed with."""
    with suppress(ConnectionClosed):
        while True:
            speaker.connection.recv(20)
    return speaker.connection.close_code


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"type": "hello", "protocol": 1, "key": "tallymark_x", "agent": "x"}, "bad-key"),
        ({"type": "hello", "protocol": 2, "key": "tallymark_x", "agent": "x"}, "not-understood"),
        ({"type": "join", "game": "hex"}, "no-hello"),
        ({"type": "hello", "protocol": 1, "key": "nobody", "agent": "x"}, "no-scope"),
        ({"type": "hello", "protocol": 1, "key": "ann", "agent": "No Name"}, "bad-hello"),
        ({"type": "hello", "protocol": 1, "key": "ann", "agent": "house-hex-random"}, "bad-hello"),
        ("not json", "not-understood"),
    ],
)
def test_a_hello_that_is_not_taken(here: Arena, said: dict[str, Any] | str, code: str) -> None:
    if isinstance(said, dict) and said.get("key") in here.keys:
        said = said | {"key": here.keys[said["key"]]}
    with here.line() as speaker:
        speaker.connection.send(said if isinstance(said, str) else json.dumps(said))
        assert refused(speaker) == code


def test_who_says_nothing_is_not_waited_for(here: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "HELLO_SECONDS", 0.05)
    with here.line() as speaker:
        assert refused(speaker) == "no-hello"


def test_an_agent_is_there_once_and_has_one_owner(here: Arena) -> None:
    with here.agent("ann", "ann-once"), here.line() as second:
        second.say(type="hello", protocol=1, key=here.keys["ann"], agent="ann-once")
        assert refused(second) == "connected"
    with here.line() as other:
        other.say(type="hello", protocol=1, key=here.keys["bob"], agent="ann-once")
        assert refused(other) == "bad-hello"


class Halves:
    """Stands between an agent and an arena. Where it breaks a line, the agent's half is closed, and the arena's stays
    open, as behind a network that fails."""

    def __init__(self, url: str) -> None:
        self._to = (urlsplit(url).hostname, urlsplit(url).port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._lines: list[tuple[socket.socket, socket.socket]] = []
        self.held: list[socket.socket] = []
        """What the arena takes for lines that are there."""
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        with suppress(OSError):
            while True:
                near, far = self._listening.accept()[0], socket.create_connection(self._to)
                self._lines.append((near, far))
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(source, sink), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(4096):
                sink.sendall(piece)
        if sink not in self.held:
            with suppress(OSError):
                sink.shutdown(socket.SHUT_RDWR)

    def break_line(self) -> None:
        """The line that is there now."""
        near, far = self._lines[-1]
        self.held.append(far)
        near.shutdown(socket.SHUT_RDWR)

    def notice(self) -> None:
        """The arena finds out."""
        for one in self.held:
            one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        for one in (self._listening, *(end for line in self._lines for end in line)):
            one.close()


def test_an_agent_whose_line_broke_comes_back_though_the_arena_has_not_noticed(here: Arena) -> None:
    halves = Halves(here.url)
    pauses: list[float] = []

    class Cut(First):
        """Its line breaks as its first match begins."""

        def started(self, start: Start) -> None:
            if not pauses:
                halves.break_line()

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:  # the first one was for the line that broke, and then it was refused twice
            halves.notice()

    with ThreadPoolExecutor() as pool:
        cut = pool.submit(Cut("ann-cut", key=here.keys["ann"]).play, halves.url, "hex", matches=1, pause=pause)
        others = pool.submit(First("bob-whole", key=here.keys["bob"]).play, here.url, "hex", matches=2)
        (end,) = cut.result(60)
        assert [one.reason for one in others.result(60)] == ["disconnect", "finished"]
    assert end.reason == "finished"
    assert pauses[:3] == [1, 2, 4]
    halves.close()


def test_an_agent_that_another_process_is_already_is_refused(here: Arena) -> None:
    with here.agent("ann", "ann-twice"), pytest.raises(ArenaError, match="connected already") as refusal:
        First("ann-twice", key=here.keys["ann"]).play(here.url, "hex")
    assert refusal.value.code == "connected"


def test_what_is_not_understood_is_answered_and_ends_nothing_until_it_is_too_much(here: Arena) -> None:
    with here.agent("ann", "ann-odd") as speaker:
        speaker.connection.send(b"bytes")
        assert speaker.hear()["code"] == "not-understood"
        speaker.say(type="join", game="ludo")
        assert speaker.hear()["code"] == "no-game"
        speaker.say(type="action", match="hex-1000", request=1, action="a1")
        assert speaker.hear()["code"] == "no-match"
        speaker.say(type="join", game="hex")
        assert speaker.hear()["type"] == "queued"
        speaker.say(type="leave", game="hex")
        assert speaker.hear()["type"] == "left"
        for _ in range(play.UNREAD):
            speaker.connection.send("{")
        told = [speaker.hear() for _ in range(play.UNREAD)]  # of one message the test has heard before
        assert {one["code"] for one in told[:-1]} == {"not-understood"}
        assert (told[-1]["code"], told[-1]["message"]) == ("closed", "20 messages could not be understood")
        assert closed(speaker) == 1008


def test_a_giant_message_ends_its_connection_alone(here: Arena) -> None:
    with here.agent("ann", "ann-giant") as speaker, here.agent("bob", "bob-beside") as beside:
        speaker.connection.send("x" * (LARGEST + 1))
        assert closed(speaker) == 1009
        beside.say(type="join", game="hex")
        assert beside.hear()["type"] == "queued"


def test_a_flood_is_refused_then_ended(here: Arena) -> None:
    with here.agent("ann", "ann-flood") as speaker:
        with suppress(ConnectionClosed):
            for _ in range(2000):
                speaker.say(type="join", game="hex")
        assert closed(speaker) == 1008
    with here.agent("ann", "ann-flood"):
        pass  # it may come back


def test_an_agent_that_leaves_in_a_match_has_lost_it(here: Arena) -> None:
    with here.agent("ann", "ann-1-leaves") as ann, here.agent("bob", "bob-1-leaves") as bob:
        for one in (ann, bob):
            one.say(type="join", game="othello")
        seats = {one.hear("match_start")["seat"]: one for one in (ann, bob)}
        seats[0].hear("action_request")
        seats[0].connection.close()
        end = seats[1].hear("match_end")
    assert (end["reason"], end["rank"], end["failed"], end["rated"]) == ("disconnect", 1, 0, True)


def test_a_server_that_stops_aborts_what_is_played_and_nobody_loses(tmp_path: Path) -> None:
    ends: dict[str, dict[str, Any]] = {}

    def listen(name: str, speaker: Speaker) -> None:
        ends[name] = speaker.hear("match_end")

    with arena(tmp_path) as here, here.agent("ann", "ann-1") as ann, here.agent("bob", "bob-1") as bob:
        for one in (ann, bob):
            one.say(type="join", game="tic-tac-toe")
        for one in (ann, bob):
            one.hear("match_start")
        threads = [threading.Thread(target=listen, args=pair) for pair in (("ann", ann), ("bob", bob))]
        for thread in threads:
            thread.start()
        here.server.should_exit = True
        for thread in threads:
            thread.join(20)
    assert {end["reason"] for end in ends.values()} == {"restart"}
    with tm.Ledger.open(tmp_path / "arena.db") as ledger:
        ledger.settle()
        assert ledger.match("tic-tac-toe", "tic-tac-toe-1").state == "not-rated"


def test_a_service_without_an_arena_says_so(tmp_path: Path) -> None:
    from listeners import serving

    from tallymark.service.settings import Settings

    with tm.Ledger.open(tmp_path / "plain.db", create=True):
        pass
    with (
        serving(Settings(ledger=str(tmp_path / "plain.db"), log_requests=False)) as (port, _),  # type: ignore[arg-type]
        pytest.raises(ArenaError, match="there is no arena"),
    ):
        First("x", key="k").play(f"http://127.0.0.1:{port}", "hex")


def test_a_key_that_was_revoked_begins_no_match_any_more(here: Arena) -> None:
    with tm.Ledger.open(here.path) as ledger:
        keyring = Keyring(ledger.store, wall_clock, 0.0)
        key, text = keyring.make("dan", ["play"])
        with here.line() as speaker:
            speaker.say(type="hello", protocol=1, key=text, agent="dan-1")
            assert speaker.hear()["type"] == "ready"
            keyring.revoke(key.id)
            speaker.say(type="join", game="hex")
            assert speaker.hear() == {
                "type": "error",
                "code": "bad-key",
                "message": "your key has run out or was revoked",
                "about": "hex",
            }
            speaker.say(type="action", match="hex-9", request=1, action="a1")
            assert speaker.hear()["match"] == "hex-9"


def test_the_operator_sets_what_a_key_may_have(tmp_path: Path) -> None:
    with arena(tmp_path, connected_agents=1, registered_agents=2) as here:

        def hello(owner: str, agent: str) -> dict[str, Any]:
            with here.line() as speaker:
                speaker.say(type="hello", protocol=1, key=here.keys[owner], agent=agent)
                return speaker.hear()

        with here.agent("ann", "ann-1"):
            told = hello("ann", "ann-2")
            assert (told["code"], told["message"]) == ("bad-hello", "'ann' has 1 connections already")
        with here.agent("ann", "ann-2"):  # it was not refused for good, and registered only now
            pass
        told = hello("ann", "ann-3")
        assert told["code"] == "bad-hello"
        assert "'ann' has registered 2 agents, which is all it may" in told["message"]
        assert hello("bob", "bob-1")["type"] == "ready"
        assert hello("ann", "ann-1")["type"] == "ready"
        with pytest.raises(ArenaError, match="a new name"):
            First("ann-4", key=here.keys["ann"]).play(here.url, "hex")
