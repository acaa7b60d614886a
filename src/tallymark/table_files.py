"""Tables into files, piece by piece, so that a table need not be there as a whole, nor all its cells at once."""

import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO, TypeAlias

import numpy as np

from tallymark.checked import shortened
from tallymark.duck import connected
from tallymark.errors import InputError, WriteError
from tallymark.files import written_beside
from tallymark.table_cells import Ids, arrow_table, csv_cells, integer_columns, json_value, no_formula, python_cells

if TYPE_CHECKING:
    import arro3.core

Columns: TypeAlias = Mapping[str, np.ndarray]

_SUFFIXES: Final = (".csv", ".parquet", ".json")


def write_columns(
    path: str | os.PathLike[str], pieces: Iterable[Columns], ids: Ids, for_spreadsheets: bool = False
) -> None:
    """Writes at least one piece of a table after the other, all with the same columns, as `Table.write` says."""
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in _SUFFIXES:
        raise WriteError(f"{target}: cannot tell the format", hint=f"end the name in {', '.join(_SUFFIXES)}")
    if for_spreadsheets and suffix != ".csv":
        raise WriteError(f"{target}: only .csv is written for spreadsheets", hint="end the name in .csv")
    try:
        with written_beside(target) as beside:
            if suffix == ".csv":
                _write_csv(beside, pieces, ids, for_spreadsheets)
            elif suffix == ".json":
                _write_json(beside, pieces)
            else:
                _write_parquet(beside, pieces, ids)
    except InputError as error:
        raise WriteError(f"{target} cannot be written: {error}", hint=error.hint) from None
    except UnicodeEncodeError as error:
        broken = shortened(error.object[error.start : error.end])
        raise WriteError(f"{target} cannot be written: {broken} in a cell is not valid Unicode text") from None


def _write_csv(path: Path, pieces: Iterable[Columns], ids: Ids, for_spreadsheets: bool) -> None:
    integer_columns(ids)  # refuses what would be one text
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(_EndedByNewlines(file), lineterminator=_EndedByNewlines.given)
        for number, piece in enumerate(pieces):
            if not number:
                writer.writerow(piece)
            columns = {name: csv_cells(values) for name, values in piece.items()}
            if for_spreadsheets:
                columns |= {name: list(map(no_formula, columns[name])) for name in ids}
            writer.writerows(zip(*columns.values(), strict=True))


def _write_json(path: Path, pieces: Iterable[Columns]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        between = ""
        for piece in pieces:
            for cells in zip(*map(python_cells, piece.values()), strict=True):
                plain = {name: json_value(cell) for name, cell in zip(piece, cells, strict=True)}
                file.write(between + "\n" + json.dumps(plain, ensure_ascii=False, allow_nan=False))
                between = ","
        file.write("\n]\n")


def _write_parquet(path: Path, pieces: Iterable[Columns], ids: Ids) -> None:
    from arro3.core import RecordBatchReader

    integers = integer_columns(ids)
    coming = iter(pieces)
    first = arrow_table(next(coming), integers)
    failed: list[BaseException] = []

    def batches() -> "Iterator[arro3.core.RecordBatch]":
        try:
            for table in chain([first], (arrow_table(piece, integers) for piece in coming)):
                yield from table.to_batches()
        except BaseException as error:
            failed.append(error)
            raise

    # One thread writes a piece before the next is made; several would gather pieces to keep them in order.
    with connected(threads="1") as connection:
        connection.register("pieces", RecordBatchReader.from_batches(first.schema, batches()))
        quoted = str(path).replace("'", "''")
        try:
            connection.execute(f"COPY pieces TO '{quoted}' (FORMAT parquet)")
        except BaseException:
            if failed:  # of which duckdb tells in words of its own
                raise failed[0] from None
            raise


class _EndedByNewlines:
    """A file that ends the rows it is given by line feeds alone.

    The csv module quotes a cell for the characters that end a row, so rows are ended by both there are: a bare carriage
    return would be read back as the end of one.
    """

    given = "\r\n"

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, row: str) -> int:
        return self._file.write(row.removesuffix(self.given) + "\n")
