"""A board: who stands where, of all time or of a week or month."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.ledger.reading.boards import Board
from tallymark.ledger.windows import Window
from tallymark.service.answers import instant
from tallymark.service.api.boards import Row, rows_of
from tallymark.service.api.parameters import PoolName, id_in
from tallymark.service.pages import links
from tallymark.service.pages.frame import entry_of, page
from tallymark.service.pages.scale import Scale, scale_of
from tallymark.service.pages.words import window_words
from tallymark.service.state import Here, Service

router = APIRouter()
When: TypeAlias = Literal["all-time", "week", "month"]
SIZE: Final = 50
"""Players of a page."""
_WORDS: Final[dict[When, str]] = {"all-time": "All time", "week": "Week", "month": "Month"}


class Choice(NamedTuple):
    """A link beside others, one of which is taken."""

    words: str
    path: str
    taken: bool


class Neighbour(NamedTuple):
    """The week or month before or after."""

    words: str
    path: str


@router.api_route("/pools/{pool}", methods=["GET", "HEAD"], include_in_schema=False)
def board(
    pool: PoolName,
    service: Here,
    request: Request,
    window: When = "all-time",
    at: str | None = None,
    after: str | None = None,
    around: Annotated[str | None, Query(description="A player's id, as in a path.")] = None,
) -> Response:
    """A page of it."""
    middle = None if not around else id_in(around, "around")
    found = service.ledger.board(
        pool, window, at=None if window == "all-time" else at, after=after, around=middle, limit=SIZE
    )
    rules = service.ledger.rules(pool)
    rows = rows_of(service.ledger, found.table, rules.published.interval)
    here = links.pool_path(pool)
    query = {"window": None if window == "all-time" else window, "at": at}
    return page(
        request,
        service,
        "board.html",
        pool=pool,
        tab="Board",
        as_of=entry_of(service, pool, found.position),
        twin=links.with_query(links.api(here) + "/ratings", after=after),
        rules=rules,
        rows=rows,
        scale=_scale(rows),
        marks=_marks(rows),
        title=_title(found),
        choices=_choices(here, window),
        earlier=_neighbour(service, here, found.window, -1),
        later=_neighbour(service, here, found.window, 1),
        frozen=found.frozen,
        next=None if found.next is None else links.with_query(here, **query, after=found.next),
        first=None if after is None and middle is None else links.with_query(here, **query),
        live=None if found.frozen or after else links.api(here) + f"/stream?after={found.position}",
        middle=middle,
    )


def _scale(rows: Sequence[Row]) -> Scale:
    return scale_of([(row["shown"]["low"], row["shown"]["high"]) for row in rows])


def _marks(rows: Sequence[Row]) -> bool:
    """Whether any of them is provisional, which is explained then."""
    return any(row["provisional"] for row in rows)


def _title(found: Board) -> str:
    return "All time" if found.window is None else window_words(found.window)


def _choices(here: str, taken: When) -> list[Choice]:
    return [
        Choice(words, links.with_query(here, window=None if name == "all-time" else name), name == taken)
        for name, words in _WORDS.items()
    ]


def _neighbour(service: Service, here: str, window: Window | None, step: Literal[-1, 1]) -> Neighbour | None:
    """The week or month beside one; None beyond that of now, and before the pool was opened."""
    if window is None:
        return None
    other = service.ledger.window(window.span, f"{instant(window.start - 1 if step < 0 else window.end):%Y-%m-%d}")
    if other.start > service.ledger.now():
        return None
    at = f"{instant(other.start):%Y-%m-%d}"
    return Neighbour(window_words(other), links.with_query(here, window=window.span, at=at))
