"""Games from delimited text, by the standard csv reader: every row keeps its line and every cell its characters."""

import csv
from collections.abc import Iterator
from itertools import islice
from typing import Protocol

import numpy as np

from tallymark.errors import ReadError
from tallymark.games.files.lines import lines_of
from tallymark.games.files.opening import Source
from tallymark.games.files.raw import SAMPLE, RawTable
from tallymark.games.shapes.plan import Choose

_CHUNK = 8192


class _Reader(Protocol):
    """What the standard csv reader is; the library gives its type no public name."""

    @property
    def line_num(self) -> int: ...

    def __iter__(self) -> Iterator[list[str]]: ...


def read_text(source: Source, choose: Choose, delimiter: str, encoding: str = "utf-8") -> RawTable:
    """The columns that `choose` picks, read strictly in the file's encoding.

    ReadError, in one line, for bytes that are no such text; OSError where the system does not hand them over.
    """
    with source.content() as file:
        reader = csv.reader(lines_of(file, source.name, encoding), delimiter=delimiter, strict=True)
        try:
            return _parse(reader, choose)
        except csv.Error as error:
            raise _form_error(source.name, reader.line_num, error) from None
        except StopIteration:
            raise ReadError(f"{source.name} is empty", hint="the first row names the columns") from None


def _parse(reader: "_Reader", choose: Choose) -> RawTable:
    first = next(cells for cells in reader if cells)
    before = reader.line_num  # the last line of the first row
    began = before + 1 - _height(first)
    chunk = list(islice(reader, _CHUNK))
    plan = choose(first, [cells for cells in chunk[:SAMPLE] if cells])
    if not plan.header:
        chunk.insert(0, first)
        before = began - 1
    width = len(first)
    columns: dict[int, list[object]] = {position: [] for position in plan.positions}
    lines: list[int] = []
    ragged: dict[int, int] = {}
    # By chunks: a list for every row of a large file would keep the garbage collector busy with nothing else.
    while chunk:
        if reader.line_num - before == len(chunk) and set(map(len, chunk)) == {width}:
            lines.extend(range(before + 1, reader.line_num + 1))
        else:
            line = before + 1
            fitting: list[list[str]] = []
            for cells in chunk:
                if cells:  # a blank line is no row
                    if len(cells) != width:
                        ragged[len(lines)] = len(cells)
                    fitting.append(cells if len(cells) == width else [""] * width)
                    lines.append(line)
                line += _height(cells)
            chunk = fitting
        before = reader.line_num
        transposed = list(zip(*chunk, strict=True)) or [()] * width
        for position in columns:
            columns[position].extend(transposed[position])
        chunk = list(islice(reader, _CHUNK))
    return RawTable(plan, dict(columns), len(lines), np.array(lines, dtype=np.int64), width, ragged)


def _height(cells: list[str]) -> int:
    """Lines a row takes up: quoted cells may hold line breaks of their own."""
    return 1 + sum(cell.count("\n") + cell.count("\r") - cell.count("\r\n") for cell in cells)


def _form_error(name: str, line: int, error: csv.Error) -> ReadError:
    if "field limit" in str(error):
        message = f"{name}, line {line}: a cell has more than {csv.field_size_limit():,} characters"
        return ReadError(message, hint="is this a table of games? or is a quotation mark left open?")
    return ReadError(f"{name}, line {line}: {error}", hint="is a quotation mark left open or not doubled?")
