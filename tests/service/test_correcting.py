"""The forms of corrections: a match as it is first, what was and what will be, and names nobody knows."""

import html
import re
from pathlib import Path
from typing import Any

import pytest
from clubs import Club, opened
from desks import signed_in, text_of

import tallymark as tm

HTML = {"Accept": "text/html"}


def fields(page: str) -> dict[str, str]:
    """What the form for a change is filled in with."""
    found = dict(re.findall(r'name="(match|shown|player_a|player_b)" value="([^"]*)"', page))
    for name in ("result", "ending"):
        select = page.partition(f'<select name="{name}">')[2].partition("</select>")[0]
        chosen = re.search(r"<option(?: value=\"([^\"]*)\")? selected>([^<]*)", select)
        found[name] = "" if chosen is None else chosen[2] if chosen[1] is None else chosen[1]
    return found


@pytest.mark.parametrize("action", ["show", "try", "propose"])
def test_a_match_is_shown_before_anything_of_it_is_changed(club: Club, action: str) -> None:
    body = {"player_a": "Greta", "player_b": "Bert", "score_a": 0.5, "ending": "timeout", "played_at": "2026-01-20"}
    club.client.put("/v1/pools/chess/matches/m1?wait=30", json=body, headers=club.by("append")).raise_for_status()
    proof = signed_in(club, "admin")
    form = {"proof": proof, "pool": "chess", "do": "change", "match": "m1", "why": "A slip."}
    page = club.client.post("/admin/correct", data=form | {"action": action})
    assert "This is the match as it is now." in text_of(page)
    now = {"match": "m1", "shown": "m1", "player_a": "Greta", "player_b": "Bert", "result": "0.5", "ending": "timeout"}
    assert fields(page.text) == now
    assert club.client.get("/v1/cases", headers=club.by("review")).json()["cases"] == []
    # Another id in the same form is another match, which is shown first too.
    club.played("m2", "Ann", "Bert", None)
    page = club.client.post("/admin/correct", data=form | now | {"match": "m2", "action": action})
    other = {"match": "m2", "shown": "m2", "player_a": "Ann", "player_b": "Bert", "result": "none", "ending": ""}
    assert fields(page.text) == other
    assert club.client.post("/admin/correct", data=form | {"match": "no", "action": action}).status_code == 404


def test_the_preview_says_what_was_and_what_will_be_and_nothing_changes_by_itself(club: Club) -> None:
    body = {"player_a": "Greta", "player_b": "Bert", "score_a": 0.25, "ending": "timeout"}
    club.client.put("/v1/pools/chess/matches/m1?wait=30", json=body, headers=club.by("append")).raise_for_status()
    proof = signed_in(club, "admin")
    now = fields(club.client.get("/admin/correct?pool=chess&match=m1").text)
    assert now["result"] == "as it is"
    form = {"proof": proof, "pool": "chess", "do": "change", "action": "try"} | now
    text = text_of(club.client.post("/admin/correct", data=form))
    assert "Nothing of it is changed" in text
    assert "Result Bert won (0.25) the same" in text
    page = club.client.post("/admin/correct", data=form | {"result": "1", "ending": ""})
    text = text_of(page)
    assert (
        "Was Will be Players Greta v Bert the same Result Bert won (0.25) Greta won Ended by timeout not said" in text
    )
    wrong = club.client.post("/admin/correct", data=form | {"result": ""})
    assert (wrong.status_code, "no result is chosen" in text_of(wrong)) == (400, True)


