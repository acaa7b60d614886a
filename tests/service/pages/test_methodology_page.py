"""Methodologies as pages: made of the data that is run, with what changed."""

import html
import re

from clubs import Club

import tallymark as tm
from tallymark.methodology import diff, methodology
from tallymark.service.pages.rules import sections_of, value_of

HTML = {"Accept": "text/html"}


def test_every_field_is_on_the_page_with_its_value_and_its_meaning(shared: Club) -> None:
    rules = methodology("arena")
    page = html.unescape(shared.client.get("/pools/chess/methodology", headers=HTML).text)
    assert rules.hash in page
    assert rules.to_toml() in page
    for field in rules.fields():
        assert field.parameter.doc in page, field.name
        assert f"<code>{field.name.partition('.')[2]}</code>" in page
        assert f"<strong>{value_of(field.value)}</strong>" in page
    assert sum(len(section.rules) for section in sections_of(rules)) == len(list(rules.fields()))
    assert "in force in chess" in page


def test_the_difference_to_the_version_before_is_that_of_the_library(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    new = methodology("arena-v1-draft")
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.settled(ledger.change_rules("chess", new, id="r1"), 30)
    club.played("m2", "ann", "bob", 1)
    page = html.unescape(club.client.get("/pools/chess/methodology", headers=HTML).text)
    changed = page.partition('id="changed"')[2].partition("</table>")[0]
    fields = re.findall(r"<code>([^<]+)</code></th><td><del>([^<]*)</del></td><td><ins>([^<]*)</ins>", changed)
    assert fields == [(one.field, value_of(one.a), value_of(one.b)) for one in diff(methodology("arena-v0"), new)]
    first = html.unescape(club.client.get("/pools/chess/methodology?entry=1", headers=HTML).text)
    assert "not in force now" in first
    assert 'id="changed"' not in first
    assert club.client.get("/pools/chess/methodology?entry=2", headers=HTML).status_code == 404
    chart = club.client.get("/pools/chess/players/ann/chart.svg").text
    assert "arena-v1-draft" in chart


def test_a_change_before_the_first_match_is_not_on_the_axis(club: Club) -> None:
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.settled(ledger.change_rules("chess", "arena-v1-draft", id="r1"), 30)
        club.played("m1", "ann", "bob", 1)
        history = ledger.rules_history("chess")
    assert len(history) == 2
    assert "arena-v1-draft" not in club.client.get("/pools/chess/players/ann/chart.svg").text


def test_shipped_ones_can_be_compared(shared: Club) -> None:
    assert "arena-v1-draft" in shared.client.get("/methodologies", headers=HTML).text
    page = shared.client.get("/methodologies/arena-v1-draft?with=arena-v0", headers=HTML).text
    assert "What changed from arena-v0" in page
    assert "Nothing that decides a number" in shared.client.get("/methodologies/elo?with=elo", headers=HTML).text
    assert shared.client.get("/methodologies/x.toml", headers=HTML).status_code == 404
