"""Rows of boards and of ratings: the published numbers, exact and as they are shown."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from tallymark.ledger.ledger import Ledger
from tallymark.service.api.models import Id
from tallymark.service.shown import band, shown
from tallymark.tables import Table

_OWN: Final = ("rankable", "established", "peak", "mu", "phi", "go_rank", "band")
"""Columns that some methodologies publish."""


class Shown(TypedDict):
    """The numbers as pages show them: whole, half to even."""

    rating: int
    deviation: int
    low: Annotated[int, Field(description="The end of the interval: rating and deviations, as they are.")]
    high: int
    peak: int | None


class Row(TypedDict):
    """A player on a board. Numbers are exact; `shown` has them as pages do."""

    rank: Annotated[int | None, Field(description="Ties share one; null for who takes none.")]
    player: Id
    name: str | None
    rating: Annotated[float, Field(examples=[1662.3104])]
    deviation: float
    volatility: float
    games: int
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
    go_rank: NotRequired[str]
    band: NotRequired[int]
    shown: Shown


def rows_of(ledger: Ledger, table: Table, interval: float = 2.0) -> list[Row]:
    """The rows of a table of ratings, with the names that the ledger has. `interval`: deviations to either side of a
    rating, as the methodology publishes it."""
    names = ledger.names(table["player"].tolist())
    return [row_of(row, names, interval) for row in table.rows()]


def row_of(row: Mapping[str, Any], names: Mapping[str | int, str], interval: float) -> Row:
    """One of them."""
    low, high = band(row["rating"], row["deviation"], interval)
    found = Row(
        rank=row.get("rank"),
        player=row["player"],
        name=names.get(row["player"]),
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
