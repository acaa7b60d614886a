"""Games from files: which column is which, and by which reader."""

import difflib
import os
from collections.abc import Mapping
from pathlib import Path

from tallymark.errors import InputError, ReadError
from tallymark.games.csv_file import read_header, read_text
from tallymark.games.log import GameLog, log_of_games
from tallymark.games.report import Findings, Reason

GAME_COLUMNS = (
    "played_at",
    "player_a",
    "player_b",
    "score_a",
    "pool",
    "game",
    "match",
    "steps",
    "ending",
    "source",
    "board",
    "komi",
    "handicap",
    "order",
)
_REQUIRED = ("player_a", "player_b", "score_a")
_ONLY_WHEN_NAMED = ("pool", "order")


def read_games(
    path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None, delimiter: str = ","
) -> GameLog:
    """The games of a CSV file.

    Columns are `played_at`, `player_a`, `player_b`, `score_a` and, where there, `game`, `match`, `steps`, `ending`,
    `source`, `board`, `komi`, `handicap`; `columns` maps these names to the file's own. `pool` and `order` count only
    when mapped.
    """
    file = Path(path)
    if file.is_dir():
        raise ReadError(f"{file} is a directory", hint="name a file")
    header = read_header(file, delimiter)
    chosen = choose_columns(header, columns or {}, file)
    table = read_text(file, list(chosen.values()), delimiter)
    findings = Findings(len(table.lines), lines=table.lines)
    cells = {name: table.columns[column] for name, column in chosen.items()}
    width = len(header)
    counts = {ragged.row: ragged.cells for ragged in table.ragged}
    findings.reject(counts, Reason.RAGGED, lambda row: f"{counts[row]} cells, though the header has {width}")
    return log_of_games(cells, findings)


def choose_columns(header: list[str], mapping: Mapping[str, str], file: Path) -> dict[str, str]:
    """The file's column for each canonical name that is there."""
    for name, column in mapping.items():
        if name not in GAME_COLUMNS:
            raise InputError(f"no column is called {name!r}; there are {', '.join(GAME_COLUMNS)}", hint=_close(name, GAME_COLUMNS))
        if column not in header:
            raise ReadError(f"{file} has no column {column!r}; it has {', '.join(header)}", hint=_close(column, header))
    own = {name: name for name in GAME_COLUMNS if name in header and name not in _ONLY_WHEN_NAMED}
    chosen = {**own, **mapping}
    for name in _REQUIRED:
        if name not in chosen:
            raise ReadError(
                f"{file} has no column {name}; it has {', '.join(header)}", hint=f"map it: columns={{{name!r}: ...}}"
            )
    return chosen


def _close(name: str, choices: tuple[str, ...] | list[str]) -> str | None:
    close = difflib.get_close_matches(name, choices, n=1)
    return f"did you mean {close[0]!r}?" if close else None
