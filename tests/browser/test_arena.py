"""The arena in a browser: a live match is watched, a finished one stepped through and flagged, the case worked, and
what came of it seen with its evidence (bar 6)."""

import json
import re
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from arenas import Arena, arena
from listeners import serving
from looking import Watched, Window, fits, stumbled_over
from playwright.sync_api import Browser, Page, Route, expect
from pydantic import SecretStr
from showcase import Site, hired

from tallymark.arena import Agent, Request
from tallymark.ledger.ledger import wall_clock
from tallymark.service.settings import Settings

WINDOWS: list[Window] = [(1280, "light"), (390, "dark")]
SPEECH = "<img src=x onerror=alert(1)> I saw \u2018nothing\u2019 & nobody."
EXHIBITED = {
    "werewolf": [f"house-werewolf-{manner}" for manner in ("open", "careful", "bluffing", "trusting")],
    "kuhn-poker": ["house-kuhn-poker-random", "house-kuhn-poker-greedy"],
}


class First(Agent):
    """Takes the first action there is, and says what breaks pages."""

    def act(self, request: Request) -> str:
        return request.legal[0] if request.legal else SPEECH


class Wrong(Agent):
    """Never does what is allowed."""

    def act(self, request: Request) -> str:
        return SPEECH


class Stadium(NamedTuple):
    """A site with an arena, and where it is."""

    site: Site
    arena: Arena

    def exhibit(self, game: str, *manners: str) -> str:
        """House agents begin an exhibition; its id."""
        agents = [f"house-{game}-{manner}" for manner in manners]
        body = json.dumps({"game": game, "agents": agents}).encode()
        headers = {"Authorization": f"Bearer {self.site.people['rosa']}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.site.url}/v1/arena/exhibitions", body, headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            found: str = json.load(answer)["match"]
        return found

    def played(self, *agents: Agent, game: str) -> None:
        """Agents play a match."""
        with ThreadPoolExecutor() as pool:
            for one in [pool.submit(agent.play, self.site.url, game, matches=1) for agent in agents]:
                assert len(one.result(120)) == 1


@pytest.fixture(scope="module")
def stadium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stadium]:
    with arena(tmp_path_factory.mktemp("stadium"), reads_a_minute=0, beat_seconds=1) as found:
        people = hired(found.path, wall_clock)
        made = Stadium(Site(found.url, found.keys["nobody"], people), found)
        keys = found.keys
        made.played(First("ann-1", key=keys["ann"]), First("bob-1", key=keys["bob"], version="2"), game="connect-four")
        made.played(First("ann-1", key=keys["ann"]), Wrong("bob-2", key=keys["bob"]), game="tic-tac-toe")
        made.played(First("cyd-1", key=keys["cyd"], version="1"), game="tic-tac-toe-benchmark")
        yield made


@pytest.fixture
def seen(browser: Browser, stadium: Stadium, request: pytest.FixtureRequest) -> Iterator[Watched]:
    """A page in a window, of the site with an arena. Nothing may go wrong."""
    width, colours = getattr(request, "param", WINDOWS[0])
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=colours, reduced_motion="reduce"
    )
    context.set_default_timeout(60_000)
    found = Watched(context, stadium.site)
    yield found
    context.close()
    assert found.wrong == []


both = pytest.mark.parametrize("seen", WINDOWS, indirect=True, ids=lambda one: f"{one[0]} {one[1]}")


def signed_in(seen: Watched, name: str) -> Page:
    page = seen.open("/admin")
    page.get_by_label("Key").fill(seen.site.people[name])
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Admin")
    return page


def fits_in(page: Page, selector: str) -> bool:
    """Whether all of something is in the window, without scrolling anything."""
    box = page.locator(selector).bounding_box()
    viewport = page.viewport_size
    assert box is not None
    assert viewport is not None
    return box["x"] >= 0 and box["x"] + box["width"] <= viewport["width"]


