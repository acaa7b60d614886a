"""The examples of agents in an arena: real engines over UCI and GTP, and a model behind HTTP, finish rated matches."""

import importlib.util
import json
import os
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from arenas import Arena, arena

import tallymark as tm
from tallymark.arena import Agent, End, Request

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "arena"
GAMES = "/usr/games"
"""Where Debian has such programs, whatever the PATH says."""


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def program(name: str) -> str:
    """The path of an engine. Where it is not installed, the test is skipped, but fails with CI=true."""
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), GAMES]))
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{name} is not installed")
        pytest.skip(f"{name} is not installed: apt-get install {name}")
    return found


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with arena(tmp_path_factory.mktemp("arena")) as found:
        yield found


def played(here: Arena, one: Agent, other: Agent, game: str) -> End:
    """The end of a match between them, for the first; it is rated."""
    with ThreadPoolExecutor() as pool:
        ends = [pool.submit(agent.play, here.url, game, matches=1) for agent in (one, other)]
        (mine,), (theirs,) = [end.result(120) for end in ends]
    assert mine.match == theirs.match
    pool_of = "go" if game.startswith("go-") else game
    with tm.Ledger.open(here.path) as ledger:
        assert ledger.match(pool_of, mine.match).state == "rated"
    assert mine.change is not None
    return mine


def test_a_chess_engine(here: Arena) -> None:
    engine = example("uci").Engine("ann-fish", key=here.keys["ann"], command=[program("stockfish")], ms=5)
    chance = example("chance").Chance("bob-chance", key=here.keys["bob"])
    try:
        end = played(here, engine, chance, "chess")
    finally:
        engine.close()
    assert (end.rank, end.reason) == (1, "finished")
    assert "mate" in end.told


def test_a_go_program(here: Arena) -> None:
    command = [program("gnugo"), "--mode", "gtp", "--capture-all-dead", "--chinese-rules", "--level", "1"]
    engine = example("gtp").Engine("ann-gnugo", key=here.keys["ann"], command=command)
    chance = Placing("bob-placing", key=here.keys["bob"])
    try:
        end = played(here, engine, chance, "go-9x9")
    finally:
        engine.close()
    assert (end.rank, end.reason) == (1, "finished")


class Placing(Agent):
    """Places stones at random, so that there is something to capture, and passes in the end."""

    def act(self, request: Request) -> str:
        moves = request.observation["actions"]
        assert isinstance(moves, list)
        return request.legal[len(moves) * 7 % max(1, len(request.legal) - 2)] if len(moves) < 16 else "pass"


class _Model(BaseHTTPRequestHandler):
    """Answers as servers of models do: with the last legal action that it was told of."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        legal = asked["messages"][0]["content"].partition("legal actions: ")[2].partition(". Answer")[0]
        answer = {"choices": [{"message": {"content": f"I choose {legal.split(', ')[-1]}, for it is the last."}}]}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        pass


@contextmanager
def model() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Model) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1/chat/completions"
        server.shutdown()
    thread.join()


def test_a_language_model(here: Arena, capsys: pytest.CaptureFixture[str]) -> None:
    with model() as where:
        mine = example("model").Model("ann-model", key=here.keys["ann"], where=where, model="m")
        end = played(here, mine, example("chance").Chance("bob-chance-2", key=here.keys["bob"]), "connect-four")
    assert end.reason == "finished"
    assert "does not answer" not in capsys.readouterr().err


def test_a_model_that_is_silent_or_babbles_has_an_action_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    module = example("model")
    agent = module.Model("ann-model", key="k", where="http://127.0.0.1:1/", model="m")
    request = Request("hex-1", "hex", 0, 1, 1000, {}, ("a1", "a11"), 0)
    assert agent.act(request) in request.legal
    monkeypatch.setattr(agent, "_asked", lambda *_: "Not a1, no: a11.")
    assert agent.act(request) == "a11"
    speech = Request("werewolf-1", "werewolf", 0, 1, 1000, {}, (), 10)
    monkeypatch.setattr(agent, "_asked", lambda *_: "I am\nno wolf at all")
    assert agent.act(speech) == "I am no wo"
