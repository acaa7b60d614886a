"""Cases over HTTP: anybody flags, reviewers see and decide."""

import threading
from pathlib import Path
from typing import Any

import pytest
from clubs import Club, opened
from starlette.testclient import TestClient

import tallymark as tm
from tallymark.service.app import create_app
from tallymark.service.cases import background
from tallymark.service.cases.cases import Cases
from tallymark.service.cases.reading import Case
from tallymark.service.cases.states import Proposal
from tallymark.service.keys.keyring import Keyring
from tallymark.service.settings import Settings

WHY = "Both accounts are the same person."


@pytest.fixture
def flagged(club: Club) -> str:
    """A case about a match."""
    club.played("m1", "ann", "bob", 1)
    answer = club.client.post("/v1/pools/chess/cases", json={"match": "m1", "why": WHY})
    assert answer.status_code == 201, answer.text
    case: str = answer.json()["case"]
    return case


def second(club: Club) -> dict[str, str]:
    """Another reviewer's key."""
    service = club.service
    keyring = Keyring(service.ledger.store, club.clock, 0.0)
    return {"Authorization": f"Bearer {keyring.make('ben', ['review'])[1]}"}


def act(club: Club, case: str, key: dict[str, str], **body: Any) -> Any:
    return club.client.post(f"/v1/cases/{case}/actions", json=body, headers=key)


def test_from_a_flag_to_a_public_entry(club: Club, flagged: str) -> None:
    rosa, ben = club.by("review"), second(club)
    before = club.client.get("/v1/pools").json()
    assert act(club, flagged, rosa, action="review", why="I look at it.").json()["state"] == "under-review"
    annul = {"do": "annul", "matches": ["m1"]}
    tried = act(club, flagged, rosa, action="try", adjustment=annul).json()
    assert (tried["evidence"]["effect"], tried["evidence"]["moves"]) == ("none", [])
    assert tried["evidence"]["note"].startswith("Published numbers stay as they are: ")
    assert [one["player"] for one in tried["evidence"]["from_the_beginning"]["moves"]] == ["ann", "bob"]
    assert tried["proposals"] == []
    proposed = act(club, flagged, rosa, action="propose", why="One person.", adjustment=annul).json()
    (proposal,) = proposed["proposals"]
    assert (proposal["approvers"], proposal["needed"], proposal["state"]) == (["the review"], 2, "waiting")
    assert (proposal["evidence_state"], proposal["evidence"]) == ("there", tried["evidence"])
    assert proposed["events"][-1]["evidence"] == tried["evidence"]
    again = act(club, flagged, rosa, action="propose", why="One person.", adjustment=annul).json()
    assert again["proposals"] == proposed["proposals"]
    assert club.client.get("/v1/pools").json() == before
    done = act(club, flagged, ben, action="approve", why="So I think.", proposal=proposal["n"]).json()
    assert (done["state"], done["proposals"][0]["state"]) == ("upheld", "told")
    told = done["proposals"][0]["told"]["id"].replace("/", "%2F")
    club.played("m2", "ann", "bob", 1)  # settled, and so is all before it
    fate = club.client.get(f"/v1/pools/chess/matches/{told}/receipt").json()
    assert fate["state"] == "corrected"
    assert club.client.get(f"/v1/cases/{flagged}", headers=rosa).json()["proposals"][0]["told"] == fate


