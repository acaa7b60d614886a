"""A board: who stands where, of all time, of a week or month, or of the last days."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tallymark.errors import StaleError
from tallymark.games.ids import Id
from tallymark.ledger.people import Kind
from tallymark.ledger.reading.boards import Board, Provisional
from tallymark.ledger.reading.face import LONGEST
from tallymark.service.api.boards import DAYS, Row, rows_of
from tallymark.service.api.parameters import PoolName, id_in
from tallymark.service.pages.asking import (
    KIND_WORDS,
    PROVISIONAL_WORDS,
    Asked,
    When,
    about,
    choices,
    neighbour,
    title_of,
)
from tallymark.service.pages.frame import entry_of, page
from tallymark.service.pages.links import api, pool_path, with_query
from tallymark.service.pages.scale import Scale, scale_of
from tallymark.service.state import Here, Service

router = APIRouter()
SIZE: Final = 50
"""Players of a page."""


@router.api_route("/pools/{pool}", methods=["GET", "HEAD"], include_in_schema=False)
def board(
    pool: PoolName,
    service: Here,
    request: Request,
    window: When = "all-time",
    at: str | None = None,
    days: Annotated[int, Query(ge=1, le=LONGEST)] = DAYS,
    kind: Kind | Literal[""] = "",
    provisional: Provisional = "with",
    search: str = "",
    after: str | None = None,
    around: str | None = None,
) -> Response:
    """A page of it. A form sends what is left empty too."""
    asked = Asked(
        pool,
        window,
        at or None,
        days if window == "rolling" else None,
        kind or None,
        provisional,
        search.strip() or None,
    )
    middle = id_in(around, "around") if around else None
    try:
        found = _read(service, asked, after or None, middle)
    except StaleError:  # so much has happened since the page before that there is nothing to go on from
        return RedirectResponse(asked.path(), 303)
    return _page(request, service, asked, found, after or None, around or None, middle)


def _read(service: Service, asked: Asked, after: str | None, middle: Id | None) -> Board:
    return service.ledger.board(
        asked.pool,
        asked.window,
        at=asked.at if asked.window in ("week", "month") else None,
        days=asked.days,
        kind=asked.kind,
        provisional=asked.provisional,
        search=asked.search,
        after=after,
        around=middle,
        limit=SIZE,
        shared=True,
    )


def _page(
    request: Request,
    service: Service,
    asked: Asked,
    found: Board,
    after: str | None,
    around: str | None,
    middle: Id | None,
) -> Response:
    rules = service.ledger.rules(asked.pool)
    rows = rows_of(service.ledger, found.table, rules.published.interval)
    here = api(pool_path(asked.pool))
    return page(
        request,
        service,
        "board.html",
        pool=asked.pool,
        tab="Board",
        as_of=entry_of(service, asked.pool, found.position),
        twin=_twin(asked, after, around),
        rules=rules,
        votes=service.polling.ballots.items(asked.pool).begun(),
        asked=asked,
        rows=rows,
        scale=_scale(rows),
        marks=any(row["provisional"] for row in rows),
        title=title_of(found.window),
        about=about(found.window, found.frozen, service.ledger.now()),
        choices=choices(asked),
        kinds=KIND_WORDS,
        provisionals=PROVISIONAL_WORDS,
        earlier=neighbour(service, asked, found.window, -1),
        later=neighbour(service, asked, found.window, 1),
        frozen=found.frozen,
        cut=found.cut,
        since=found.since,
        moved=frozenset(found.moved),
        next=None if found.next is None else asked.path(after=found.next),
        first=asked.path() if after or middle is not None else None,
        live=None if found.frozen or after else with_query(here + "/stream", after=found.position),
        middle=middle,
    )


def _twin(asked: Asked, after: str | None, around: str | None) -> str:
    """The API's address of the same."""
    query = {name: value for name, value in asked.query().items() if name != "window"}
    path = f"{api(pool_path(asked.pool))}/boards/{asked.window}"
    return with_query(path, **query, after=after, around=around, limit=SIZE, shared="true")


def _scale(rows: Sequence[Row]) -> Scale:
    return scale_of([(row["shown"]["low"], row["shown"]["high"]) for row in rows])
