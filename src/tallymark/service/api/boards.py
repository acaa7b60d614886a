"""Boards: a page of who stands where, of all time or of a week, a month or the last days."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal, NotRequired

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.ledger.ledger import Ledger
from tallymark.ledger.people import Kind
from tallymark.ledger.reading.boards import Board as Page
from tallymark.ledger.reading.face import LONGEST
from tallymark.service.answers import as_of, instant
from tallymark.service.api.models import Id, Position
from tallymark.service.api.parameters import PoolName, id_in
from tallymark.service.problems.documented import problems
from tallymark.service.shown import band, shown
from tallymark.service.state import Here
from tallymark.tables import Table

router = APIRouter(tags=["boards"])
DAYS: Final = 30
"""Of a rolling window, where nobody says how many."""
_OWN: Final = ("rankable", "established", "peak", "mu", "phi", "go_rank", "band", "shared_rank")
"""Columns that some methodologies publish, or that are asked for."""


class Shown(TypedDict):
    """The numbers as pages show them: whole, half to even."""

    rating: int
    deviation: int
    low: Annotated[int, Field(description="The end of the interval: rating and deviations, as they are.")]
    high: int
    peak: int | None


class Row(TypedDict):
    """A player on a board. Numbers are exact; `shown` has them as pages do."""

    rank: Annotated[
        int | None,
        Field(description="Ties share one; null for who takes none, and where too many would have to be counted."),
    ]
    player: Id
    name: str | None
    kind: Annotated[Kind | None, Field(description="`house`: one of the site's own agents; null where nobody said.")]
    rating: Annotated[float, Field(examples=[1662.3104])]
    deviation: float
    volatility: float
    games: Annotated[
        int, Field(description="Of all time up to `position`, as the three below, whatever the board is of.")
    ]
    wins: int
    draws: int
    losses: int
    last_played: datetime | None
    provisional: bool
    rankable: NotRequired[bool]
    established: NotRequired[bool]
    peak: NotRequired[float | None]
    mu: NotRequired[int]
    phi: NotRequired[int]
    go_rank: NotRequired[str | None]
    band: NotRequired[int]
    shared_rank: NotRequired[int | None]
    shown: Shown


class Span(TypedDict):
    """From `start` to before `end`."""

    start: datetime
    end: datetime


class Board(TypedDict):
    """A page of a board."""

    pool: str
    window: str
    span: Annotated[Span | None, Field(description="The time that the board is of; null where that is all time.")]
    position: Annotated[Position, Field(description="Of the entry that the numbers are as of.")]
    since: Annotated[int, Field(description="Of the entry that order and ranks are as of: that of the first page.")]
    moved: Annotated[list[Id], Field(description="Who has other numbers since.")]
    frozen: Annotated[
        bool,
        Field(
            description="The time is over, and the pool has an entry that was settled later: this board never changes. "
            "Until then it may get what was received before the end, and is not settled yet."
        ),
    ]
    cut: Annotated[bool, Field(description="More players were found than were looked at: search for more of the name.")]
    board: list[Row]
    next: Annotated[str | None, Field(description="The `after` of the next page; null on the last.")]


@router.get(
    "/pools/{pool}/boards/{window}",
    operation_id="getBoard",
    summary="A page of a board",
    response_model=Board,
    responses=problems("bad-input", "unknown-pool", "unknown-player", "stale"),
)
def get_board(
    pool: PoolName,
    window: Annotated[Literal["all-time", "week", "month", "rolling"], Path(description="What the board is of.")],
    service: Here,
    request: Request,
    at: Annotated[
        str | None, Query(description="A time in the week or month; without it, now.", examples=["2026-01-31"])
    ] = None,
    days: Annotated[
        int | None,
        Query(
            ge=1, le=LONGEST, description=f"Of a rolling window, back from now; without it, {DAYS}.", examples=[DAYS]
        ),
    ] = None,
    kind: Annotated[Kind | None, Query(description="Players of whom that is known.")] = None,
    provisional: Annotated[
        Literal["with", "apart", "without"], Query(description="Those with a provisional rating: with the others.")
    ] = "with",
    search: Annotated[str | None, Query(description="Who has a name or an id that begins so.")] = None,
    around: Annotated[str | None, Query(description="A player who is to stand in the middle, as in a path.")] = None,
    after: Annotated[str | None, Query(description="The `next` of the page before, of the same board.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000, description="Players of a page.")] = 100,
    shared: Annotated[bool, Query(description="With ranks that tie where intervals overlap.")] = False,
) -> Response:
    """Best first. Pages that follow each other, each by the `next` of the one before, have everybody once, whatever is
    rated meanwhile: order and ranks are those of the first page's entry. A week begins on Monday at 00:00 UTC."""
    found = service.ledger.board(
        pool,
        window,
        at=at,
        days=DAYS if window == "rolling" and days is None else days,
        kind=kind,
        provisional=provisional,
        search=search,
        after=after,
        around=None if around is None else id_in(around, "around"),
        limit=limit,
        shared=shared,
    )
    interval = service.ledger.rules(pool).published.interval
    rows = rows_of(service.ledger, found.table, interval)
    return as_of(request, pool, found.position, _board(pool, window, found, rows))


def _board(pool: str, window: str, found: Page, rows: list[Row]) -> Board:
    span = None if found.window is None else Span(start=instant(found.window.start), end=instant(found.window.end))
    return Board(
        pool=pool,
        window=window,
        span=span,
        position=found.position,
        since=found.since,
        moved=list(found.moved),
        frozen=found.frozen,
        cut=found.cut,
        board=rows,
        next=found.next,
    )


def rows_of(ledger: Ledger, table: Table, interval: float = 2.0) -> list[Row]:
    """The rows of a table of ratings, with the names that the ledger has. `interval`: deviations to either side of a
    rating, as the methodology publishes it."""
    players = table["player"].tolist()
    names, kinds = ledger.names_and_kinds(players)
    return [row_of(row, names, kinds, interval) for row in table.rows()]


def row_of(
    row: Mapping[str, Any], names: Mapping[str | int, str], kinds: Mapping[str | int, Kind], interval: float
) -> Row:
    """One of them."""
    low, high = band(row["rating"], row["deviation"], interval)
    found = Row(
        rank=row.get("rank"),
        player=row["player"],
        name=names.get(row["player"]),
        kind=kinds.get(row["player"]),
        rating=row["rating"],
        deviation=row["deviation"],
        volatility=row["volatility"],
        games=row["games"],
        wins=row["wins"],
        draws=row["draws"],
        losses=row["losses"],
        last_played=row["last_played"],
        provisional=row["provisional"],
        shown=Shown(
            rating=round(row["rating"]),
            deviation=round(row["deviation"]),
            low=low,
            high=high,
            peak=shown(row.get("peak")),
        ),
    )
    for name in _OWN:
        if name in row:
            found[name] = row[name]
    return found
