"""Games from delimited text, by the standard csv reader: every row keeps its line and every cell its characters."""

import csv
import gzip
import io
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import ReadError
from tallymark.games.columns import Cells


@dataclass(frozen=True)
class Ragged:
    """A data row with another number of cells than the header."""

    row: int
    cells: int


@dataclass(frozen=True)
class TextTable:
    """A file's cells by column, the line each row starts on, and the rows that do not fit the header (left empty)."""

    header: list[str]
    columns: dict[str, Cells]
    lines: NDArray[np.int64]
    ragged: list[Ragged]


def read_header(path: Path, delimiter: str) -> list[str]:
    """The first row of the file."""
    with _opened(path) as file:
        try:
            return next(csv.reader(_text(path, file), delimiter=delimiter, strict=True))
        except StopIteration:
            raise ReadError(f"{path} is empty", hint="the first row names the columns") from None
        except UnicodeDecodeError:
            raise _decoding_error(path) from None
        except (OSError, EOFError, zlib.error, csv.Error) as error:
            raise _read_error(path, error) from None


def read_text(path: Path, wanted: list[str], delimiter: str) -> TextTable:
    """The wanted columns of the file; ReadError, in one line, for a file that cannot be read through."""
    with _opened(path) as file:
        try:
            return _parse(csv.reader(_text(path, file), delimiter=delimiter, strict=True), wanted)
        except UnicodeDecodeError:
            raise _decoding_error(path) from None
        except (OSError, EOFError, zlib.error, csv.Error) as error:
            raise _read_error(path, error) from None


def _parse(reader: "csv._reader", wanted: list[str]) -> TextTable:
    header = next(reader)
    width = len(header)
    rows: list[list[str]] = []
    lines: list[int] = []
    ragged: list[Ragged] = []
    empty = [""] * width
    line = reader.line_num + 1
    for cells in reader:
        if len(cells) == width:
            rows.append(cells)
            lines.append(line)
        elif cells:  # a blank line is no row
            ragged.append(Ragged(len(rows), len(cells)))
            rows.append(empty)
            lines.append(line)
        line = reader.line_num + 1
    positions = {name: header.index(name) for name in wanted}
    columns: dict[str, Cells] = {name: [row[at] for row in rows] for name, at in positions.items()}
    return TextTable(header, columns, np.array(lines, dtype=np.int64), ragged)


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror or error}") from error


def _text(path: Path, file: BinaryIO) -> io.TextIOWrapper:
    plain = gzip.GzipFile(fileobj=file) if path.suffix.lower() == ".gz" else file
    return io.TextIOWrapper(plain, encoding="utf-8-sig", newline="")  # type: ignore[arg-type]


def _decoding_error(path: Path) -> ReadError:
    """Read again line by line, for a decoder that works in blocks does not know the line."""
    with _opened(path) as file:
        plain = gzip.GzipFile(fileobj=file) if path.suffix.lower() == ".gz" else file
        for number, line in enumerate(plain, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                found = line[error.start : error.end].hex(" ")
                return ReadError(
                    f"{path}, line {number}: the bytes {found} are not UTF-8",
                    hint="the file's encoding is another (cp1252, utf-16?): convert it to UTF-8",
                )
    return ReadError(f"{path} is not UTF-8 text", hint="check the file's encoding")


def _read_error(path: Path, error: Exception) -> ReadError:
    if isinstance(error, csv.Error):
        return ReadError(f"{path} is not well-formed CSV: {error}", hint="is a quotation mark left open?")
    if path.suffix.lower() == ".gz":
        return ReadError(f"{path} cannot be unpacked: {error}", hint="is the file cut short, or not gzip?")
    return ReadError(f"{path} cannot be read: {error}")
