"""Games from a table in memory, whatever library it is of: by the Arrow stream protocol."""

from decimal import Decimal
from typing import TYPE_CHECKING, Final, Protocol, cast

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.columns import Cells, ColumnLike, cells_of
from tallymark.games.files.raw import SAMPLE, RawTable
from tallymark.games.shapes.plan import Choose

if TYPE_CHECKING:
    import arro3.core

FRAME: Final = "the frame"
"""What messages call a table that has no name."""


class ArrowStream(Protocol):
    """A table of polars, pandas, pyarrow, duckdb, or of this library: anything that hands over an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


def read_stream(frame: ArrowStream, choose: Choose) -> RawTable:
    """The columns that `choose` picks. InputError for what is no table, and for columns that Arrow has no place for.

    Integers stay integers and times stay times; decimals are their digits, exact as ids and as numbers.
    """
    from arro3.core import Table

    if not hasattr(frame, "__arrow_c_stream__"):
        hint = "collect() it first" if hasattr(frame, "collect") else "give a polars, pandas or pyarrow table"
        raise InputError(f"{type(frame).__name__} is no table: it has no Arrow stream", hint=hint)
    try:
        table = Table.from_arrow(frame)
    except Exception as error:  # whatever a library says that has to compute it first
        raise _unread(frame, error) from error
    header = list(table.column_names)
    rows = min(SAMPLE + 1, table.num_rows)
    sample = [_cells(table.column(at).slice(0, rows), name) for at, name in enumerate(header)]
    plan = choose(header, list(zip(*sample, strict=True)))
    cells = {at: _cells(table.column(at), header[at]) for at in plan.positions}
    return RawTable(plan, cells, table.num_rows)


def _unread(frame: object, error: Exception) -> InputError:
    message = shortened(str(error).strip().split("\n")[0])
    return InputError(f"{FRAME} is a {type(frame).__name__} that cannot be read: {message}")


def _cells(column: "arro3.core.ChunkedArray", name: str) -> Cells:
    kind = str(column.type)
    items = cells_of(cast(ColumnLike, column), name)
    if "Decimal" in kind:
        return [format(item, "f") if isinstance(item, Decimal) else item for item in items]
    if "Struct" in kind:  # whoever is in no row of a struct is in every row, and empty
        return [_without_gaps(item) for item in items]
    return items


def _without_gaps(item: object) -> object:
    return {key: value for key, value in item.items() if value is not None} if isinstance(item, dict) else item
