"""Where a prepared log came from, as JSON: files and their hashes, the form they were read in, lines, the report."""

import base64
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from tallymark.games.ids import Id
from tallymark.games.report import LogReport
from tallymark.tables import Column, Table

Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | int | bool | None"


@dataclass(frozen=True)
class Provenance:
    """The files of a log, each with its SHA-256, and what was said about how they are to be read."""

    files: tuple[tuple[str, str], ...]
    form: Mapping[str, Json]

    @classmethod
    def of(cls, document: Mapping[str, Json]) -> "Provenance":
        """What `document` gave; ValueError or TypeError for anything else."""
        files, form = document["files"], document["form"]
        if not isinstance(files, list) or not isinstance(form, dict):
            raise TypeError("files or form are missing")
        pairs = [(str(name), str(digest)) for name, digest in cast(list[list[str]], files)]
        return cls(tuple(pairs), form)

    def document(self) -> dict[str, Json]:
        """As JSON."""
        return {"files": [list(pair) for pair in self.files], "form": dict(self.form)}

    def names(self) -> tuple[str, ...]:
        """The files by name."""
        return tuple(name for name, _ in self.files)


class Options(TypedDict, total=False):
    """What `read_games` takes to say how files are read."""

    columns: Mapping[str, str]
    results: Mapping[str, str]
    delimiter: str | None
    encoding: str
    times: str | None
    zone: str | None
    aliases: Mapping[str, str] | str | os.PathLike[str] | None
    since: str | None
    until: str | None
    dedupe: bool


def told(options: Options) -> dict[str, Json]:
    """What of these somebody said: everything that is not the default.

    >>> told({"columns": {"score_a": "Points"}, "encoding": "utf-8", "zone": None})
    {'columns': {'score_a': 'Points'}}
    """
    said = {name: value for name, value in options.items() if value and (name, value) != ("encoding", "utf-8")}
    return {name: dict(value) if isinstance(value, Mapping) else cast(Json, value) for name, value in said.items()}


def runs_of(lines: NDArray[np.int64]) -> list[Json]:
    """Lines as runs of one step: three numbers each, how many, the first, the step.

    >>> runs_of(np.array([2, 3, 4, 9, 11]))
    [[3, 2, 1], [2, 9, 2]]
    """
    runs: list[Json] = []
    steps = np.diff(lines)
    last = len(lines) - 1
    start = 0
    changes = (np.flatnonzero(np.diff(steps)) + 1).tolist()  # rows where one step is followed by another
    for end in [*changes, last] if len(lines) else []:
        if end > start or end == last:
            runs.append([end - start + 1, int(lines[start]), int(steps[start]) if end > start else 0])
            start = end + 1
    return runs


def runs_from(runs: Json, rows: int) -> NDArray[np.int64]:
    """The lines of so many rows; ValueError or TypeError for what `runs_of` did not give."""
    counts, firsts, steps = (np.array(cast(list[list[int]], runs), np.int64).reshape(-1, 3)[:, at] for at in range(3))
    if counts.sum() != rows or (counts < 1).any():
        raise ValueError("the lines are not those of the rows")
    starts = np.cumsum(counts) - counts
    within = np.arange(rows) - np.repeat(starts, counts)
    lines: NDArray[np.int64] = np.repeat(firsts, counts) + within * np.repeat(steps, counts)
    return lines


def report_json(report: LogReport) -> dict[str, Json]:
    """A report whole: counts and notes as they are, the rows that were left out packed, as there may be many."""
    table = {name: report.problems[name] for name in report.problems.columns}
    columns = [[name, values.dtype.kind in "iu", values.tolist()] for name, values in table.items()]
    packed = zlib.compress(json.dumps(columns).encode(), 9)
    return {
        "rows": report.rows,
        "accepted": report.accepted,
        "held": report.held,
        "rejected": report.rejected,
        "games": report.games,
        "notes": list(report.notes),
        "aliases": [[old, new] for old, new in report.aliases.items()],
        "problems": base64.b64encode(packed).decode(),
    }


def report_from(document: Mapping[str, Json]) -> LogReport:
    """The report again; ValueError or TypeError for what `report_json` did not give."""
    try:
        columns = json.loads(zlib.decompress(base64.b64decode(cast(str, document["problems"]), validate=True)))
    except zlib.error as error:
        raise ValueError(str(error)) from None
    problems: dict[str, Column] = {
        str(name): np.array(values, np.int64) if whole else list(values) for name, whole, values in columns
    }
    rows, accepted, held, rejected, games = (
        int(cast(int, document[name])) for name in ("rows", "accepted", "held", "rejected", "games")
    )
    notes = tuple(str(note) for note in cast(list[Json], document["notes"]))
    aliases = {_id(old): _id(new) for old, new in cast(list[list[Json]], document["aliases"])}
    return LogReport(rows, accepted, held, rejected, games, Table(problems), notes, aliases)


def _id(value: Json) -> Id:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise TypeError(f"{value!r} is no id")
    return value
