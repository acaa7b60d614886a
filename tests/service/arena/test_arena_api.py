"""What there is to read of the arena: its games, its matches with their records and positions, its agents."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from arenas import Arena, arena
from clubs import opened

import tallymark as tm
from tallymark.arena import Agent, Request
from tallymark.arena.chance import commitment, seated
from tallymark.arena.games.catalogue import benchmarks, game, games
from tallymark.arena.games.face import Position
from tallymark.arena.referee.record import Record
from tallymark.arena.referee.replaying import Replay
from tallymark.ledger.ledger import wall_clock
from tallymark.service.arena import story
from tallymark.service.keys.keyring import Keyring
from tallymark.service.keys.scopes import Scope

NASTY = "</code><script>alert(1)</script>'\"&"


class First(Agent):
    """Takes the first action there is."""

    def act(self, request: Request) -> str:
        return request.legal[0]


class Wrong(Agent):
    """Never does what is allowed."""

    def act(self, request: Request) -> str:
        return NASTY


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """An arena where one match was played to its end, and one was lost by an illegal action."""
    with arena(tmp_path_factory.mktemp("arena")) as found:
        for other in (First("bob-1", key=found.keys["bob"]), Wrong("bob-2", key=found.keys["bob"], version=NASTY)):
            both = First("ann-1", key=found.keys["ann"], version="1"), other
            with ThreadPoolExecutor() as pool:
                ends = [pool.submit(one.play, found.url, "tic-tac-toe", matches=1) for one in both]
                assert [len(one.result(60)) for one in ends] == [1, 1]
        yield found


@pytest.fixture(scope="module")
def client(here: Arena) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=here.url, timeout=30) as found:
        yield found


def got(client: httpx2.Client, path: str, **query: Any) -> Any:
    answer = client.get(f"/v1/arena{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def made(here: Arena, scope: Scope) -> str:
    """A key with a scope."""
    with tm.Ledger.open(here.path) as ledger:
        return Keyring(ledger.store, wall_clock, 0.0).make(f"the {scope}", [scope])[1]


def test_the_arena_says_which_games_there_are_and_by_which_rules(client: httpx2.Client) -> None:
    home = got(client, "")
    assert [one["game"] for one in home["games"]] == [one.name for one in (*games(), *benchmarks())]
    told = home["games"][0]
    assert told["queue"] == {"waiting": 0, "since": None, "house_after_ms": 10_000}
    assert told["ruleset"]["action_ms"] == game("tic-tac-toe").ruleset.action_ms


def test_a_match_says_who_how_and_why(client: httpx2.Client) -> None:
    match = got(client, "/matches/tic-tac-toe-1")
    seed = bytes.fromhex(match["seed"])
    assert match["commitment"] == commitment(seed, "tic-tac-toe-1")
    assert [one["agent"] for one in match["seats"]] == list(seated(seed, ["ann-1", "bob-1"]))
    assert (match["state"], match["reason"]) == ("settled", "finished")
    assert match["end"]["told"].endswith("three in a row")
    assert [one["rating_before"] for one in match["end"]["changes"]] == [1500, 1500]
    assert [one["actions"] for one in match["end"]["latency"]] == [4, 3]
    entry = client.get(f"/v1/pools/tic-tac-toe/entries/{match['position']}").json()["entry"]
    assert entry["match"]["id"] == "tic-tac-toe-1"
    assert entry["match"]["data"]["arena"]["record"] == match["end"]["hash"]
    lost = got(client, "/matches/tic-tac-toe-2")
    (seat,) = [n for n, one in enumerate(lost["seats"]) if one["agent"] == "bob-2"]
    assert (lost["reason"], lost["end"]["seat"], lost["seats"][seat]["misses"]) == ("illegal", seat, 1)


def test_records_are_the_bytes_that_were_written_and_never_change(client: httpx2.Client) -> None:
    answer = client.get("/v1/arena/matches/tic-tac-toe-1/records")
    lines = answer.content.removesuffix(b"\n").split(b"\n")
    played = Replay(lines, game)
    assert sum(1 for _ in played.steps()) == len(lines)
    until = b"".join(line + b"\n" for line in lines[: played.finished.n])
    assert got(client, "/matches/tic-tac-toe-1")["end"]["hash"] == hashlib.sha256(until).hexdigest()
    assert "immutable" in answer.headers["cache-control"]
    again = client.get("/v1/arena/matches/tic-tac-toe-1/records", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


def test_positions_add_up_to_what_the_game_shows(client: httpx2.Client) -> None:
    told = got(client, "/matches/tic-tac-toe-1/positions")
    position = game("tic-tac-toe").start(bytes.fromhex(got(client, "/matches/tic-tac-toe-1")["seed"]), 2)
    seen: dict[str, Any] = {}
    for step in told["steps"]:
        if step["action"] is not None:
            position.apply(step["seat"], step["action"])
        seen |= step["set"]
        for name, more in step["add"].items():
            seen[name] = seen[name] + more
        assert seen == json.loads(json.dumps(position.seen(None)))
    assert position.outcome is not None


def test_records_are_sent_unread_and_positions_are_played_for_whoever_does_not_have_them(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/v1/arena/matches/tic-tac-toe-1"
    etag = client.get(f"{path}/positions").headers["etag"]

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Record, "all", never)
    assert client.get(f"{path}/records").status_code == 200
    assert client.get(f"{path}/positions", headers={"If-None-Match": etag}).status_code == 304


def test_the_last_board_is_played_to_once_and_records_are_read_once_a_view(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: Counter[str] = Counter()
    positions, every = story._positions, Record.all

    def played(one: story._Played) -> Iterator[Position]:
        calls["played"] += 1
        return positions(one)

    def read(lines: Sequence[bytes]) -> tuple[Record, ...]:
        calls["read"] += 1
        return every(lines)

    monkeypatch.setattr(story, "_positions", played)
    monkeypatch.setattr(Record, "all", read)
    story._last_board.cache_clear()
    first, second = (client.get("/arena/matches/tic-tac-toe-1").text for _ in range(2))
    assert '<pre class="position"' in first
    assert first == second
    assert calls == {"played": 1, "read": 2}


def test_a_match_that_is_over_has_an_end_to_stream(client: httpx2.Client) -> None:
    with client.stream("GET", "/v1/arena/matches/tic-tac-toe-1/stream") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        text = answer.read().decode()
    assert text.count("event: ") == 1
    assert json.loads(text.partition("data: ")[2])["reason"] == "finished"


def test_pages_of_matches_have_each_of_them_once(client: httpx2.Client) -> None:
    found, after = [], None
    while True:
        page = got(client, "/matches", limit=1, **({} if after is None else {"after": after}))
        found += [one["match"] for one in page["matches"]]
        after = page["next"]
        if after is None:
            break
    assert found == ["tic-tac-toe-2", "tic-tac-toe-1"]
    assert [one["match"] for one in got(client, "/matches", agent="bob-2")["matches"]] == ["tic-tac-toe-2"]
    assert got(client, "/matches", game="hex")["matches"] == []
    assert got(client, "/matches", state="playing")["matches"] == []


def test_an_agent_has_its_owner_versions_and_misses(client: httpx2.Client) -> None:
    bob = got(client, "/agents/bob-2")
    assert bob["kind"] == "agent"
    assert [one["version"] for one in bob["releases"]] == [NASTY]
    assert bob["misses"] == {"timeout": 0, "illegal": 1, "disconnect": 0}
    assert bob["owner"] == "bob"
    house = got(client, "/agents/house-tic-tac-toe-random")
    assert (house["kind"], house["owner"]) == ("house", "house")
    assert house["releases"][0]["algorithm"]
    assert len(house["releases"][0]["digest"]) == 64


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [
        ("/matches/tic-tac-toe-99", 404, "unknown-match"),
        ("/matches/%3Cx%3E/records", 404, "unknown-match"),
        ("/agents/nobody", 404, "unknown-agent"),
        ("/matches?after=x", 400, "bad-input"),
        ("/matches?state=lost", 422, "invalid-parameter"),
    ],
)
def test_what_is_not_there(client: httpx2.Client, path: str, status: int, kind: str) -> None:
    answer = client.get(f"/v1/arena{path}")
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{kind}")


@pytest.mark.parametrize("path", ["/arena", "/arena/matches", "/arena/matches/tic-tac-toe-1", "/arena/agents/ann-1"])
def test_every_page_is_there(client: httpx2.Client, path: str) -> None:
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 200, answer.text
    assert 'href="/arena" aria-current="true"' in answer.text


def test_the_first_page_says_of_each_game_when_house_agents_step_in(client: httpx2.Client) -> None:
    cards = client.get("/arena").text.split('<li class="card">')[1:]
    said = {re.findall("Rules <code>(.*?)</code>", one)[0]: re.findall("step in after (.*?)<", one) for one in cards}
    assert said["tic-tac-toe-1"] == ["10\N{NO-BREAK SPACE}s"]
    assert said["werewolf-1"] == ["15\N{NO-BREAK SPACE}s"]
    assert said["tic-tac-toe-1-benchmark"] == []  # they are met at once


def test_the_first_page_says_how_to_play_and_that_of_the_site_leads_there(here: Arena, client: httpx2.Client) -> None:
    text = client.get("/arena").text
    assert f">ws{here.url.removeprefix('http')}/v1/arena/play</pre>" in text
    assert "scope <code>play</code>" in text
    assert '<a href="/arena"><strong>The arena</strong></a>' in client.get("/").text


def test_a_match_has_the_name_of_the_site_and_the_address_of_its_records(here: Arena, client: httpx2.Client) -> None:
    text = client.get("/arena/matches/tic-tac-toe-1").text
    assert "<title>tic-tac-toe-1 · Arena · tallymark</title>" in text
    assert f"{here.url}/v1/arena/matches/tic-tac-toe-1/records" in text


def test_nothing_is_said_of_the_deadline_of_a_match_whose_ruleset_is_not_here(
    here: Arena, client: httpx2.Client
) -> None:
    path = "/arena/matches/tic-tac-toe-1"
    assert "the dashed one the deadline" in client.get(path).text
    with here.renamed("tic-tac-toe-1", "tic-tac-toe-0"):
        text = client.get(path).text
    assert "tic-tac-toe-0" in text
    assert "deadline" not in text
    assert "To think" not in text


def test_a_profile_says_whose_it_is_and_counts_exhibitions_of_house_agents_alone(client: httpx2.Client) -> None:
    bob = client.get("/arena/agents/bob-1").text
    assert "of <strong>bob</strong>" in bob
    assert "exhibitions too" not in bob
    assert "of <strong>" not in client.get("/arena/agents/house-tic-tac-toe-random").text


def test_what_was_provisional_when_a_match_began_is_marked(client: httpx2.Client) -> None:
    text = client.get("/arena/matches/tic-tac-toe-1").text
    marked = '<span class="provisional" aria-hidden="true">?</span><span class="unseen"> provisional</span>'
    assert text.count(f'1500{marked} <span class="deviation loose">±350</span>') == 2 == text.count("±")


def test_a_case_about_a_match_leads_to_its_page_and_records(here: Arena, client: httpx2.Client) -> None:
    said = {"match": "tic-tac-toe-1", "why": "They agreed on it."}
    case = client.post("/v1/pools/tic-tac-toe/cases", json=said).json()["case"]
    key = made(here, "review")
    found = client.get(f"/v1/cases/{case}", headers={"Authorization": f"Bearer {key}"}).json()["arena"]
    assert found["match"] == "tic-tac-toe-1"
    assert client.get(found["page"]).text.count("tic-tac-toe-1")
    assert client.get(found["records"]).content.startswith(b'{"n":0')
    with httpx2.Client(base_url=here.url, timeout=30) as reviewer:
        reviewer.post("/admin/sign-in", data={"key": key})
        page = reviewer.get(f"/admin/cases/{case}").text
    assert f'href="{found["page"]}"' in page
    assert f'href="{found["records"]}"' in page


@pytest.mark.parametrize("path", ["/arena/matches/tic-tac-toe-2", "/arena/agents/bob-2"])
def test_what_agents_say_is_text(client: httpx2.Client, path: str) -> None:
    text = client.get(path, headers={"Accept": "text/html"}).text
    assert "&lt;script&gt;" in text
    assert "<script>" not in text


def test_where_there_is_no_arena_there_is_nothing_of_it(tmp_path: Path) -> None:
    with opened(tmp_path) as club:
        assert club.client.get("/v1/arena").status_code == 404
        assert club.client.get("/arena").status_code == 404
        assert "/arena" not in club.client.get("/").text


def test_house_agents_play_for_spectators(here: Arena, client: httpx2.Client) -> None:
    key = made(here, "admin")
    agents = ["house-tic-tac-toe-random", "house-tic-tac-toe-greedy"]
    refused = client.post("/v1/arena/exhibitions", json={"game": "tic-tac-toe", "agents": agents})
    assert refused.status_code == 401
    by = {"Authorization": f"Bearer {key}"}
    begun = client.post("/v1/arena/exhibitions", json={"game": "tic-tac-toe", "agents": agents}, headers=by)
    assert begun.status_code == 201, begun.text
    match = begun.json()["match"]
    assert client.get(f"/v1/arena/matches/{match}/records").json()["type"] == "/problems/still-played"
    live = got(client, "/matches", state="playing")["matches"]
    assert [(one["match"], one["seed"], one["exhibition"]) for one in live] == [(match, None, True)]
    with client.stream("GET", f"/v1/arena/matches/{match}/stream") as answer:
        text = answer.read().decode()
    kinds = [line.removeprefix("event: ") for line in text.splitlines() if line.startswith("event: ")]
    assert (kinds[0], kinds[-1]) == ("start", "end")
    assert set(kinds[1:-1]) == {"position"}
    over = got(client, f"/matches/{match}")
    assert (over["state"], over["end"]["unrated"], over["position"]) == ("settled", "exhibition", None)
    pause = "500\N{NO-BREAK SPACE}ms of each are the pause that house agents make in exhibitions."
    assert pause in client.get(f"/arena/matches/{match}").text
    assert pause not in client.get("/arena/matches/tic-tac-toe-1").text
    wrong = client.post("/v1/arena/exhibitions", json={"game": "hex", "agents": agents}, headers=by)
    assert wrong.status_code == 400


def test_positions_so_far_are_there_where_nothing_is_hidden_and_nowhere_else(
    here: Arena, client: httpx2.Client
) -> None:
    by = {"Authorization": f"Bearer {made(here, 'admin')}"}

    def begun(game: str, *house: str) -> str:
        agents = [f"house-{game}-{one}" for one in house]
        answer = client.post("/v1/arena/exhibitions", json={"game": game, "agents": agents}, headers=by)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["match"])

    covered, open_ = begun("kuhn-poker", "greedy", "equilibrium"), begun("tic-tac-toe", "random", "greedy")
    sofar = client.get(f"/v1/arena/matches/{open_}/positions")
    assert (sofar.status_code, sofar.headers["cache-control"]) == (200, "no-cache")
    assert client.get(f"/v1/arena/matches/{covered}/positions").json()["type"] == "/problems/still-played"
    for match in (covered, open_):
        assert client.get(f"/v1/arena/matches/{match}/records").json()["type"] == "/problems/still-played"
    with client.stream("GET", f"/v1/arena/matches/{open_}/stream") as answer:
        answer.read()
    whole = client.get(f"/v1/arena/matches/{open_}/positions")
    steps, all_ = sofar.json()["steps"], whole.json()["steps"]
    assert 1 <= len(steps) < len(all_)
    assert steps == all_[: len(steps)]
    assert sofar.headers["etag"] != whole.headers["etag"]


def test_metrics_count_turns_actions_and_endings(client: httpx2.Client) -> None:
    lines = dict(line.rsplit(" ", 1) for line in client.get("/metrics").text.splitlines() if line[:1] != "#")
    assert float(lines["tallymark_arena_turns_total"]) > 0
    assert float(lines["tallymark_arena_share_seconds_count"]) >= 9
    assert lines['tallymark_arena_ended_total{game="tic-tac-toe",reason="illegal"}'] == "1.0"


class Putter(First):
    """Puts another match into the pool while it plays: by default under the id of its own."""

    def __init__(self, here: Arena, match: str | None = None, **more: str) -> None:
        super().__init__("ann-9", key=here.keys["ann"])
        self.url, self.headers = here.url, {"Authorization": f"Bearer {made(here, 'append')}"}
        self.match, self.stranger = match, {"player_a": "x", "player_b": "y", "score_a": 1, **more}

    def act(self, request: Request) -> str:
        path = f"{self.url}/v1/pools/{request.game}/matches/{self.match or request.match}"
        assert httpx2.put(path, json=self.stranger, headers=self.headers).is_success
        return super().act(request)


def test_a_match_whose_id_somebody_has_taken_says_why_it_is_not_rated(here: Arena, client: httpx2.Client) -> None:
    both = Putter(here), First("bob-9", key=here.keys["bob"])
    with ThreadPoolExecutor() as pool:
        ends = [pool.submit(one.play, here.url, "othello", matches=1) for one in both]
        assert [one.change for end in ends for one in end.result(60)] == [None, None]
    match = got(client, "/matches/othello-1")
    assert (match["state"], match["position"], match["reason"]) == ("settled", None, "finished")
    assert (match["end"]["unrated"], match["end"]["changes"]) == ("id-taken", [])
    page = client.get("/arena/matches/othello-1").text
    assert "Another match has its id in the public history" in page
    assert "/pools/othello/matches/othello-1" not in page
    assert "/arena/matches/othello-1" not in client.get("/pools/othello/matches/othello-1").text, "it is the stranger's"
    lines = client.get("/v1/arena/matches/othello-1/records").content.removesuffix(b"\n").split(b"\n")
    assert sum(1 for _ in Replay(lines, game).steps()) == len(lines)


def test_a_match_that_its_pool_rates_later_leads_there(here: Arena, client: httpx2.Client) -> None:
    """Under rules that recompute what is late, once something newer was rated."""
    with tm.Ledger.open(here.path) as ledger:
        ledger.change_rules("connect-four", tm.methodology("arena-v0").with_(late="recompute"), id="rules")
    later = (datetime.now(UTC) + timedelta(hours=12)).isoformat()
    both = Putter(here, "later", played_at=later), First("bob-9", key=here.keys["bob"])
    with ThreadPoolExecutor() as pool:
        ends = [pool.submit(one.play, here.url, "connect-four", matches=1) for one in both]
        assert [one.change for end in ends for one in end.result(60)] == [None, None]
    match = got(client, "/matches/connect-four-1")
    entry = client.get(f"/v1/pools/connect-four/entries/{match['position']}").json()["entry"]
    assert (entry["kind"], entry["match"]["id"]) == ("accepted", "connect-four-1")
    assert (match["state"], match["end"]["unrated"], match["end"]["changes"]) == ("settled", None, None)
    page = client.get("/arena/matches/connect-four-1").text
    assert 'Its pool rates it later, by period or by recomputation: <a href="/pools/connect-four/matches/' in page
    assert client.get("/pools/connect-four/matches/connect-four-1").is_success
