"""What became of every row of the input: accepted, held or rejected, and why."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tallymark.tables import Column, Table


class Reason(StrEnum):
    """Why a row is not in the log. One place for all, so that a reader of reports finds each code here."""

    RAGGED = "ragged-row"
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
    DUPLICATE_GAME = "duplicate-game"
    CONFLICTING_GAME = "conflicting-game"
    NO_RANK = "no-rank"
    PLAYER_TWICE = "player-twice"
    TEAM_RANKS = "team-ranks-differ"
    NOBODY_TO_PLAY = "nobody-to-play"


@dataclass(frozen=True)
class LogReport:
    """How many rows of the input were accepted, held (a person must decide) and rejected; each problem by row.

    `problems` has a row for each held or rejected input row: `row` (0-based), `line` (of the file, where there is
    one), `kind` ("held" or "rejected"), `reason` (a `Reason`) and `message`. `games` counts the games of the log; it
    differs from `accepted` where entries became pairs. `notes` are warnings about the whole.
    """

    rows: int
    accepted: int
    held: int
    rejected: int
    games: int
    problems: Table
    notes: tuple[str, ...]

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
        where = "line" if "line" in self.problems.columns else "row"
        for (kind, reason), first in seen.items():
            count = int(np.count_nonzero((kinds == kind) & (reasons == reason)))
            example = f"{where} {self.problems[where][first]}: {self.problems['message'][first]}"
            lines.append(f"  {count:,} {kind}: {reason} ({example})")
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])


@dataclass
class Findings:
    """Collects problems while rows are checked. A row keeps the first fault found, unless it is held.

    `open` marks the rows without one. `lines` are the file's line numbers of the rows, where there is a file.
    """

    rows: int
    lines: NDArray[np.int64] | None = None
    notes: list[str] = field(default_factory=list)
    open: NDArray[np.bool_] = field(init=False)
    _found: dict[int, tuple[str, Reason, str]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.open = np.ones(self.rows, dtype=bool)

    def reject(self, rows: Iterable[int] | NDArray[np.bool_], reason: Reason, message: Callable[[int], str]) -> None:
        """Take the rows out; `message` words the problem of one row."""
        positions = np.flatnonzero(rows & self.open).tolist() if isinstance(rows, np.ndarray) else rows
        for row in positions:
            if self.open[row]:
                self.open[row] = False
                self._found[row] = ("rejected", reason, message(row))

    def hold(self, rows: Iterable[int], reason: Reason, message: Callable[[int], str]) -> None:
        """Set the rows aside until somebody decides, those with another fault too: the decision is about all."""
        for row in rows:
            self.open[row] = False
            earlier = self._found.get(row)
            self._found[row] = ("held", reason, message(row) + (f"; and {earlier[2]}" if earlier else ""))

    def place(self, row: int) -> str:
        """How a message names a row: by its line in the file, or its position."""
        return f"row {row}" if self.lines is None else f"line {self.lines[row]}"

    def report(self, games: int) -> LogReport:
        """The finished report of a log with so many games."""
        rows = sorted(self._found)
        found = [self._found[row] for row in rows]
        held = sum(kind == "held" for kind, _, _ in found)
        columns: dict[str, Column] = {"row": np.array(rows, dtype=np.int64)}
        if self.lines is not None:
            columns["line"] = self.lines[rows] if rows else np.zeros(0, dtype=np.int64)
        columns["kind"] = [kind for kind, _, _ in found]
        columns["reason"] = [reason.value for _, reason, _ in found]
        columns["message"] = [message for _, _, message in found]
        return LogReport(
            rows=self.rows,
            accepted=self.rows - len(rows),
            held=held,
            rejected=len(rows) - held,
            games=games,
            problems=Table(columns),
            notes=tuple(self.notes),
        )
