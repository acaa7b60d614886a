"""Large clean text read by duckdb: the same table as the exact way gives, or none, and then the exact way is taken.

Clean is a file in which nothing can be understood in two ways: UTF-8, one way of ending lines, no blank line, as many
cells in each line, quotation marks only around whole cells that hold none and no end of a line. All of that is looked
at here, byte by byte, while duckdb finds the cells; what it has found counts only if all is clean.
"""

import codecs
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import ReadError
from tallymark.games.columns import Cells
from tallymark.games.files.gathering import GatheredBytes, GatheredTimes
from tallymark.games.files.opening import Source
from tallymark.games.files.parquet_file import literal
from tallymark.games.files.raw import RawTable
from tallymark.games.files.scanning import gathered
from tallymark.games.progress import Progress, silent
from tallymark.games.shapes.plan import Plan

LEAST_BYTES: int = 4 << 20
"""Files of fewer bytes (as they are stored) are read the exact way, which is done before duckdb has started."""

_BLOCK = 1 << 16
"""So many bytes are looked at together: no more than stay near the processor, and half of what a cell may have."""
_MEMORY: Final = "512MB"
_DELIMITERS: Final = ",;\t|"
_END, _RETURN, _QUOTE = 10, 13, 34
# To duckdb, "\r\n" said is one end more in each line; left unsaid, it finds it.
_ENDING: Final = {b"\n": ", new_line = '\\n'", b"\r\n": ""}
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5"


def read_fast(
    source: Source, plan: Plan, width: int, delimiter: str, encoding: str, progress: Progress = silent
) -> RawTable | None:
    """The table of a file of `width` columns, or None where it is too small or not clean."""
    size = source.size()  # None of what has no name that duckdb could open
    if size is None or size < LEAST_BYTES or encoding != "utf-8" or delimiter not in _DELIMITERS or width < 2:
        return None
    try:
        end, expected = _beginning(source, size)
    except ReadError:  # a packed file that is damaged: how, the exact way says
        return None
    stopped = Event()
    with ThreadPoolExecutor(1) as worker:
        counted = worker.submit(_clean_lines, source, width, ord(delimiter), end, stopped)
        try:
            cells = _cells(source, plan, width, delimiter, end, expected, counted, progress)
        finally:
            stopped.set()  # which changes nothing where all has been read
    lines = counted.result()
    if cells is None or lines is None:
        return None
    rows = lines - plan.header
    first = 1 + plan.header
    return RawTable(plan, cells, rows, np.arange(first, first + rows, dtype=np.int64), width)


def _beginning(source: Source, size: int) -> tuple[bytes, int]:
    """How the first line ends, and about how many lines a file of that size has."""
    with source.content() as file:
        block = file.read(_BLOCK)
    first, lines = block.find(b"\n"), 1 + block.count(b"\n")
    return b"\r\n" if first > 0 and block[first - 1] == _RETURN else b"\n", 1 + size * lines // max(1, len(block))


def _clean_lines(source: Source, width: int, delimiter: int, end: bytes, stopped: Event) -> int | None:
    """How many lines a clean file has; None for one that is not, or when that is not wanted any more."""
    lines = 0
    try:
        with source.content() as file:
            while block := file.read(_BLOCK):
                if stopped.is_set() or (not lines and block.startswith(codecs.BOM_UTF8)):
                    return None
                if not block.endswith(b"\n"):
                    rest = file.readline(_BLOCK)
                    if len(rest) == _BLOCK:  # a line may be that long and that of a block: the longest cell is longer
                        return None
                    block += rest
                    if not block.endswith(b"\n"):  # the last line of the file
                        block += end
                if end != b"\n":
                    if not block.count(end) == block.count(b"\n") == block.count(b"\r"):
                        return None
                    block = block.replace(end, b"\n")
                ends = _ends_of_clean(block, width, delimiter)
                if ends is None:
                    return None
                lines += ends
    except ReadError:
        return None
    return lines


def _ends_of_clean(block: bytes, width: int, delimiter: int) -> int | None:
    """How many lines these are if they are clean, and as many cells are in them as so many lines have.

    That no line has too few of them, nor is blank, is left to duckdb, so that none has too many either.
    """
    if b"\r" in block or b"\0" in block:
        return None
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError:
            return None
    letters = np.frombuffer(block, dtype=np.uint8)
    outside = letters
    if b'"' in block:
        found = _outside_quotes(letters, delimiter)
        if found is None:
            return None
        outside = found
    ends = int(np.count_nonzero(letters == _END))
    return ends if np.count_nonzero(outside == delimiter) == ends * (width - 1) else None


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
    source: Source,
    plan: Plan,
    width: int,
    delimiter: str,
    end: bytes,
    expected: int,
    counted: Future[int | None],
    progress: Progress,
) -> dict[int, Cells] | None:
    """The columns of the plan, None where duckdb finds anything else than as many whole rows as are `counted`."""
    with source.opened() as file:
        packing = {_GZIP: "gzip", _ZSTD: None}.get(file.read(2), "none")
    if packing is None:
        return None
    times = plan.columns.get("played_at", ())
    columns = {at: (GatheredTimes if at in times else GatheredBytes)(expected) for at in plan.positions}
    names = ", ".join(f"'c{at}': 'VARCHAR'" for at in range(width))
    query = f"""SELECT {", ".join(f"c{at}" for at in columns)} FROM read_csv({literal(str(source.path))},
        auto_detect = false, columns = {{{names}}}, header = false, skip = {int(plan.header)}, delim = '{delimiter}',
        quote = '"', escape = '"', comment = ''{_ENDING[end]}, strict_mode = true, null_padding = false,
        ignore_errors = false, compression = '{packing}', hive_partitioning = false)"""
    read = 0

    def go_on(rows: int, all_taken: bool) -> bool:
        nonlocal read
        read = rows
        progress(rows, min(rows / expected, 1.0) if packing == "none" else None)
        return all_taken and not (counted.done() and counted.result() is None)

    try:
        found = gathered(
            query, list(columns.values()), go_on, memory_limit=_MEMORY, temp_directory=tempfile.gettempdir()
        )
    except OSError:
        return None
    if found is None or counted.result() != read + plan.header:
        return None
    progress(read, 1.0)
    return {at: text for at, text in zip(columns, found, strict=True) if text is not None}