def lines(page: Page, selector: str) -> int:
    """On how many lines the text of some things stands, at most; 0 where there are none."""
    found: int = page.evaluate(
        """(of) => Math.max(0, ...[...document.querySelectorAll(of)].filter((one) => one.offsetParent).map((one) => {
            const range = document.createRange();
            range.selectNodeContents(one);
            return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
        }))""",
        selector,
    )
    return found


@both
def test_every_page_of_the_arena(seen: Watched, axe: str) -> None:
    for path in (
        "/arena", "/arena/matches", "/arena/matches?game=hex&state=aborted", "/arena/matches/connect-four-1",
        "/arena/matches/tic-tac-toe-1", "/arena/agents/bob-1", "/arena/agents/house-hex-search", "/arena/agents/cyd-1",
        "/pools/connect-four",
    ):  # fmt: skip
        page = seen.open(path)
        if "/matches/" in path:
            expect(page.locator("svg.drawn-board")).to_be_visible()
        assert fits(page), path
        assert fits_in(page, ".top .all"), path
        assert lines(page, ".matches .player, .matches .when, .benched .when") <= 1, path
        assert page.locator("h1").count() == 1, path
        assert stumbled_over(page, axe) == [], path


@both
def test_a_live_match_is_watched_to_its_end(seen: Watched, stadium: Stadium) -> None:
    match = stadium.exhibit("tic-tac-toe", "random", "greedy")
    page = seen.open("/arena")
    page.get_by_role("link", name=match).first.click()
    page.wait_for_url(f"**/{match}")
    expect(page.locator("#outcome")).to_have_text("It is played now.")
    expect(page.locator("svg.drawn-board .stroke")).not_to_have_count(0)
    expect(page.locator(".moves li")).not_to_have_count(0)
    expect(page.locator("#outcome")).to_contain_text("not rated")
    expect(page.locator("#seed-check")).to_contain_text("Checked by this browser just now: both are so.")


def row(page: Page) -> int:
    """The row of the list that is marked, from 1."""
    found: int = page.evaluate(
        "[...document.querySelectorAll('.moves li')].findIndex((one) => one.matches('.here')) + 1"
    )
    return found


def test_a_live_match_is_stepped_back_in_and_marks_the_row_of_its_position(seen: Watched, stadium: Stadium) -> None:
    match = stadium.exhibit("hex", "random", "greedy")
    page = seen.open(f"/arena/matches/{match}")
    rows, hexes = page.locator(".moves li"), page.locator(".cell:is(.one, .two)")
    expect(rows.nth(5)).to_be_visible()
    page.reload()  # so that the list begins with actions that this page did not see happen
    expect(rows.first.locator("button")).to_be_visible()
    for key, left in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        assert row(page) == hexes.count() == left
    rows.nth(4).locator("button").click()
    expect(page.locator(".told")).to_contain_text("5 of ")
    assert row(page) == hexes.count() == 5
    expect(rows.filter(has_not=page.locator("svg.key"))).to_have_count(0)
    there = rows.count()
    expect(rows.nth(there)).to_be_visible()  # it goes on, and who stepped back is left there
    expect(page.locator(".told")).to_contain_text(re.compile(rf"5 of ({there + 1}|{there + 2}|{there + 3}):"))
    expect(page.locator(".clock-told")).to_contain_text(
        re.compile(r"Now: house-hex-\w+ thinks, \d+\ss of at most 15\ss")
    )
    assert row(page) == hexes.count() == 5
    page.get_by_role("button", name="Now").press("Enter")
    expect(rows.last).to_have_class("here")


