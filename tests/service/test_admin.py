"""The admin pages: who comes in, what a key lets one do there, and that nobody else's page does it."""

import html
import json
import re
from pathlib import Path

import pytest
from clubs import Club, opened
from desks import signed_in, text_of
from httpx2 import Response

from tallymark.games import GameLog
from tallymark.service.admin import upload
from tallymark.service.admin.compared import Compared, compared
from tallymark.service.state import Service

HTML = {"Accept": "text/html"}
HOUR = 3_600_000_000


def test_who_is_not_signed_in_is_asked_first(club: Club) -> None:
    answer = club.client.get("/admin/cases?state=open", headers=HTML, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/admin/sign-in?to=%2Fadmin%2Fcases%3Fstate%3Dopen"
    assert club.client.post("/admin/keys", data={"name": "x"}, follow_redirects=False).status_code == 303
    wrong = club.client.post("/admin/sign-in", data={"key": "tallymark_0_0"})
    assert wrong.status_code == 401
    assert "not known" in wrong.text
    key = club.keys["review"]
    answer = club.client.post("/admin/sign-in", data={"key": key, "to": "/admin/cases?state=open"})
    assert answer.url.path == "/admin/cases"
    assert answer.headers["cache-control"] == "no-store"


def test_the_cookie_is_kept_from_scripts_and_other_sites_and_only_its_hash_is_kept(club: Club) -> None:
    answer = club.client.post("/admin/sign-in", data={"key": club.keys["admin"]}, follow_redirects=False)
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "Path=/admin", "SameSite=strict", "Max-Age=43200"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    token = cookie.partition("=")[2].partition(";")[0].encode()
    assert len(token) == 64
    for file in club.path.parent.iterdir():
        assert token not in file.read_bytes()


@pytest.mark.parametrize("to", ["https://elsewhere.example", "//elsewhere.example/admin", "/pools", "/admin\\x", ""])
def test_signing_in_leads_nowhere_else(club: Club, to: str) -> None:
    answer = club.client.post("/admin/sign-in", data={"key": club.keys["admin"], "to": to}, follow_redirects=False)
    assert answer.headers["location"] == "/admin"


def test_a_session_ends(club: Club) -> None:
    proof = signed_in(club, "admin")
    assert "Sign out" in club.client.get("/admin").text
    club.clock.at += 12 * HOUR - 1
    assert "Sign out" in club.client.get("/admin").text
    club.clock.at += 1
    assert "Sign out" not in club.client.get("/admin").text
    proof = signed_in(club, "admin")
    token = club.client.cookies["tallymark_session"]
    club.client.post("/admin/sign-out", data={"proof": proof})
    club.client.cookies.set("tallymark_session", token, path="/admin")
    assert "Sign out" not in club.client.get("/admin").text  # who has kept the cookie has nothing
    # With its key a session ends too.
    proof = signed_in(club, "admin")
    other = club.keys["admin"].split("_")[1]
    club.client.post(f"/admin/keys/{other}/revoke", data={"proof": proof})
    assert "Sign out" not in club.client.get("/admin").text


def test_forms_without_proof_do_nothing(club: Club) -> None:
    proof = signed_in(club, "admin")
    told = {"name": "new", "scopes": "append"}
    for wrong in ({}, {"proof": ""}, {"proof": "0" * 64}, {"proof": "ü"}):
        assert club.client.post("/admin/keys", data=told | wrong).status_code == 403
    elsewhere = {"Origin": "https://elsewhere.example"}
    assert club.client.post("/admin/keys", data=told | {"proof": proof}, headers=elsewhere).status_code == 403
    assert "new" not in [one["name"] for one in club.client.get("/v1/keys", headers=club.by("admin")).json()["keys"]]


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [
        ("read", set()),
        ("append", {"upload", "names", "items"}),
        ("correct", {"correct"}),
        ("review", {"cases"}),
        ("admin", {"upload", "names", "items", "correct", "cases", "pools", "keys"}),
    ],
)
def test_a_key_lets_one_do_what_its_scopes_say(club: Club, scope: str, allowed: set[str]) -> None:
    proof = signed_in(club, scope)
    home = club.client.get("/admin").text
    for place in ("upload", "names", "items", "correct", "cases", "pools", "keys"):
        assert (f'href="/admin/{place}"' in home) == (place in allowed), place
        status = 200 if place in allowed else 403
        assert club.client.get(f"/admin/{place}", headers=HTML).status_code == status, place
        if place not in allowed and place != "cases":
            assert club.client.post(f"/admin/{place}", data={"proof": proof}).status_code == 403, place


