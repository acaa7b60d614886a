"""R6 over HTTP: an agent joins a benchmark and is held to its program; benchmarks are listed apart."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from arenas import Arena, arena

from tallymark.arena import Agent, Request
from tallymark.errors import ArenaError

NAME = "tic-tac-toe-benchmark"
ALGORITHM = "Là, the first action: <b>always</b>."
CONFIGURATION = hashlib.sha256(b"first").hexdigest()


class First(Agent):
    """Takes the first action there is."""

    def act(self, request: Request) -> str:
        return request.legal[0]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """An arena where an agent has played three matches of a benchmark."""
    path: Path = tmp_path_factory.mktemp("arena")
    with arena(path) as found:
        agent = First("ann-1", key=found.keys["ann"], version="1", algorithm=ALGORITHM, configuration=CONFIGURATION)
        assert len(agent.play(found.url, NAME, matches=3)) == 3
        yield found


@pytest.fixture(scope="module")
def client(here: Arena) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=here.url, timeout=30) as found:
        yield found


def got(client: httpx2.Client, path: str) -> Any:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def hashed() -> str:
    """The configuration hash, as the docs say how to recompute it."""
    told = {"algorithm": ALGORITHM, "configuration": CONFIGURATION, "version": "1"}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def test_an_agent_meets_each_standard_opponent_and_its_configuration_is_public(client: httpx2.Client) -> None:
    profile = got(client, "/v1/arena/agents/ann-1")
    (lock,) = profile["locked"]
    assert lock == {
        "game": NAME,
        "configuration": hashed(),
        "version": "1",
        "algorithm": ALGORITHM,
        "digest": CONFIGURATION,
        "since": lock["since"],
    }
    played = got(client, f"/v1/arena/matches?game={NAME}")["matches"]
    opponents = [seat["agent"] for one in reversed(played) for seat in one["seats"] if seat["agent"] != "ann-1"]
    assert opponents == [f"house-tic-tac-toe-{manner}" for manner in ("greedy", "random", "search")]
    for one in played:
        entry = got(client, f"/v1/pools/{NAME}/entries/{one['position']}")["entry"]
        told = entry["match"]["data"]["arena"]
        assert (told["kind"], told["configuration"]["ann-1"]) == ("benchmark", hashed())
        for seat in one["seats"]:
            known = got(client, f"/v1/arena/agents/{seat['agent']}")["releases"][-1]
            of_all = {"algorithm": known["algorithm"], "configuration": known["digest"], "version": known["version"]}
            text = json.dumps(of_all, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            assert told["configuration"][seat["agent"]] == hashlib.sha256(text.encode()).hexdigest()


def test_another_program_is_refused_and_the_same_one_is_not(here: Arena) -> None:
    same = First("ann-1", key=here.keys["ann"], version="1", algorithm=ALGORITHM, configuration=CONFIGURATION)
    with here.line() as speaker:
        speaker.say(type="hello", protocol=1, key=here.keys["ann"], agent="ann-1", version="2")
        ready = speaker.hear("ready")
        kinds = {one["game"]: one["kind"] for one in ready["games"]}
        assert (kinds["tic-tac-toe"], kinds[NAME]) == ("arena", "benchmark")
        speaker.say(type="join", game=NAME)
        refused = speaker.hear()
        assert (refused["type"], refused["code"], refused["about"]) == ("error", "locked", NAME)
        assert hashed() in refused["message"]
    with pytest.raises(ArenaError, match="another program is another agent") as error:
        First("ann-1", key=here.keys["ann"], version="3").play(here.url, NAME, matches=1)
    assert error.value.code == "locked"
    assert len(same.play(here.url, NAME, matches=1)) == 1


def test_a_configuration_is_a_hash(here: Arena) -> None:
    with here.line() as speaker:
        speaker.say(type="hello", protocol=1, key=here.keys["ann"], agent="ann-2", configuration="AB" * 32)
        refused = speaker.hear()
        assert refused["code"] == "bad-hello"
        assert "expected 64 digits" in refused["message"]


def test_benchmarks_are_listed_apart(client: httpx2.Client) -> None:
    pools = {one["pool"]: one["kind"] for one in got(client, "/v1/pools")["pools"]}
    assert (pools["tic-tac-toe"], pools[NAME], pools["go"]) == ("arena", "benchmark", "arena")
    assert got(client, f"/v1/pools/{NAME}")["kind"] == "benchmark"
    games = got(client, "/v1/arena")["games"]
    assert {one["kind"] for one in games if one["game"].endswith("-benchmark")} == {"benchmark"}
    assert [one["queue"]["house_after_ms"] for one in games if one["game"] == NAME] == [0]
    for path in ("/", "/arena"):
        page = client.get(path).text
        before, _, behind = page.partition('<h2 id="benchmarks">')
        assert f"/pools/{NAME}" not in before
        assert f"/pools/{NAME}" in behind
        assert 'href="/pools/connect-four"' in before
    profile = client.get("/arena/agents/ann-1").text
    above, _, apart = profile.partition('<h2 id="benchmarks">')
    assert f"/pools/{NAME}" not in above  # nor its rating there
    assert f"/pools/{NAME}/players/ann-1" in apart
    assert (
        f"/pools/{NAME}/players/house-tic-tac-toe-search" in client.get("/arena/agents/house-tic-tac-toe-search").text
    )
    assert hashed() in profile
    assert ALGORITHM not in profile  # it is text, not markup
    assert "&lt;b&gt;always" in profile


def test_a_profile_says_what_a_benchmark_holds_an_agent_to_whatever_it_says_by_now(
    here: Arena, client: httpx2.Client
) -> None:
    First("cyd-1", key=here.keys["cyd"]).play(here.url, NAME, matches=1)
    apart = client.get("/arena/agents/cyd-1").text.partition('<h2 id="benchmarks">')[2]
    assert "It said neither an algorithm nor a configuration when it joined" in apart
    with here.line() as speaker:  # another program, in the arena
        speaker.say(type="hello", protocol=1, key=here.keys["ann"], agent="ann-1", algorithm="Something else.")
        speaker.hear("ready")
    above, _, apart = client.get("/arena/agents/ann-1").text.partition('<h2 id="benchmarks">')
    assert "Something else." in above
    assert "&lt;b&gt;always" in apart
    assert CONFIGURATION in apart


def test_in_the_arenas_own_queue_nobody_is_held_to_anything(here: Arena) -> None:
    with here.line() as speaker:
        speaker.say(type="hello", protocol=1, key=here.keys["ann"], agent="ann-1", version="9")
        speaker.hear("ready")
        speaker.say(type="join", game="hex")
        assert speaker.hear()["type"] == "queued"
        speaker.say(type="leave", game="hex")
        assert speaker.hear()["type"] == "left"
