"""`PUT .../matches/{id}`: safe to repeat, refused where it is wrong, rated once."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import orjson
import pytest
from clubs import Club, opened

import tallymark as tm
from tallymark.ledger.reading import face

PATH = "/v1/pools/chess/matches"
WON = {"player_a": "A", "player_b": "B", "score_a": 1}


def test_svc_10_a_retry_and_another_body(club: Club) -> None:
    def put(match: object) -> tuple[int, dict[str, object]]:
        answer = club.client.put(f"{PATH}/k1", json=match, headers=club.by("append"))
        return answer.status_code, answer.json()

    status, first = put(WON)
    assert (status, first["id"], first["replayed"]) == (201, "k1", False)
    status, second = put(WON)
    assert (status, second["receipt"], second["replayed"]) == (200, first["receipt"], True)
    status, third = put({**WON, "score_a": 0})
    assert (status, third["type"]) == (409, "/problems/conflict")
    assert json.loads(str(third["first"])) == {"id": "k1", **WON}
    assert json.loads(str(third["second"])) == {"id": "k1", **WON, "score_a": 0}
    with ThreadPoolExecutor(10) as pool:
        again = list(pool.map(put, [WON] * 50))
    assert {status for status, _ in again} == {200}
    assert {found["receipt"] for _, found in again} == {first["receipt"]}
    club.played("k1", "A", "B", 1)
    with ThreadPoolExecutor(10) as pool:
        new = list(
            pool.map(
                lambda _: club.client.put(f"{PATH}/k2", json=WON, headers=club.by("append")).status_code, range(50)
            )
        )
    assert sorted(new) == [200] * 49 + [201]
    club.played("k2", "A", "B", 1)
    (pool_now,) = club.client.get("/v1/pools").json()["pools"]
    assert (pool_now["position"], pool_now["waiting"]) == (3, 0)


def test_svc_12_no_result_is_neither_draw_nor_win(club: Club) -> None:
    sides = [{"players": ["A", "B"], "rank": None}, {"players": ["C", "D"], "rank": None}]
    answer = club.client.put(f"{PATH}/g?wait=30", json={"sides": sides}, headers=club.by("append")).json()
    assert (answer["state"], answer["reason"]) == ("not-rated", "no-result")
    assert club.client.get(f"{PATH}/g/receipt").json()["reason"] == "no-result"
    assert club.client.get("/v1/pools/chess/ratings").json()["ratings"] == []


@pytest.mark.parametrize("score", ['"nan"', '"inf"', "1e999", "NaN", "-1", "true", "[]"])
def test_svc_18_what_is_no_score_is_refused_by_name(shared: Club, score: str) -> None:
    body = f'{{"player_a":"A","player_b":"B","score_a":{score}}}'
    answer = shared.client.put(f"{PATH}/n", content=body, headers=shared.by("append"))
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert "score_a" in answer.json()["detail"] or "number" in answer.json()["detail"]
    assert shared.client.get(f"{PATH}/n/receipt").status_code == 404


def test_an_id_is_what_the_path_says(shared: Club) -> None:
    def put(segment: str, id: object) -> tuple[int, object]:
        answer = shared.client.put(f"{PATH}/{segment}", json={"id": id, **WON}, headers=shared.by("append"))
        return answer.status_code, answer.json().get("id", answer.json().get("field"))

    assert put("17", 17) == (201, 17)
    assert put("%2217%22", "17") == (201, "17")
    assert put("a%2Fb%20c", "a/b c") == (201, "a/b c")
    assert put("18", "18") == (400, "id")
    assert put("x", "y") == (400, "id")
    assert shared.client.get(f"{PATH}/a%2Fb%20c/receipt").json()["id"] == "a/b c"
    assert shared.client.put(f"{PATH}/%FF", json=WON, headers=shared.by("append")).status_code == 400
    assert shared.client.put(f"{PATH}/a%00b", json=WON, headers=shared.by("append")).status_code == 400


def test_who_may_send(shared: Club) -> None:
    def put(headers: dict[str, str]) -> tuple[int, str]:
        answer = shared.client.put(f"{PATH}/w", json=WON, headers=headers)
        return answer.status_code, answer.json().get("type", "")

    assert put({}) == (401, "/problems/no-key")
    assert put({"Authorization": "Basic x"}) == (401, "/problems/bad-key")
    assert put({"Authorization": "Bearer " + shared.keys["append"][:-1] + "g"}) == (401, "/problems/bad-key")
    assert put(shared.by("vote")) == (403, "/problems/no-scope")
    assert put(shared.by("admin"))[0] == 201


def test_what_is_not_there(shared: Club) -> None:
    for path, kind in (
        ("/v1/pools/go/ratings", "unknown-pool"),
        (f"{PATH}/never/receipt", "unknown-match"),
        ("/v1/nothing", "not-found"),
    ):
        answer = shared.client.get(path)
        assert (answer.status_code, answer.json()["type"]) == (404, f"/problems/{kind}")


def test_on_either_store_many_clients_who_retry_make_one_entry_each(ledger_url: str, tmp_path: Path) -> None:
    with opened(tmp_path, ledger_url, writes_a_minute=0) as club:

        def put(number: int) -> tuple[int, int]:
            answer = club.client.put(f"{PATH}/r{number % 20}", json=WON, headers=club.by("append"))
            return answer.status_code, answer.json()["receipt"]

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(put, range(60)))
        assert sorted(status for status, _ in found) == [200] * 40 + [201] * 20
        assert all(found[n][1] == found[n % 20][1] for n in range(60))
        last = club.played("last", "A", "B", 1)
        assert last["position"] == 22
        assert club.client.get("/v1/pools/chess/players/A").json()["player"]["wins"] == 21


def test_a_match_in_another_form_is_not_taken(club: Club) -> None:
    path, body = "/v1/pools/chess/matches/m1", '{"player_a":"ann","player_b":"bob","score_a":1}'
    for headers in ({"Content-Type": "text/xml"}, {"Content-Type": "text/json"}, {"Content-Encoding": "gzip"}):
        answer = club.client.put(path, content=body, headers=headers | club.by("append"))
        assert (answer.status_code, answer.json()["type"]) == (415, "/problems/wrong-media-type"), headers
        assert answer.json()["expected"] == "application/json"
    for taken in ({}, {"Content-Type": "Application/JSON; charset=utf-8"}, {"Content-Encoding": "identity"}):
        assert club.client.put(path, content=body, headers=taken | club.by("append")).status_code in (200, 201), taken


@pytest.mark.parametrize(("rules", "ends"), [("arena", ("rated", 5)), ("paper", ("accepted", 6))])
def test_a_late_match_is_waited_for_where_its_recomputation_comes_by_itself(
    club: Club, rules: str, ends: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("p", tm.methodology(rules).with_(late="recompute"))
        for month in (3, 5):
            at = f"2026-0{month}-01"
            ledger.append({"id": month, "player_a": "ann", "player_b": "bob", "score_a": 1, "played_at": at}, pool="p")
        ledger.settle()
    if rules == "paper":
        monkeypatch.delattr(face.Reading, "wait_for")  # nothing comes that could be waited for
    late = {**WON, "played_at": "2026-02-01" if rules == "arena" else "2026-03-01"}
    answer = club.client.put("/v1/pools/p/matches/late?wait=30", json=late, headers=club.by("append")).json()
    fate = club.client.get("/v1/pools/p/matches/late/receipt").json()
    assert (answer["state"], answer["position"]) == (fate["state"], fate["position"]) == ends
    found = [club.client.get(f"/v1/pools/p/entries/{n}").json()["body"] for n in (fate["entry"], fate["position"])]
    kinds = [orjson.loads(body)["kind"] for body in found]
    assert kinds == ["accepted", "restated" if rules == "arena" else "accepted"]


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Club]:
    """A service of one person, who corrects without asking others."""
    with opened(tmp_path, approvers=1) as found:
        yield found


def test_a_correction_is_waited_for_until_its_numbers_are_there(alone: Club) -> None:
    club = alone
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("p", tm.methodology("arena").with_(late="recompute"))
    for n, (a, b) in enumerate([("ann", "bob"), ("bob", "cid"), ("cid", "ann")]):
        club.played(f"m{n}", a, b, 1, pool="p")
    before = club.client.get("/v1/pools/p/ratings").json()
    body = {"adjustment": {"do": "annul", "matches": ["m1"]}, "reason": "It was a friendly game."}
    told = club.client.put("/v1/pools/p/corrections/c1?wait=30", json=body, headers=club.by("correct")).json()
    after = club.client.get("/v1/pools/p/ratings").json()
    assert (told["state"], told["entry"], told["position"]) == ("corrected", 5, 6)
    assert after["position"] >= told["position"]
    assert after["ratings"] != before["ratings"]
    again = club.client.put("/v1/pools/p/corrections/c1?wait=30", json=body, headers=club.by("correct")).json()
    assert again == told


MERGE: dict[str, object] = {"do": "merge", "player": "cid", "into": "bob"}
BACK: dict[str, object] = {"do": "change", "match": {"id": "m1", "player_a": "bob", "player_b": "cid", "score_a": None}}
SAID: dict[str, tuple[list[dict[str, object]], tuple[str, str | None]]] = {
    "oneself": ([MERGE], ("not-rated", "oneself")),
    "parted again": ([MERGE, {"do": "part", "player": "cid"}], ("rated", None)),
    "no result": ([BACK], ("not-rated", "no-result")),
    "annulled": ([{"do": "annul", "matches": ["m1"]}], ("annulled", None)),
    "restored": ([{"do": what, "matches": ["m1"]} for what in ("annul", "restore")], ("rated", None)),
}


@pytest.mark.parametrize("what", SAID)
def test_a_receipt_and_the_match_say_the_same(alone: Club, what: str) -> None:
    club = alone
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("p", tm.methodology("arena").with_(late="recompute"))
    for n, (a, b) in enumerate([("ann", "bob"), ("bob", "cid"), ("cid", "ann")]):
        club.played(f"m{n}", a, b, 1, pool="p")
    adjustments, expected = SAID[what]
    for n, adjustment in enumerate(adjustments):
        club.client.put(
            f"/v1/pools/p/corrections/c{n}?wait=30",
            json={"adjustment": adjustment, "reason": "So it was."},
            headers=club.by("correct"),
        ).raise_for_status()
    match, receipt = (club.client.get(f"/v1/pools/p/matches/m1{part}").json() for part in ("", "/receipt"))
    sent = club.client.put(
        "/v1/pools/p/matches/m1?wait=30",
        json={"player_a": "bob", "player_b": "cid", "score_a": 1},
        headers=club.by("append"),
    ).json()
    assert [(one["state"], one["reason"]) for one in (match, receipt, sent)] == [expected] * 3
