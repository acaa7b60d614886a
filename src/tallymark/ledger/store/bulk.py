"""Many rows by one statement of the driver's own: SQLAlchemy hands it over and wraps its errors, without compiling
parameters row by row, which costs more than the database does."""

from collections.abc import Callable, Iterable
from functools import cache
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import BigInteger, Column, Float, Integer, LargeBinary, SmallInteger, String, Table

from tallymark.ledger.store.base import Cell, Cells, Values

_ARRAYS: Final = {
    Integer: "int4",
    BigInteger: "int8",
    SmallInteger: "int2",
    Float: "float8",
    String: "text",
    LargeBinary: "bytea",
}


@cache
def written(table: Table) -> list[Column[Any]]:
    """The columns that rows are written with: what stands beside them has a default, and stays as it is."""
    return [column for column in table.c if not column.info.get("beside")]


@cache
def cells(table: Table) -> Callable[[Values], Cells]:
    """What takes the cells of a row in the order of the table's columns.

    >>> from tallymark.ledger.tables import POOL
    >>> cells(POOL)({"name": "x", "id": 1})
    (1, 'x')
    """
    return itemgetter(*(column.name for column in written(table)))


@cache
def marks_sql(table: Table, upsert: bool) -> str:
    """An INSERT of one row by question marks; `upsert`: in the place of the one that has its primary key."""
    return f"INSERT INTO {_into(table)} VALUES ({', '.join('?' * len(written(table)))}){_over(table) if upsert else ''}"


@cache
def unnest_sql(table: Table, end: str) -> str:
    """An INSERT of rows that come as one array a column; `end` is what follows, or "upsert"."""
    arrays = ", ".join(f"%b::{_ARRAYS[type(column.type)]}[]" for column in written(table))
    return f"INSERT INTO {_into(table)} SELECT * FROM unnest({arrays}){_over(table) if end == 'upsert' else end}"


def columns(rows: Iterable[Cells]) -> tuple[list[Cell], ...]:
    """The rows as one list a column.

    >>> columns([(1, "x"), (2, "y")])
    ([1, 2], ['x', 'y'])
    """
    return tuple(map(list, zip(*rows, strict=True)))


def _into(table: Table) -> str:
    return f"{table.name} ({', '.join(column.name for column in written(table))})"


def _over(table: Table) -> str:
    keys = [column.name for column in table.primary_key]
    changed = ", ".join(
        f"{column.name} = excluded.{column.name}" for column in written(table) if column.name not in keys
    )
    return f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {changed}"
