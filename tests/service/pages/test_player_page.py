"""Profiles: every number as the API has it, changes as differences of what is shown, charts without a style in them."""

import html
import re

import orjson
import pytest
from clubs import Club

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


def test_head_to_head_is_as_matches_count_now(club: Club) -> None:
    for n in range(4):
        club.played(f"m{n}", "ann", "bob", 1.0)
    ledger = club.client.app.state.service.ledger  # type: ignore[attr-defined]
    ledger.annul(["m0"], pool="chess", id="c1", reason="not played")
    receipt = ledger.change(
        {"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 0}, pool="chess", id="c2", reason="a typo"
    )
    ledger.settled(receipt, 30)
    page = club.client.get("/pools/chess/players/ann", headers=HTML).text
    table = page.partition("head-to-head")[2].partition("</section>")[0]
    assert re.findall(r'<td class="n">(?:<a [^>]*>)?(\d+)<', table) == ["3", "2", "0", "1"]
    assert "As matches count now, corrections included." in table


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
