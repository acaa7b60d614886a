"""What people do on pages: with the keyboard alone, in light and dark, while results come in, and on paper."""

import pytest
from looking import Watched, stumbled_over
from playwright.sync_api import expect


def focused(watched: Watched) -> str:
    return str(watched.page.evaluate("document.activeElement.textContent || document.activeElement.id"))


def test_a_player_is_found_and_read_about_with_the_keyboard(watched: Watched) -> None:
    page = watched.open("/pools/football")
    page.keyboard.press("Tab")
    assert focused(watched) == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "search":
            break
    page.keyboard.type("ång")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pools/football?*search=*")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.locator("a.player").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/players/Team%20A0")
    assert page.locator("h1").inner_text() == "Ångström & sons"
    reveal = page.locator(".reveal summary").first
    reveal.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".reveal span").first).to_be_visible()


def test_light_and_dark_are_chosen_and_kept(watched: Watched) -> None:
    page = watched.open("/")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    button = page.get_by_role("button", name="Colours: as the system has them")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Colours: light")).to_be_focused()
    page.keyboard.press("Enter")
    dark = page.evaluate(paper)
    assert dark != light
    watched.open("/pools/football")
    assert page.evaluate(paper) == dark
    expect(page.get_by_role("button", name="Colours: dark")).to_be_visible()


@pytest.mark.parametrize("watched", [(1280, "light"), (390, "dark")], indirect=True)
def test_a_board_follows_its_pool(watched: Watched) -> None:
    page = watched.open("/pools/football")
    row = page.locator("tr", has=page.get_by_role("link", name="Team C3", exact=True))
    before = int(row.locator("data.rating").inner_text())
    with page.expect_response(lambda answer: answer.url.endswith("/pools/football")):
        name = f"live-{page.viewport_size['width'] if page.viewport_size else 0}"
        watched.site.played(name, "Team C3", "Team D4", 1)
    chip = row.locator(".chip")
    expect(chip).to_be_visible()
    after = int(row.locator("data.rating").inner_text())
    assert chip.inner_text() == f"+{after - before}"
    assert "Team C3" in page.locator("#live").inner_text()
    told = page.locator("#as-of").inner_text()
    answer = watched.context.request.get(f"{watched.site.url}/v1/pools/football").json()
    assert f"entry {answer['position']:,}" in told


def test_a_chart_is_explored(watched: Watched, axe: str) -> None:
    page = watched.open("/pools/football/players/Team%20A0")
    picture = page.locator(".only-light img")
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0
    page.get_by_role("button", name="Explore").press("Enter")
    canvas = page.locator(".canvas canvas")
    expect(canvas).to_be_visible()
    expect(picture).to_be_hidden()
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".chart output")).to_contain_text(" to ")
    assert stumbled_over(page, axe) == []


def test_standings_print(watched: Watched) -> None:
    page = watched.open("/pools/football")
    page.emulate_media(media="print", color_scheme="dark")
    for hidden in (".tabs", ".controls", ".theme", ".pages"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator("td.record").first).to_be_visible()
    expect(page.locator("#as-of")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"


def test_without_scripts_everything_can_be_read(watched: Watched) -> None:
    browser = watched.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{watched.site.url}/pools/football")
    page.fill("#search", "Team A")
    page.click("form.find button")
    expect(page.locator("tbody tr")).to_have_count(8)
    page.click("a.player >> nth=0")
    expect(page.locator(".only-light img")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    context.close()
