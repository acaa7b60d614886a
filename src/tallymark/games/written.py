"""Rows as their files have them: the text of rows with a problem, or that may repeat one, read once more."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from operator import attrgetter
from typing import IO, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.games.files.opening import Source
from tallymark.games.origin import NO_LINE, Origin
from tallymark.games.report import LogReport
from tallymark.tables import Table

_LONGEST: Final = 10_000
"""So many characters of a row are kept."""


class _Wanted(NamedTuple):
    """The lines of a row, from `first` up to `end` (None: to the last), and the number of it or of its problem."""

    first: int
    end: int | None
    of: int


def with_text(report: LogReport, found: Sequence[Source], origin: Origin, encodings: Sequence[str]) -> LogReport:
    """The report with `text` among its problems: each row as it is written, where its file has lines.

    `encodings` are those of the files. Of more than 10,000 characters the first are kept, and `...`.
    """
    problems = report.problems
    if not len(problems) or origin.lines is None or len(found) != len(origin.files):
        return report
    texts: list[str | None] = [None] * len(problems)
    wanted: dict[int, list[_Wanted]] = {}
    begins: dict[int, NDArray[np.int64]] = {}
    for problem, row in enumerate(problems["row"].tolist()):
        line, number = origin.line(row), origin.number(row)
        if line != NO_LINE:
            lines = begins.get(number)
            if lines is None:
                lines = begins[number] = _begins(origin, number)
            wanted.setdefault(number, []).append(_Wanted(line, _end(lines, line), problem))
    for number, rows in wanted.items():
        with found[number].content() as file:
            for problem, text in _texts(file, sorted(rows, key=attrgetter("first")), encodings[number]):
                texts[problem] = text
    columns = {name: problems[name] for name in problems.columns}
    return replace(report, problems=Table({**columns, "text": texts}))


def whole_rows(
    source: Source, lines: NDArray[np.int64] | None, encoding: str
) -> Callable[[Sequence[int]], dict[int, object]] | None:
    """What reads the text of rows that begin on these lines, each by a number made of it; None without lines.

    Rows that share a line are equal to none.
    """
    if lines is None:
        return None

    def read(rows: Sequence[int]) -> dict[int, object]:
        begins, count = np.unique(lines, return_counts=True)
        alone = count[np.searchsorted(begins, lines[list(rows)])] == 1
        wanted = [
            _Wanted(line, _end(begins, line), row)
            for row, own in zip(rows, alone.tolist(), strict=True)
            if own and (line := int(lines[row]))
        ]
        found: dict[int, object] = {row: object() for row in rows}
        with source.content() as file:
            for row, text in _texts(file, sorted(wanted, key=attrgetter("first")), encoding, None):
                found[row] = blake2b(text.rstrip().encode("utf-8", "surrogatepass"), digest_size=16).digest()
        return found

    return read


def _begins(origin: Origin, number: int) -> NDArray[np.int64]:
    """The lines on which rows of a file begin, each once, whatever the order of the rows."""
    assert origin.lines is not None
    return np.unique(origin.lines[slice(*(*origin.starts, None)[number : number + 2])])


def _end(begins: NDArray[np.int64], line: int) -> int | None:
    """The line on which what follows a row begins, None for the last row of a file."""
    after = int(np.searchsorted(begins, line, side="right"))
    return int(begins[after]) if after < len(begins) else None


def _texts(
    file: IO[bytes], wanted: Sequence[_Wanted], encoding: str, longest: int | None = _LONGEST
) -> Iterator[tuple[int, str]]:
    """The text of each wanted row, in the order of their lines; what several rows share, each of them has."""
    # The file was read by its own rules before: here nothing is refused any more.
    text = io.TextIOWrapper(file, encoding=encoding, errors="backslashreplace", newline="")
    try:
        ahead = iter(wanted)
        coming = next(ahead, None)
        reading: list[tuple[_Wanted, list[str]]] = []
        for number, line in enumerate(text, 1):
            for done in [one for one in reading if one[0].end == number]:
                reading.remove(done)
                yield done[0].of, _whole(done[1], longest)
            while coming is not None and coming.first == number:
                reading.append((coming, []))
                coming = next(ahead, None)
            if coming is None and not reading:
                return
            for _, lines in reading:
                if longest is None or sum(map(len, lines)) <= longest + len("\r\n"):
                    lines.append(line)
        for one, lines in reading:
            yield one.of, _whole(lines, longest)
    finally:
        text.detach()


def _whole(lines: Sequence[str], longest: int | None) -> str:
    text = "".join(lines).removeprefix("\ufeff")
    text = text if longest and len(text) > longest + len("\r\n") else text.strip("\r\n")
    return text if longest is None or len(text) <= longest else text[:longest] + "..."
