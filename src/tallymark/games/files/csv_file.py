"""Games from delimited text, by the standard csv reader: every row keeps its line and every cell its characters."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from typing import Protocol

import numpy as np

from tallymark.errors import ReadError
from tallymark.games.columns import Cells
from tallymark.games.files.dialect import HEAD, Dialect, dialect_of
from tallymark.games.files.fast_csv import read_fast
from tallymark.games.files.gathering import Gathered
from tallymark.games.files.lines import lines_of
from tallymark.games.files.opening import Source
from tallymark.games.files.raw import SAMPLE, RawTable
from tallymark.games.files.unpacking import unpacked
from tallymark.games.progress import Progress, silent
from tallymark.games.shapes.plan import Choose, Plan

_CHUNK = 8192
_CUT = "unexpected end of data"
"""What the standard reader says where the text ends in a cell in quotation marks."""


class _Reader(Protocol):
    """What the standard csv reader is; the library gives its type no public name."""

    @property
    def line_num(self) -> int: ...

    def __iter__(self) -> Iterator[list[str]]: ...


def read_text(
    source: Source,
    choose: Choose,
    delimiter: str | None,
    encoding: str = "utf-8",
    progress: Progress = silent,
) -> RawTable:
    """The columns that `choose` picks, read strictly in the file's encoding; a delimiter of None is told by the file.

    ReadError, in one line, for bytes that are no such text; OSError where the system does not hand them over.
    """
    with source.opened() as stored, unpacked(stored, source.name) as file:
        lines = lines_of(file, source.name, encoding)
        head = list(islice(lines, HEAD))
        dialect = dialect_of(head, source.name, delimiter, "\t" if source.suffix == ".tsv" else ",")
        lines = chain(head[dialect.skipped :], lines)
        reader = csv.reader(lines, delimiter=dialect.delimiter, strict=True)

        def told(rows: int) -> None:
            size = source.size()
            progress(rows, stored.tell() / size if size else None)

        try:
            first, chunk, began = _beginning(reader)
            plan = choose(first, [_within(cells, len(first)) for cells in chunk[:SAMPLE] if cells])
            table = None
            if not dialect.skipped:
                table = read_fast(source, plan, len(first), dialect.delimiter, encoding, progress)
            if table is None:
                table = _exactly(reader, plan, first, chunk, began, told)
        except csv.Error as error:
            begun = _row_in_progress(source, dialect, encoding)
            raise _form_error(source.name, begun, reader.line_num + dialect.skipped, error) from None
        except StopIteration:
            raise ReadError(f"{source.name} is empty", hint="the first row names the columns") from None
    lines_at = table.lines + dialect.skipped if dialect.skipped and table.lines is not None else table.lines
    whole = _nothing_more if plan.uses_all(len(first)) else None
    return replace(table, lines=lines_at, notes=(*dialect.notes, *table.notes), whole=whole)


def _nothing_more(rows: Sequence[int]) -> dict[int, object]:
    """What rows have beside the columns that are used, where that is nothing: they need not be read again."""
    return dict.fromkeys(rows)


def _beginning(reader: _Reader) -> tuple[list[str], list[list[str]], int]:
    """The first row, the chunk after it, and the lines before the first row; StopIteration where there is none."""
    first = next(cells for cells in reader if cells)
    began = reader.line_num - _height(first)
    return first, list(islice(reader, _CHUNK)), began


def _exactly(
    reader: _Reader, plan: Plan, first: list[str], chunk: list[list[str]], began: int, told: Callable[[int], None]
) -> RawTable:
    before = began + _height(first)
    if not plan.header:
        chunk.insert(0, first)
        before = began
    width = len(first)
    columns = {position: Gathered() for position in plan.positions}
    lines = [np.zeros(0, dtype=np.int64)]
    ragged: dict[int, int] = {}
    rows = beyond = 0
    # By chunks: a list for every row of a large file would keep the garbage collector busy with nothing else.
    while chunk:
        if reader.line_num - before == len(chunk) and set(map(len, chunk)) == {width}:
            lines.append(np.arange(before + 1, reader.line_num + 1, dtype=np.int64))
        else:
            line = before + 1
            fitting: list[list[str]] = []
            at: list[int] = []
            for cells in chunk:
                if cells:  # a blank line is no row
                    within = _within(cells, width)
                    beyond += len(within) < len(cells)
                    if len(within) != width:
                        ragged[rows + len(at)] = len(cells)
                    fitting.append(within if len(within) == width else [""] * width)
                    at.append(line)
                line += _height(cells)
            chunk = fitting
            lines.append(np.array(at, dtype=np.int64))
        before = reader.line_num
        rows += len(chunk)
        transposed = list(zip(*chunk, strict=True)) or [()] * width
        for position, column in columns.items():
            column.add(transposed[position])
        told(rows)
        chunk = list(islice(reader, _CHUNK))
    cells_at: dict[int, Cells] = {position: column.text() for position, column in columns.items()}
    notes = (f"rows with empty cells behind the last column, which are left out: {beyond:,}",) if beyond else ()
    return RawTable(plan, cells_at, rows, np.concatenate(lines), width, ragged, notes=notes)


def _within(cells: list[str], width: int) -> list[str]:
    """A row without what is behind the last column, where that is empty: programs fill tables up so."""
    return cells if len(cells) <= width or any(cells[width:]) else cells[:width]


def _height(cells: list[str]) -> int:
    """Lines a row takes up: quoted cells may hold line breaks of their own."""
    return 1 + sum(cell.count("\n") + cell.count("\r") - cell.count("\r\n") for cell in cells)


def _row_in_progress(source: Source, dialect: Dialect, encoding: str) -> int:
    """The line on which the row begins that cannot be read: row by row this time, for chunks are taken whole."""
    line = dialect.skipped + 1
    with source.content() as file:
        reader = csv.reader(
            islice(lines_of(file, source.name, encoding), dialect.skipped, None),
            delimiter=dialect.delimiter,
            strict=True,
        )
        with suppress(csv.Error):
            for _ in reader:
                line = reader.line_num + dialect.skipped + 1
    return line


def _form_error(name: str, begun: int, line: int, error: csv.Error) -> ReadError:
    """The error of a row that begins on the line `begun` and cannot be read on from `line`."""
    told = str(error)
    large = "field limit" in told
    # Only quotation marks let a row go on behind the end of its line; which one is wrong can be said where none closes.
    if begun < line and (large or told == _CUT):
        message = f"{name}, line {begun}: a quotation mark opens a cell and does not close it; the row goes on to line"
        return ReadError(f"{message} {line}", hint=f"close it on line {begun}, or take it away")
    if large:
        message = f"{name}, line {line}: a cell has more than {csv.field_size_limit():,} characters"
        return ReadError(message, hint="is this a table of games? or is a quotation mark left open?")
    row = f", in the row that begins on line {begun}" if begun < line else ""
    where = f" on line {begun}" if row else ""
    return ReadError(f"{name}, line {line}: {told}{row}", hint=f"is a quotation mark left open{where} or not doubled?")
