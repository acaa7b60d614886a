"""Half surrogate pairs: JSON can say them and nothing can write them. They are refused wherever JSON is read."""

import json
from typing import Any

import orjson
import pytest
from clubs import Club

from tallymark.service.web.logs import in_a_line

BODIES: dict[str, Any] = {
    "a field": {"\ud800": 1},
    "text": {"why": "\udfff", "reason": "\udfff", "name": "\udfff", "id": "\udfff", "methodology": "\udfff"},
    "deep inside": {"adjustment": {"do": "annul", "matches": [{"\udc00": []}]}, "settings": {"\udc00": 1}},
}
WRITES = [
    ("PUT", "pools/new", "admin"),
    ("PUT", "players/ann", "admin"),
    ("PUT", "pools/chess/matches/m1", "append"),
    ("PUT", "pools/chess/corrections/c1", "correct"),
    ("PUT", "pools/chess/rules/r1", "admin"),
    ("POST", "pools/chess/cases", "review"),
    ("POST", "pools/chess/items", "admin"),
    ("POST", "keys", "admin"),
    ("POST", "pools/chess/ballots/1/vote", "vote"),
    ("POST", "pools/chess/counterfactual", "read"),
]


@pytest.mark.parametrize("what", BODIES)
def test_a_body_with_half_a_pair_is_told_and_breaks_nothing(shared: Club, what: str) -> None:
    text = json.dumps(BODIES[what]).encode()
    for method, path, scope in WRITES:
        for headers in (shared.by(scope), {}):
            answer = shared.client.request(method, f"/v1/{path}", content=text, headers=headers)
            assert 400 <= answer.status_code < 500, (path, answer.text)
            assert answer.headers["content-type"] == "application/problem+json"
    answer = shared.client.put("/v1/pools/chess/matches/m1", content=text, headers=shared.by("append")).json()
    assert (answer["type"], "half a surrogate pair" in answer["detail"]) == ("/problems/bad-input", True)


def test_a_line_with_half_a_pair_costs_the_others_nothing(club: Club) -> None:
    lines = [
        b'{"id":"m1","player_a":"ann","player_b":"bob","score_a":1}',
        b'{"id":"m2","player_a":"ann","player_b":"bob","score_a":1,"\\ud800":1}',
        b'{"id":"m3","player_a":"ann","player_b":"bob","score_a":1,"data":{"x":["\\uDFFF"]}}',
        b'{"id":"m4","player_a":"ann","player_b":"\\ud83d\\ude00","score_a":1}',
    ]
    answer = club.client.post("/v1/pools/chess/matches", content=b"\n".join(lines), headers=club.by("append"))
    told = [orjson.loads(line) for line in answer.content.splitlines()]
    assert ["receipt" in one for one in told] == [True, False, False, True]
    assert {one["problem"]["status"] for one in told[1:3]} == {400}


def test_a_line_of_the_log_never_fails() -> None:
    for what in ("\udcff", 10**30, {3: "x"}, object()):
        assert json.loads(in_a_line({"event": "x", "what": what}))["event"] == "x"
