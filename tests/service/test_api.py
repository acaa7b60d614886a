"""The resources of the API, each asked as a client does."""

import json
import math
from pathlib import Path

import pytest
from clubs import Club, opened

import tallymark as tm
from tallymark.ledger.matches import Json


def test_pools_are_opened_once(club: Club) -> None:
    def put(pool: str, scope: str, **body: object) -> tuple[int, dict[str, object]]:
        answer = club.client.put(f"/v1/pools/{pool}", json=body, headers=club.by(scope))
        return answer.status_code, answer.json()

    assert put("go", "append", methodology="lichess")[0] == 403
    status, made = put("go", "admin", methodology="lichess")
    assert (status, made["methodology"], made["position"]) == (201, "lichess-1", 1)
    assert put("go", "admin", methodology="lichess") == (200, made)
    assert put("go", "admin", methodology="elo")[1]["type"] == "/problems/conflict"
    assert (
        put("own", "admin", methodology="elo", settings={"k": 40})[1]["methodology_hash"]
        == tm.methodology("elo").with_(k=40).hash
    )
    assert put("x", "admin", methodology="elo", settings={"k": [1]})[0] == 400
    assert put("x", "admin", methodology="elo", settings={"kk": 1})[1]["field"] == "kk"
    assert put("x", "admin", methodology="pyproject.toml")[0] == 404
    assert put("x", "admin", methodology="nothing")[1]["type"] == "/problems/unknown-methodology"
    assert club.client.get("/v1/pools/go").json() == made


