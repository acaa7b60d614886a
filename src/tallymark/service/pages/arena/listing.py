"""Matches of the arena, the latest first."""

from typing import Final, Literal

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.arena.store.matches import State
from tallymark.service.arena.documents import match_of
from tallymark.service.arena.here import After, Arena
from tallymark.service.arena.matches import page_of
from tallymark.service.pages.arena.rows import rows_of
from tallymark.service.pages.frame import page
from tallymark.service.pages.links import with_query
from tallymark.service.state import Here

router = APIRouter()
SIZE: Final = 50
"""Matches of a page."""


@router.api_route("/arena/matches", methods=["GET", "HEAD"], include_in_schema=False)
def matches(
    service: Here,
    hall: Arena,
    request: Request,
    after: After,
    game: str = "",
    agent: str = "",
    state: State | Literal[""] = "",
) -> Response:
    """A page of them. A form sends what is left empty too."""
    asked = {"game": game or None, "agent": agent.strip() or None, "state": state or None}
    found, more = page_of(
        service,
        game=asked["game"],
        agent=asked["agent"],
        state=state or None,
        after=after,
        limit=SIZE,
    )
    here = "/arena/matches"
    return page(
        request,
        service,
        "arena/matches.html",
        twin=with_query(f"/v1{here}", **asked, after=request.query_params.get("after") or None),
        matches=rows_of(service, [match_of(one) for one in found], asked["agent"]),
        titles={name: one.title for name, one in hall.games.items()},
        asked=asked,
        first=with_query(here, **asked) if after else None,
        next=None if more is None else with_query(here, **asked, after=more),
    )
