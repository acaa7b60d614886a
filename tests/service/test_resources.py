"""Matches whole, pairs of players, the rules of a pool over time, what would be, and keys: each asked as a client."""

import html
from pathlib import Path

import pytest
from clubs import Club, opened
from desks import text_of

import tallymark as tm
from tallymark.methodology import shipped
from tallymark.service.pages.links import player_path
from tallymark.service.shown import DASH

CHESS = "/v1/pools/chess"


def test_a_match_says_what_it_changed(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    answer = club.client.get(f"{CHESS}/matches/m1")
    found = answer.json()
    history = club.client.get(f"{CHESS}/players/ann/history").json()["changes"][0]
    winner, loser = (side["seats"][0] for side in found["sides"])
    assert (found["match"], found["state"], found["position"]) == ("m1", "rated", 2)
    assert [side["rank"] for side in found["sides"]] == [1, 2]
    assert (winner["player"], winner["score"], winner["expected"], winner["previous"]) == ("ann", 1, 0.5, 0)
    assert (winner["after"], winner["change"], winner["shown"]) == tuple(
        history[name] for name in ("after", "change", "shown")
    )
    assert loser["change"] < 0
    assert found["entry"]["hash"] == club.client.get(f"{CHESS}/entries/2").json()["hash"]
    assert found["entry"]["rules"] == 1
    assert found["body"] == '{"id":"m1","player_a":"ann","player_b":"bob","score_a":1}'
    tagged = {"If-None-Match": answer.headers["etag"]}
    assert club.client.get(f"{CHESS}/matches/m1", headers=tagged).status_code == 304
    assert club.client.get(f"{CHESS}/matches/x").json()["type"] == "/problems/unknown-match"


def test_a_match_names_its_corrections(tmp_path: Path) -> None:
    with opened(tmp_path, approvers=1) as club:
        club.played("m1", "ann", "bob", 1)
        told = {"adjustment": {"do": "annul", "matches": ["m1"]}, "reason": "A friendly game."}
        club.client.put(f"{CHESS}/corrections/c1", json=told, headers=club.by("correct"))
        club.played("m2", "ann", "bob", 1)
        found = club.client.get(f"{CHESS}/matches/m1").json()
        (one,) = found["corrections"]
        assert (found["state"], one["what"], one["reason"]) == ("annulled", "annul", "A friendly game.")
        assert one["approvers"] == ["the correct"]


def test_two_players_against_each_other(club: Club) -> None:
    for n, score in enumerate([1, 0.5, 0, 1]):
        club.played(f"m{n}", "ann", "bob", score)
    path = f"{CHESS}/head-to-head?limit=3"
    found = club.client.get(f"{path}&a=ann&b=bob").json()
    assert [found[name] for name in ("games", "wins", "draws", "losses", "position")] == [4, 2, 1, 1, 5]
    assert [one["match"] for one in found["meetings"]] == ["m3", "m2", "m1"]
    assert (found["whole"], found["wins_shown"]) == (True, "50 %")
    rest = club.client.get(f"{path}&a=ann&b=bob&before={found['next']}").json()
    assert ([one["match"] for one in rest["meetings"]], rest["next"]) == (["m0"], None)
    other = club.client.get(f"{path}&a=bob&b=ann").json()
    assert (other["wins"], other["meetings"][0]["score"]) == (1, 0)
    assert club.client.get(f"{path}&a=ann&b=ann").status_code == 400
    assert club.client.get(f"{path}&a=ann&b=nobody").json()["type"] == "/problems/unknown-player"
    assert club.client.get(f"{path}&a=ann").json()["type"] == "/problems/invalid-parameter"


def test_what_is_expected(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    answer = club.client.get(f"{CHESS}/predictions?a=ann&b=bob")
    found = answer.json()
    with tm.Ledger.open(club.path) as ledger:
        expected = ledger.predict("chess", "ann", "bob")
    assert found["p_a"] == expected.p_a > 0.5
    assert found["shown"] == f"{round(100 * expected.p_a)} %"
    assert found["a"]["state"]["rating"] == expected.a.rating
    assert [found[name]["position"] for name in ("a", "b")] == [2, 2]
    new = club.client.get(f"{CHESS}/predictions?a=new&b=17").json()
    assert (new["p_a"], new["a"]["position"], new["b"]["player"]) == (0.5, 0, 17)
    assert club.client.get(f"{CHESS}/predictions?a=ann&b=bob&at=x").status_code == 400
    oneself = club.client.get(f"{CHESS}/predictions?a=ann&b=ann").json()
    assert (oneself["status"], oneself["detail"]) == (400, "a and b are both 'ann'; expected two players")
    tagged = {"If-None-Match": answer.headers["etag"]}
    assert club.client.get(f"{CHESS}/predictions?a=ann&b=bob", headers=tagged).status_code == 304


def test_rules_change_from_the_next_match_on(club: Club) -> None:
    path, body = f"{CHESS}/rules/r1", {"methodology": "arena", "settings": {"tau": 0.75}}
    new = tm.methodology("arena").with_(tau=0.75)
    assert club.client.put(path, json=body, headers=club.by("correct")).json()["type"] == "/problems/no-scope"
    first = club.client.put(path, json=body, headers=club.by("admin"))
    assert first.status_code == 200
    club.played("m1", "ann", "bob", 1)
    again = club.client.put(path, json=body, headers=club.by("admin")).json()
    assert (again["receipt"], again["state"], again["position"]) == (first.json()["receipt"], "rules", 2)
    other = club.client.put(path, json={"methodology": "lichess"}, headers=club.by("admin"))
    assert other.json()["type"] == "/problems/conflict"
    found = club.client.get(f"{CHESS}/methodologies").json()
    assert [(one["position"], one["methodology"]) for one in found["methodologies"]] == [
        (1, tm.methodology("arena").id),
        (2, new.id),
    ]
    assert found["in_force"] == new.hash == found["methodologies"][1]["methodology_hash"]
    assert club.client.get(f"{CHESS}/methodologies/2").json()["hash"] == new.hash
    assert club.client.get(f"{CHESS}/methodologies/3").json()["type"] == "/problems/unknown-entry"
    club.client.put(f"{CHESS}/rules/r2", json={"methodology": "elo"}, headers=club.by("admin"))
    club.played("m2", "ann", "bob", 1)
    refused = club.client.get(f"{CHESS}/matches/r2/receipt").json()
    assert (refused["state"], refused["position"]) == ("refused", 4), "its numbers are of another kind"


def test_what_would_be_without_a_match(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    club.played("m2", "cid", "bob", 1)
    path = f"{CHESS}/counterfactual"
    assert club.client.post(path, json={"matches": ["m1"]}, headers=club.by("append")).status_code == 403
    found = club.client.post(path, json={"matches": ["m1"]}, headers=club.by("review")).json()
    moves = {one["player"]: one for one in found["moves"]}
    assert (found["position"], found["players"], found["moved"]) == (3, 3, 3)
    assert (moves["ann"]["then"], moves["ann"]["change"]) == (None, None)
    assert moves["bob"]["change"] == moves["bob"]["then"]["rating"] - moves["bob"]["now"]["rating"] > 0
    few = club.client.post(f"{path}?limit=1", json={"matches": ["m1"]}, headers=club.by("review")).json()
    assert (len(few["moves"]), few["moved"]) == (1, 3)
    assert club.client.get(CHESS).json()["position"] == 3, "nothing is changed"
    for body, kind in (({"matches": ["x"]}, "unknown-match"), ({"matches": []}, "bad-input"), ({}, "bad-input")):
        assert club.client.post(path, json=body, headers=club.by("review")).json()["type"] == f"/problems/{kind}"


def test_keys_are_made_listed_and_revoked(club: Club) -> None:
    asked = {"name": "desk", "scopes": ["append"], "expires": "2099-01-01"}
    assert club.client.post("/v1/keys", json=asked, headers=club.by("review")).status_code == 403
    answer = club.client.post("/v1/keys", json=asked, headers=club.by("admin"))
    made = answer.json()
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    assert (made["expires"], made["lives"]) == ("2099-01-01T00:00:00Z", True)
    own = {"Authorization": f"Bearer {made['key']}"}
    match = {"player_a": "ann", "player_b": "bob", "score_a": 1}
    assert club.client.put(f"{CHESS}/matches/m1", json=match, headers=own).status_code == 201
    listed = club.client.get("/v1/keys", headers=club.by("admin"))
    assert made["id"] in [one["id"] for one in listed.json()["keys"]]
    assert made["key"].rpartition("_")[2] not in listed.text
    gone = club.client.delete(f"/v1/keys/{made['id']}", headers=club.by("admin")).json()
    assert (gone["lives"], gone["revoked"] is None) == (False, False)
    assert club.client.put(f"{CHESS}/matches/m2", json=match, headers=own).json()["type"] == "/problems/bad-key"
    assert club.client.delete("/v1/keys/x", headers=club.by("admin")).json()["type"] == "/problems/unknown-key"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "x"},
        {"name": "x", "scopes": "append"},
        {"name": "x", "scopes": ["all"]},
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["append"], "expires": "2001-01-01"},
        {"name": "x", "scopes": ["append"], "expires": "soon"},
        {"name": 7, "scopes": ["append"]},
    ],
)
def test_a_key_that_cannot_be_made(shared: Club, body: dict[str, object]) -> None:
    answer = shared.client.post("/v1/keys", json=body, headers=shared.by("admin"))
    assert answer.json()["type"] == "/problems/bad-input"


