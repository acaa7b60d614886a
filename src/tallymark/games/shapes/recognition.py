"""Which column is which: what somebody said, and what the header says where nobody did."""

import difflib
from collections.abc import Mapping, Sequence

from tallymark.checked import shortened
from tallymark.errors import InputError, ReadError
from tallymark.games.shapes.names import ENTRIES, GAMES, ONLY_WHEN_MAPPED, SHARED, TELLING_NAMES, close
from tallymark.games.shapes.plan import Plan, Row
from tallymark.games.shapes.telling import TELLING, shape_of

_REQUIRED_OF_GAMES = TELLING[0]
_REQUIRED_OF_ENTRIES = ("match", "player", "rank")
_LISTED = 40
"""So many columns, and so many characters of each, are listed of a header."""


def recognised(first: Sequence[str], sample: Sequence[Row], mapping: Mapping[str, str], file: str) -> Plan:
    """The plan of a file with this first row. ReadError where a column that is needed is missing or there twice."""
    chosen = choose_columns(first, mapping, file)
    return Plan({name: (list(first).index(column),) for name, column in chosen.items()})


def choose_columns(header: Sequence[str], mapping: Mapping[str, str], file: str) -> dict[str, str]:
    """The file's column for each canonical name that counts. ReadError where one is missing or there twice.

    >>> choose_columns(["date", "player_a", "player_b", "score_a", "pool"], {"played_at": "date"}, "games.csv")
    {'player_a': 'player_a', 'player_b': 'player_b', 'score_a': 'score_a', 'played_at': 'date'}
    """
    listing = _listing(header)
    for name, column in mapping.items():
        if column not in header:
            raise ReadError(
                f"{file} has no column {column!r} (for {name}); it has {listing}", hint=close(column, header)
            )
    entries = _is_entries(header, mapping)
    names = (*(ENTRIES if entries else GAMES), *SHARED)
    for name in mapping:
        if name not in names:
            kind, other = ("entries", "games") if entries else ("games", "entries")
            raise InputError(f"{name} is a column of {other}, and the other columns are those of {kind}")
    chosen = {name: name for name in names if name in header and name not in ONLY_WHEN_MAPPED}
    if entries and "match" not in chosen and "game_id" in header:
        chosen["match"] = "game_id"
    chosen |= mapping
    way = None if entries else shape_of(chosen, mapping)
    if way is not None:
        kept = {*way, *("result" for _ in way if way == ("winner", "loser") and "result" in mapping)}
        chosen = {name: column for name, column in chosen.items() if name in kept or name not in TELLING_NAMES}
    for name in _REQUIRED_OF_ENTRIES if entries else way or _REQUIRED_OF_GAMES:
        if name not in chosen:
            raise ReadError(f"{file} has no column {name!r}; it has {listing}", hint=_missing_hint(name, header))
    for column in chosen.values():
        if header.count(column) > 1:
            raise ReadError(f"{file} has {header.count(column)} columns {shortened(column)}", hint="rename all but one")
    return chosen


def _is_entries(header: Sequence[str], mapping: Mapping[str, str]) -> bool:
    if any(name in mapping for name in ENTRIES):
        return True
    if shape_of(dict.fromkeys(header)) or "player_a" in header or any(name in mapping for name in GAMES):
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
