"""Why matches are not rated: every code has its words, and a receipt says at once what the match itself says."""

import json
from pathlib import Path

import orjson
import pytest
from clubs import Club
from told import game, new

import tallymark as tm
from tallymark.fixedpoint.rules import VoidReason
from tallymark.ledger.fold.reasons import Unrated
from tallymark.replay.eligibility import NotRated
from tallymark.service.unrated import WHY, Forecast

DAY = 86_400_000_000


def test_every_reason_has_its_words() -> None:
    codes = {str(one) for one in (*NotRated, *Unrated, *(why.name.lower() for why in VoidReason))}
    assert codes == WHY.keys()
    assert all(one.words.endswith(".") and one.remedy.endswith(".") for one in WHY.values())


MATCHES = [
    game(0, "a", "b", 1),
    game(1, "a", "b", None),
    game(2, "a", "b", 0.5),
    game(3, "a", "b", 1, "2026-01-02"),
    game(4, "a", "b", 1, "2999-01-02"),
    game(5, "a", "b", 1, "1969-01-02"),
    game(6, "a", "b", 0.25, "2026-01-02"),
    game(7, "a", "b", 1, "2026-01-02", steps=3),
    game(8, "a", "b", 1, "2026-01-02", steps=300, ending="timeout"),
    game(9, "a", "b", 1, "2026-01-02", handicap=2),
    game(10, "a", "b", 1, "2026-01-02", board=19, komi=1.5),
    game(11, "a", "b", 1, "2026-01-02", source="casual"),
    {"id": 12, "sides": [{"players": ["a", "b"], "rank": 1}, {"players": ["c"], "rank": 2}], "played_at": "2026-01-02"},
    {"id": 13, "sides": [{"players": ["a"], "rank": 1}, {"players": ["b"], "rank": None}], "played_at": "2026-01-02"},
]


@pytest.mark.parametrize("name", ["arena", "votes", "lichess", "go-float", "go-onchain", "contest", "paper"])
def test_a_forecast_is_what_becomes_of_the_match(name: str, tmp_path: Path) -> None:
    rules = tm.methodology(name) if name != "paper" else tm.methodology("paper").with_(period="7d")
    ledger, forecast = new(tmp_path, rules), Forecast(rules)
    for n, match in enumerate(MATCHES):
        ledger.open_pool(pool := f"p{n}", rules)  # what is rated before would make some of them late
        told = orjson.dumps(match)
        why = forecast.why_not(told, ledger.now())
        assert forecast.why_not(told, ledger.now()) == why
        ledger.append(match, pool=pool)
        ledger.settle()
        assert ledger.receipt(pool, match["id"]).reason == why, match


def weekly(club: Club) -> None:
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("weekly", tm.methodology("paper").with_(period="7d"))


def test_a_receipt_says_so_at_once(club: Club) -> None:
    weekly(club)
    match = {"player_a": "ann", "player_b": "bob", "score_a": 1}
    answer = club.client.put("/v1/pools/weekly/matches/m1", json=match, headers=club.by("append"))
    assert answer.status_code == 201
    hint = answer.json()["hint"]
    assert hint["reason"] == "no-time"
    assert "played_at" in hint["remedy"]
    again = club.client.put("/v1/pools/weekly/matches/m1?wait=30", json=match, headers=club.by("append"))
    assert (again.status_code, again.json()["reason"], again.json()["hint"]) == (200, "no-time", hint)
    timed = {**match, "played_at": "2026-01-02"}
    answer = club.client.put("/v1/pools/weekly/matches/m2", json=timed, headers=club.by("append"))
    assert (answer.status_code, answer.json()["hint"]) == (201, None)


def test_each_line_of_many_says_so(club: Club) -> None:
    weekly(club)
    lines = [
        {"id": 1, "player_a": "ann", "player_b": "bob", "score_a": 1},
        {"id": 2, "player_a": "ann", "player_b": "bob", "score_a": 1, "played_at": "2026-01-02"},
        {"id": 3, "player_a": "ann", "player_b": "ann", "score_a": 1},
        {"id": 4, "player_a": "ann", "player_b": "bob", "score_a": None, "played_at": "2026-01-02"},
    ]
    body = "\n".join(map(json.dumps, lines))
    headers = club.by("append") | {"Content-Type": "application/x-ndjson"}
    answer = club.client.post("/v1/pools/weekly/matches", content=body, headers=headers)
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [one.get("hint", {}).get("reason") for one in found] == ["no-time", None, None, "no-result"]
    assert "problem" in found[2]


def test_other_rules_are_noticed(club: Club) -> None:
    service = club.service
    now = [0.0]
    forecasts = type(service.forecasts)(service.ledger, lambda: now[0])
    drawn = orjson.dumps(game(1, "a", "b", 0.5))
    first = forecasts.of("chess")
    assert first.why_not(drawn, 0) is None
    told = service.ledger.change_rules("chess", tm.methodology("arena").with_(draws=False), id="r")
    service.ledger.settled(told, 30)
    assert forecasts.of("chess") is first
    now[0] = 6.0
    assert forecasts.known("chess") is None
    assert forecasts.of("chess").why_not(drawn, 0) == "draw"
    now[0] = 12.0
    assert forecasts.of("chess").why_not(drawn, 0) == "draw"


def test_other_rules_are_hinted_at_as_soon_as_they_are_in_force(club: Club) -> None:
    def hinted(id: str) -> bool:
        answer = club.client.put(
            f"/v1/pools/chess/matches/{id}",
            json={"player_a": "ann", "player_b": "bob", "score_a": 0.5},
            headers=club.by("append"),
        )
        return answer.json()["hint"] is not None

    assert not hinted("m1")  # from here on the forecast is known
    body = {"methodology": "arena", "settings": {"rated.draws": False}}
    told = club.client.put("/v1/pools/chess/rules/r1?wait=30", json=body, headers=club.by("admin"))
    assert told.json()["state"] != "waiting", told.text
    assert hinted("m2")


def test_of_what_was_rated_under_other_rules_nothing_is_hinted(club: Club) -> None:
    club.played("m1", "ann", "bob", 0.5)
    body = {"methodology": "arena", "settings": {"rated.draws": False}}
    told = club.client.put("/v1/pools/chess/rules/r1?wait=30", json=body, headers=club.by("admin"))
    assert told.json()["state"] != "waiting", told.text
    match = {"player_a": "ann", "player_b": "bob", "score_a": 0.5}
    again = club.client.put("/v1/pools/chess/matches/m1", json=match, headers=club.by("append"))
    assert (again.json()["replayed"], again.json()["hint"]) == (True, None)
    lines = "\n".join(json.dumps(match | {"id": id}) for id in ("m1", "m2"))
    headers = club.by("append") | {"Content-Type": "application/x-ndjson"}
    many = club.client.post("/v1/pools/chess/matches", content=lines, headers=headers)
    found = [json.loads(line) for line in many.text.splitlines()]
    assert [(one["replayed"], "hint" in one) for one in found] == [(True, False), (False, True)]
