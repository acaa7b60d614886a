"""Matches and entries as pages: what happened, why, on what record; and the commands that check it are right."""

import html
import io
import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from clubs import Club

import tallymark as tm
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.reading import computed
from tallymark.ledger.reading.seats import Seat
from tallymark.service.pages.explained import explained

HTML = {"Accept": "text/html"}


def shown(club: Club, path: str) -> str:
    """The page as a reader has it: texts alone."""
    answer = club.client.get(path, headers=HTML)
    assert answer.status_code == 200, answer.text
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


def test_a_match_says_what_it_did_and_why(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    page = shown(club, "/pools/chess/matches/m1")
    assert "ann v bob" in page
    assert "ann won" in page
    assert "0.50 of a point was expected, and 1 won: 0.50 more than expected." in page
    assert "The rating rose from 1500 to 1662, exactly +162.31." in page
    assert "It is surer: RD 350 before, 290 after." in page
    entry = club.client.get("/v1/pools/chess/entries/2").json()
    assert entry["hash"] in page
    assert " ".join(entry["body"].split()) in page


def loose(page: str) -> list[tuple[str, bool]]:
    """Every deviation that a page shows, and whether it is emphasised and marked as of a provisional rating."""
    found = re.findall(
        r'(\?</span><span class="unseen"> provisional</span>)? <span class="deviation ?(\w*)">±(\d+)', page
    )
    assert all((kind == "loose") == bool(mark) for mark, kind, _ in found)
    return [(deviation, kind == "loose") for _, kind, deviation in found]


def test_what_is_provisional_is_marked_and_its_deviation_emphasised(club: Club) -> None:
    with tm.Ledger.open(club.path) as ledger:
        told: dict[str | int, tm.Rating] = {"ann": tm.Rating(1500.0, 110.5, 0.06), "bob": tm.Rating(1500.0, 80.0, 0.06)}
        ledger.adjust(told, pool="chess", id="a1", reason="why")
        ledger.settle()
    club.played("m1", "ann", "bob", 1)
    page = club.client.get("/pools/chess/matches/m1", headers=HTML).text
    assert page.count("±") == 4 == len(loose(page))
    assert loose(page) == [("110", True), ("106", False), ("80", False), ("79", False)]
    assert ("110", True) in loose(club.client.get("/pools/chess/players/ann", headers=HTML).text)
    club.played("m2", "ann", "new", 1)
    pair = loose(club.client.get("/pools/chess/players/bob/against/new", headers=HTML).text)
    assert [emphasised for _, emphasised in pair] == [False, True]


def test_a_team_match_has_its_sides(club: Club) -> None:
    body = {"sides": [{"players": ["ann", "bob"], "rank": 1}, {"players": ["cid"], "rank": 2}]}
    club.client.put("/v1/pools/chess/matches/t1?wait=30", json=body, headers=club.by("append")).raise_for_status()
    page = shown(club, "/pools/chess/matches/t1")
    assert "ann, bob v cid" in page
    assert "ann, bob won" in page
    assert "of 2 points was expected, and 0 won" in page


def test_a_match_without_a_result_says_so_and_moves_nobody(club: Club) -> None:
    club.played("m0", "ann", "bob", None)
    page = shown(club, "/pools/chess/matches/m0")
    assert "No result was reported: that is neither a draw nor a win. no-result" in page
    assert "Why" not in page


def corrected(club: Club, pool: str, late: str, do: Callable[[tm.Ledger], Receipt]) -> None:
    """A pool with two matches, of which something is said."""
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool(pool, tm.methodology("arena").with_(late=late))
        for n, (a, b) in enumerate((("ann", "bob"), ("cid", "bob"), ("ann", "cid"))):
            ledger.append(
                {"id": f"m{n}", "player_a": a, "player_b": b, "score_a": 1, "played_at": f"2026-01-0{n + 1}"}, pool=pool
            )
        ledger.settle()
        do(ledger)
        ledger.settle()


SAID: dict[str, Any] = {"id": "c1", "reason": "a test of the clock", "approvers": ["rosa", "sam"]}


def test_a_match_that_was_annulled_says_what_it_was_and_what_came_of_that(club: Club) -> None:
    corrected(club, "p", "recompute", lambda ledger: ledger.annul(["m0"], pool="p", **SAID))
    page = shown(club, "/pools/p/matches/m0")
    assert "It does not count any more." in page
    assert "What it had changed, by entry 2 , still stands here." in page
    assert "0.50 of a point was expected, and 1 won" in page
    assert "a test of the clock (rosa, sam) · entry 5 · everything was computed again for it by entry 6" in page
    assert "Entry 6 computed everything again, for this alone." in page
    club.client.get("/pools/p/entries/6", headers=HTML).raise_for_status()
    assert "m0 was annulled, a test of the clock (rosa, sam) entry 5" in shown(club, "/pools/p/entries/6")
    told = club.client.get("/v1/pools/p/matches/m0").json()
    assert (told["state"], told["counts"], told["changed_by"], told["first"]["position"]) == (
        "annulled",
        False,
        None,
        2,
    )
    moved = {seat["player"]: (seat["before"], seat["after"]) for seat in told["anew"]["seats"]}
    for player, (before, after) in moved.items():
        last = club.client.get(f"/v1/pools/p/players/{player}/history?limit=1").json()["changes"][0]
        assert (last["before"], last["after"], last["of"]) == (before, after, 6)
        assert last["causes"] == [
            {
                "position": 5,
                "what": "annul",
                "matches": ["m0"],
                "players": [],
                **{k: SAID[k] for k in SAID if k != "id"},
            }
        ]


def test_a_match_that_was_corrected_says_what_it_was_and_what_it_is(club: Club) -> None:
    body: dict[str, Any] = {"id": "m1", "player_a": "cid", "player_b": "bob", "score_a": 0, "played_at": "2026-01-02"}
    corrected(club, "p", "recompute", lambda ledger: ledger.change(body, pool="p", **SAID))
    page = shown(club, "/pools/p/matches/m1")
    assert "It was: cid v bob, cid won. It is now: cid v bob, bob won." in page
    assert "As it counts since entry 6 , which computed everything again" in page
    assert "of a point was expected, and 0 won" in page
    assert "As it was first published" in page
    told = club.client.get("/v1/pools/p/matches/m1").json()
    now, first = ([side["seats"][0] for side in sides] for sides in (told["sides"], told["first"]["sides"]))
    assert [seat["score"] for seat in now] == [0.0, 1.0]
    assert [seat["score"] for seat in first] == [1.0, 0.0]
    assert now[0]["expected"] == pytest.approx(first[0]["expected"])
    assert now[0]["change"] < 0 < first[0]["change"]
    assert told["corrections"][0]["recomputed"] == told["anew"]["position"] == told["changed_by"] == 6


def test_a_match_that_came_late_is_explained_in_its_place(club: Club) -> None:
    late: dict[str, Any] = {
        "id": "late",
        "player_a": "bob",
        "player_b": "dan",
        "score_a": 1,
        "played_at": "2026-01-01T12:00:00Z",
    }
    corrected(club, "p", "recompute", lambda ledger: ledger.append(late, pool="p"))
    page = shown(club, "/pools/p/matches/late")
    assert "came late, rated in its place" in page
    assert "of a point was expected, and 1 won" in page
    told = club.client.get("/v1/pools/p/matches/late").json()
    assert (told["state"], told["counts"], told["changed_by"], told["anew"]["position"]) == ("rated", True, 6, 6)
    fate = club.client.get("/v1/pools/p/matches/late/receipt").json()
    assert (fate["state"], fate["position"], fate["entry"]) == ("rated", 6, 5)
    entry = club.client.get("/v1/pools/p/matches/late").json()["entry"]
    assert entry["position"] == 5
    assert "It was" not in shown(club, "/pools/p/matches/m1")
    assert "As it counts since entry 6" in shown(club, "/pools/p/matches/m1")


@pytest.mark.parametrize("what", ["annul", "change"])
def test_where_rules_leave_what_is_published_the_page_says_so(club: Club, what: str) -> None:
    body: dict[str, Any] = {"id": "m1", "player_a": "cid", "player_b": "bob", "score_a": 0, "played_at": "2026-01-02"}

    def do(ledger: tm.Ledger) -> Receipt:
        if what == "change":
            return ledger.change(body, pool="p", **SAID)
        return ledger.annul(["m1"], pool="p", **SAID)

    corrected(club, "p", "ledger-order", do)
    page = shown(club, "/pools/p/matches/m1")
    assert "leave what is published as it is: the correction is on record, and changes no rating" in page
    assert "· on record, and changes no rating" in page
    assert "of a point was expected, and 1 won" in page  # as it counts
    assert ("cid v bob, bob won , a correction says." in page) == (what == "change")
    told = club.client.get("/v1/pools/p/matches/m1").json()
    assert (told["counts"], told["late"], told["anew"]) == (True, "ledger-order", None)
    assert (told["corrections"][0]["done"], told["corrections"][0]["recomputed"]) == (False, None)


def test_a_merge_is_told_where_it_matters(club: Club) -> None:
    corrected(club, "p", "recompute", lambda ledger: ledger.merge("cid", into="ann", pool="p", **SAID))
    assert "cid is ann" in shown(club, "/pools/p/matches/m1")
    oneself = shown(club, "/pools/p/matches/m2")
    assert "rating any more. It is between two who are one since they were merged. oneself" in oneself
    assert "These results are those of ann" in shown(club, "/pools/p/players/cid")
    assert "the results of cid are those of ann" in shown(club, "/pools/p/players/ann")


def test_a_correction_of_an_open_period_waits_and_the_page_says_for_what(club: Club) -> None:
    weekly = tm.methodology("paper").with_(period="7d", origin="2026-01-05", late="recompute")
    body: dict[str, Any] = {"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 1, "played_at": "2026-01-06"}
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("w", weekly)
        ledger.append(body, pool="w")
        ledger.settle()
        ledger.change({**body, "score_a": 0}, pool="w", **SAID)
        ledger.settle()
        page = shown(club, "/pools/w/matches/m1")
        assert "ann v bob, bob won , a correction says. It is not in the ratings yet." in page
        assert "it waits for the end of the period" in page
        ledger.close_periods("w")
        ledger.settle()
    page = shown(club, "/pools/w/matches/m1")
    assert "bob won · 6 Jan 2026" in page
    assert "the changes below are those of the whole period" in page
    assert "a correction says" not in page


def test_a_match_that_was_annulled_and_counts_again_soon_says_so(club: Club) -> None:
    """Every state of a match that is annulled and restored under rules that compute everything again with a period."""
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("w", tm.methodology("paper").with_({"period": "7d", "period.late": "recompute"}))

        def settled(tell: Callable[[], object], until: str | None = None) -> tuple[str, str | None, bool]:
            tell()
            if until is not None:
                ledger.close_periods("w", until)
            ledger.settle()
            told = club.client.get("/v1/pools/w/matches/m1").json()
            assert (told["reason"] is None) == (told["state"] != "not-rated")
            assert "None" not in shown(club, "/pools/w/matches/m1")
            return told["state"], told["reason"], told["counts"]

        match: dict[str, Any] = {"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 1}
        match["played_at"] = "2026-03-02T12:00:00Z"
        assert settled(lambda: ledger.append(match, pool="w"), "2026-03-16") == ("accepted", None, True)
        why: dict[str, Any] = {"pool": "w", "reason": "so it was"}
        assert settled(lambda: ledger.annul(["m1"], id="a", **why)) == ("annulled", None, True)
        assert settled(lambda: None, "2026-03-23") == ("annulled", None, False)
        assert settled(lambda: ledger.restore(["m1"], id="r", **why)) == ("accepted", None, False)
        page = shown(club, "/pools/w/matches/m1")
        assert "It does not count now, and counts again with the next recomputation." in page
        assert settled(lambda: None, "2026-03-30") == ("accepted", None, True)


def test_a_pool_that_is_too_large_says_that_it_is_not_computed_once_more(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computed, "LARGEST", 5)
    body: dict[str, Any] = {"id": "m1", "player_a": "cid", "player_b": "bob", "score_a": 0, "played_at": "2026-01-02"}
    corrected(club, "p", "recompute", lambda ledger: ledger.change(body, pool="p", **SAID))
    page = shown(club, "/pools/p/matches/m1")
    assert "It was: cid v bob, cid won. It is now: cid v bob, bob won." in page
    assert "too large to do that once more for a page" in page
    assert "What that changed Entry 6 computed everything again" in page
    assert "what entry 6 computed again is in it from there on" in shown(club, "/pools/p/players/bob")


def test_a_match_that_is_not_rated_says_what_would_change_that(club: Club) -> None:
    club.played("m0", "ann", "bob", None)
    page = shown(club, "/pools/chess/matches/m0")
    assert "else send it under another id, with its result" in page
    assert "Not rated by arena-v0" in page


def test_what_is_not_there_is_a_page_too(shared: Club) -> None:
    for path in (
        "/pools/chess/matches/none",
        "/pools/chess/entries/99",
        "/pools/none/entries/1",
        "/methodologies/none",
    ):
        answer = shared.client.get(path, headers=HTML)
        assert (answer.status_code, "<h1>" in answer.text) == (404, True), path
    assert shared.client.get("/pools/chess/entries/0", headers=HTML).status_code == 422


def test_every_kind_of_entry_is_told_and_leads_on(club: Club) -> None:
    club.played("m%2F1", "ann", "bob", 1)
    first, second = (club.client.get(f"/pools/chess/entries/{n}", headers=HTML).text for n in (1, 2))
    assert "The pool was opened" in first
    assert 'href="/pools/chess/entries/2" rel="next"' in first
    assert 'href="/pools/chess/matches/m%2F1"' in second
    assert 'rel="next"' not in second


def test_the_command_on_the_page_checks_the_entry(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    club.played("m1", "ann", "bob", 1)
    monkeypatch.setattr(urllib.request, "urlopen", lambda url: io.BytesIO(club.client.get(url).content))
    for position in (1, 2):
        page = club.client.get(f"/pools/chess/entries/{position}", headers=HTML).text
        script = html.unescape(re.findall(r"<pre[^>]*>(import .*?)</pre>", page, re.S)[0])
        with redirect_stdout(io.StringIO()) as said:
            exec(script, {})
        assert said.getvalue() == "True\n"


def test_the_export_that_the_page_names_verifies(club: Club, tmp_path: Path) -> None:
    club.played("m1", "ann", "bob", 1)
    page = club.client.get("/pools/chess/matches/m1", headers=HTML).text
    url = re.search(r"curl -o pool\.tally &#39;([^&]+)&#39;\ntallymark verify pool\.tally", page)
    assert url is not None
    (tmp_path / "pool.tally").write_bytes(club.client.get(url[1]).content)
    done = subprocess.run(
        [sys.executable, "-m", "tallymark", "verify", "--json", str(tmp_path / "pool.tally")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert json.loads(done.stdout)


def seat(before: float, after: float, deviations: tuple[float, float] = (80, 79)) -> Seat:
    return Seat("ann", 1.0, 1.0, tm.Rating(before, deviations[0]), tm.Rating(after, deviations[1]), 0)


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (seat(1970.4, 1970.996), "The rating rose from 1970 to 1971, exactly +0.60."),
        (seat(1499.5, 1500.4), "The rating stayed at 1500: +0, exactly +0.90."),
        (seat(1500.0, 1490.0), "The rating fell from 1500 to 1490, exactly \N{MINUS SIGN}10.00."),
        (seat(1500.0, 1500.0, (80, 81)), "It is less sure: RD 80 before, 81 after."),
        (seat(1500.0, 1500.0, (80.1, 80.2)), "It is about as sure as before: RD 80."),
        (seat(1500.0, 1500.0), "1.00 of a point was expected, and 1 won: as expected."),
    ],
)
def test_changes_in_words(of: Seat, words: str) -> None:
    assert words in explained(of, 1)


def test_a_match_that_changed_nothing_yet_has_no_why() -> None:
    assert explained(Seat("ann", 1.0, None, None, None, None), 1) == []


def test_two_players_against_each_other(club: Club) -> None:
    for n, score in enumerate((1.0, 1.0, 0.5, 0.0)):
        club.played(f"m{n}", "ann", "bob", score)
    page = shown(club, "/pools/chess/players/ann/against/bob")
    assert "Met 4 times" in page
    assert "ann won 2 50 %" in page
    assert "Drawn 1 25 %" in page
    assert "They have not met" not in page
    other = shown(club, "/pools/chess/players/bob/against/ann")
    assert "bob won 1 25 %" in other
    club.played("m9", "cid", "dan", 1)
    assert "They have not met." in shown(club, "/pools/chess/players/ann/against/cid")
    assert club.client.get("/pools/chess/players/ann/against/none", headers=HTML).status_code == 404


def test_what_each_correction_said_stays_on_record_when_it_is_undone(club: Club) -> None:
    body: dict[str, Any] = {"id": "m1", "player_a": "cid", "player_b": "bob", "score_a": 0, "played_at": "2026-01-02"}

    def do(ledger: tm.Ledger) -> Receipt:
        ledger.change(body, pool="p", **SAID)
        ledger.change(body | {"score_a": 1}, pool="p", **SAID | {"id": "c2", "reason": "right after all"})
        return ledger.change(body | {"score_a": 1, "ending": "timeout"}, pool="p", **SAID | {"id": "c3"})

    corrected(club, "p", "recompute", do)
    page = shown(club, "/pools/p/matches/m1")
    assert "was “cid v bob, cid won”, became “cid v bob, bob won”. Reason: a test of the clock" in page
    assert "was “cid v bob, bob won”, became “cid v bob, cid won”. Reason: right after all" in page
    timeout = "cid v bob, cid won, 2 Jan 2026, timeout"
    assert f"was “cid v bob, cid won, 2 Jan 2026, no ending said”, became “{timeout}”" in page
    assert "won corrected" in shown(club, "/pools/p/players/cid/against/bob")
    assert "corrected" not in shown(club, "/pools/p/players/ann/against/bob")
