"""The pages about pages name every page that there is, and no other; that about the arena its operations too."""

import re

from fastapi.routing import APIRoute
from pages import REPOSITORY

from tallymark.service.arena import agents, exhibitions, home, matches, watched
from tallymark.service.pages.arena import agent, listing, match
from tallymark.service.pages.arena import home as first
from tallymark.service.pages.routes import ROUTERS

WATCH = REPOSITORY / "docs" / "guide" / "arena-watch.md"
NO_PAGES = ("/static/", "/charts/", ".svg", ".json")


def test_it_lists_every_page() -> None:
    text = (REPOSITORY / "docs" / "guide" / "pages.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(/[^`]*)` \|", text, re.M)
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    there = {route.path for route in routes if not any(part in route.path for part in NO_PAGES)}
    assert sorted(listed) == sorted(there)


def test_it_lists_every_page_of_the_arena() -> None:
    listed = re.findall(r"^\| `(/[^`]*)` \|", WATCH.read_text(encoding="utf-8"), re.M)
    routers = [one.router for one in (first, listing, match, agent)]
    assert sorted(listed) == sorted(
        route.path for router in routers for route in router.routes if isinstance(route, APIRoute)
    )


def test_it_lists_every_operation_of_the_arena() -> None:
    listed = re.findall(r"^\| `(\w+)` \| `(\w+) /v1(/[^`]*)` \|", WATCH.read_text(encoding="utf-8"), re.M)
    routers = [one.router for one in (home, matches, watched, agents, exhibitions)]
    there = {
        (route.operation_id, *sorted(route.methods or ()), route.path)
        for router in routers
        for route in router.routes
        if isinstance(route, APIRoute)
    }
    assert set(listed) == there