@pytest.mark.parametrize(
    ("name", "close"), [("Gretta", "Did you mean Greta ?"), ("greta", "Did you mean Greta ?"), ("Xyzzy", "")]
)
def test_nobody_has_heard_of_a_player(club: Club, name: str, close: str) -> None:
    club.played("m1", "Greta", "Bert", 1)
    club.played("m2", "Ann", "Bert", 1)
    proof = signed_in(club, "admin")
    now = fields(club.client.get("/admin/correct?pool=chess&match=m2").text)
    form = {"proof": proof, "pool": "chess", "do": "change", "action": "try"} | now
    text = text_of(club.client.post("/admin/correct", data=form | {"player_a": name}))
    assert f"Nobody has heard of {name} in chess" in text
    assert ("Did you mean" in text) == bool(close)
    assert close in text
    assert "Nobody has heard" not in text_of(club.client.post("/admin/correct", data=form | {"player_a": "Greta"}))
    merge = form | {"do": "merge", "player": "Ann", "into": name}
    assert "Nobody has heard of" in text_of(club.client.post("/admin/correct", data=merge))


def test_approvers_see_old_beside_new_and_each_reason_once(tmp_path: Path) -> None:
    with opened(tmp_path, approvers=1) as club:
        club.played("ab" * 16, "Greta", "Bert", 1)
        proof = signed_in(club, "admin")
        now = fields(club.client.get(f"/admin/correct?pool=chess&match={'ab' * 16}").text)
        form = {"proof": proof, "pool": "chess", "do": "change", "action": "propose", "why": "A slip of the pen."}
        page = club.client.post("/admin/correct", data=form | now | {"result": "0"})
        for _ in range(2):  # before it is told and afterwards
            text = text_of(page)
            assert "Result Greta won Bert won" in text
            assert text.count("A slip of the pen.") == 1
            assert "<h1>Greta v Bert</h1>" in page.text
            assert f'/pools/chess/matches/{"ab" * 16}">Greta v Bert</a>' in page.text
            club.played("after", "Ann", "Bert", 1)
            page = club.client.get(page.url.path)
        club.clock.at += 1
        club.client.post("/pools/chess/players/Ann/flag", data={"why": "Who is that?"}, headers=HTML)
        queue = club.client.get("/admin/cases").text
        titles = re.findall(r'<a href="/admin/cases/case-[^"]+">([^<]+)</a>', queue)
        assert titles == ["Ann", "Greta v Bert"]
        assert "1 case open , 0 under review" in text_of(club.client.get("/admin"))