def test_svc_16_profile_board_and_api_agree(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    club.played("m2", "cid", "ann", 0.5)
    profile = club.client.get("/v1/pools/chess/players/ann").json()
    board = club.client.get("/v1/pools/chess/boards/all-time").json()
    ratings = club.client.get("/v1/pools/chess/ratings").json()
    as_of = club.client.get("/v1/pools/chess/ratings?as_of=3").json()
    history = club.client.get("/v1/pools/chess/players/ann/history").json()
    rows = [profile["player"], *board["board"], *ratings["ratings"], *as_of["ratings"]]
    of_ann = [row for row in rows if row["player"] == "ann"]
    assert len(of_ann) == 4
    assert len({row["rating"] for row in of_ann} | {history["changes"][0]["after"]["rating"]}) == 1
    assert {row["shown"]["rating"] for row in of_ann} == {history["changes"][0]["shown"]["after"]}
    assert {found["position"] for found in (profile, board, ratings, as_of, history)} == {3}


def test_an_answer_is_known_by_its_entry(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    for path in ("ratings", "boards/all-time", "players/ann", "players/ann/history", "entries/2", ""):
        url = f"/v1/pools/chess/{path}".rstrip("/")
        tag = club.client.get(url).headers["etag"]
        again = club.client.get(url, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b""), path
    known = {"If-None-Match": club.client.get("/v1/pools/chess/ratings").headers["etag"]}
    club.played("m2", "ann", "bob", 1)
    assert club.client.get("/v1/pools/chess/ratings", headers=known).status_code == 200


def test_a_name_that_changes_is_another_answer(club: Club) -> None:
    club.client.put("/v1/players/ann", json={"name": "Ann Other", "kind": "person"}, headers=club.by("append"))
    club.played("m1", "ann", "bob", 1)
    paths = ("ratings", "players/ann", "boards/all-time", "boards/all-time?kind=person")
    known = {path: club.client.get(f"/v1/pools/chess/{path}").headers["etag"] for path in paths}
    club.client.delete("/v1/players/ann", headers=club.by("admin"))
    for path, tag in known.items():
        answer = club.client.get(f"/v1/pools/chess/{path}", headers={"If-None-Match": tag})
        assert answer.status_code == 200, path
        assert "Ann Other" not in answer.text


def test_a_window_that_moves_on_is_another_answer(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    paths = ("week", "month", "rolling?days=30")
    known = {path: club.client.get(f"/v1/pools/chess/boards/{path}").headers["etag"] for path in paths}
    club.clock.at += 40 * 86_400_000_000
    for path, tag in known.items():
        answer = club.client.get(f"/v1/pools/chess/boards/{path}", headers={"If-None-Match": tag})
        assert answer.status_code == 200, path


def test_ratings_as_of_an_entry_come_in_pages(club: Club) -> None:
    for n in range(4):
        club.played(f"m{n}", f"a{n}", f"b{n}", 1)
    first = club.client.get("/v1/pools/chess/ratings?limit=3&as_of=4").json()
    rest = club.client.get(f"/v1/pools/chess/ratings?limit=3&as_of=4&after={first['next']}").json()
    assert (first["players"], rest["position"], rest["next"]) == (6, 4, None)
    assert len({row["player"] for row in first["ratings"] + rest["ratings"]}) == 6
    for wrong in ("0", "99", "x", "9" * 20):
        assert club.client.get(f"/v1/pools/chess/ratings?as_of={wrong}").status_code in (400, 404)


def test_svc_18_who_has_not_played_stands_where_newcomers_begin(club: Club) -> None:
    assert club.client.get("/v1/pools/chess/players/new").status_code == 404
    club.client.put("/v1/players/new", json={"name": "New Comer"}, headers=club.by("append"))
    found = club.client.get("/v1/pools/chess/players/new").json()
    start = tm.methodology("arena").initial()
    assert (found["player"]["rating"], found["player"]["deviation"]) == (start.rating, start.deviation)
    assert (found["player"]["games"], found["wins_shown"]) == (0, "\N{EN DASH}")


def test_names_are_public_and_contacts_are_not(club: Club) -> None:
    said = {"name": "Ann Other", "contact": "ann@example.org", "kind": "person"}
    assert club.client.put("/v1/players/ann", json=said, headers=club.by("append")).json() == {
        "player": "ann", "name": "Ann Other", "kind": "person",
    }  # fmt: skip
    assert "contact" not in club.client.get("/v1/players/ann").json()
    assert "contact" not in club.client.get("/v1/players/ann", headers=club.by("append")).json()
    assert club.client.get("/v1/players/ann", headers=club.by("read")).json()["contact"] == "ann@example.org"
    assert club.client.put("/v1/players/ann", json={"name": 7}, headers=club.by("append")).status_code == 400
    assert club.client.put("/v1/players/ann", json={"nick": "x"}, headers=club.by("append")).json()["field"] == "nick"
    club.played("m1", "ann", "bob", 1)
    assert club.client.get("/v1/pools/chess/boards/all-time").json()["board"][0]["name"] == "Ann Other"
    assert club.client.delete("/v1/players/ann", headers=club.by("append")).status_code == 403
    assert club.client.delete("/v1/players/ann", headers=club.by("admin")).json()["forgotten"]
    assert club.client.get("/v1/players/ann").json()["name"] is None


def test_many_matches_and_a_line_of_garbage(club: Club) -> None:
    lines = [
        '{"id":"m1","player_a":"ann","player_b":"bob","score_a":1}',
        "garbage",
        '{"id":"m2","player_a":"ann","player_b":"bob","score_a":2}',
        '{"id":"m1","player_a":"ann","player_b":"bob","score_a":1}',
        '{"id":"m1","player_a":"ann","player_b":"bob","score_a":0}',
        '{"id":"m3","data":"' + "x" * 1_000_000 + '"}',
        '{"id":17,"player_a":"ann","player_b":"bob","score_a":0}',
    ]
    kind = {"Content-Type": "application/x-ndjson"}
    path = "/v1/pools/chess/matches"
    answer = club.client.post(path, content="\n".join(lines), headers=kind | club.by("append"))
    assert answer.status_code == 200
    told = [json.loads(line) for line in answer.text.splitlines()]
    assert [one["line"] for one in told] == [1, 2, 3, 4, 5, 6, 7]
    assert [one.get("problem", {}).get("status") for one in told] == [None, 400, 400, None, 409, 400, None]
    assert (told[2]["problem"]["field"], told[3]["replayed"], told[6]["id"]) == ("score_a", True, 17)
    again = club.client.post(path, content="\n".join(lines), headers=kind | club.by("append"))
    assert json.loads(again.text.splitlines()[0])["replayed"] is True
    assert club.client.post("/v1/pools/x/matches", content="", headers=kind | club.by("append")).status_code == 404
    xml = {"Content-Type": "text/xml"}
    assert club.client.post(path, content="<a/>", headers=xml | club.by("append")).status_code == 415


def test_a_correction_is_an_entry_with_who_answers_for_it(tmp_path: Path) -> None:
    with opened(tmp_path, approvers=1) as club:
        club.played("m1", "ann", "bob", 1)
        body = {"adjustment": {"do": "annul", "matches": ["m1"]}, "reason": "a friendly game"}
        path = "/v1/pools/chess/corrections/c1"
        assert club.client.put(path, json=body, headers=club.by("append")).status_code == 403
        first = club.client.put(path, json=body, headers=club.by("correct"))
        assert (first.status_code, first.json()["id"]) == (200, "c1")
        assert club.client.put(path, json=body, headers=club.by("correct")).json()["receipt"] == first.json()["receipt"]
        wrong = {**body, "adjustment": {"do": "annul", "matches": ["m9"]}}
        unknown = club.client.put("/v1/pools/chess/corrections/c2", json=wrong, headers=club.by("correct"))
        assert unknown.json()["type"] == "/problems/unknown-match"


def test_a_correction_is_waited_for_like_a_match(tmp_path: Path) -> None:
    body = {"adjustment": {"do": "annul", "matches": ["m1"]}, "reason": "a friendly game"}
    with opened(tmp_path, approvers=1) as club:
        club.played("m1", "ann", "bob", 1)
        path, by = "/v1/pools/chess/corrections/c1", club.by("correct")
        for wrong in ("-1", "inf", "soon"):
            answer = club.client.put(f"{path}?wait={wrong}", json=body, headers=by)
            assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid-parameter")
        for _ in range(2):
            fate = club.client.put(f"{path}?wait=30", json=body, headers=by).json()
            assert (fate["state"], fate["position"]) == ("corrected", 3)
        rules = club.client.put(
            "/v1/pools/chess/rules/r1?wait=30", json={"methodology": "arena-v1-draft"}, headers=club.by("admin")
        )
        assert (rules.json()["state"], rules.json()["position"]) == ("rules", 4)


_RATED = {"rating": 1700.0, "deviation": 80.0, "volatility": 0.06}
_ADJUSTMENTS: list[tuple[dict[str, Json], dict[str, Json]]] = [
    ({"do": "annul", "matches": ["m1"]}, {"do": "annul", "matches": ["m1", "m2"]}),
    ({"do": "annul", "matches": ["m1"]}, {"do": "restore", "matches": ["m1"]}),
    (
        {"do": "change", "match": {"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 0}},
        {"do": "change", "match": {"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 0.5}},
    ),
    ({"do": "merge", "player": "ann", "into": "bob"}, {"do": "merge", "player": "bob", "into": "ann"}),
    ({"do": "part", "player": "ann"}, {"do": "merge", "player": "ann", "into": "bob"}),
    ({"do": "void", "voter": "v1"}, {"do": "void", "voter": "v2"}),
    ({"do": "void", "voter": "v1"}, {"do": "annul", "matches": ["m1", "m2"]}),
    (
        {"do": "adjust", "ratings": [{"player": "ann", **_RATED}]},
        {"do": "adjust", "ratings": [{"player": "ann", **_RATED, "rating": 1701.0}]},
    ),
]


@pytest.mark.parametrize(("first", "other"), _ADJUSTMENTS, ids=lambda one: str(one["do"]))
def test_a_correction_under_an_id_in_use_is_a_conflict(
    tmp_path: Path, first: dict[str, Json], other: dict[str, Json]
) -> None:
    with opened(tmp_path, approvers=1) as club:
        for n, voter in enumerate(("v1", "v1", "v2"), 1):
            match = {"player_a": "ann", "player_b": "bob", "score_a": 1, "data": {"voter": voter}}
            club.client.put(f"/v1/pools/chess/matches/m{n}?wait=30", json=match, headers=club.by("append"))

        def put(adjustment: Json, id: str = "c1", by: str = "correct", **more: Json) -> tuple[int, dict[str, Json]]:
            body = {"adjustment": adjustment, "reason": "so it was", **more}
            path = f"/v1/pools/chess/corrections/{id}"
            answer = club.client.put(path, json=body, headers=club.by(by))
            return answer.status_code, answer.json()

        status, told = put(first)
        assert status == 200, told
        for answer in (
            put(other),
            put(first, reason="another"),
            put(first, by="admin"),
            put(first, id="m1"),
        ):
            assert (answer[0], answer[1]["type"]) == (409, "/problems/conflict"), answer
        # The same again is the first answer, whatever the ledger would make of it now.
        vote = {"player_a": "ann", "player_b": "cid", "score_a": 1, "data": {"voter": "v1"}}
        club.client.put("/v1/pools/chess/matches/m9?wait=30", json=vote, headers=club.by("append"))
        club.client.put("/v1/pools/chess/rules/r1", json={"methodology": "glicko"}, headers=club.by("admin"))
        assert put(first)[1]["receipt"] == told["receipt"]
        assert put(first, id="r1")[0] == 409


def test_a_correction_names_a_case_of_its_pool(tmp_path: Path) -> None:
    with opened(tmp_path, approvers=1) as club:
        club.played("m1", "ann", "bob", 1)
        with tm.Ledger.open(str(club.path)) as ledger:
            ledger.open_pool("go", "arena")
        flagged = club.client.post("/v1/pools/chess/cases", json={"match": "m1", "why": "look"}).json()["case"]
        body = {"adjustment": {"do": "annul", "matches": ["m1"]}, "reason": "a friendly game"}
        for pool, case in (("chess", "case-0123456789abcdef"), ("chess", "7"), ("go", flagged)):
            path = f"/v1/pools/{pool}/corrections/c1"
            answer = club.client.put(path, json={**body, "case": case}, headers=club.by("correct"))
            assert (answer.status_code, answer.json()["type"]) == (404, "/problems/unknown-case")
        path = "/v1/pools/chess/corrections/c1"
        for _ in range(2):
            answer = club.client.put(path, json={**body, "case": flagged}, headers=club.by("correct"))
            assert answer.status_code == 200
        assert club.client.put(path, json=body, headers=club.by("correct")).status_code == 409  # without the case


def test_where_two_approve_a_correction_is_a_case(tmp_path: Path) -> None:
    with opened(tmp_path, approvers=2) as club:
        body = {"adjustment": {"do": "annul", "matches": ["m1"]}, "reason": "a friendly game"}
        answer = club.client.put("/v1/pools/chess/corrections/c1", json=body, headers=club.by("admin"))
        assert answer.json()["type"] == "/problems/needs-approval"


def test_the_stream_and_what_recounts_it(club: Club, tmp_path: Path) -> None:
    for n in range(3):
        club.played(f"m{n}", "ann", "bob", 1)
    page = club.client.get("/v1/pools/chess/entries?limit=2").json()
    rest = club.client.get(f"/v1/pools/chess/entries?after={page['next']}").json()
    assert [one["position"] for one in page["entries"] + rest["entries"]] == [1, 2, 3, 4]
    assert rest["next"] is None
    one = club.client.get("/v1/pools/chess/entries/2").json()
    assert one == page["entries"][1]
    assert json.loads(one["body"]) == one["entry"]
    file = tmp_path / "out.tally"
    file.write_bytes(club.client.get("/v1/pools/chess/export").content)
    with tm.Ledger.open(tmp_path / "again.db", create=True) as ledger:
        assert ledger.import_bundle(file)[0].position == 4
    assert club.client.get("/v1/pools/chess/entries/5").json()["type"] == "/problems/unknown-entry"


def test_methodologies_and_how_they_differ(shared: Club) -> None:
    listed = shared.client.get("/v1/methodologies").json()["methodologies"]
    one = shared.client.get(f"/v1/methodologies/{listed[0]['id']}").json()
    assert one["hash"] == listed[0]["hash"]
    in_force = shared.client.get("/v1/pools/chess/methodology").json()
    assert in_force["id"] == tm.methodology("arena").id
    found = shared.client.get("/v1/methodologies/paper/diff/lichess").json()
    assert found["differences"]
    assert shared.client.get("/v1/methodologies/paper/diff/nothing").status_code == 404


def test_svc_18_answers_parse_with_a_strict_parser(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)

    def refused(word: str) -> float:
        raise AssertionError(word)

    for path in ("ratings", "boards/week", "players/bob", "players/bob/history", "entries", "methodology"):
        found = json.loads(club.client.get(f"/v1/pools/chess/{path}").text, parse_constant=refused)
        assert found
        assert not any(isinstance(value, float) and math.isnan(value) for value in found.values())


def test_an_export_of_more_than_a_page_is_whole(club: Club) -> None:
    lines = "".join(f'{{"id":{n},"player_a":"ann","player_b":"bob","score_a":0.5}}\n' for n in range(1100))
    kind = {"Content-Type": "application/x-ndjson"}
    club.client.post("/v1/pools/chess/matches", content=lines, headers=kind | club.by("append"))
    club.played("last", "ann", "bob", 1)
    out = club.client.get("/v1/pools/chess/export").text.splitlines()
    assert (len(out), out[-1].split()[:2]) == (1103, ["end", "1102"])
    text = club.client.get("/metrics").text
    assert 'tallymark_entries_total{kind="rated",pool="chess"} 1101.0' in text
    assert 'tallymark_head{pool="chess"} 1102.0' in text
    assert 'tallymark_received_total{outcome="new",pool="chess"} 1101.0' in text
