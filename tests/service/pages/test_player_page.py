"""Profiles: every number as the API has it, changes as differences of what is shown, charts without a style in them."""

import html
import re
from typing import Any

import orjson
import pytest
from clubs import Club

import tallymark as tm
from tallymark.service.pages.career import career_of
from tallymark.service.pages.charts import drawn
from tallymark.service.pages.words import change, exact_change

HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def played(shared: Club) -> Club:
    for n in range(30):
        shared.played(f"m{n}", "ann", ("bob", "cid", "dan")[n % 3], (1.0, 0.5, 1.0, 0.0)[n % 4])
    return shared


def texts(page: str, pattern: str) -> list[str]:
    return [html.unescape(re.sub(r"<[^>]+>", "", one)).strip() for one in re.findall(pattern, page, re.S)]


def test_ux_03_the_shown_change_is_the_difference_of_the_shown_numbers_and_the_exact_one_is_there() -> None:
    assert (change(1970.4, 1970.996), exact_change(1970.4, 1970.996)) == ("+1", "+0.60")
    assert (change(1499.5, 1500.4), exact_change(1499.5, 1500.4)) == ("+0", "+0.90")


def test_changes_add_up_down_the_page(played: Club) -> None:
    page = played.client.get("/pools/chess/players/ann", headers=HTML).text
    ratings = [int(one) for one in texts(page, r'<span class="rating" title="[^"]*">(.*?)</span>')]
    changes = [
        int(one.replace("\N{MINUS SIGN}", "-")) for one in texts(page, r"<summary aria-label=[^>]*>(.*?)</summary>")
    ]
    assert len(ratings) == len(changes) == 20
    for newer, older, moved in zip(ratings, ratings[1:], changes, strict=False):
        assert newer - older == moved
    assert len(texts(page, r"exactly ([^<]+)<")) == 20


def test_svc_16_profile_board_and_api_show_one_rating_and_say_of_when(played: Club) -> None:
    api = played.client.get("/v1/pools/chess/players/ann").json()
    player = api["player"]
    profile = played.client.get("/pools/chess/players/ann", headers=HTML)
    board = played.client.get("/pools/chess", headers=HTML)
    (on_board,) = re.findall(
        r'players/ann">.*?<data value="([^"]+)" title="([^"]+)" class="rating">([^<]+)<', board.text, re.S
    )
    (on_profile,) = re.findall(r'<p class="big"><data value="([^"]+)">([^<]+)<', profile.text)
    assert on_profile == (str(player["rating"]), str(player["shown"]["rating"]))
    assert on_board == (str(player["rating"]), str(player["rating"]), str(player["shown"]["rating"]))
    exact = texts(profile.text, r"<dd><code>(.*?)</code></dd>")
    assert exact == [str(player[name]) for name in ("rating", "deviation", "volatility")]
    for page in (profile, board):
        assert f"entry {api['position']}</a>" in page.text
        assert page.headers["etag"].startswith(f'"chess-{api["position"]}-')


def test_the_record_and_head_to_head_are_those_of_the_matches(played: Club) -> None:
    page = played.client.get("/pools/chess/players/ann", headers=HTML).text
    api = played.client.get("/v1/pools/chess/players/ann").json()["player"]
    assert f"{api['wins']} won, {api['draws']} drawn, {api['losses']} lost" in page
    table = page.partition("head-to-head")[2].partition("</table>")[0]
    rows = re.findall(r"<tr>\s*<th.*?</tr>", table.partition("<tbody>")[2], re.S)
    counts = [[int(n) for n in re.findall(r'<td class="n">(?:<a [^>]*>)?(\d+)<', row)] for row in rows]
    assert [sum(column) for column in zip(*counts, strict=True)] == [30, api["wins"], api["draws"], api["losses"]]


def four(club: Club, late: str) -> None:
    """Four matches that ann won, of which one is annulled and one was lost after all; and one that came late."""
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("p", tm.methodology("arena").with_(late=late))
        match: dict[str, Any] = {"player_a": "ann", "player_b": "bob", "score_a": 1}
        for n in range(4):
            ledger.append({**match, "id": f"m{n}", "played_at": f"2026-01-0{n + 1}"}, pool="p")
        ledger.settle()
        ledger.annul(["m0"], pool="p", id="c1", reason="not played")
        ledger.change(
            {**match, "id": "m1", "score_a": 0, "played_at": "2026-01-02"}, pool="p", id="c2", reason="a typo"
        )
        ledger.append({**match, "id": "late", "score_a": 0.5, "played_at": "2026-01-02T12:00:00Z"}, pool="p")
        ledger.settle()