def test_the_queue_has_pages(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallymark.service.admin.cases._SIZE", 2)
    service = club.service
    for n in range(5):
        club.played(f"m{n}", "ann", f"p{n}", 1)
        club.clock.at += n % 2  # some at one moment
        service.cases.flag("chess", "somebody", "look", match=f"m{n}")
    signed_in(club, "review")
    found: list[str] = []
    path: str | None = "/admin/cases"
    while path is not None:
        page = club.client.get(path).text
        found += re.findall(r'<a href="/admin/cases/case-[^"]+">ann v p(\d)</a>', page)
        following = re.search(r'href="([^"]+)" rel="next"', page)
        path = None if following is None else html.unescape(following[1])
    assert sorted(found) == list("01234")
    assert (set(found[:2]), set(found[2:4]), found[4]) == ({"3", "4"}, {"1", "2"}, "0")


def test_the_voter_of_a_flagged_vote_is_filled_in(club: Club) -> None:
    body = {"player_a": "plum", "player_b": "fig", "score_a": 1, "data": {"voter": "v-17"}}
    club.client.put("/v1/pools/chess/matches/m1?wait=30", json=body, headers=club.by("append")).raise_for_status()
    service = club.service
    case = service.cases.flag("chess", "somebody", "a robot", match="m1")
    service.cases.act(case, "review", "rosa", "I look")
    signed_in(club, "review")
    assert 'name="voter" value="v-17"' in club.client.get(f"/admin/cases/{case}").text


def test_what_is_so_already_is_refused(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    proof = signed_in(club, "admin")
    form = {"proof": proof, "pool": "chess", "do": "restore", "matches": "m1", "why": "It was played."}
    for action in ("try", "propose"):
        answer = club.client.post("/admin/correct", data=form | {"action": action})
        assert answer.status_code == 400
        assert "it counts already" in text_of(answer)
    assert club.client.get("/v1/cases", headers=club.by("review")).json()["cases"] == []


def test_players_who_move_by_less_than_a_point_stand_where_they_stood(club: Club) -> None:
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("p", tm.methodology("arena").with_(late="recompute"))
        games = [("cid", "dan", 1), *(("ann", "bob", n % 2) for n in range(60)), ("ann", "dan", 1), ("ann", "bob", 1)]
        for n, (a, b, score) in enumerate(games):
            ledger.append({"id": n, "player_a": a, "player_b": b, "score_a": score}, pool="p")
        ledger.settle()
    proof = signed_in(club, "admin")
    form = {"proof": proof, "pool": "p", "do": "annul", "matches": "0", "action": "try"}
    page = club.client.post("/admin/correct", data=form)
    table = page.text.partition("will stand elsewhere")[2].partition("</table>")[0]
    changes = re.findall(r'<td class="n">([+\N{MINUS SIGN}]\d+)</td>', table)
    assert len(changes) == 2
    assert "+0" not in changes
    assert "disappears" in table
    assert "3 players will stand elsewhere, 1 other by less than a point" in text_of(page)


def test_a_blank_at_the_edge_of_an_id_is_part_of_it(club: Club) -> None:
    body = {"player_a": " ann", "player_b": "ann", "score_a": 1, "data": {"voter": "v "}}
    path = "/v1/pools/chess/matches/%20m1?wait=30"
    club.client.put(path, json=body, headers=club.by("append")).raise_for_status()
    form = {"proof": signed_in(club, "admin"), "pool": "chess", "why": "A slip.", "action": "propose"}

    def proposed(given: dict[str, str]) -> Any:
        page = club.client.post("/admin/correct", data=form | given)
        assert page.url.path.startswith("/admin/cases/"), text_of(page)
        told = club.client.get(f"/v1{page.url.path.removeprefix('/admin')}", headers=club.by("review")).json()
        return page, next(one["adjustment"] for one in told["events"] if one["adjustment"])

    now = fields(club.client.get("/admin/correct?pool=chess&match=%20m1").text)
    now = {name: html.unescape(value) for name, value in now.items()}
    assert [now[name] for name in ("match", "shown", "player_a", "player_b")] == ['" m1"', '" m1"', '" ann"', "ann"]
    page, adjustment = proposed(now | {"do": "change", "result": "0"})
    assert adjustment["match"] == body | {"id": " m1", "score_a": 0}
    assert 'name="voter" value="&#34;v &#34;"' in page.text
    page = club.client.get("/admin/correct?player=%20ann")
    assert 'name="player" value="&#34; ann&#34;"' in page.text
    page, adjustment = proposed({"do": "merge", "player": '" ann"', "into": "ann"})
    assert (adjustment["player"], adjustment["into"]) == (" ann", "ann")
    assert 'name="player" value="&#34; ann&#34;"' in page.text


def test_an_item_is_taken_off_and_a_player_is_named_though_a_blank_is_all_in_which_they_differ(club: Club) -> None:
    ids = [{"id": " ann"}, {"id": "ann"}]
    club.client.post("/v1/pools/chess/items", json={"items": ids}, headers=club.by("append")).raise_for_status()
    proof = signed_in(club, "append")
    page = club.client.get("/admin/items?pool=chess").text
    first = html.unescape(re.findall(r'name="item" value="([^"]*)"', page)[0])
    club.client.post("/admin/items", data={"proof": proof, "pool": "chess", "action": "remove", "item": first})
    assert [one["id"] for one in club.client.get("/v1/pools/chess/items").json()["items"]] == ["ann"]
    found = re.search(r'name="player" value="([^"]*)"', club.client.get("/admin/names?player=%20ann").text)
    assert found is not None
    club.client.post("/admin/names", data={"proof": proof, "player": html.unescape(found[1]), "name": "Ann"})
    names = [club.client.get(f"/v1/players/{id}").json()["name"] for id in ("%20ann", "ann")]
    assert names == ["Ann", None]
