"""Every page in a browser, wide and narrow, light and dark: nothing from elsewhere, nothing in the console, nothing to
stumble over."""

import pytest
from looking import Watched, fits, stumbled_over

PAGES = {
    "pools": "/",
    "board": "/pools/football",
    "board of a month": "/pools/football?window=month",
    "board searched": "/pools/football?search=Team%20A",
    "empty board": "/pools/empty",
    "odd names": "/pools/cups%20%26%20%3Csaucers%3E",
    "profile": "/pools/football/players/Team%20A0",
    "match": "/pools/football/matches/f1",
    "match not rated": "/pools/football/matches/none",
    "match annulled": "/pools/football/matches/f0",
    "match of teams": "/pools/cups%20%26%20%3Csaucers%3E/matches/teams",
    "entry": "/pools/football/entries/2",
    "pair": "/pools/football/players/Team%20A0/against/Team%20B1",
    "methodology": "/pools/football/methodology",
    "methodologies": "/methodologies",
    "shipped methodology": "/methodologies/go-onchain?with=go-float",
}
SHORT = """() => [...document.querySelectorAll("a, button, summary")]
    .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && box.height > 0 && box.height < 24)
    .map(([words]) => words)"""
"""What fingers would miss."""
WINDOWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


@pytest.mark.parametrize("watched", WINDOWS, indirect=True, ids=lambda one: f"{one[0]} {one[1]}")
def test_every_page(watched: Watched, axe: str) -> None:
    for name, path in PAGES.items():
        page = watched.open(path)
        assert fits(page), name
        assert page.locator("h1").count() == 1, name
        assert stumbled_over(page, axe) == [], name
        assert page.evaluate(SHORT) == [], name


@pytest.mark.parametrize("watched", WINDOWS[1:3], indirect=True, ids=lambda one: f"{one[0]} {one[1]}")
def test_a_page_that_is_not_there(watched: Watched, axe: str) -> None:
    page = watched.open("/pools/none", 404)
    assert page.locator("h1").inner_text() == "There is no such pool"
    assert fits(page)
    assert stumbled_over(page, axe) == []


def test_pages_are_light(watched: Watched) -> None:
    for name, path in PAGES.items():
        answer = watched.context.request.get(watched.site.url + path, headers={"Accept": "text/html"})
        assert len(answer.body()) < 200_000, name
