"""The vote page: where it is linked, what it is told, and that no other site's page votes."""

from pathlib import Path

import pytest
from clubs import Club, opened

HTML = {"Accept": "text/html"}


def listed(club: Club) -> None:
    items = {"items": [{"id": "plum"}, {"id": "pear"}, {"id": "fig"}]}
    assert club.client.post("/v1/pools/chess/items", json=items, headers=club.by("append")).status_code == 200


def test_the_page_is_linked_where_something_is_voted_on(club: Club) -> None:
    assert "/pools/chess/vote" not in club.client.get("/pools/chess", headers=HTML).text
    listed(club)
    assert "/pools/chess/vote" in club.client.get("/pools/chess", headers=HTML).text
    page = club.client.get("/pools/chess/vote", headers=HTML)
    assert 'data-vote="/v1/pools/chess" data-undo="4.0"' in page.text
    assert "set-cookie" not in page.headers  # who only looks is nobody yet
    assert club.client.get("/pools/none/vote", headers=HTML).status_code == 404


def test_a_tie_where_the_rules_rate_draws(club: Club) -> None:
    assert 'data-choice="tie"' in club.client.get("/pools/chess/vote", headers=HTML).text
    club.client.put("/v1/pools/cakes", json={"methodology": "votes"}, headers=club.by("admin"))
    assert 'data-choice="tie"' not in club.client.get("/pools/cakes/vote", headers=HTML).text


def test_where_only_sites_vote(tmp_path: Path) -> None:
    with opened(tmp_path, anonymous_votes=False) as club:
        listed(club)
        assert "/pools/chess/vote" not in club.client.get("/pools/chess", headers=HTML).text
        assert "data-vote" not in club.client.get("/pools/chess/vote", headers=HTML).text


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ({}, 201),
        ({"Origin": "http://testserver"}, 201),
        ({"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}, 201),
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://other.testserver", "Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_no_page_of_another_site_votes(club: Club, told: dict[str, str], status: int) -> None:
    listed(club)
    ballot = club.client.post("/v1/pools/chess/ballots", json={}).json()["id"]
    path = f"/v1/pools/chess/ballots/{ballot}/vote"
    answer = club.client.put(path, json={"choice": "left"}, headers=told)
    assert answer.status_code == status
    if status == 403:
        assert answer.json()["type"] == "/problems/other-origin"
        assert club.client.put(path, json={"choice": "right"}).status_code == 201  # nothing was kept
