"""What those who run a site do, in a browser: a correction by keyboard and by two people; a file; every page."""

import re
from pathlib import Path

import pytest
from looking import Watched, Window, fits, stumbled_over
from playwright.sync_api import FilePayload, Page, expect

WINDOWS: list[Window] = [(1280, "dark"), (390, "light")]
CSV = "player_a,player_b,score_a\nann,bob,1\ncid,,1\n"


def signed_in(watched: Watched, name: str) -> Page:
    """Signs in with the keyboard."""
    page = watched.open("/admin")
    page.locator("#key").focus()
    page.keyboard.insert_text(watched.site.people[name])
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Admin")
    return page


def tabbed_to(page: Page, selector: str) -> None:
    """Goes on by the tabulator until it is there, on the page that a link has led to."""
    page.wait_for_function("selector => document.querySelector(selector)", arg=selector)
    for _ in range(60):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not come to {selector}")


@pytest.mark.parametrize("watched", WINDOWS[:1], indirect=True, ids=lambda one: f"{one[0]} {one[1]}")
def test_a_correction_with_the_keyboard_by_two_people(watched: Watched, axe: str) -> None:
    page = watched.open("/pools/football/matches/f3")
    page.get_by_role("link", name="Is something wrong with this match?").press("Enter")
    tabbed_to(page, "#why")
    page.keyboard.type("The other side won.")
    tabbed_to(page, "button.primary")
    page.keyboard.press("Enter")
    expect(page.locator(".callout")).to_contain_text("Thank you.")

    page = signed_in(watched, "rosa")
    page.get_by_role("link", name=re.compile("1 case open")).press("Enter")
    tabbed_to(page, "th a")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(re.compile(".+ v .+"))
    tabbed_to(page, "#act ~ .steps summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("I look at it.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".lead .tag")).to_have_text("under review")
    tabbed_to(page, "select[name=result]")
    page.keyboard.type("the second")
    tabbed_to(page, "#why")
    page.keyboard.type("The score sheet was read the wrong way round.")
    tabbed_to(page, "button[value=try]")
    page.keyboard.press("Enter")
    expect(page.locator(".evidence")).to_contain_text("would stand elsewhere")
    assert stumbled_over(page, axe) == []
    tabbed_to(page, "button[value=propose]")
    page.keyboard.press("Enter")
    expect(page.locator(".proposal")).to_contain_text("rosa stands for it: 1 of 2")
    case = page.url
    tabbed_to(page, ".signed form button")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Sign in")

    signed_in(watched, "sam")
    page.goto(case)
    tabbed_to(page, ".proposal .step summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("So it was.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".lead .tag")).to_have_text("upheld")
    expect(page.locator(".proposal")).to_contain_text("rosa, sam stand for it: 2 of 2")
    watched.site.played("after", "Team C3", "Team D4", 1)  # what was told before it is settled then
    page = watched.open("/pools/football/matches/f3")
    expect(page.locator(".corrections")).to_contain_text("The score sheet was read the wrong way round. (rosa, sam)")


@pytest.mark.parametrize("watched", WINDOWS, indirect=True, ids=lambda one: f"{one[0]} {one[1]}")
def test_every_admin_page(watched: Watched, axe: str) -> None:
    page = watched.open("/admin")
    assert stumbled_over(page, axe) == []
    page = signed_in(watched, "rosa")
    for path in (
        "/admin", "/admin/cases", "/admin/correct?pool=football&match=f1", "/admin/correct?player=x", "/admin/upload",
        "/admin/items?pool=cakes", "/admin/pools", "/admin/keys", "/pools/football/matches/f1/flag",
        "/pools/football/players/Team%20A0/flag",
    ):  # fmt: skip
        watched.open(path)
        assert fits(page), path
        assert page.locator("h1").count() == 1, path
        assert stumbled_over(page, axe) == [], path


@pytest.mark.parametrize("watched", WINDOWS[1:], indirect=True, ids=lambda one: f"{one[0]} {one[1]}")
def test_a_file_and_a_key(watched: Watched, axe: str, tmp_path: Path) -> None:
    page = signed_in(watched, "sam")
    watched.open("/admin/upload?pool=empty")
    page.set_input_files("#file", FilePayload(name="games.csv", mimeType="text/csv", buffer=CSV.encode()))
    page.get_by_role("button", name="Read it").press("Enter")
    expect(page.locator(".report")).to_contain_text("player_b is missing")
    assert fits(page)
    assert stumbled_over(page, axe) == []
    page.get_by_label("Append the others without").press(" ")
    page.get_by_role("button", name="Append 1 game to empty").press("Enter")
    expect(page.locator(".callout")).to_contain_text("1 match appended")
    watched.open("/admin/keys")
    page.get_by_label("Whose it is").fill("results desk")
    page.get_by_label("append").press(" ")
    page.get_by_role("button", name="Make a key").press("Enter")
    expect(page.locator("#made")).to_contain_text("tallymark_")
    assert fits(page)
    assert stumbled_over(page, axe) == []