@pytest.mark.parametrize(
    ("late", "counts"), [("recompute", ["4", "2", "1", "1"]), ("ledger-order", ["5", "4", "1", "0"])]
)
def test_head_to_head_record_and_history_say_one_thing(club: Club, late: str, counts: list[str]) -> None:
    four(club, late)
    page = club.client.get("/pools/p/players/ann", headers=HTML).text
    table = page.partition("head-to-head")[2].partition("</section>")[0]
    assert re.findall(r'<td class="n">(?:<a [^>]*>)?(\d+)<', table) == counts
    assert "As matches count now: what corrections did to the ratings is in it." in table
    api = club.client.get("/v1/pools/p/players/ann").json()["player"]
    assert [str(api[name]) for name in ("games", "wins", "draws", "losses")] == counts
    pair = club.client.get("/v1/pools/p/head-to-head?a=ann&b=bob").json()
    assert [str(pair[name]) for name in ("games", "wins", "draws", "losses")] == counts
    history = club.client.get("/v1/pools/p/players/ann/history").json()["changes"]
    now = {one["match"]: one["now"] for change in history for one in change["matches"] if one["now"] is not None}
    assert str(len(now)) == counts[0]
    changes = page.partition('id="changes"')[2]
    if late == "recompute":
        assert 'tag">counts no more</span>' in changes
        assert 'tag">now: lost to bob</span>' in changes
    else:
        assert "counts no more" not in changes


def test_what_was_computed_again_names_its_causes(club: Club) -> None:
    four(club, "recompute")  # together or one by one, as the rater of the service took them
    page = club.client.get("/pools/p/players/ann", headers=HTML).text
    rows = "".join(one for one in page.split("<tr>") if "omputed again" in one)
    changes = [one for one in club.client.get("/v1/pools/p/players/ann/history").json()["changes"] if one["causes"]]
    causes = [cause for row in changes[::-1] for cause in row["causes"]]
    assert [one["what"] for one in causes] == ["annul", "change", "late"]
    for cause in causes:
        assert f'href="/pools/p/entries/{cause["position"]}"' in rows
        assert f'href="/pools/p/matches/{cause["matches"][0]}"' in rows
    assert "not played" in rows
    for row in changes:
        entry = club.client.get(f"/v1/pools/p/entries/{row['of']}").json()
        assert '"kind":"restated"' in entry["body"]


def test_late_matches_and_corrections_leave_the_time_axis_with_the_games(club: Club) -> None:
    four(club, "recompute")
    service = club.service
    values = career_of(service, "p", "ann", service.ledger.history("ann", "p", 1)[0].position)
    assert [f"{point.at:%d %H}" for point in values.points] == ["02 00", "02 12", "03 00", "04 00"]
    last = service.ledger.recomputations("p")[-1].position
    assert (values.played, values.computed, values.whole) == (True, last, True)
    rating = club.client.get("/v1/pools/p/players/ann").json()["player"]["rating"]
    assert values.points[-1].rating == rating
    page = club.client.get("/pools/p/players/ann", headers=HTML).text
    assert "by the days on which matches were played" in page
    assert f'href="/pools/p/entries/{last}">entry {last}</a> computed it again' in page


def test_what_is_of_no_match_stands_where_the_last_match_does(club: Club) -> None:
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("p", "arena")
        for n in (3, 1):  # the second one came late, and is rated as it comes
            ledger.append(
                {"id": n, "player_a": "ann", "player_b": "bob", "score_a": 1, "played_at": f"2026-01-0{n}"}, pool="p"
            )
        ledger.adjust({"ann": tm.Rating(1600, 90)}, pool="p", id="a", reason="a slip")
        ledger.settle()
    found = career_of(club.client.app.state.service, "p", "ann", 4)  # type: ignore[attr-defined]
    assert [point.at.day for point in found.points] == [3, 3, 3]
    assert (found.played, [point.position for point in found.points]) == (True, [2, 3, 4])


@pytest.mark.parametrize(
    ("undated", "at"),
    [
        ({1}, ["2026-01-01", "2026-01-03", "2026-01-03"]),  # rated before that of 3 January: not behind it
        ({2}, ["2026-01-01", "2026-01-02", "2026-05-28"]),
        ({0, 1, 2}, ["2026-05-28"] * 3),
    ],
)
def test_a_match_without_a_day_stands_where_it_came_and_the_others_where_they_are(
    club: Club, undated: set[int], at: list[str]
) -> None:
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("p", "arena")
        for n in range(3):
            match: dict[str, Any] = {"id": n, "player_a": "ann", "player_b": "bob", "score_a": 1}
            if n not in undated:
                match["played_at"] = f"2026-01-0{n + 1}"
            ledger.append(match, pool="p")
        ledger.settle()
    found = career_of(club.client.app.state.service, "p", "ann", 4)  # type: ignore[attr-defined]
    assert [f"{point.at:%Y-%m-%d}" for point in found.points] == at
    page = club.client.get("/pools/p/players/ann", headers=HTML).text
    assert ("by the days on which matches were played, 1 match without a day by the one on which it came" in page) == (
        len(undated) == 1
    )
    assert ("by the days on which results came in" in page) == (len(undated) == 3)


