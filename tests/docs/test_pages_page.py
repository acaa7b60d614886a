"""The page about pages names every page that there is, and no other."""

import re

from fastapi.routing import APIRoute
from pages import REPOSITORY

from tallymark.service.pages.routes import ROUTERS

NO_PAGES = ("/static/", "/charts/", ".svg", ".json")


def test_it_lists_every_page() -> None:
    text = (REPOSITORY / "docs" / "guide" / "pages.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(/[^`]*)` \|", text, re.M)
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    there = {route.path for route in routes if not any(part in route.path for part in NO_PAGES)}
    assert sorted(listed) == sorted(there)
