"""What became of every row of the input: accepted, held or rejected, and why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tallymark.games.ids import Id
from tallymark.games.origin import NO_LINE, Origin
from tallymark.tables import Column, Table

_FILES_NAMED = 3


class Reason(StrEnum):
    """Why a row is not in the log. One place for all, so that a reader of reports finds each code here."""

    RAGGED = "ragged-row"
    DAMAGED = "damaged-row"
    MISSING_PLAYER = "missing-player"
    SELF_PLAY = "self-play"
    NO_RESULT = "no-result"
    BAD_SCORE = "bad-score"
    UNKNOWN_RESULT = "unknown-result"
    MISSING_TIME = "missing-time"
    BAD_TIME = "bad-time"
    MISSING_POOL = "missing-pool"
    MISSING_MATCH = "missing-match"
    MISSING_TEAM = "missing-team"
    UNKNOWN_ENDING = "unknown-ending"
    UNKNOWN_SOURCE = "unknown-source"
    BAD_NUMBER = "bad-number"
    MATCH_DIFFERS = "match-differs"
    OUTSIDE_RANGE = "outside-range"
    DUPLICATE_GAME = "duplicate-game"
    CONFLICTING_GAME = "conflicting-game"
    SUSPECTED_DUPLICATE = "suspected-duplicate"
    DUPLICATE_ROW = "duplicate-row"
    NO_RANK = "no-rank"
    PLAYER_TWICE = "player-twice"
    TEAM_RANKS = "team-ranks-differ"
    NOBODY_TO_PLAY = "nobody-to-play"


@dataclass(frozen=True)
class LogReport:
    """How many rows of the input were accepted, held (a person must decide) and rejected; each problem by row.

    `problems` has a row for each held or rejected input row: `row` (0-based), `line` (of the file, where there is
    one), `kind` ("held" or "rejected"), `reason` (a `Reason`) and `message`. `games` counts the games of the log; it
    differs from `accepted` where entries became pairs. `notes` are warnings about the whole. `aliases` has the old ids
    that some row had, and the new ones that stand in the log for them.
    """

    rows: int
    accepted: int
    held: int
    rejected: int
    games: int
    problems: Table
    notes: tuple[str, ...]
    aliases: Mapping[Id, Id] = field(default_factory=dict)

    def summary(self) -> str:
        """A few lines of text: counts, reasons by number, notes.

        >>> from tallymark.games import GameLog
        >>> print(GameLog.from_arrays(player_a=["ann", "bob"], player_b=["bob", ""], score_a=[1, 0]).report.summary())
        2 rows: 1 accepted, 0 held, 1 rejected; 1 game
          1 rejected: missing-player (row 1: player_b is missing)
          note: no times: games are taken in the order of their rows
        """
        games = f"{self.games:,} game{'' if self.games == 1 else 's'}"
        counts = f"{self.accepted:,} accepted, {self.held:,} held, {self.rejected:,} rejected"
        lines = [f"{self.rows:,} row{'' if self.rows == 1 else 's'}: {counts}; {games}"]
        seen: dict[tuple[str, str], int] = {}
        for position, pair in enumerate(zip(self.problems["kind"], self.problems["reason"], strict=True)):
            seen.setdefault(pair, position)
        kinds, reasons = self.problems["kind"], self.problems["reason"]
        for (kind, reason), first in seen.items():
            count = int(np.count_nonzero((kinds == kind) & (reasons == reason)))
            example = f"{self._place(first)}: {self.problems['message'][first]}"
            lines.append(f"  {count:,} {kind}: {reason} ({example})")
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])

    def _place(self, position: int) -> str:
        """The place of a problem, as its columns tell it."""
        problem = {name: self.problems[name][position] for name in self.problems.columns}
        file = f"{problem['file']}, " if problem.get("file") else ""
        return (
            f"{file}line {problem['line']}"
            if problem.get("line", NO_LINE) != NO_LINE
            else f"{file}row {problem['row']}"
        )


@dataclass
class Findings:
    """Collects problems while games are checked. A row keeps the first fault found, unless it is held.

    What is checked are *entities*: the rows themselves, or what rows were taken apart into (the games of a row of
    counts, the entries of a row of ranks). A fault of one takes its whole row out, so that no row is half in a log.
    `open` marks the entities of rows without a fault, `of` has the row of each where they are not the rows. `whole`
    reads rows again, all that their files have of each, to be compared; None where all that there is is used.
    """

    rows: int
    origin: Origin = field(default_factory=Origin)
    notes: list[str] = field(default_factory=list)
    aliases: dict[Id, Id] = field(default_factory=dict)
    of: NDArray[np.int64] | None = None
    whole: Callable[[Sequence[int]], dict[int, object]] | None = None
    open: NDArray[np.bool_] = field(init=False)
    _row_open: NDArray[np.bool_] = field(init=False)
    _found: dict[int, tuple[str, Reason, str]] = field(init=False, default_factory=dict)
    _texts: dict[int, str | None] = field(init=False, default_factory=dict)
    """Of rows whose problem was shown with their text before."""

    def __post_init__(self) -> None:
        self._row_open = np.ones(self.rows, dtype=bool)
        self.open = self._row_open if self.of is None else self._row_open[self.of]

    def __len__(self) -> int:
        """How many entities there are."""
        return len(self.open)

    @classmethod
    def of_report(cls, report: LogReport, origin: Origin, of: NDArray[np.int64]) -> "Findings":
        """The findings that a log's report came from, for its games again: `of` has the row of each."""
        whole = cls(report.rows, origin, list(report.notes), dict(report.aliases), of)
        columns = (report.problems[name].tolist() for name in ("row", "kind", "reason", "message"))
        for row, kind, reason, message in zip(*columns, strict=True):
            whole._found[row] = (kind, Reason(reason), message)
        if "text" in report.problems.columns:
            whole._texts = dict(zip(report.problems["row"].tolist(), report.problems["text"].tolist(), strict=True))
        whole._close(list(whole._found))
        return whole

    @classmethod
    def of_all(cls, parts: Sequence["Findings"]) -> "Findings":
        """The findings of several files as those of one input, rows and entities in the order of the files."""
        if len(parts) == 1:
            return parts[0]
        counts = [part.rows for part in parts]
        starts = np.cumsum([0, *counts])[:-1].tolist()
        of = None
        if any(part.of is not None for part in parts):
            rows = [part.rows_of(np.arange(len(part), dtype=np.int64)) for part in parts]
            of = np.concatenate([own + start for own, start in zip(rows, starts, strict=True)])
        whole = cls(sum(counts), Origin.of_all([part.origin for part in parts], counts), of=of)
        for part, start in zip(parts, starts, strict=True):
            for row, found in part._found.items():
                whole._found[start + row] = found
            whole._texts |= {start + row: text for row, text in part._texts.items()}
        whole.aliases = {old: new for part in parts for old, new in part.aliases.items()}
        if any(part.whole is not None for part in parts):
            whole.whole = lambda rows: _whole(parts, starts, rows)
        whole.notes = _together([(", ".join(part.origin.files), part.notes) for part in parts])
        whole._close(list(whole._found))
        return whole

    def spread(self, of: NDArray[np.int64]) -> "Findings":
        """These findings for what the entities are taken apart into: `of` has the entity of each part."""
        child = Findings(self.rows, self.origin, self.notes, self.aliases, self.rows_of(of), self.whole)
        child._found, child._row_open, child._texts = self._found, self._row_open, self._texts
        child.open = self._row_open[child.of]
        return child

    def reject(self, which: Iterable[int] | NDArray[np.bool_], reason: Reason, message: Callable[[int], str]) -> None:
        """Take entities out; `message` words the problem of one."""
        if isinstance(which, np.ndarray):
            positions: Iterable[int] = np.flatnonzero(which & self.open).tolist() if which.any() else ()
        else:
            positions = which
        closed: list[int] = []
        for entity in positions:
            row = self.row(entity)
            if self._row_open[row] and row not in self._found:
                self._found[row] = ("rejected", reason, message(entity))
                closed.append(row)
        self._close(closed)

    def hold(self, which: Iterable[int], reason: Reason, message: Callable[[int], str]) -> None:
        """Set entities aside until somebody decides, those with another fault too: the decision is about all."""
        closed: list[int] = []
        for entity in which:
            row = self.row(entity)
            earlier = self._found.get(row)
            if earlier is None or earlier[0] == "rejected":
                self._found[row] = ("held", reason, message(entity) + (f"; and {earlier[2]}" if earlier else ""))
                closed.append(row)
        self._close(closed)

    def row(self, entity: int) -> int:
        """The row of an entity."""
        return entity if self.of is None else int(self.of[entity])

    def rows_of(self, entities: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of entities."""
        return entities if self.of is None else self.of[entities]

    def place(self, entity: int) -> str:
        """How a message names an entity: by the place of its row."""
        return self.origin.place(self.row(entity))

    def report(self, games: int) -> LogReport:
        """The finished report of a log with so many games."""
        rows = sorted(self._found)
        found = [self._found[row] for row in rows]
        held = sum(kind == "held" for kind, _, _ in found)
        columns: dict[str, Column] = {}
        if len(self.origin.files) > 1:
            columns["file"] = [self.origin.file(row) for row in rows]
        columns["row"] = np.array(rows, dtype=np.int64)
        if self.origin.lines is not None:
            columns["line"] = self.origin.lines[rows] if rows else np.zeros(0, dtype=np.int64)
        columns["kind"] = [kind for kind, _, _ in found]
        columns["reason"] = [reason.value for _, reason, _ in found]
        columns["message"] = [message for _, _, message in found]
        if self._texts:
            columns["text"] = [self._texts.get(row) for row in rows]
        return LogReport(
            rows=self.rows,
            accepted=self.rows - len(rows),
            held=held,
            rejected=len(rows) - held,
            games=games,
            problems=Table(columns),
            notes=tuple(self.notes),
            aliases=dict(self.aliases),
        )

    def _close(self, rows: Sequence[int]) -> None:
        if rows:
            self._row_open[np.array(rows, dtype=np.int64)] = False
            if self.of is not None:
                self.open = self._row_open[self.of]


def _whole(parts: Sequence[Findings], starts: Sequence[int], rows: Sequence[int]) -> dict[int, object]:
    """All that the files of several findings have of rows, by the rows of the one input; None where all is used."""
    found: dict[int, object] = dict.fromkeys(rows)
    for part, start in zip(parts, starts, strict=True):
        own = [row - start for row in rows if start <= row < start + part.rows]
        if own and part.whole is not None:
            found |= {start + row: cells for row, cells in part.whole(own).items()}
    return found


def _together(parts: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """The notes of several files, each once: as it is where all files have it, else with the names of those that do."""
    of: dict[str, list[str]] = {}
    for file, notes in parts:
        for note in dict.fromkeys(notes):
            of.setdefault(note, []).append(file)
    notes = []
    for note, files in of.items():
        more = f" and {len(files) - _FILES_NAMED:,} more" if len(files) > _FILES_NAMED else ""
        named = f"{', '.join(files[:_FILES_NAMED])}{more}: "
        notes.append(note if len(files) == len(parts) else named + note)
    return notes
