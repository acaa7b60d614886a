"""Boards as pages: the numbers of the API, marks in words too, and pages by key."""

import html
import re
from pathlib import Path

from clubs import Clock, Club, opened
from desks import text_of
from starlette.testclient import TestClient

import tallymark as tm
from tallymark.service.app import create_app
from tallymark.service.settings import Settings
from tallymark.service.shown import band, interval_words

HTML = {"Accept": "text/html"}
DAY = 86_400_000_000
"""In microseconds."""


def rows(text: str) -> list[list[str]]:
    """What a reader hears of each row: the texts of its cells, without what phones have in their place."""
    body = re.sub(r'<small class="second">.*?</small>', "", text.partition("<tbody>")[2].partition("</tbody>")[0])
    return [
        [html.unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.S)]
        for row in re.findall(r"<tr.*?</tr>", body, re.S)
    ]


def test_a_board_shows_what_the_api_does(club: Club) -> None:
    for n, (a, b, score) in enumerate([("ann", "bob", 1.0), ("cid", "ann", 0.0), ("bob", "cid", 0.5)]):
        club.played(f"m{n}", a, b, score)
    told = club.client.get("/v1/pools/chess/ratings").json()["ratings"]
    page = club.client.get("/pools/chess", headers=HTML).text
    for row, api in zip(rows(page), told, strict=True):
        shown = api["shown"]
        assert row[1] == api["player"]
        assert row[2] == f"{shown['rating']}? provisional"
        assert row[3] == str(shown["deviation"])
        assert row[4] == f"{shown['low']} to {shown['high']}"
        assert f'<data value="{api["rating"]}" title="{api["rating"]!r}"' in page
    assert [row[0] for row in rows(page)] == ["1", "1, place 2", "1, place 3"]
    assert "As of <a href=" in page
    assert "entry 4</a>" in page
    assert club.client.get("/v1/pools").json()["pools"][0]["hash"] in page


def test_a_pool_without_games_says_so(shared: Club) -> None:
    assert "No games yet" in shared.client.get("/pools/chess", headers=HTML).text


def test_names_are_escaped_and_ids_keep_their_kind_in_links(club: Club) -> None:
    ids: list[str | int] = ["<b>&\"'", "a/b c", 17, "17", "å?#%"]
    for n, one in enumerate(ids):
        body = {"player_a": one, "player_b": "zoe", "score_a": 1}
        answer = club.client.put(f"/v1/pools/chess/matches/m{n}?wait=30", json=body, headers=club.by("append"))
        assert answer.status_code == 201, answer.text
    page = club.client.get("/pools/chess", headers=HTML).text
    assert "<b>" not in page
    links = set(re.findall(r'/pools/chess/players/([^"]+)"', page))
    assert links == {"%3Cb%3E%26%22%27", "a%2Fb%20c", "17", "%2217%22", "%C3%A5%3F%23%25", "zoe"}


def test_the_pages_of_a_board_have_everybody_once(club: Club) -> None:
    lines = [{"id": n, "player_a": n, "player_b": n + 500, "score_a": 1} for n in range(60)]
    for line in lines:
        club.client.put(f"/v1/pools/chess/matches/{line['id']}", json=line, headers=club.by("append"))
    club.played("last", "x", "y", 1)
    seen: list[str] = []
    path: str | None = "/pools/chess"
    while path is not None:
        page = club.client.get(path, headers=HTML).text
        seen += [row[1] for row in rows(page)]
        found = re.search(r'<a href="([^"]+)" rel="next">Next page', page)
        path = None if found is None else html.unescape(found[1])
    assert len(seen) == len(set(seen)) == 122


