"""Ballots and votes over HTTP: by a site with a key, and by a page with a cookie."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clubs import Club, opened

Answer = dict[str, Any]


@pytest.fixture
def poll(tmp_path: Path) -> Iterator[Club]:
    """The pool of clubs with four items."""
    with opened(tmp_path, daily_votes=3) as club:
        items = [{"id": "plum", "name": "Plum cake"}, {"id": "pear"}, {"id": 17, "name": "Seventeen"}, {"id": "17"}]
        answer = club.client.post("/v1/pools/chess/items", json={"items": items}, headers=club.by("append"))
        assert answer.json() == {"pool": "chess", "items": 4, "changed": 4}
        yield club


def ballot(club: Club, voter: str = "u1", **more: Any) -> Answer:
    answer = club.client.post("/v1/pools/chess/ballots", json={"voter": voter, **more}, headers=club.by("vote"))
    assert answer.status_code in (200, 201), answer.text
    found: Answer = answer.json()
    assert found["replayed"] == (answer.status_code == 200)
    return found


def problem(answer: Any, status: int, name: str) -> Answer:
    found: Answer = answer.json()
    assert (answer.status_code, found["type"]) == (status, f"/problems/{name}"), answer.text
    return found


def test_a_site_votes_for_its_users(poll: Club) -> None:
    first = ballot(poll)
    assert first["voter"].startswith("v-")
    assert first["choices"] == ["left", "right", "tie", "skip", "both-bad"]
    assert first["vote"] is None
    assert ballot(poll) == {**first, "replayed": True}
    assert first["votes_left"] == 3
    path = f"/v1/pools/chess/ballots/{first['id']}"
    voted = poll.client.put(f"{path}/vote", json={"choice": "left"}, headers=poll.by("vote"))
    assert (voted.status_code, voted.json()["vote"]["rated"], voted.json()["votes_left"]) == (201, True, 2)
    again = poll.client.put(f"{path}/vote", json={"choice": "left"}, headers=poll.by("vote"))
    assert (again.status_code, again.json()["vote"]) == (200, voted.json()["vote"])
    other = problem(poll.client.put(f"{path}/vote", json={"choice": "skip"}, headers=poll.by("vote")), 409, "conflict")
    assert (other["first"], other["second"]) == ("left", "skip")
    assert poll.client.get(path, headers=poll.by("vote")).json()["vote"] == voted.json()["vote"]
    name = poll.client.post("/v1/voters", json={"voter": "u1"}, headers=poll.by("vote")).json()
    assert name == {"voter": first["voter"]}


def test_fifty_copies_over_http_are_one_entry(poll: Club) -> None:
    found = ballot(poll)
    ready, statuses = threading.Barrier(50), list[int]()

    def send() -> None:
        ready.wait(60)
        answer = poll.client.put(
            f"/v1/pools/chess/ballots/{found['id']}/vote", json={"choice": "left"}, headers=poll.by("vote")
        )
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=send) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(statuses) == [200] * 49 + [201]
    poll.played("m1", "ann", "bob", 1)  # settled, and so is all before it
    assert poll.client.get(f"/v1/pools/chess/matches/{found['id']}/receipt").json()["position"] == 2
    assert ballot(poll)["votes_left"] == 2


def test_ids_keep_their_type_and_names_are_told(poll: Club) -> None:
    sides = {}
    for voter in range(12):
        found = ballot(poll, f"u{voter}")
        for side in ("left", "right"):
            sides[found[side]["id"]] = found[side]["name"]
    assert sides == {"plum": "Plum cake", "pear": None, 17: "Seventeen", "17": None}


def test_a_page_votes_by_its_cookie(poll: Club) -> None:
    answer = poll.client.post("/v1/pools/chess/ballots")
    assert answer.status_code == 201
    told = answer.headers["set-cookie"]
    assert "HttpOnly" in told
    assert "SameSite=strict" in told
    first = answer.json()
    path = f"/v1/pools/chess/ballots/{first['id']}"
    assert poll.client.post("/v1/pools/chess/ballots").json()["id"] == first["id"]
    held = poll.client.post("/v1/pools/chess/ballots", json={"besides": [first["id"]]}).json()
    assert held["id"] != first["id"]
    assert poll.client.put(f"{path}/vote", json={"choice": "right"}).status_code == 201
    cookie = poll.client.cookies["tallymark_voter"]
    poll.client.cookies.clear()
    problem(poll.client.get(path), 404, "unknown-ballot")
    problem(poll.client.put(f"{path}/vote", json={"choice": "right"}), 404, "unknown-ballot")
    poll.client.cookies["tallymark_voter"] = cookie[:-4] + "aaaa"
    problem(poll.client.get(path), 404, "unknown-ballot")
    # A site cannot be anybody's page, nor a page name a voter.
    problem(poll.client.post("/v1/pools/chess/ballots", json={"voter": "u1"}), 401, "no-key")


def test_new_voters_of_one_address_are_few(tmp_path: Path) -> None:
    """Or the cap of a day would be one of cookies that are thrown away."""
    ticks = [0.0]
    with opened(tmp_path, voters_a_minute=2, ticks=lambda: ticks[0]) as club:
        items = [{"id": "plum"}, {"id": "pear"}, {"id": "fig"}]
        club.client.post("/v1/pools/chess/items", json={"items": items}, headers=club.by("append"))
        statuses = []
        for _ in range(3):
            club.client.cookies.clear()
            statuses.append(club.client.post("/v1/pools/chess/ballots").status_code)
        assert statuses == [201, 201, 429]
        answer = club.client.post("/v1/pools/chess/ballots", json={"voter": "u"}, headers=club.by("vote"))
        assert answer.status_code == 201


def test_the_cap_says_when_to_come_back(poll: Club) -> None:
    for choice in ("left", "skip", "both-bad"):
        found = ballot(poll)
        voted = poll.client.put(
            f"/v1/pools/chess/ballots/{found['id']}/vote", json={"choice": choice}, headers=poll.by("vote")
        ).json()
        assert voted["vote"]["rated"] == (choice == "left")
    answer = poll.client.post("/v1/pools/chess/ballots", json={"voter": "u1"}, headers=poll.by("vote"))
    problem(answer, 429, "daily-cap")
    assert 0 < int(answer.headers["retry-after"]) <= 86_400


def test_the_list_of_items(poll: Club) -> None:
    page = poll.client.get("/v1/pools/chess/items?limit=3").json()
    assert (page["count"], [one["id"] for one in page["items"]], page["next"]) == (4, ["plum", "pear", 17], 3)
    assert poll.client.get("/v1/pools/chess/items?limit=3&after=3").json()["items"] == [
        {"id": "17", "name": None, "text": None, "link": None}
    ]
    gone = poll.client.delete("/v1/pools/chess/items/17", headers=poll.by("append")).json()
    assert (gone["items"], gone["changed"]) == (3, 1)
    left = [one["id"] for one in poll.client.get("/v1/pools/chess/items").json()["items"]]
    assert left == ["plum", "pear", "17"]


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("ballots", {}, "voter"),
        ("ballots", {"voter": 1.5}, "voter"),
        ("ballots", {"voter": "u", "besides": "x"}, "besides"),
        ("ballots", {"voter": "u", "side": "left"}, "side"),
        ("items", {"items": []}, "items"),
        ("items", {"items": [{"name": "x"}]}, "items[0].id"),
        ("items", {"items": [{"id": "x", "name": 3}]}, "items[0].name"),
        ("items", {"items": [{"id": "x", "name": "a\nb"}]}, "name"),
        ("items", {"items": ["x"]}, "items[0]"),
    ],
)
def test_what_is_wrong_is_named(poll: Club, path: str, body: Answer, field: str) -> None:
    key = poll.by("vote" if path == "ballots" else "append")
    assert (
        problem(poll.client.post(f"/v1/pools/chess/{path}", json=body, headers=key), 400, "bad-input")["field"] == field
    )


def test_who_may_not(poll: Club) -> None:
    append = poll.by("append")
    problem(poll.client.post("/v1/pools/chess/ballots", json={"voter": "u1"}, headers=append), 403, "no-scope")
    problem(poll.client.post("/v1/pools/chess/items", json={"items": [{"id": "x"}]}), 401, "no-key")
    problem(
        poll.client.post("/v1/pools/none/ballots", json={"voter": "u1"}, headers=poll.by("vote")), 404, "unknown-pool"
    )


def test_a_site_may_want_its_own_voters_alone(tmp_path: Path) -> None:
    with opened(tmp_path, anonymous_votes=False) as club:
        problem(club.client.post("/v1/pools/chess/ballots"), 401, "no-key")
        problem(
            club.client.post("/v1/pools/chess/ballots", json={"voter": "u1"}, headers=club.by("vote")), 409, "no-ballot"
        )


def test_what_is_told_of_items_is_seen_on_ballots_and_pages(poll: Club) -> None:
    items = "/v1/pools/chess/items"
    told = [
        {"id": "plum", "text": " With yeast.\r\nAnd plums. ", "link": "https://example.org/plum?x=1&y=%20#top"},
        {"id": 17, "text": "<b>Seventeen</b>"},
    ]
    answer = poll.client.post(items, json={"items": told}, headers=poll.by("append"))
    assert answer.json() == {"pool": "chess", "items": 4, "changed": 0}

    def listed() -> dict[object, tuple[object, object]]:
        return {one["id"]: (one["text"], one["link"]) for one in poll.client.get(items).json()["items"]}

    text, link = "With yeast.\nAnd plums.", "https://example.org/plum?x=1&y=%20#top"
    nothing = (None, None)
    assert listed() == {"plum": (text, link), "pear": nothing, 17: ("<b>Seventeen</b>", None), "17": nothing}
    sides: dict[object, tuple[object, object]] = {}
    for voter in range(12):
        found = ballot(poll, f"u{voter}")
        sides |= {found[side]["id"]: (found[side]["text"], found[side]["link"]) for side in ("left", "right")}
    assert sides == listed()
    poll.played("m1", "plum", "pear", 1)
    page = poll.client.get("/pools/chess/players/plum", headers={"Accept": "text/html"}).text
    assert f'<p class="told-text">{text}</p>' in page
    escaped = link.replace("&", "&amp;")
    assert f'<a href="{escaped}" rel="noopener noreferrer nofollow ugc">example.org</a>' in page
    assert "told-text" not in poll.client.get("/pools/chess/players/pear", headers={"Accept": "text/html"}).text
    # What is not said stays, null takes away; whoever is forgotten has no text either.
    poll.client.post(items, json={"items": [{"id": "plum", "link": None}]}, headers=poll.by("append"))
    assert listed()["plum"] == (text, None)
    assert poll.client.delete("/v1/players/plum", headers=poll.by("admin")).json()["forgotten"] is True
    assert listed()["plum"] == nothing


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", ""),
        ("text", " \n "),
        ("text", "x" * 501),
        ("text", 7),
        ("text", "a\x00b"),
        ("text", "a\u202eb"),
        ("link", ""),
        ("link", "http://example.org/"),
        ("link", "javascript:alert(1)"),
        ("link", "//example.org"),
        ("link", "https://"),
        ("link", "https://ann@example.org/"),
        ("link", "https://example.org\\@evil.example"),
        ("link", 'https://example.org/"x'),
        ("link", "https://example.org/a b"),
        ("link", "https://example.org/ü"),
        ("link", "https://example.org/" + "x" * 500),
        ("link", ["https://example.org/"]),
    ],
)
def test_what_cannot_be_told_of_an_item_is_refused_and_nothing_is_listed(poll: Club, field: str, value: object) -> None:
    items = [{"id": "new"}, {"id": "fig", field: value}]
    answer = poll.client.post("/v1/pools/chess/items", json={"items": items}, headers=poll.by("append"))
    assert problem(answer, 400, "bad-input")["field"] == f"items[1].{field}"
    assert poll.client.get("/v1/pools/chess/items").json()["count"] == 4
