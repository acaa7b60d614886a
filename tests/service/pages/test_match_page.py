"""Matches and entries as pages: what happened, why, on what record; and the commands that check it are right."""

import html
import io
import json
import re
import subprocess
import sys
import urllib.request
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from clubs import Club

import tallymark as tm
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


def test_a_match_that_was_annulled_shows_the_correction(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        told = ledger.annul(["m1"], pool="chess", id="c1", reason="a test of the clock", approvers=["rosa", "sam"])
        ledger.settled(told, 30)
    page = shown(club, "/pools/chess/matches/m1")
    assert "It does not count any more." in page
    assert "a test of the clock (rosa, sam)" in page


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
