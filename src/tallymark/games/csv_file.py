"""Games from delimited text, by the standard csv reader: every row keeps its line and every cell its characters."""

import csv
import gzip
import io
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import ReadError
from tallymark.games.columns import Cells

_GZIP = b"\x1f\x8b"
_CHUNK = 8192


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


def read_text(path: Path, choose: Callable[[list[str]], Mapping[str, str]], delimiter: str) -> TextTable:
    """The columns that `choose` picks from the header (canonical name to the file's), read strictly as UTF-8.

    ReadError, in one line, for a file that cannot be read through. The file is read once, so a pipe will do.
    """
    try:
        with path.open("rb") as file:
            text = io.TextIOWrapper(_unpacked(file), encoding="utf-8-sig", newline="")
            reader = csv.reader(text, delimiter=delimiter, strict=True)
            try:
                header = next(cells for cells in reader if cells)
                return _parse(header, _positions(path, header, choose(header)), reader)
            except csv.Error as error:
                raise ReadError(
                    f"{path}, line {reader.line_num}: {error}", hint="is a quotation mark left open or not doubled?"
                ) from None
            except StopIteration:
                raise ReadError(f"{path} is empty", hint="the first row names the columns") from None
    except UnicodeDecodeError:
        raise _decoding_error(path) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ReadError(f"{path} cannot be unpacked: {error}", hint="is the file cut short?") from None
    except OSError as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"{path} cannot be read: {error.strerror or error}") from error


def _positions(path: Path, header: list[str], chosen: Mapping[str, str]) -> dict[str, int]:
    for column in chosen.values():
        if header.count(column) > 1:
            raise ReadError(f"{path} has {header.count(column)} columns {column!r}", hint="rename all but one")
    return {name: header.index(column) for name, column in chosen.items()}


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


def _unpacked(file: BinaryIO) -> BinaryIO:
    buffered = cast(io.BufferedReader, file)
    return cast(BinaryIO, gzip.GzipFile(fileobj=file)) if buffered.peek(2)[:2] == _GZIP else file


def _decoding_error(path: Path) -> ReadError:
    """Read again line by line, for the decoder works in blocks and does not know the line."""
    hint = "convert the file's encoding (cp1252? utf-16?) to UTF-8"
    with path.open("rb") as file:
        for number, line in enumerate(_unpacked(file), start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                found = line[error.start : error.end].hex(" ")
                return ReadError(f"{path}, line {number}: the bytes {found} are not UTF-8", hint=hint)
    return ReadError(f"{path} is not UTF-8 text", hint=hint)