def test_a_page_waits_for_a_server_that_is_gone_and_shows_what_became_of_its_match(
    browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_context().new_page()
    with arena(tmp_path, reads_a_minute=0) as found:
        stadium = Stadium(Site(found.url, "", hired(found.path, wall_clock)), found)
        match = stadium.exhibit("hex", "random", "greedy")
        page.goto(f"{found.url}/arena/matches/{match}")
        expect(page.locator(".moves li")).not_to_have_count(0)
        expect(page.locator(".clock-told")).to_contain_text("Now: ")
        page.route(page.url, lambda route: route.abort())  # as if it were gone before the match is aborted
    expect(page.locator("#outcome")).to_have_text("Connection lost, trying again.")
    expect(page.locator(".clock-told")).to_be_empty()
    settings = Settings(ledger=SecretStr(str(found.path)), arena=True)
    with serving(settings, port=urlsplit(found.url).port or 0):
        page.unroute(page.url)
        expect(page.locator("#outcome")).to_contain_text("The server was restarted")
        expect(page.locator(".steps-through")).to_be_visible()
        expect(page.locator("#seed-check")).to_contain_text("both are so")
    page.context.close()


@both
def test_a_match_is_stepped_through_with_the_keyboard(seen: Watched) -> None:
    page = seen.open("/arena/matches/connect-four-1")
    discs = page.locator("svg.drawn-board .disc")
    expect(page.locator(".moves button").first).to_be_visible()
    end = discs.count()
    assert end == page.locator(".moves li").count()
    page.keyboard.press("Home")
    expect(discs).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(discs).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(discs).to_have_count(1)
    expect(page.locator(".told")).to_contain_text(f"1 of {end}")
    expect(page.locator(".latency .here")).to_have_count(1)
    page.get_by_role("slider", name="Position").focus()
    page.keyboard.press("ArrowRight")
    expect(discs).to_have_count(2)
    page.get_by_role("button", name="The end").press("Enter")
    expect(discs).to_have_count(end)
    page.locator(".moves button").nth(3).press("Enter")
    expect(discs).to_have_count(4)
    page.locator(".moves button").nth(end - 4).press("Enter")
    expect(discs).to_have_count(end - 3)
    page.get_by_role("button", name="Play").press("Enter")
    expect(discs).to_have_count(end)


def test_a_village_says_what_goes_on_before_anything_has_happened(seen: Watched, stadium: Stadium) -> None:
    """Held where it begins: the first position alone, and no word of the stream behind it."""
    match = stadium.exhibit("werewolf", "open", "careful", "bluffing", "trusting", "doubting")
    first = {"game": "werewolf", "day": 1, "phase": "night", "alive": [0, 1, 2, 3, 4], "to_move": None}
    told = {"n": 0, "ms": 0, "seen": first | {"events": [], "roles": None, "told": None}}
    seen.page.route("**/stream", lambda route: route.fulfill(
        content_type="text/event-stream", body=f"event: position\ndata: {json.dumps(told)}\n\n: {' ' * 9}\n\n"
    ))  # fmt: skip
    page = seen.open(f"/arena/matches/{match}")
    expect(page.locator(".told")).to_have_text("Night 1: everybody does in secret what their role may do.")
    expect(page.locator(".steps-through")).to_be_hidden()
    expect(page.locator(".moves")).to_be_hidden()


@pytest.mark.parametrize("game", EXHIBITED)
def test_what_was_hidden_is_shown_at_the_end(seen: Watched, stadium: Stadium, axe: str, game: str) -> None:
    names = EXHIBITED[game]
    manners = [name.removeprefix(f"house-{game}-") for name in names]
    match = stadium.exhibit(game, *manners, *(["doubting"] if game == "werewolf" else []))
    page = seen.open(f"/arena/matches/{match}")
    told = page.locator(".village, .hands")
    expect(told).to_be_visible()
    expect(page.locator(".peek")).to_be_visible(timeout=120_000)
    assert stumbled_over(page, axe) == []
    hidden = page.locator(".role.wolf") if game == "werewolf" else page.locator(".playing-card:not(.covered)")
    expect(hidden.first).to_be_visible()
    page.keyboard.press("Home")
    expect(hidden).to_have_count(0)
    page.get_by_label("Show what was hidden").check()
    expect(hidden.first).to_be_visible()


def test_a_seed_that_is_not_the_one_committed_to_is_seen(seen: Watched) -> None:
    path = "/arena/matches/connect-four-1"

    def forged(route: Route) -> None:
        answer = route.fetch()
        text = re.sub(r'(id="commitment">)[0-9a-f]{2}', r"\g<1>zz", answer.text())
        route.fulfill(response=answer, body=text)

    seen.page.route(f"**{path}", forged)
    page = seen.open(path)
    expect(page.locator("#seed-check.wrong")).to_contain_text("NOT the one that was committed to")


def test_a_match_of_another_ruleset_keeps_its_result_and_its_seed_is_checked(seen: Watched, stadium: Stadium) -> None:
    asked: list[str] = []
    with stadium.arena.renamed("tic-tac-toe-1", "tic-tac-toe-0"):
        seen.page.on("request", lambda request: asked.append(request.url))
        page = seen.open("/arena/matches/tic-tac-toe-1")
        expect(page.locator("#seed-check")).to_contain_text("both are so")  # behind the viewer in the same script
        page.wait_for_load_state("networkidle")
    expect(page.locator("#outcome")).to_contain_text("ann-1 won")
    expect(page.locator(".table")).to_contain_text("does not play tic-tac-toe by the ruleset tic-tac-toe-0")
    assert [url for url in asked if "undefined" in url] == []


def test_what_agents_say_is_text(seen: Watched) -> None:
    page = seen.open("/arena/matches/tic-tac-toe-1")
    expect(page.locator(".given")).to_have_text(SPEECH)
    assert page.locator("main img").count() == 0


def test_a_match_is_flagged_and_the_case_worked_to_an_adjustment(seen: Watched, axe: str) -> None:
    page = seen.open("/arena/matches/tic-tac-toe-1")
    expect(page.locator("#outcome")).to_contain_text("ann-1 won")
    page.get_by_role("link", name="Is something wrong with this match?").press("Enter")
    page.locator("#why").fill("The action came from a proxy of ours, not from the agent.")
    page.locator("button.primary").press("Enter")
    expect(page.locator(".callout")).to_contain_text("Thank you.")

    page = signed_in(seen, "rosa")
    page.get_by_role("link", name=re.compile("1 case open")).press("Enter")
    page.get_by_role("row").filter(has_text="tic-tac-toe-1").get_by_role("link").press("Enter")
    case = page.url
    assert stumbled_over(page, axe) == []
    page.locator("#act ~ .steps summary").first.press("Enter")
    page.locator("#act ~ .steps details[open] textarea").first.fill("I look at it.")
    page.locator("#act ~ .steps details[open] button").first.press("Enter")
    expect(page.locator(".lead .tag")).to_have_text("under review")
    page.get_by_label("Set a rating by hand").check()
    for label, value in {"Player": "bob-2", "Rating": "1500", "Deviation": "350", "Volatility": "0.06"}.items():
        page.locator(".for-adjust").get_by_label(label, exact=True).fill(value)
    page.locator("textarea#why").fill("The action came from a proxy of the site.")
    page.locator("button[value=propose]").press("Enter")
    expect(page.locator(".proposal")).to_contain_text("rosa stands for it: 1 of 2")

    page.get_by_role("button", name="Sign out").press("Enter")
    expect(page.locator("h1")).to_have_text("Sign in")
    signed_in(seen, "sam")
    reloaded_until(page, case, ".proposal .evidence")  # nobody approves what has no evidence
    expect(page.locator(".proposal .evidence")).to_contain_text("bob-2")
    page.locator(".proposal .step summary").first.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("So it was.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".lead .tag").first).to_have_text("upheld")
    expect(page.locator(".proposal")).to_contain_text("rosa, sam stand for it: 2 of 2")
    reloaded_until(page, f"{seen.site.url}/pools/tic-tac-toe/players/bob-2", "text=Adjusted by people")
    expect(page.locator(".figure.main data")).to_have_text("1500")
    page.locator("td.entry a").first.click()
    expect(page.locator("main")).to_contain_text("The action came from a proxy of the site.")
    expect(page.locator("main")).to_contain_text("rosa")


def reloaded_until(page: Page, url: str, selector: str) -> None:
    """Looks at a page until something is on it."""
    for _ in range(60):
        page.goto(url)
        if page.locator(selector).count():
            return
        page.wait_for_timeout(250)
    raise AssertionError(f"{selector} never came to {url}")
