"""Games from a table in memory, whatever library it is of: by the Arrow stream protocol."""

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING, Final, Protocol, cast

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.columns import Cells, ColumnLike, cells_of
from tallymark.games.files.raw import SAMPLE, RawTable, without_gaps
from tallymark.games.shapes.plan import Choose

if TYPE_CHECKING:
    import arro3.core

FRAME: Final = "the frame"
"""What messages call a table that has no name."""


class ArrowStream(Protocol):
    """A table of polars, pandas, pyarrow, duckdb, or of this library: anything that hands over an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


def read_stream(frame: ArrowStream, choose: Choose) -> RawTable:
    """The columns that `choose` picks. InputError for what is no table, or cannot be handed over.

    Integers stay integers and times stay times; decimals are their digits, exact as ids and as numbers.
    """
    if not hasattr(frame, "__arrow_c_stream__"):
        hint = "collect() it first" if hasattr(frame, "collect") else "give a polars, pandas or pyarrow table"
        raise InputError(f"{type(frame).__name__} is no table: it has no Arrow stream", hint=hint)
    header, columns = _columns(frame)
    rows = len(columns[0]) if columns else 0
    shown = min(rows, SAMPLE + 1)
    sample = [_sampled(column, shown, name) for name, column in zip(header, columns, strict=True)]
    plan = choose(header, list(zip(*sample, strict=True)))
    cells = {at: _cells(columns[at], header[at]) for at in plan.positions}
    return RawTable(plan, cells, rows, whole=lambda wanted: _whole(header, columns, wanted))


def _whole(header: Sequence[str], columns: Sequence[ColumnLike], rows: Sequence[int]) -> dict[int, object]:
    """All cells of each of these rows, in a form that can be compared; of what cannot be read, nothing."""
    found: dict[int, list[str]] = {row: [] for row in rows}
    for name, column in zip(header, columns, strict=True):
        with suppress(InputError):
            items = _cells(column, name)
            for row, cells in found.items():
                cells.append(repr(items[row]))
    return {row: tuple(cells) for row, cells in found.items()}


def _columns(frame: ArrowStream) -> tuple[list[str], list[ColumnLike]]:
    """The names and columns of a table: of its stream, or one by one where a library streams what Arrow does not know.

    Such are columns of polars in which nothing is, and columns of pandas with words and numbers.
    """
    from arro3.core import Table

    try:
        table = Table.from_arrow(frame)
        return list(table.column_names), [cast(ColumnLike, column) for column in table.columns]
    except Exception as error:  # whatever a library says that has to compute the table first
        names = [str(name) for name in getattr(frame, "columns", ())]
        if hasattr(frame, "to_series"):
            return names, [frame.to_series(at) for at in range(len(names))]
        if hasattr(frame, "iloc"):
            return names, [frame.iloc[:, at] for at in range(len(names))]
        message = shortened(str(error).strip().split("\n")[0])
        raise InputError(f"{FRAME} is a {type(frame).__name__} that cannot be read: {message}") from error


def _sampled(column: ColumnLike, rows: int, name: str) -> Cells:
    """The first cells of a column; gaps where it cannot be read, which is of no account if nobody needs it."""
    arrow = cast("arro3.core.ChunkedArray", column)
    first = column.head(rows) if hasattr(column, "head") else cast(ColumnLike, arrow.slice(0, rows))
    try:
        return _cells(first, name)
    except InputError:
        return [None] * rows


def _cells(column: ColumnLike, name: str) -> Cells:
    kind = str(getattr(column, "type", None) or getattr(column, "dtype", ""))
    items = cells_of(column, name)
    if "Decimal" in kind:
        return [format(item, "f") if isinstance(item, Decimal) else item for item in items]
    if kind.startswith(("arro3.core.DataType<Struct", "Struct")):
        return [without_gaps(item) for item in items]
    if kind.startswith("arro3.core.DataType<Map"):
        return [dict(item) if isinstance(item, list) else item for item in items]
    return items
