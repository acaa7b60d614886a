"""What all pages have: addresses that exist, texts that are escaped, errors as pages, tags that tell the truth."""

import html
import re

import pytest
from clubs import Club
from sqlalchemy import event
from sqlalchemy.engine import Engine

from tallymark.errors import LedgerError
from tallymark.ledger.ledger import Ledger
from tallymark.service.pages import statics

HTML = {"Accept": "text/html,application/xhtml+xml"}


def test_every_address_of_the_frame_answers(shared: Club) -> None:
    text = shared.client.get("/", headers=HTML).text
    found = set(re.findall(r'(?:href|src)="(/[^"#]*)', text))
    assert len(found) > 5
    for path in found - {"/pools/chess/methodology"}:
        assert shared.client.get(path).status_code == 200, path


def test_the_first_page_counts_nobody(shared: Club) -> None:
    shared.played("one", "ann", "bob", 1.0)
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        text = shared.client.get("/", headers=HTML).text
        pools = shared.client.get("/v1/pools").json()["pools"]
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert "<dt>Players</dt><dd>2</dd>" in text
    assert pools[0]["players"] == 2
    assert any("FROM pool JOIN head" in one for one in asked)
    assert not [one for one in asked if re.search(r"\b(FROM|JOIN) rating\b", one)]


def test_files_are_kept_for_ever_and_modules_find_each_other(shared: Club) -> None:
    path = statics.static_path("page.js")
    answer = shared.client.get(path)
    assert answer.headers["cache-control"].endswith("immutable")
    assert answer.headers["content-type"].startswith("text/javascript")
    sought = {"page.js"}
    while sought:
        answer = shared.client.get(path.replace("page.js", sought.pop()))
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/javascript; charset=utf-8")
        sought.update(re.findall(r'"\./([a-z]+\.m?js)"', answer.text))
    old = shared.client.get("/static/0123456789ab/page.js")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-store")
    assert shared.client.get(f"/static/{statics.version()}/none.js").status_code == 404
    with pytest.raises(KeyError):
        statics.static_path("none.js")


def test_files_come_packed_for_who_takes_it_so(shared: Club) -> None:
    path = statics.static_path("style.css")
    plain = shared.client.get(path, headers={"Accept-Encoding": "identity"})
    packed = shared.client.get(path, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content


@pytest.mark.parametrize("name", sorted(statics.statics()))
def test_nothing_is_loaded_from_elsewhere(name: str) -> None:
    text = statics.statics()[name].plain.decode()
    assert set(re.findall(r"https?://[^\s\"')]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert "@import" not in text


def test_no_page_has_scripts_or_styles_in_it(shared: Club) -> None:
    shared.played("inline", "ann", "bob", 1)
    for path in ("/", "/pools/chess", "/none"):
        text = shared.client.get(path, headers=HTML).text
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script>", text), path


def test_a_problem_is_a_page_for_browsers_alone(shared: Club) -> None:
    page = shared.client.get("/pools/none", headers=HTML)
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "There is no such pool" in page.text
    assert shared.client.get("/pools/none").headers["content-type"] == "application/problem+json"
    api = shared.client.get("/v1/pools/none/ratings", headers=HTML)
    assert api.headers["content-type"] == "application/problem+json"
    assert "<script>alert" not in shared.client.get("/pools/<script>alert(1)", headers=HTML).text


def test_a_page_of_what_went_wrong_leads_on_to_its_pool(shared: Club) -> None:
    shared.played("one", "ann", "bob", 1.0)
    for path, status in (
        ("/pools/chess/players/nobody", 404),
        ("/pools/chess/nothing/at/all", 404),
        ("/pools/chess?window=year", 422),
    ):
        answer = shared.client.get(path, headers=HTML)
        assert answer.status_code == status
        assert '<a href="/pools/chess" aria-current="true">chess</a>' in answer.text
        assert '<nav class="tabs" aria-label="chess">' in answer.text
        assert '<a href="/pools/chess/methodology">Methodology</a>' in answer.text
        assert '<a href="/pools/chess">The board of chess</a>' in answer.text
    for path in ("/pools/none/players/ann", "/nothing"):
        text = shared.client.get(path, headers=HTML).text
        assert '<a href="/pools/chess">chess</a>' in text
        assert 'class="tabs"' not in text


def test_what_went_wrong_is_a_page_without_the_ledger_too(shared: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: Ledger) -> None:
        raise LedgerError("it is gone")

    monkeypatch.setattr(Ledger, "backlogs", gone)
    missing = shared.client.get("/pools/chess/nothing/at/all", headers=HTML)
    assert (missing.status_code, "Nothing is at this path" in missing.text) == (404, True)
    down = shared.client.get("/pools/chess", headers=HTML)
    assert (down.status_code, down.headers["content-type"]) == (503, "text/html; charset=utf-8")


def test_a_page_is_sent_again_only_when_it_is_another(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    first = club.client.get("/pools/chess", headers=HTML)
    again = {**HTML, "If-None-Match": first.headers["etag"]}
    assert first.headers["etag"].startswith('"chess-2-')
    assert club.client.get("/pools/chess", headers=again).status_code == 304
    club.client.head("/pools/chess").raise_for_status()
    club.played("m2", "bob", "ann", 1)
    second = club.client.get("/pools/chess", headers=again)
    assert second.status_code == 200
    assert second.headers["etag"].startswith('"chess-3-')


def test_every_page_of_a_pool_leads_to_its_json(shared: Club) -> None:
    shared.played("twin", "17", "b/c", 1.0)
    pages = (
        "/pools/chess",
        "/pools/chess/methodology",
        "/pools/chess/matches/twin",
        "/pools/chess/entries/1",
        "/pools/chess/players/%2217%22",
        "/pools/chess/players/%2217%22/against/b%2Fc",
        "/pools/chess/players/b%2Fc/against/%2217%22?before=99",
    )
    for path in pages:
        page = shared.client.get(path, headers=HTML)
        twin = re.search(r'<link rel="alternate" type="application/json" href="([^"]+)">', page.text)
        assert (page.status_code, twin is not None) == (200, True), path
        assert twin is not None
        answer = shared.client.get(html.unescape(twin[1]))
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json"), path
    assert answer.json()["games"] == 1
