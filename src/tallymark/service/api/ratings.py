"""Ratings, now and as of any entry or time."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.service.answers import as_of, tag
from tallymark.service.api.boards import Row, rows_of
from tallymark.service.api.models import Position
from tallymark.service.api.parameters import PoolName
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here

router = APIRouter(tags=["ratings"])


class Ratings(TypedDict):
    """Who has a rating, best first, as of an entry."""

    pool: str
    position: Position
    ratings: list[Row]
    next: str | None


@router.get(
    "/pools/{pool}/ratings",
    operation_id="getRatings",
    summary="Ratings now",
    response_model=Ratings,
    responses=problems("bad-input", "unknown-pool"),
)
def get_ratings(
    pool: PoolName,
    service: Here,
    request: Request,
    after: Annotated[str | None, Query(description="The `next` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000, description="Players of a page.")] = 100,
) -> Response:
    """A page of the ratings, and the entry that they are as of."""
    board = service.ledger.board(pool, after=after, limit=limit)
    interval = service.ledger.rules(pool).published.interval
    found = Ratings(
        pool=pool, position=board.position, ratings=rows_of(service.ledger, board.table, interval), next=board.next
    )
    return as_of(request, tag(pool, board.position, "ratings", limit, after or ""), found)