def test_older_changes_are_a_page_on(played: Club) -> None:
    page = played.client.get("/pools/chess/players/ann", headers=HTML).text
    older = re.search(r'href="([^"]+)#changes" rel="next"', page)
    assert older is not None
    second = played.client.get(html.unescape(older[1]), headers=HTML).text
    assert len(texts(second, r"<summary aria-label=[^>]*>(.*?)</summary>")) == 10
    assert "The newest" in second


def test_who_never_played_has_no_page(played: Club) -> None:
    found = played.client.get("/pools/chess/players/nobody", headers=HTML)
    assert (found.status_code, "There is no such player" in found.text) == (404, True)


@pytest.mark.parametrize("theme", drawn.THEMES)
@pytest.mark.parametrize("size", drawn.SIZES)
def test_charts_are_drawn_without_styles_and_kept_while_nothing_happens(played: Club, theme: str, size: str) -> None:
    path = f"/pools/chess/players/ann/chart.svg?theme={theme}&size={size}"
    found = played.client.get(path)
    assert (found.status_code, found.headers["content-type"]) == (200, "image/svg+xml")
    assert "<path" in found.text
    assert not re.search(r"style=|<style|<script|https?://(?!www\.w3\.org)", found.text)
    again = played.client.get(path, headers={"If-None-Match": found.headers["etag"]})
    assert again.status_code == 304


def test_the_chart_to_explore_has_its_data_in_it_and_asks_for_none(played: Club) -> None:
    spec = orjson.loads(played.client.get("/pools/chess/players/ann/chart.json").content)
    values = [one["values"] for one in spec["data"] if "values" in one]
    assert any(len(some) == 30 for some in values)
    assert not [one for one in spec["data"] if "url" in one]
    page = played.client.get("/pools/chess/players/ann", headers=HTML).text
    script = re.search(r'data-script="([^"]+)"', page)
    assert script is not None
    assert script[1] == drawn.bundle_path()
    assert played.client.get("/charts/0.0/vega.js").status_code == 404
    assert played.client.head(script[1]).headers["cache-control"].endswith("immutable")


def test_a_late_match_is_named_by_its_players_and_says_whom_it_moved(club: Club) -> None:
    late = "ab12" * 8
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("p", tm.methodology("arena").with_(late="recompute"))
        for n, (a, b) in enumerate((("Greta", "Dan"), ("Bert", "Dan"), ("Dan", "Ann"))):
            at = f"2025-11-0{n + 1}"
            ledger.append({"id": n, "player_a": a, "player_b": b, "score_a": 1, "played_at": at}, pool="p")
        ledger.settle()
        match: dict[str, Any] = {"id": late, "player_a": "Greta", "player_b": "Bert", "score_a": 1}
        ledger.append({**match, "played_at": "2025-10-20"}, pool="p")
        ledger.settle()

    def told(player: str) -> str:
        page = club.client.get(f"/pools/p/players/{player}", headers=HTML).text
        row = next(one for one in page.partition('id="changes"')[2].split("<tr>") if "omputed again" in one)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", row.partition("<td>")[2].partition("</td>")[0])).split())

    assert told("Greta").startswith("Won against Bert , 20 Oct 2025, came late, so everything was computed again")
    assert told("Bert").startswith("Lost to Greta , 20 Oct 2025, came late, so everything was computed again")
    assert told("Dan").startswith(f"Computed again: a late match, Greta v Bert, 20 Oct 2025 {late} entry")
    for path in ("entries/5", "entries/6", f"matches/{late}/flag"):
        page = club.client.get(f"/pools/p/{path}", headers=HTML).text
        assert "Greta v Bert, 20 Oct 2025" in page, path


def test_who_has_no_result_yet_has_a_page_where_the_api_has_an_answer(club: Club) -> None:
    told = {"items": [{"id": "plum", "text": "With yeast."}, {"id": "fig", "name": "Fig tart"}]}
    club.client.post("/v1/pools/chess/items", json=told, headers=club.by("append")).raise_for_status()
    for player, words in (("plum", "With yeast."), ("fig", "Fig tart")):
        answer = club.client.get(f"/pools/chess/players/{player}", headers={"Accept": "text/html"})
        assert answer.status_code == 200
        assert words in answer.text
        assert "No result is rated here yet. Who begins has 1500" in answer.text
        assert club.client.get(f"/v1/pools/chess/players/{player}").json()["player"]["games"] == 0
    for path in ("/pools/chess/players/nobody", "/v1/pools/chess/players/nobody"):
        assert club.client.get(path).status_code == 404


def test_who_was_merged_away_is_known_to_page_and_api_alike(club: Club) -> None:
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        ledger.open_pool("p", tm.methodology("arena").with_(late="recompute"))
        for n, (a, b) in enumerate([("ann", "bob"), ("cid", "bob")]):
            ledger.append({"id": n, "player_a": a, "player_b": b, "score_a": 1}, pool="p")
        ledger.settle()
        ledger.merge("cid", into="ann", pool="p", id="one", reason="one person")
        ledger.settle()
    for path in ("/pools/p/players/cid", "/v1/pools/p/players/cid"):
        assert club.client.get(path).status_code == 200
