"""Rows as their files have them: the text of each row that has a problem, read once more."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
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
    """The lines of a row, from `first` up to `end` (None: to the last), and the problem it has."""

    first: int
    end: int | None
    problem: int


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


def _begins(origin: Origin, number: int) -> NDArray[np.int64]:
    """The lines on which rows of a file begin, each once, whatever the order of the rows."""
    assert origin.lines is not None
    return np.unique(origin.lines[slice(*(*origin.starts, None)[number : number + 2])])


def _end(begins: NDArray[np.int64], line: int) -> int | None:
    """The line on which what follows a row begins, None for the last row of a file."""
    after = int(np.searchsorted(begins, line, side="right"))
    return int(begins[after]) if after < len(begins) else None


def _texts(file: IO[bytes], wanted: Sequence[_Wanted], encoding: str) -> Iterator[tuple[int, str]]:
    """The text of each problem, in the order of their lines; what several rows share, each of them has."""
    # The file was read by its own rules before: here nothing is refused any more.
    text = io.TextIOWrapper(file, encoding=encoding, errors="backslashreplace", newline="")
    try:
        ahead = iter(wanted)
        coming = next(ahead, None)
        reading: list[tuple[_Wanted, list[str]]] = []
        for number, line in enumerate(text, 1):
            for done in [one for one in reading if one[0].end == number]:
                reading.remove(done)
                yield done[0].problem, _whole(done[1])
            while coming is not None and coming.first == number:
                reading.append((coming, []))
                coming = next(ahead, None)
            if coming is None and not reading:
                return
            for _, lines in reading:
                if sum(map(len, lines)) <= _LONGEST + len("\r\n"):
                    lines.append(line)
        for one, lines in reading:
            yield one.problem, _whole(lines)
    finally:
        text.detach()


def _whole(lines: Sequence[str]) -> str:
    text = "".join(lines).removeprefix("\ufeff")
    text = text if len(text) > _LONGEST + len("\r\n") else text.strip("\r\n")
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