def test_players_are_given_names(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    proof = signed_in(club, "append")
    page = club.client.post("/admin/names", data={"proof": proof, "player": "ann", "name": "Ann Smith"})
    assert "ann is called Ann Smith ." in text_of(page)
    assert "Ann Smith" in club.client.get("/pools/chess", headers=HTML).text
    assert "bob has no name." in text_of(club.client.get("/admin/names?player=bob"))
    for wrong, status in (({"name": ""}, 400), ({"player": ""}, 400), ({"name": "x" * 201}, 400)):
        told = {"proof": proof, "player": "ann", "name": "Ann"} | wrong
        assert club.client.post("/admin/names", data=told).status_code == status, wrong


def test_who_comes_or_goes_is_told_in_words(tmp_path: Path) -> None:
    with opened(tmp_path, approvers=1) as club:
        club.client.put("/v1/pools/late", json={"methodology": "club"}, headers=club.by("admin"))
        match = {"player_a": "ann", "player_b": "Ann", "score_a": 1}
        for name, told in (("m1", match), ("m2", {"player_a": "ann", "player_b": "bob", "score_a": 0})):
            club.client.put(f"/v1/pools/late/matches/{name}?wait=5", json=told, headers=club.by("append"))
        form = {"proof": signed_in(club, "admin"), "pool": "late", "action": "try", "do": "annul", "matches": "m2"}
        page = text_of(club.client.post("/admin/correct", data=form))
        assert re.search(r"bob [0-9]+ ±[0-9]+ not rated disappears", page), page


def test_guesses_are_few(club: Club) -> None:
    answers = [club.client.post("/admin/sign-in", data={"key": "x"}).status_code for _ in range(11)]
    assert answers == [401] * 10 + [429]


def test_a_key_is_made_shown_once_and_revoked(club: Club) -> None:
    proof = signed_in(club, "admin")
    wrong = club.client.post("/admin/keys", data={"proof": proof, "name": "desk"})
    assert wrong.status_code == 400
    assert "scopes is empty" in wrong.text
    assert 'value="desk"' in wrong.text
    made = club.client.post(
        "/admin/keys", data={"proof": proof, "name": "desk", "scopes": ["append", "review"], "expires": "2099-01-01"}
    )
    key = re.search(r"tallymark_([0-9a-f]{12})_[0-9a-f]{64}", made.text)
    assert key is not None
    assert key[0] not in club.client.get("/admin/keys").text
    path, bearer = "/v1/cases", {"Authorization": f"Bearer {key[0]}"}
    assert club.client.get(path, headers=bearer).status_code == 200
    after = club.client.post(f"/admin/keys/{key[1]}/revoke", data={"proof": proof})
    assert "revoked" in text_of(after)
    assert club.client.get(path, headers=bearer).status_code == 401


def test_a_flag_becomes_a_correction_that_two_people_stand_for(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    club.played("m2", "ann", "cid", 1)
    club.client.cookies.clear()
    assert "/pools/chess/matches/m1/flag" in club.client.get("/pools/chess/matches/m1", headers=HTML).text
    flagged = club.client.post("/pools/chess/matches/m1/flag", data={"why": "It was <b>bob</b> who won."}, headers=HTML)
    assert "Thank you" in flagged.text
    assert club.client.post("/pools/chess/matches/m1/flag", data={"why": ""}, headers=HTML).status_code == 400
    before = club.client.get("/v1/pools/chess").json()["position"]

    proof = signed_in(club, "review")
    queue = club.client.get("/admin/cases?state=open").text
    path = re.search(r"/admin/cases/case-[0-9a-f]{16}", queue)
    assert path is not None
    page = club.client.get(path[0])
    assert "&lt;b&gt;bob&lt;/b&gt;" in page.text
    assert 'value="ann"' not in page.text  # nothing is proposed in a case that nobody has looked at
    club.client.post(path[0], data={"proof": proof, "action": "review", "why": "I look."})
    assert 'name="player_a" value="ann"' in club.client.get(path[0]).text
    change = {"proof": proof, "do": "change", "match": "m1", "player_a": "ann", "player_b": "bob", "result": "0"}
    tried = club.client.post(path[0], data=change | {"action": "try", "why": "The sheet was read wrongly."})
    assert tried.status_code == 200
    assert "3 players would stand elsewhere" in text_of(tried)
    assert "The sheet was read wrongly." in tried.text
    wrong = club.client.post(path[0], data=change | {"action": "propose", "why": ""})
    assert wrong.status_code == 400
    proposed = club.client.post(path[0], data=change | {"action": "propose", "why": "The sheet was read wrongly."})
    assert "the review stands for it: 1 of 2" in text_of(proposed)
    assert "Approve" not in proposed.text  # nobody twice
    assert club.client.get("/v1/pools/chess").json()["position"] == before

    proof = signed_in(club, "admin")
    page = club.client.get(path[0])
    number = re.search(r'name="proposal" value="(\d+)"', page.text)
    assert number is not None
    approval = {"proof": proof, "action": "approve", "proposal": number[1], "why": "So it is."}
    approved = club.client.post(path[0], data=approval)
    assert "the review, the admin stand for it: 2 of 2" in text_of(approved)
    assert "upheld" in text_of(approved)
    club.played("after", "ann", "bob", 1)  # what was told before it is settled then
    match = club.client.get("/pools/chess/matches/m1", headers=HTML)
    assert "The sheet was read wrongly. (the review, the admin)" in text_of(match)


def test_a_typo_is_corrected_from_the_beginning(club: Club) -> None:
    club.played("m1", "ann", "bobb", 1)
    club.played("m2", "bob", "cid", 1)
    proof = signed_in(club, "correct")
    merge = {"proof": proof, "pool": "chess", "do": "merge", "player": "bobb", "into": "bob"}
    tried = club.client.post("/admin/correct", data=merge | {"action": "try"})
    assert "would stand elsewhere" in text_of(tried)
    assert club.client.post("/admin/correct", data=merge | {"action": "propose"}).status_code == 400
    done = club.client.post("/admin/correct", data=merge | {"action": "propose", "why": "A slip of the pen."})
    assert "It is proposed." in done.text
    (case,) = club.client.get("/v1/cases", headers=club.by("review")).json()["cases"]
    assert (case["player"], case["state"]) == ("bobb", "under-review")
    for wrong, named in (
        ({"match": "nothing", "do": "change"}, "nothing"),
        ({"do": "annul", "matches": "m1\nnothing"}, "nothing"),
        ({"do": "annul", "matches": ""}, "matches"),
        ({"do": "all"}, "do is"),
        ({"pool": "none"}, "none"),
    ):
        answer = club.client.post("/admin/correct", data=merge | wrong | {"action": "try"})
        assert answer.status_code in (400, 404), wrong
        assert named in answer.text


CSV = """player_a,player_b,score_a
ann,bob,1
bob,cid,0.5
cid,,1
ann,cid,7
dan,ann,0
"""


def uploaded(club: Club, proof: str, content: str, **told: str) -> Response:
    form = {"proof": proof, "pool": "chess", "action": "check"} | told
    return club.client.post("/admin/upload", data=form, files={"file": ("../games.csv", content.encode())})


def again(page: Response, **told: str) -> dict[str, str]:
    """The form under a report, as it is sent on."""
    form = page.text.partition('name="action" value="append"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form))
    return {name: html.unescape(value) for name, value in fields.items()} | {"action": "append"} | told


def test_a_file_is_told_row_by_row_and_then_appended(club: Club) -> None:
    proof = signed_in(club, "append")
    page = uploaded(club, proof, CSV)
    assert page.status_code == 200, text_of(page)
    text = text_of(page)
    assert "games.csv" in text
    assert "Rows 5 Accepted 3 Held 0 Rejected 2 Games 3 Players 4" in text
    assert "4 rejected: missing-player" in text
    assert "5 rejected: bad-score" in text
    assert "Append 3 games to chess" in text
    assert club.client.get("/v1/pools/chess/ratings").json()["ratings"] == []
    refused = club.client.post("/admin/upload", data=again(page, proof=proof))
    assert refused.status_code == 400
    assert "2 rows are not among the games" in refused.text
    done = club.client.post("/admin/upload", data=again(page, proof=proof, without="yes"))
    assert "3 matches appended" in text_of(done)
    twice = club.client.post("/admin/upload", data=again(page, proof=proof, without="yes"))
    assert "0 matches appended to chess ; 3 were there already" in text_of(twice)


def test_of_a_file_that_contradicts_the_pool_nothing_is_appended(club: Club) -> None:
    club.played("g2", "ann", "bob", 1)
    proof = signed_in(club, "append")
    page = uploaded(club, proof, "game,player_a,player_b,score_a\ng1,ann,bob,1\ng2,ann,bob,0\n")
    assert "New to chess 1 There already 0 Cannot be appended 1" in text_of(page)
    assert "3 g2 result ann won bob won" in text_of(page)
    answer = club.client.post("/admin/upload", data=again(page, proof=proof))
    assert answer.status_code == 409, text_of(answer)
    assert "nothing was appended" in answer.text
    assert club.client.get("/v1/pools/chess/matches/g1/receipt").status_code == 404
    assert "Append the others without this row" in text_of(answer)
    done = club.client.post("/admin/upload", data=again(answer, proof=proof, without="yes"))
    assert "1 match appended to chess ; 1 left out" in text_of(done)
    assert club.client.get("/v1/pools/chess/matches/g1/receipt").status_code == 200


def test_a_file_with_one_id_for_two_contents_conflicts_with_itself(club: Club) -> None:
    page = uploaded(
        club, signed_in(club, "append"), "game,match,player_a,player_b,score_a\nm,,ann,bob,1\n,m,ann,bob,0\n"
    )
    assert "New to chess 1 There already 0 Cannot be appended 1" in text_of(page)
    assert "3 m result ann won bob won" in text_of(page)


def test_a_file_is_compared_where_that_is_shown(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counting(service: Service, pool: str, log: GameLog) -> Compared:
        asked.append(pool)
        return compared(service, pool, log)

    monkeypatch.setattr(upload, "compared", counting)
    proof = signed_in(club, "append")
    page = uploaded(club, proof, CSV)
    refused = club.client.post("/admin/upload", data=again(page, proof=proof))
    assert "New to chess 3" in text_of(refused)
    assert asked == ["chess", "chess"]
    club.client.post("/admin/upload", data=again(page, proof=proof, without="yes"))
    assert asked == ["chess", "chess"]


def test_new_players_who_look_like_others_stand_out(club: Club) -> None:
    club.played("g1", "anna", "josé", 1)
    proof = signed_in(club, "append")
    content = "game,player_a,player_b,score_a\ng2,ANNA,jose,1\ng3,anna ,bob,1\n"
    page = uploaded(club, proof, content)
    assert "3 new players look like one whom chess has." in text_of(page)
    assert "“ ANNA ” is new; there is anna" in text_of(page)
    told = uploaded(club, proof, content, aliases="ANNA=anna\njose=josé\nanna =anna")
    assert "look like" not in text_of(told)
    club.client.post("/admin/upload", data=again(told, proof=proof))
    assert "ANNA" not in club.client.get("/v1/pools/chess/ratings").text


def test_the_first_name_that_is_another_one_keeps_its_blanks(club: Club) -> None:
    proof = signed_in(club, "append")
    page = uploaded(club, proof, "game,player_a,player_b,score_a\ng1, anna,bob,1\n", aliases=" anna=anna")
    club.client.post("/admin/upload", data=again(page, proof=proof))
    received = club.service.ledger.received("chess", "g1")
    assert received is not None
    assert json.loads(received)["player_a"] == "anna"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,player_a,player_b,score_a\n1,ann,bob,1\n1,cid,dan,1\n", "game=id in “Columns” makes one game of them"),
        ("home,away,result\nann,bob,kampflos\n", "kampflos=walkover in “Words for results”"),
        ("home,away,result\nann,Bob,1-0\nbob,ann,1-0\n", "“Names that are one” says which are one"),
        ("home,away,result,pool\nann,bob,1-0,x\n", "pool=pool in “Columns” keeps pools apart"),
        ("home,away,x\nann,bob,1\n", "result=... in “Columns” for words or 1-0"),
        ("home,away,result,date\na,b,1-0,2026-01-02T03:04\na,b,1-0,2026-01-02T03:04\n", "tick “Leave out rows that"),
    ],
)
def test_advice_is_for_the_form(club: Club, content: str, said: str) -> None:
    page = text_of(uploaded(club, signed_in(club, "append"), content))
    assert said in page
    assert not re.search(r"(columns|results|aliases|times)=|--[a-z]", page)


def test_the_form_says_how_a_file_is_to_be_read(club: Club) -> None:
    proof = signed_in(club, "append")
    content = "home\taway\tresult\nann\tbob\tkampflos\nann\tbob\t1-0\nann\tbob\t1-0\n"
    told = {"results": "kampflos=draw", "delimiter": "tab", "encoding": "cp1252", "dedupe": "yes"}
    page = uploaded(club, proof, content, **told)
    assert "Rows 3 Accepted 2 Held 0 Rejected 1" in text_of(page)
    sent = again(page, proof=proof)
    assert {name: sent[name] for name in told} == told


@pytest.mark.parametrize(
    ("content", "told", "named"),
    [
        ("", {}, "no file is chosen"),
        ("a,b\n1,2\n", {}, "games.csv"),
        (CSV, {"columns": "score_a"}, "expected NAME=COLUMN"),
        (CSV, {"pool": "none"}, "none"),
        ("x" * (4 << 20) + "yy", {}, "more than 4,194,304 bytes"),
    ],
)
def test_files_that_are_none(club: Club, content: str, told: dict[str, str], named: str) -> None:
    proof = signed_in(club, "append")
    answer = uploaded(club, proof, content, **told)
    if "pool" in told and answer.status_code == 200:
        answer = club.client.post("/admin/upload", data=again(answer, proof=proof, without="yes"))
    assert answer.status_code == 400, text_of(answer)
    assert named in html.unescape(answer.text)
    assert "/tmp" not in answer.text


def test_items_are_listed_and_taken_off(club: Club) -> None:
    proof = signed_in(club, "append")
    told = {"proof": proof, "pool": "chess", "action": "add", "items": "plum, Plum cake\n17\n\nfig"}
    page = club.client.post("/admin/items", data=told)
    assert "3 items on the list" in text_of(page)
    assert club.client.get("/v1/pools/chess/items").json()["items"][:2] == [
        {"id": "plum", "name": "Plum cake", "text": None, "link": None},
        {"id": 17, "name": None, "text": None, "link": None},
    ]
    page = club.client.post("/admin/items", data=told | {"action": "remove", "item": "17"})
    assert "2 items on the list" in text_of(page)
    assert club.client.post("/admin/items", data=told | {"items": " "}).status_code == 400


def test_items_with_texts_come_from_a_file_too(club: Club) -> None:
    proof = signed_in(club, "append")
    told = {"proof": proof, "pool": "chess", "action": "add", "items": ""}
    lines = '\ufeffid,text,link\nplum,"Yeast, & <plums>",https://example.org/plum\nfig,,\n'
    page = club.client.post("/admin/items", data=told, files={"file": ("items.csv", lines.encode())})
    assert "2 items on the list" in text_of(page)
    assert "Yeast, &amp; &lt;plums&gt;" in page.text
    assert '<a href="https://example.org/plum" rel="noopener noreferrer nofollow ugc">example.org</a>' in page.text
    wrong = club.client.post("/admin/items", data=told, files={"file": ("items.csv", b"pear, P\xe4ar")})
    assert (wrong.status_code, "not in UTF-8" in wrong.text) == (400, True)
    bad = club.client.post("/admin/items", data=told | {"items": "pear, Pear, juicy, http://example.org"})
    assert bad.status_code == 400
    assert "item 1: link is &#39;http://example.org&#39;" in bad.text
    assert "pear, Pear, juicy, http://example.org</textarea>" in bad.text
    assert club.client.get("/v1/pools/chess/items").json()["count"] == 2


def test_a_pool_is_opened_and_given_other_rules(club: Club) -> None:
    proof = signed_in(club, "admin")
    told = {"proof": proof, "action": "open", "name": "go", "methodology": "lichess-1", "settings": ""}
    assert club.client.post("/admin/pools", data=told).status_code == 200
    assert club.client.get("/v1/pools/go").json()["methodology"] == "lichess-1"
    again = club.client.post("/admin/pools", data=told)
    assert again.status_code == 400
    wrong = club.client.post("/admin/pools", data=told | {"name": "x", "settings": "tau"})
    assert "expected FIELD = VALUE" in html.unescape(wrong.text)
    change = told | {"action": "change", "id": "rules-1", "settings": "system.tau = 0.3"}
    for _ in range(2):
        assert club.client.post("/admin/pools", data=change).status_code == 200
    club.client.get("/v1/pools/go/entries/2")
    history = club.client.get("/v1/pools/go/methodologies").json()["methodologies"]
    assert len(history) == 2


def test_where_one_person_runs_the_site_a_correction_is_told_at_once(tmp_path: Path) -> None:
    with opened(tmp_path, approvers=1) as club:
        club.played("m1", "ann", "bob", 1)
        teams = {"id": "m2", "sides": [{"players": ["ann", "cid"], "rank": 1}, {"players": ["bob", "dan"], "rank": 2}]}
        club.client.put("/v1/pools/chess/matches/m2?wait=30", json=teams, headers=club.by("append"))
        proof = signed_in(club, "admin")
        annul = {"proof": proof, "pool": "chess", "do": "annul", "matches": "m1", "why": "It was for fun."}
        page = club.client.post("/admin/correct", data=annul | {"action": "propose"})
        assert "the admin stands for it: 1 of 1" in text_of(page)
        assert "upheld" in text_of(page)
        club.played("after", "ann", "bob", 1)  # what was told before it is settled then
        assert "annulled" in text_of(club.client.get("/pools/chess/matches/m1", headers=HTML))
        # A match that is no game between two is corrected by its whole content.
        form = html.unescape(club.client.get("/admin/correct?pool=chess&match=m2").text)
        content = re.search(r'<textarea name="content"[^>]*>(.*?)</textarea>', form, re.S)
        assert content is not None
        other = content[1].replace('"rank": 1', '"rank": 3')
        change = {"proof": proof, "pool": "chess", "do": "change", "match": "m2", "content": other, "why": "Swapped."}
        page = club.client.post("/admin/correct", data=change | {"action": "propose"})
        assert "upheld" in text_of(page), text_of(page)
        club.played("after too", "ann", "bob", 1)
        # What is corrected again begins with what the last correction says.
        assert '"rank": 3' in html.unescape(club.client.get("/admin/correct?pool=chess&match=m2").text)


@pytest.mark.parametrize("path", ["/pools/chess/matches/none/flag", "/pools/chess/players/none/flag"])
def test_nothing_is_flagged_that_is_not_there(club: Club, path: str) -> None:
    assert club.client.get(path, headers=HTML).status_code == 404
    assert club.client.post(path, data={"why": "x"}, headers=HTML).status_code == 404


def test_flags_are_few_and_from_here(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    path = "/pools/chess/players/ann/flag"
    elsewhere = {"Origin": "https://elsewhere.example"}
    assert club.client.post(path, data={"why": "x"}, headers=elsewhere).status_code == 403
    answers = [club.client.post(path, data={"why": "x"}).status_code for _ in range(7)]
    assert answers == [200] * 6 + [429]


def test_a_name_without_a_rated_match_can_be_merged(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    club.played("m2", "anne", "bob", None)
    proof = signed_in(club, "admin")
    merge = {"proof": proof, "pool": "chess", "do": "merge", "player": "anne", "into": "ann", "why": "A typo."}
    page = club.client.post("/admin/correct", data=merge | {"action": "propose"})
    assert page.status_code == 200, text_of(page)