def test_weeks_are_named_and_lead_to_the_one_before(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    page = club.client.get("/pools/chess?window=week", headers=HTML).text
    assert "Week 22 of 2026, 25 May to 31 May" in page
    assert len(rows(page)) == 2
    assert "window=week&amp;at=2026-05-18" in page
    before = club.client.get("/pools/chess?window=week&at=2026-05-18", headers=HTML).text
    assert "Nobody has a match that was settled then" in before
    assert club.client.get("/pools/chess?window=year", headers=HTML).status_code == 422


def test_a_window_says_whom_it_lists_and_that_games_are_of_all_time(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    club.clock.at += 40 * DAY
    club.played("m2", "ann", "bob", 0.5)
    all_time, week, rolling, before = (
        club.client.get(f"/pools/chess{query}", headers=HTML).text
        for query in ("", "?window=week", "?window=rolling&days=7", "?window=month&at=2026-05-31")
    )
    assert "settled" not in all_time
    assert ">Games</th>" in all_time
    assert rows(week)[0][5:] == ["2", "1\N{EN DASH}1\N{EN DASH}0"]
    games = "Ratings, games and records are of all time, up to"
    for page, listed, end in (
        (week, "in this week", "now"),
        (rolling, "in the last 7 days", "now"),
        (before, "in this month", "the end of the month"),
    ):
        assert f"Everybody with a match settled {listed}. {games} {end}." in page
        assert "A match is settled when it is rated and entered here" in page
        assert ">All games</th>" in page
    assert rows(before)[0][5:] == ["1", "1\N{EN DASH}0\N{EN DASH}0"]
    assert '<small class="second"><span>2 games</span> <span>1\N{EN DASH}1\N{EN DASH}0</span></small>' in week


def test_a_window_that_is_over_says_when_it_is_frozen(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    path = "/pools/chess?window=month&at=2026-05-31"
    month = club.client.get(path, headers=HTML).text
    assert "up to now." in month
    club.clock.at += 40 * DAY
    month = club.client.get(path, headers=HTML).text
    assert "up to its end. It is frozen with the next entry of the pool." in month
    assert "closed, and frozen" not in month
    club.played("m2", "ann", "bob", 0.5)
    month = club.client.get(path, headers=HTML).text
    assert "up to the end of the month." in month
    assert "closed, and frozen" in month


def test_the_twin_of_a_board_says_the_same(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    club.played("m2", "cid", "bob", 1)
    for query in ("", "?search=a", "?window=rolling&days=7", "?window=month&provisional=apart", "?around=bob"):
        page = club.client.get(f"/pools/chess{query}", headers=HTML).text
        twin = re.search(r'<link rel="alternate" type="application/json" href="([^"]+)"', page)
        assert twin is not None
        api = club.client.get(html.unescape(twin[1]))
        assert api.status_code == 200, api.text
        assert [row["player"] for row in api.json()["board"]] == [row[1] for row in rows(page)]


def test_who_is_sought_is_found_and_filters_stay(club: Club) -> None:
    club.played("m1", "anna", "bob", 1)
    page = club.client.get("/pools/chess?search=an&provisional=apart", headers=HTML).text
    assert [row[1] for row in rows(page)] == ["anna"]
    assert "/pools/chess?window=week&amp;provisional=apart&amp;search=an" in page
    assert "Nobody here has a name or id that begins so" in club.client.get("/pools/chess?search=x", headers=HTML).text
    sent = club.client.get("/pools/chess?kind=&provisional=with&search=", headers=HTML)  # what the form sends
    assert (sent.status_code, len(rows(sent.text))) == (200, 2)
    assert "Nobody here is like that" in club.client.get("/pools/chess?kind=house", headers=HTML).text


def test_a_page_that_was_overtaken_begins_again(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    cursor = club.client.get("/v1/pools/chess/boards/all-time?limit=1").json()["next"].split("_")
    cursor[3] = "999"  # the entry that the first page was read at
    answer = club.client.get("/pools/chess", params={"after": "_".join(cursor)}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"] == "/pools/chess"


def test_ux_01_an_interval_says_how_wide_it_is(tmp_path: Path) -> None:
    assert band(1850, 50) == (1750, 1950)
    assert band(1850, 50, 1.96) == (1752, 1948)
    assert (interval_words(2.0), interval_words(1.96)) == ("95 % (±2 RD)", "95 % (±1.96 RD)")
    clock = Clock()
    with tm.Ledger.open(tmp_path / "c.db", create=True, clock=clock) as ledger:
        for pool, interval in (("two", 2.0), ("one", 1.0)):
            ledger.open_pool(pool, tm.methodology("arena").with_({"published.interval": interval}))
            ledger.append({"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 1}, pool=pool)
        ledger.settle()
    with TestClient(create_app(Settings(ledger=str(tmp_path / "c.db")), clock=clock)) as client:  # type: ignore[arg-type]
        two, one = (client.get(f"/pools/{pool}", headers=HTML).text for pool in ("two", "one"))
        profile = client.get("/pools/one/players/ann", headers=HTML).text
    assert "<span>95 % (±2 RD)</span>" in two
    assert rows(two)[0][4] == "1082 to 2243"
    assert "<span>68 % (±1 RD)</span>" in one
    assert rows(one)[0][4] == "1372 to 1953"
    assert "68 % (±1 RD): 1372 to 1953" in profile


def test_a_board_says_which_ratings_are_provisional(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    text = text_of(club.client.get("/pools/chess", headers=HTML))
    assert "provisional ratings: those with a deviation (RD) above 110, which too few games stand behind" in text
    assert "Find a player" in text


def test_a_board_of_votes_is_of_items(club: Club) -> None:
    items = {"items": [{"id": "plum"}, {"id": "pear"}]}
    assert club.client.post("/v1/pools/chess/items", json=items, headers=club.by("append")).status_code == 200
    assert "No votes yet." in text_of(club.client.get("/pools/chess", headers=HTML))
    club.played("m1", "plum", "pear", 1)
    page = club.client.get("/pools/chess", headers=HTML).text
    assert 'placeholder="Find an item"' in page
    assert '<th scope="col">Item</th>' in page
    assert ">Votes</th>" in page
    assert "1 vote" in page


def test_a_site_has_a_name_of_its_own(tmp_path: Path) -> None:
    with opened(tmp_path, site="Chess & Co") as club:
        for path in ("/", "/pools/chess", "/pools/chess/methodology", "/pools/none", "/admin/sign-in"):
            page = club.client.get(path, headers=HTML).text
            assert "<span>Chess &amp; Co</span></a>" in page, path
            assert "Chess &amp; Co</title>" in page, path
