"""The arena's first page: its games, who waits, what is played."""

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.service.arena.documents import match_of
from tallymark.service.arena.here import Arena
from tallymark.service.arena.home import home_of
from tallymark.service.arena.matches import page_of
from tallymark.service.pages.frame import page
from tallymark.service.state import Here

router = APIRouter()
_LATEST: Final = 12
"""Matches that are over, on this page."""
_MOST: Final = 1000
"""Matches that are looked through for them."""


@router.api_route("/arena", methods=["GET", "HEAD"], include_in_schema=False)
def arena(service: Here, hall: Arena, request: Request) -> Response:
    """Queues, live matches, and what was played last. A script asks for it again and again."""
    now = home_of(service, hall)
    playing = min(_MOST, sum(game["playing"] for game in now["games"]))
    latest, _ = page_of(service, limit=_LATEST + playing)
    over = [match_of(one) for one in latest if one.state != "playing"][:_LATEST]
    titles = {name: game.title for name, game in hall.games.items()}
    return page(request, service, "arena/home.html", twin="/v1/arena", now=now, over=over, titles=titles)
