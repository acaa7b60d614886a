"""The arena's first page: its games, who waits, what is played."""

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.arena.client.line import PATH
from tallymark.service.arena.documents import match_of
from tallymark.service.arena.here import Arena
from tallymark.service.arena.home import home_of
from tallymark.service.arena.matches import page_of
from tallymark.service.pages.arena.rows import rows_of
from tallymark.service.pages.frame import page
from tallymark.service.state import Here

router = APIRouter()
_LATEST: Final = 12
"""Matches that are over, on this page."""


@router.api_route("/arena", methods=["GET", "HEAD"], include_in_schema=False)
def arena(service: Here, hall: Arena, request: Request) -> Response:
    """Queues, live matches, and what was played last. A script asks for it again and again."""
    now = home_of(service, hall)
    over, _ = page_of(service, over=True, limit=_LATEST)
    address = str(request.base_url).rstrip("/")
    return page(
        request,
        service,
        "arena/home.html",
        twin="/v1/arena",
        now=now,
        live=rows_of(service, now["live"]),
        address=address,
        listens=f"ws{address.removeprefix('http')}{PATH}",
        over=rows_of(service, [match_of(one) for one in over]),
    )
