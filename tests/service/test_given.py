"""What was given, as errors repeat it: under its own name, no longer than anybody reads; and digits that are digits."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clubs import Club, opened
from desks import signed_in

LONG = "x" * 100_000
MOST = 4000
"""Bytes of a problem, whatever it is about."""
ARABIC = "\u0661\u0662"
"""The digits 1 and 2, which Python's `int` takes for them."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    path: Path = tmp_path_factory.mktemp("given")
    with opened(path, arena=True) as club:
        club.played("m1", "ann", "bob", 1)
        yield club


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/v1/arena/matches?state=won", "state"),
        ("/arena/matches?state=won", "state"),
        ("/pools/chess?kind=won", "kind"),
    ],
)
def test_a_parameter_is_named_as_it_is_called(site: Club, path: str, name: str) -> None:
    answer = site.client.get(path, headers=site.by("review"))
    assert answer.status_code == 422
    told = answer.json()
    assert told["detail"].startswith(f"{name} is 'won'; ")
    assert {one["parameter"] for one in told["errors"]} == {name}


@pytest.mark.parametrize("digits", [ARABIC, "\uff11\uff12"])
def test_digits_are_those_from_0_to_9(site: Club, digits: str) -> None:
    for path in (f"/v1/arena/matches?after={digits}.hex-1", "/v1/pools/chess/entries?after=" + digits):
        assert site.client.get(path).status_code in (400, 422), path
    told = {"player_a": "ann", "player_b": "bob", "score_a": 1}
    path = f"/v1/pools/chess/matches/m1?wait={digits}"
    assert site.client.put(path, json=told, headers=site.by("append")).status_code == 422
    case = site.client.post("/v1/pools/chess/cases", json={"match": "m1", "why": "x"}).json()["case"]
    signed_in(site, "review")
    queue = f"/admin/cases?after={digits}-{case}"
    assert site.client.get(queue, headers={"Accept": "text/html"}).status_code == 422


def test_a_path_with_nul_is_refused_for_what_it_has(site: Club) -> None:
    told = site.client.get("/v1/pools/chess/players/a%00b").json()
    assert told["detail"] == "the path has %00, which is part of no id"
    assert site.client.get("/v1/pools/chess/players/a%FFb").json()["detail"].startswith("the path is no UTF-8")


def test_agents_that_cannot_play_are_not_repeated_whole(site: Club) -> None:
    said = {"game": "hex", "agents": ["house-hex-greedy", LONG]}
    answer = site.client.post("/v1/arena/exhibitions", json=said, headers=site.by("admin"))
    assert answer.status_code == 400
    assert len(answer.json()["detail"]) < 200


def changed(example: Any) -> Iterator[Any]:
    """An example, each time with something long in another place of it."""
    if isinstance(example, dict):
        yield example | {LONG: 1}
        for name, value in example.items():
            yield from (example | {name: other} for other in (LONG, [LONG], {LONG: LONG}, *changed(value)))
    elif isinstance(example, list):
        yield [*example, LONG]
        for n, value in enumerate(example):
            yield from ([*example[:n], other, *example[n + 1 :]] for other in changed(value))


def test_no_problem_repeats_all_of_what_was_sent(site: Club) -> None:
    paths = site.client.get("/v1/openapi.json").json()["paths"]
    refused = 0
    for path, methods in paths.items():
        there = path.replace("{pool}", "chess").replace("{match}", "m1").replace("{player}", "ann")
        for method, operation in methods.items():
            for kind in operation.get("requestBody", {}).get("content", {}).values():
                for example in kind.get("examples", {}).values():
                    for body in changed(example["value"]):
                        answer = site.client.request(method, there, json=body, headers=site.by("admin"))
                        assert answer.status_code < 400 or len(answer.content) < MOST, (method, path, answer.text[:300])
                        refused += answer.status_code >= 400
    assert refused > 100
