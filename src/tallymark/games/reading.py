"""Games from files: which column is which, and by which reader."""

import difflib
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from tallymark.checked import shortened
from tallymark.errors import InputError, ReadError
from tallymark.games.csv_file import read_text
from tallymark.games.encodings import checked_encoding
from tallymark.games.log import GameLog, log_of_entries, log_of_games
from tallymark.games.parquet_file import read_parquet
from tallymark.games.report import Findings, Reason
from tallymark.games.results import checked_words
from tallymark.games.shapes import TELLING, scored, shape_of

_SHARED = ("played_at", "pool", "match", "steps", "ending", "source", "order")
_TELLING = tuple(dict.fromkeys(name for way in TELLING for name in way))
_GAMES = (*_TELLING, "game", "board", "komi", "handicap")
_ENTRIES = ("player", "rank", "team")
COLUMNS = (*_GAMES, *_ENTRIES, *_SHARED)
"""Every canonical name of a column."""

_REQUIRED_OF_GAMES = TELLING[0]
_REQUIRED_OF_ENTRIES = ("match", "player", "rank")
# Files use these names for other things too often (a surface, a club, a serial number): they count when mapped.
_ONLY_WHEN_MAPPED = ("pool", "order", "team")
_TEXT = (".csv", ".txt", ".tsv", "")
_PARQUET = (".parquet", ".pq")
_LISTED = 40
"""So many columns, and so many characters of each, are listed of a header."""


def read_games(
    path: str | os.PathLike[str],
    *,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    results: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
) -> GameLog:
    """The games of a CSV file (.csv, .csv.gz, .txt; with a header) or a Parquet file (.parquet).

    Text is UTF-8 unless `encoding` says otherwise; bytes that are not are an error that shows them. Cells are separated
    by `delimiter`, by default a comma, in a .tsv file a tab.

    A row is a game: `player_a`, `player_b`, `score_a` (player a's, 0 to 1) and, where there, `played_at`, `game`,
    `match`, `steps`, `ending`, `source`, `board`, `komi`, `handicap`. In the place of `score_a`: `points_a` and
    `points_b`, or `result` (1-0, draw, +/-, a player's name; `results` maps further words to these), or `winner` and
    `loser` instead of the players. Or, in a file without them, a row is one player's entry in a match: `match` (or
    `game_id`), `player`, `rank`. `columns` maps these names to the file's own; `pool`, `order` and `team` count only
    when mapped.

    Rows that cannot be rated are named in the log's `report` by line. ReadError when the file cannot be read or lacks
    a column, InputError for a mapping of an unknown name.

    >>> log = read_games("games.csv", columns={"score_a": "white_points"})  # doctest: +SKIP
    >>> log.report.accepted  # doctest: +SKIP
    10000
    """
    mapping = _checked_mapping(columns or {})
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise InputError(f"delimiter is {delimiter!r}; it is one character, and no quotation mark or line break")
    file = Path(path)
    try:
        if _is_directory(file):
            raise ReadError(f"{file} is a directory", hint="name a file")
        return _read(file, mapping, delimiter, checked_encoding(encoding), checked_words(results))
    except OSError as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"{file} cannot be read: {error.strerror or error}") from error


def _is_directory(file: Path) -> bool:
    try:
        return stat.S_ISDIR(file.stat().st_mode)
    except ValueError as error:  # a NUL, or half a surrogate pair
        raise ReadError(f"{shortened(str(file))} is no name of a file: {error}") from None


def _checked_mapping(columns: Mapping[str, str]) -> dict[str, str]:
    if not isinstance(columns, Mapping):
        raise InputError(f"columns is {shortened(columns)}; expected a mapping like {{'score_a': 'Points'}}")
    for name, column in columns.items():
        if name not in COLUMNS:
            hint = _close(name, COLUMNS) if isinstance(name, str) else None
            raise InputError(f"no column is called {shortened(name)}; there are {', '.join(COLUMNS)}", hint=hint)
        if not isinstance(column, str):
            raise InputError(f"columns has {shortened(column)} for {name}; expected the name of a column of the file")
    return dict(columns)


