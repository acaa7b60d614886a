"""Games from delimited text, by the standard csv reader: every row keeps its line and every cell its characters."""

import codecs
import csv
import gzip
import io
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import ReadError
from tallymark.games.columns import Cells
from tallymark.games.encodings import in_lines, is_wide, not_encoded

_GZIP = b"\x1f\x8b"
_CHUNK = 8192
_BLOCK = 1 << 20
_MARK = codecs.BOM_UTF8


class _Reader(Protocol):
    """What the standard csv reader is; the library gives its type no public name."""

    @property
    def line_num(self) -> int: ...

    def __iter__(self) -> Iterator[list[str]]: ...


@dataclass(frozen=True)
class TextTable:
    """A file's cells by canonical name, the line each row starts on, and the rows that do not fit the header.

    `ragged` maps the position of such a row to its number of cells; its own cells are left empty.
    """

    width: int
    columns: dict[str, Cells]
    lines: NDArray[np.int64]
    ragged: dict[int, int]


def read_text(
    path: Path, choose: Callable[[list[str]], Mapping[str, str]], delimiter: str, encoding: str = "utf-8"
) -> TextTable:
    """The columns that `choose` picks from the header (canonical name to the file's), read strictly in its encoding.

    ReadError, in one line, for bytes that are no such text; OSError where the system does not hand them over. The file
    is read once, so a pipe will do.
    """
    with path.open("rb") as file:
        reader = csv.reader(
            _lines(in_lines(_unpacked(file), path, encoding), path, encoding), delimiter=delimiter, strict=True
        )
        try:
            header = next(cells for cells in reader if cells)
            return _parse(header, {name: header.index(column) for name, column in choose(header).items()}, reader)
        except csv.Error as error:
            raise _form_error(path, reader.line_num, error) from None
        except StopIteration:
            raise ReadError(f"{path} is empty", hint="the first row names the columns") from None
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ReadError(f"{path} cannot be unpacked: {error}", hint="is the file cut short?") from None


def _parse(header: list[str], positions: Mapping[str, int], reader: "_Reader") -> TextTable:
    width = len(header)
    columns: dict[str, list[object]] = {name: [] for name in positions}
    lines: list[int] = []
    ragged: dict[int, int] = {}
    before = reader.line_num  # the header's last line
    # By chunks: a list for every row of a large file would keep the garbage collector busy with nothing else.
    while chunk := list(islice(reader, _CHUNK)):
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
        for name, at in positions.items():
            columns[name].extend(transposed[at])
    return TextTable(width, dict(columns), np.array(lines, dtype=np.int64), ragged)


def _height(cells: list[str]) -> int:
    """Lines a row takes up: quoted cells may hold line breaks of their own."""
    return 1 + sum(cell.count("\n") + cell.count("\r") - cell.count("\r\n") for cell in cells)


def _lines(file: IO[bytes], path: Path, encoding: str) -> Iterator[str]:
    """The lines, with the ends they have. Decoded here, block by block, since only so an error knows its line."""
    before, rest = 0, file.read(len(_MARK)).removeprefix(_MARK)
    while block := file.read(max(_BLOCK, len(rest))):  # ever larger ones where no line ends
        block = rest + block
        # Up to the last end of a line; a carriage return at the very end may be half of one.
        cut = 1 + max(block.rfind(b"\n"), block.rfind(b"\r", 0, -1))
        whole, rest = block[:cut], block[cut:]
        yield from io.StringIO(_decoded(whole, before, path, encoding), newline="")
        before += _ends(whole)
    yield from io.StringIO(_decoded(rest, before, path, encoding), newline="")


def _decoded(block: bytes, before: int, path: Path, encoding: str) -> str:
    wide = is_wide(encoding)  # such a file is in UTF-8 by now
    try:
        return block.decode("utf-8" if wide else encoding)
    except UnicodeDecodeError as error:
        line = before + 1 + _ends(block[: error.start])
        raise not_encoded(f"{path}, line {line}", block, error, encoding) from None


def _ends(block: bytes) -> int:
    return block.count(b"\n") + block.count(b"\r") - block.count(b"\r\n")


def _form_error(path: Path, line: int, error: csv.Error) -> ReadError:
    if "field limit" in str(error):
        message = f"{path}, line {line}: a cell has more than {csv.field_size_limit():,} characters"
        return ReadError(message, hint="is this a table of games? or is a quotation mark left open?")
    return ReadError(f"{path}, line {line}: {error}", hint="is a quotation mark left open or not doubled?")


def _unpacked(file: IO[bytes]) -> IO[bytes]:
    buffered = cast(io.BufferedReader, file)
    return cast(IO[bytes], gzip.GzipFile(fileobj=file)) if buffered.peek(2)[:2] == _GZIP else file
