"""Large clean text read by duckdb: the same table as the exact way gives, or none, and then the exact way is taken.

Clean is a file in which nothing can be understood in two ways: UTF-8, line feeds alone as ends of lines, no blank line,
as many cells in each line, quotation marks only around whole cells that hold none and no end of a line. All of that is
looked at here, byte by byte, before duckdb sees the file; duckdb finds the cells.
"""

import codecs
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.duck import connected
from tallymark.errors import ReadError
from tallymark.games.columns import Cells
from tallymark.games.files.arrow_text import packed
from tallymark.games.files.gathering import LONGEST, GatheredBytes
from tallymark.games.files.opening import Source
from tallymark.games.files.parquet_file import literal
from tallymark.games.files.raw import RawTable
from tallymark.games.progress import Progress, silent
from tallymark.games.shapes.plan import Plan

if TYPE_CHECKING:
    import arro3.core

LEAST_BYTES: int = 4 << 20
"""Files of fewer bytes (as they are stored) are read the exact way, which is done before duckdb has started."""

_BLOCK = 1 << 20
_LONGEST_LINE: Final = 131_072
"""No cell of a shorter line is longer than the standard reader takes."""
_MEMORY: Final = "512MB"
_AHEAD: Final = "32MB"
"""So much duckdb reads ahead of what is taken from it."""
_DELIMITERS: Final = ",;\t|"
_END, _QUOTE = 10, 34
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5"


def read_fast(
    source: Source, plan: Plan, width: int, delimiter: str, encoding: str, progress: Progress = silent
) -> RawTable | None:
    """The table of a file of `width` columns, or None where it is too small or not clean."""
    size = source.size()  # None of what has no name that duckdb could open
    if size is None or size < LEAST_BYTES or encoding != "utf-8" or delimiter not in _DELIMITERS or width < 2:
        return None
    lines = _clean_lines(source, width, ord(delimiter))
    if lines is None:
        return None
    rows = lines - plan.header
    cells = _cells(source, plan, width, delimiter, rows, progress)
    if cells is None:
        return None
    first = 1 + plan.header
    return RawTable(plan, cells, rows, np.arange(first, first + rows, dtype=np.int64), width)


def _clean_lines(source: Source, width: int, delimiter: int) -> int | None:
    """How many lines a clean file has; None for one that is not."""
    lines, rest = 0, b""
    try:
        with source.content() as file:
            while block := file.read(_BLOCK):
                if not lines and not rest and block.startswith(codecs.BOM_UTF8):
                    return None
                block = rest + block
                cut = block.rfind(b"\n") + 1
                whole, rest = block[:cut], block[cut:]
                ends = _ends_of_clean(whole, width, delimiter)
                if ends is None or len(rest) > _LONGEST_LINE:
                    return None
                lines += ends
    except ReadError:  # a packed file that is damaged: how, the exact way says
        return None
    if rest and _ends_of_clean(rest + b"\n", width, delimiter) is None:
        return None
    return lines + bool(rest)


def _ends_of_clean(block: bytes, width: int, delimiter: int) -> int | None:
    """How many lines these are if they are clean, and as many cells are in them as so many lines have.

    That no line has too few of them is left to duckdb, so that none has too many either.
    """
    if block.startswith(b"\n") or b"\n\n" in block or b"\r" in block or b"\0" in block:
        return None
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError:
            return None
    # Where every piece of half the length has an end of a line, no line is longer than the whole length.
    half = _LONGEST_LINE // 2
    if any(block.find(b"\n", start, start + half) < 0 for start in range(0, len(block) - half, half)):
        return None
    letters = np.frombuffer(block, dtype=np.uint8)
    outside = letters
    if b'"' in block:
        found = _outside_quotes(letters, delimiter)
        if found is None:
            return None
        outside = found
    delimiters = int(np.count_nonzero(outside == delimiter))
    ends = int(np.count_nonzero(letters == _END))
    return ends if delimiters == ends * (width - 1) else None


def _outside_quotes(letters: NDArray[np.uint8], delimiter: int) -> NDArray[np.uint8] | None:
    """The letters that are in no quotation marks, None where some are not around a whole cell of one line."""
    marks = letters == _QUOTE
    at = np.flatnonzero(marks)
    if len(at) % 2:
        return None
    before, after = letters[at[::2] - 1], letters[at[1::2] + 1]
    if at[0] == 0:
        before[0] = _END
    inside = np.bitwise_xor.accumulate(marks)
    ends = (before == delimiter) | (before == _END), (after == delimiter) | (after == _END)
    if not (ends[0].all() and ends[1].all()) or (letters[inside] == _END).any():
        return None
    return letters[~inside]


def _cells(
    source: Source, plan: Plan, width: int, delimiter: str, rows: int, progress: Progress
) -> dict[int, Cells] | None:
    """The columns of the plan, None where duckdb finds anything else than so many whole rows."""
    with source.opened() as file:
        packing = {_GZIP: "gzip", _ZSTD: None}.get(file.read(2), "none")
    if packing is None:
        return None
    columns = {at: GatheredBytes() for at in plan.positions}
    names = ", ".join(f"'c{at}': 'VARCHAR'" for at in range(width))
    query = f"""SELECT {", ".join(f"c{at}" for at in columns)} FROM read_csv({literal(str(source.path))},
        auto_detect = false, columns = {{{names}}}, header = false, skip = {int(plan.header)}, delim = '{delimiter}',
        quote = '"', escape = '"', comment = '', new_line = '\\n', strict_mode = true, null_padding = false,
        ignore_errors = false, compression = '{packing}', hive_partitioning = false)"""
    read = 0
    try:
        for batch in _batches(query):
            for at, array in zip(columns, batch.columns, strict=True):
                texts, owner = packed(array)
                if len(texts) and texts.lengths.max() > LONGEST:
                    return None
                columns[at].add(texts)
                del owner
            read += batch.num_rows
            progress(read, min(read / rows, 1.0))
    except OSError:
        return None
    return {at: column.text() for at, column in columns.items()} if read == rows else None


def _batches(query: str) -> Iterator["arro3.core.RecordBatch"]:
    """What a query gives, piece by piece, in bounded memory. OSError for what duckdb refuses."""
    from arro3.core import RecordBatchReader

    folder = tempfile.gettempdir()
    with connected(memory_limit=_MEMORY, temp_directory=folder) as connection:
        connection.execute(f"SET streaming_buffer_size = '{_AHEAD}'")
        reader = RecordBatchReader.from_stream(connection.sql(query))
        while True:
            try:
                batch = reader.read_next_batch()
            except StopIteration:
                return
            except Exception as error:  # arro3 hands on what duckdb says as an exception of no type of its own
                if "interrupted" in str(error).lower():
                    raise KeyboardInterrupt from None
                raise OSError(shortened(str(error))) from None
            yield batch