def _read(
    file: Path, mapping: Mapping[str, str], delimiter: str | None, encoding: str, results: Mapping[str, str] | None
) -> GameLog:
    def choose(header: Sequence[str]) -> dict[str, str]:
        return choose_columns(header, mapping, str(file))

    suffix = Path(file.stem).suffix.lower() if file.suffix.lower() == ".gz" else file.suffix.lower()
    if suffix in _PARQUET:
        cells, rows = read_parquet(file, choose)
        findings = Findings(rows)
    elif suffix in _TEXT:
        table = read_text(file, choose, delimiter or ("\t" if suffix == ".tsv" else ","), encoding)
        cells, ragged = table.columns, table.ragged
        findings = Findings(len(table.lines), lines=table.lines)
        findings.reject(ragged, Reason.RAGGED, lambda row: f"{ragged[row]} cells, though the header has {table.width}")
    else:
        known = ".csv, .csv.gz, .txt or .parquet"
        raise ReadError(f"{file}: games are not read from {suffix} files", hint=f"give {known}")
    if "player" in cells:
        return log_of_entries(cells, findings)
    if results and "result" not in cells:
        raise InputError(
            f"results maps {', '.join(map(repr, results))}, and no column of results is read",
            hint="name the column: columns={'result': '...'}",
        )
    return log_of_games(scored(cells, findings, results), findings)


def choose_columns(header: Sequence[str], mapping: Mapping[str, str], file: str) -> dict[str, str]:
    """The file's column for each canonical name that counts. ReadError where one is missing or there twice.

    >>> choose_columns(["date", "player_a", "player_b", "score_a", "pool"], {"played_at": "date"}, "games.csv")
    {'player_a': 'player_a', 'player_b': 'player_b', 'score_a': 'score_a', 'played_at': 'date'}
    """
    listing = _listing(header)
    for name, column in mapping.items():
        if column not in header:
            raise ReadError(
                f"{file} has no column {column!r} (for {name}); it has {listing}", hint=_close(column, header)
            )
    entries = _is_entries(header, mapping)
    names = (*(_ENTRIES if entries else _GAMES), *_SHARED)
    for name in mapping:
        if name not in names:
            kind, other = ("entries", "games") if entries else ("games", "entries")
            raise InputError(f"{name} is a column of {other}, and the other columns are those of {kind}")
    chosen = {name: name for name in names if name in header and name not in _ONLY_WHEN_MAPPED}
    if entries and "match" not in chosen and "game_id" in header:
        chosen["match"] = "game_id"
    chosen |= mapping
    way = None if entries else shape_of(chosen, mapping)
    if way is not None:
        kept = {*way, *("result" for _ in way if way == ("winner", "loser") and "result" in mapping)}
        chosen = {name: column for name, column in chosen.items() if name in kept or name not in _TELLING}
    for name in _REQUIRED_OF_ENTRIES if entries else way or _REQUIRED_OF_GAMES:
        if name not in chosen:
            raise ReadError(f"{file} has no column {name!r}; it has {listing}", hint=_missing_hint(name, header))
    for column in chosen.values():
        if header.count(column) > 1:
            raise ReadError(f"{file} has {header.count(column)} columns {shortened(column)}", hint="rename all but one")
    return chosen


def _is_entries(header: Sequence[str], mapping: Mapping[str, str]) -> bool:
    if any(name in mapping for name in _ENTRIES):
        return True
    if shape_of(dict.fromkeys(header)) or "player_a" in header or any(name in mapping for name in _GAMES):
        return False
    return "player" in header and "rank" in header


def _listing(header: Sequence[str]) -> str:
    """The header on one line, whatever the file holds."""
    shown = [name if name.isprintable() else repr(name) for name in header[:_LISTED]]
    cut = [name if len(name) <= _LISTED else name[:_LISTED] + "..." for name in shown]
    return ", ".join(cut) + (f" and {len(header) - _LISTED} more" if len(header) > _LISTED else "")


def _missing_hint(name: str, header: Sequence[str]) -> str:
    if name in ("winner", "loser", "points_a", "points_b"):
        return f"map it: columns={{{name!r}: '...'}}"
    if len(header) == 1:
        for delimiter, word in ((";", "';'"), ("\t", "a tab"), ("|", "'|'")):
            if delimiter in header[0]:
                return f"the delimiter seems to be {word}"
    close = difflib.get_close_matches(name, header, n=1)
    return f"map it: columns={{{name!r}: {close[0] if close else '...'!r}}}"


def _close(name: str, choices: Sequence[str]) -> str | None:
    close = difflib.get_close_matches(name, choices, n=1)
    return f"did you mean {close[0]!r}?" if close else None