def test_what_takes_a_while_is_told_later(club: Club, flagged: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool so large that no request waits for what would be."""
    rosa, go = club.by("review"), threading.Event()
    act(club, flagged, rosa, action="review", why="I look at it.")
    annul = {"do": "annul", "matches": ["m1"]}
    asks: list[tuple[str, dict[str, Any]]] = [
        (f"/v1/cases/{flagged}/actions", {"action": "try", "adjustment": annul}),
        ("/v1/pools/chess/counterfactual", {"matches": ["m1"]}),
    ]
    otherwise = tm.Ledger.otherwise

    def slow(ledger: tm.Ledger, *asked: Any) -> Any:
        assert go.wait(30)
        return otherwise(ledger, *asked)

    with monkeypatch.context() as large:
        large.setattr(tm.Ledger, "otherwise", slow)
        large.setattr(background, "PATIENCE", 0.0)
        proposed = act(club, flagged, rosa, action="propose", why="x", adjustment=annul).json()
        (proposal,) = proposed["proposals"]
        assert (proposal["evidence_state"], proposal["evidence"]) == ("computing", None)
        early = act(club, flagged, second(club), action="approve", why="x", proposal=proposal["n"])
        assert (early.status_code, early.json()["type"]) == (409, "/problems/not-now")
        for path, body in asks:
            answer = club.client.post(path, json=body, headers=rosa)
            assert (answer.status_code, answer.json()["type"]) == (503, "/problems/computing")
            assert int(answer.headers["retry-after"]) > 0
        go.set()
    for path, body in asks:
        assert club.client.post(path, json=body, headers=rosa).status_code == 200
    case = club.client.get(f"/v1/cases/{flagged}", headers=rosa).json()
    assert case["proposals"][0]["evidence_state"] == "there"  # it was asked for first


def test_cases_are_private(club: Club, flagged: str) -> None:
    for path in ("/v1/cases", f"/v1/cases/{flagged}"):
        assert club.client.get(path).status_code == 401
        assert club.client.get(path, headers=club.by("append")).status_code == 403
        assert club.client.get(path, headers=club.by("review")).status_code == 200
        assert club.client.get(path, headers=club.by("admin")).status_code == 200
    assert act(club, flagged, club.by("correct"), action="note", why="x").status_code == 403
    (line,) = club.client.get("/v1/cases?pool=chess&state=open", headers=club.by("review")).json()["cases"]
    assert (line["id"], line["match"], line["events"]) == (flagged, "m1", 1)
    assert club.client.get("/v1/cases?state=upheld", headers=club.by("review")).json() == {"cases": [], "next": None}


def test_who_flags_with_a_key_is_named(club: Club, flagged: str) -> None:
    again = club.client.post("/v1/pools/chess/cases", json={"match": "m1", "why": "I too."}, headers=club.by("append"))
    assert again.json() == {"case": flagged}
    case = club.client.get(f"/v1/cases/{flagged}", headers=club.by("review")).json()
    assert [one["by"] for one in case["events"]] == ["somebody", "the append"]
    assert case["taken"] == ["note", "review", "dismiss"]


@pytest.mark.parametrize(
    ("body", "status", "name"),
    [
        ({"action": "delete", "why": "x"}, 400, "bad-input"),
        ({"action": "review"}, 400, "bad-input"),
        ({"action": "uphold", "why": "x"}, 409, "not-now"),
        ({"action": "approve", "why": "x", "proposal": "3"}, 400, "bad-input"),
        ({"action": "approve", "why": "x", "proposal": 3}, 400, "bad-input"),
        ({"action": "try", "adjustment": {"do": "annul", "matches": ["m2"]}}, 404, "unknown-match"),
        ({"action": "try", "adjustment": {"do": "merge", "player": "ann", "into": "ann"}}, 400, "bad-input"),
        ({"action": "review", "why": "x", "more": 1}, 400, "bad-input"),
    ],
)
def test_what_a_case_does_not_take(club: Club, flagged: str, body: dict[str, Any], status: int, name: str) -> None:
    answer = act(club, flagged, club.by("review"), **body)
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{name}")
    assert len(club.client.get(f"/v1/cases/{flagged}", headers=club.by("review")).json()["events"]) == 1


def test_flags_of_nothing(club: Club, flagged: str) -> None:
    for body, status in (
        ({"why": WHY}, 400),
        ({"match": "m1", "player": "ann", "why": WHY}, 400),
        ({"match": "m1"}, 400),
        ({"match": "m9", "why": WHY}, 404),
        ({"player": "nobody", "why": WHY}, 404),
    ):
        answer = club.client.post("/v1/pools/chess/cases", json=body, headers=club.by("append"))
        assert answer.status_code == status, body
    assert club.client.post("/v1/pools/none/cases", json={"match": "m1", "why": WHY}).status_code == 404


def test_pages_of_other_sites_do_not_flag(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    flag = {"match": "m1", "why": "look"}
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://other.example"}):
        answer = club.client.post("/v1/pools/chess/cases", json=flag, headers=headers)
        assert (answer.status_code, answer.json()["type"]) == (403, "/problems/other-origin")
        # Who has a key is known by it, wherever the request comes from.
        assert (
            club.client.post("/v1/pools/chess/cases", json=flag, headers=headers | club.by("append")).status_code == 201
        )
    assert club.client.post("/v1/pools/chess/cases", json=flag, headers={"Sec-Fetch-Site": "same-origin"}).is_success


def test_flags_without_a_key_are_few(tmp_path: Path) -> None:
    ticks = [0.0]
    with opened(tmp_path, flags_a_minute=2, ticks=lambda: ticks[0]) as club:
        club.played("m1", "ann", "bob", 1)

        def flag(**key: str) -> int:
            answer = club.client.post("/v1/pools/chess/cases", json={"match": "m1", "why": WHY}, headers=key)
            assert (answer.status_code == 429) == (answer.headers.get("retry-after") == "30")
            return answer.status_code

        assert [flag(), flag(), flag(), flag(**club.by("append"))] == [201, 201, 429, 201]
        ticks[0] += 30
        assert [flag(), flag()] == [201, 429]


def test_what_was_left_untold_is_told_on_starting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service was killed between the last approval and telling."""
    with opened(tmp_path, approvers=1) as club:
        club.played("m1", "ann", "bob", 1)
        case = club.client.post("/v1/pools/chess/cases", json={"match": "m1", "why": WHY}).json()["case"]
        act(club, case, club.by("review"), action="review", why="x")
        with monkeypatch.context() as killed:
            killed.setattr(Cases, "_tell", lambda self, found, due: None)
            adjustment = {"do": "annul", "matches": ["m1"]}
            left = act(club, case, club.by("review"), action="propose", why="x", adjustment=adjustment).json()
            assert left["proposals"][0]["state"] == "due"
            path, key, clock = club.path, club.by("review"), club.clock
    done = threading.Event()
    tell = Cases._tell

    def telling(cases: Cases, found: Case, due: Proposal) -> None:
        tell(cases, found, due)
        if cases.find(found.id).course.due is None:  # else the ledger has not said anything yet
            done.set()

    monkeypatch.setattr(Cases, "_tell", telling)
    with TestClient(create_app(Settings(ledger=str(path)), clock=clock)) as client:  # type: ignore[arg-type]
        assert done.wait(30)
        assert client.get(f"/v1/cases/{case}", headers=key).json()["state"] == "upheld"
    with tm.Ledger.open(path) as ledger:
        ledger.settle()
        entries = ledger.entries("chess", 0, 100)
        assert sum(b'"command":"correct"' in entry.body for entry in entries) == 1
