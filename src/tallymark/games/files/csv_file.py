"""Games from delimited text, by the standard csv reader: every row keeps its line and every cell its characters."""

import codecs
import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import IO, Protocol

import numpy as np

from tallymark.errors import ReadError
from tallymark.games.files.encodings import in_lines, is_wide, not_encoded
from tallymark.games.files.opening import Source
from tallymark.games.files.raw import SAMPLE, RawTable
from tallymark.games.shapes.plan import Choose

_CHUNK = 8192
_BLOCK = 1 << 20
_MARK = codecs.BOM_UTF8


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
        text = _lines(in_lines(file, source.name, encoding), source.name, encoding)
        reader = csv.reader(text, delimiter=delimiter, strict=True)
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


def _lines(file: IO[bytes], name: str, encoding: str) -> Iterator[str]:
    """The lines, with the ends they have. Decoded here, block by block, since only so an error knows its line."""
    before, rest = 0, file.read(len(_MARK)).removeprefix(_MARK)
    while block := file.read(max(_BLOCK, len(rest))):  # ever larger ones where no line ends
        block = rest + block
        # Up to the last end of a line; a carriage return at the very end may be half of one.
        cut = 1 + max(block.rfind(b"\n"), block.rfind(b"\r", 0, -1))
        whole, rest = block[:cut], block[cut:]
        yield from io.StringIO(_decoded(whole, before, name, encoding), newline="")
        before += _ends(whole)
    yield from io.StringIO(_decoded(rest, before, name, encoding), newline="")


def _decoded(block: bytes, before: int, name: str, encoding: str) -> str:
    wide = is_wide(encoding)  # such a file is in UTF-8 by now
    try:
        return block.decode("utf-8" if wide else encoding)
    except UnicodeDecodeError as error:
        line = before + 1 + _ends(block[: error.start])
        raise not_encoded(f"{name}, line {line}", block, error, encoding) from None


def _ends(block: bytes) -> int:
    return block.count(b"\n") + block.count(b"\r") - block.count(b"\r\n")


def _form_error(name: str, line: int, error: csv.Error) -> ReadError:
    if "field limit" in str(error):
        message = f"{name}, line {line}: a cell has more than {csv.field_size_limit():,} characters"
        return ReadError(message, hint="is this a table of games? or is a quotation mark left open?")
    return ReadError(f"{name}, line {line}: {error}", hint="is a quotation mark left open or not doubled?")