def test_who_was_adjusted_without_a_game_has_that_rating(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        told = ledger.adjust({"new": tm.Rating(1900, 80, 0.06)}, pool="chess", id="a1", reason="known elsewhere")
        ledger.settled(told, 30)
    rows = {row["player"]: row for row in club.client.get(f"{CHESS}/ratings").json()["ratings"]}
    answer = club.client.get(f"{CHESS}/players/new")
    assert answer.status_code == 200
    assert answer.json()["player"] == rows["new"]
    assert (answer.json()["player"]["rating"], answer.json()["wins_shown"]) == (1900, DASH)
    assert club.client.get(f"{CHESS}/players/nobody").status_code == 404


def test_pages_and_the_api_take_the_same_parameters(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    page = {"Accept": "text/html"}
    for query, status in (
        ("window=rolling", 200),
        ("window=rolling&days=1", 200),
        ("window=rolling&days=0", 422),
        ("window=rolling&days=4000", 422),
        ("search=a&around=ann", 400),
        ("search=a&after=x", 400),
    ):
        api = query.replace("window=rolling", "").lstrip("&")
        path = "boards/rolling" if "rolling" in query else "boards/all-time"
        answers = (
            club.client.get(f"{CHESS}/{path}?{api}").status_code,
            club.client.get(f"/pools/chess?{query}", headers=page).status_code,
        )
        assert answers == (status, status), query
    assert club.client.get(f"{CHESS}/boards/rolling").json()["span"]["start"].startswith("2026-04-28")
    wrong = club.client.get("/pools/chess?window=rolling&days=0", headers=page)
    assert "Days is '0'; input should be greater than or equal to 1" in html.unescape(wrong.text)
    missing = club.client.get(f"{CHESS}/head-to-head?a=ann").json()
    assert missing["detail"] == "b is not given; field required"
    assert club.client.get("/pools/chess/methodology?with=nope", headers=page).status_code == 404
    assert "What changed from lichess-1" in club.client.get("/pools/chess/methodology?with=lichess", headers=page).text


def test_a_variant_says_on_top_in_what_it_is_one(club: Club) -> None:
    body = {"methodology": "arena", "settings": {"late": "recompute"}}
    assert club.client.put("/v1/pools/late", json=body, headers=club.by("admin")).status_code == 201
    variant = text_of(club.client.get("/pools/late/methodology"))
    assert "These rules are arena-v0 , but for 1 rule:" in variant
    assert "period.late is recompute instead of ledger-order. A match that is received late, or corrected" in variant
    for one in ("/pools/late/methodology", *(f"/methodologies/{one.id}" for one in shipped())):
        page = text_of(club.client.get(one))
        assert "spec " not in page.partition("As a file")[0], one
        assert ("These rules are" in page) == one.startswith("/pools"), one


def test_players_whose_ids_are_ways_up_have_links(club: Club) -> None:
    club.played("m1", ".", "..", 1)
    page = {"Accept": "text/html"}
    board = club.client.get("/pools/chess", headers=page).text
    for id in (".", ".."):
        link = player_path("chess", id)
        assert f'href="{link}"' in board
        assert club.client.get(link, headers=page).status_code == 200
        assert club.client.get(f"/v1{link}").json()["player"]["player"] == id
