"""The admin pages on either store: every form once, and what a database has no words for."""

import re
from pathlib import Path

import pytest
from clubs import Club, opened
from desks import signed_in, text_of

from tallymark.service.keys.keyring import Keyring

CSV = b"player_a,player_b,score_a,date\nann,bob,1,2026-05-01\nbob,cid,1,2026-05-02\n"


def second(club: Club) -> None:
    """Another reviewer's key, with every scope."""
    service = club.service
    club.keys["second"] = Keyring(service.ledger.store, club.clock, 0.0).make("ben", ["admin"])[1]


def test_every_form_on_either_store(ledger_url: str, tmp_path: Path) -> None:
    with opened(tmp_path, ledger_url, flags_a_minute=100) as club:
        club.played("m1", "ann", "bob", 1)
        second(club)
        proof = {"proof": signed_in(club, "admin")}

        def post(path: str, **form: str) -> str:
            answer = club.client.post(path, data=proof | form)
            assert answer.status_code == 200, text_of(answer)
            told: str = text_of(answer)
            return told

        assert "go" in post("/admin/pools", action="open", pool="go", methodology="votes", name="go")
        made = re.search(r"[a-z]+_[0-9a-z]+_[0-9A-Za-z_-]{20,}", post("/admin/keys", name="desk", scopes="append"))
        assert made is not None
        (desk,) = [
            one for one in club.client.get("/v1/keys", headers=club.by("admin")).json()["keys"] if one["name"] == "desk"
        ]
        post(f"/admin/keys/{desk['id']}/revoke")
        gone = {"Authorization": f"Bearer {made[0]}"}
        assert club.client.put("/v1/pools/chess/matches/x", json={}, headers=gone).status_code == 401
        assert "plum" in post("/admin/items", pool="go", items="plum, Plum cake\napple")
        assert "Plum cake" in post("/admin/items", pool="go", action="remove", item="apple")
        file = {"file": ("games.csv", CSV, "text/csv")}
        report = club.client.post("/admin/upload", data=proof | {"pool": "chess"}, files=file)
        assert "2" in text_of(report)
        done = club.client.post("/admin/upload", data=proof | {"pool": "chess", "action": "append"}, files=file)
        assert (done.status_code, "appended" in text_of(done)) == (200, True)
        correct = {"pool": "chess", "do": "annul", "matches": "m1", "why": "It was for fun."}
        assert "Had it been so from the beginning" in post("/admin/correct", **correct, action="try")
        case = club.client.post("/admin/correct", data=proof | correct | {"action": "propose"})
        again = club.client.post("/admin/correct", data=proof | correct | {"action": "propose"})
        assert case.url == again.url  # a double click
        assert "the admin stands for it: 1 of 2" in text_of(again)
        assert "No published number changes." in text_of(again)
        path, number = case.url.path, re.search(r'name="proposal" value="(\d+)"', case.text)
        assert number is not None
        proof["proof"] = signed_in(club, "second")
        assert "upheld" in post(path, action="approve", proposal=number[1], why="So I think.")
        club.played("after", "ann", "bob", 1)  # what was told before it is settled then
        assert re.search(r"It is\s+entry \d", text_of(club.client.get(path)))


FORMS = {
    "/admin/keys": {"name": "desk", "scopes": "append", "expires": "2027-01-01"},
    "/admin/keys/0123/revoke": {},
    "/admin/pools": {"action": "open", "pool": "new", "name": "new", "methodology": "elo", "settings": "k=24"},
    "/admin/items": {"pool": "chess", "items": "plum, Plum cake", "action": "remove", "item": "plum"},
    "/admin/correct": {"pool": "chess", "do": "merge", "player": "ann", "into": "bob", "why": "x", "action": "propose",
                       "matches": "m1", "match": "m1", "content": "{}"},
    "/admin/upload": {"pool": "chess", "columns": "score_a=x", "times": "%Y", "zone": "UTC", "name": "a.csv",
                      "kept": "YQ==", "action": "append"},
    "/admin/sign-in": {"key": "tallymark_1_2", "to": "/admin"},
}  # fmt: skip

PATHS = (
    "correct?pool=%00",
    "correct?pool=chess&match=%00",
    "correct?player=%00&done=%00",
    "items?pool=%00",
    "upload?pool=%00",
    "cases?state=%00",
    "cases?after=%00",
    "cases/%00",
    "sign-in?to=%00",
)


def test_nul_is_no_defect_on_either_store(ledger_url: str, tmp_path: Path) -> None:
    with opened(tmp_path, ledger_url, sign_ins_a_minute=1000, flags_a_minute=1000) as club:
        club.played("m1", "ann", "bob", 1)
        proof = {"proof": signed_in(club, "admin")}
        case = club.client.post("/v1/pools/chess/cases", json={"match": "m1", "why": "look"}).json()["case"]
        review = {"action": "review", "why": "x", "do": "annul", "matches": "m1", "proposal": "3"}
        merges = [{"do": one} for one in ("annul", "change", "part", "void", "adjust")]
        sent = 0
        for path, form in (FORMS | {f"/admin/cases/{case}": review}).items():
            for field in ("proof", *form):
                for more in merges if path == "/admin/correct" and field in ("match", "matches", "player") else [{}]:
                    told = proof | form | more
                    answer = club.client.post(path, data=told | {field: told[field] + "\0"})
                    assert answer.status_code < 500, (path, field, text_of(answer))
                    sent += 1
        for path in PATHS:
            answer = club.client.get(f"/admin/{path}")
            assert answer.status_code < 500, (path, text_of(answer))
        for data in (b"player_a,player_b,score_a\nann\0,bob,1\n", b"\0"):
            file = {"file": ("a\0.csv", data, "text/csv")}
            answer = club.client.post("/admin/upload", data=proof | {"pool": "chess", "action": "append"}, files=file)
            assert answer.status_code < 500, text_of(answer)
        assert sent > 40


@pytest.mark.parametrize("field", ["why", "player", "match"])
def test_nul_in_a_flag_on_either_store(ledger_url: str, tmp_path: Path, field: str) -> None:
    with opened(tmp_path, ledger_url) as club:
        club.played("m1", "ann", "bob", 1)
        told = {"why": "look"} | ({} if field == "why" else {field: "m1"}) | ({"match": "m1"} if field == "why" else {})
        answer = club.client.post("/v1/pools/chess/cases", json=told | {field: told[field] + "\0"})
        assert answer.status_code in (400, 404), answer.text
        page = club.client.post("/pools/chess/players/ann/flag", data={"why": "a\0"})
        assert page.status_code == 400
