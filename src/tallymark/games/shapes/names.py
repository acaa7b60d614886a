"""The canonical names of columns."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Final

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.shapes.telling import TELLING

SHARED: Final = ("played_at", "pool", "match", "steps", "ending", "source", "order")
"""Columns of games and of entries alike."""
TELLING_NAMES: Final = tuple(dict.fromkeys(name for way in TELLING for name in way))
GAMES: Final = (
    *TELLING_NAMES,
    *("white", "black", "pairing", "name_a", "name_b"),
    *("game", "board", "komi", "handicap", "band_a", "band_b"),
)
ENTRIES: Final = ("player", "rank", "points", "team", "side", "name")
COUNTS: Final = ("player", "opponent", "wins", "losses", "draws", "games")
COLUMNS: Final = tuple(dict.fromkeys((*GAMES, *ENTRIES, *COUNTS, *SHARED)))
"""Every canonical name of a column."""
ONLY_WHEN_MAPPED: Final = ("pool", "order", "team", "side", "name", "winner_side", "preference", "white", "black")
"""Files use these names for other things too often (a surface, a club, a serial number): they count when mapped."""


def checked_mapping(columns: Mapping[str, str] | None) -> dict[str, str]:
    """A mapping of canonical names to those of a file (or to "", for none), or `InputError`.

    >>> checked_mapping({"score_a": "Points"})
    {'score_a': 'Points'}
    """
    if columns is not None and not isinstance(columns, Mapping):
        raise InputError(f"columns is {shortened(columns)}; expected a mapping like {{'score_a': 'Points'}}")
    for name, column in (columns or {}).items():
        if name not in COLUMNS and column in COLUMNS and not (isinstance(name, str) and close(name, COLUMNS)):
            raise InputError(
                f"no column is called {shortened(name)}, and {column} is one",
                hint=f"the other way round: columns={ {column: name} }",
            )
        if name not in COLUMNS:
            hint = close(name, COLUMNS) if isinstance(name, str) else None
            raise InputError(f"no column is called {shortened(name)}; there are {', '.join(COLUMNS)}", hint=hint)
        if not isinstance(column, str):
            raise InputError(f"columns has {shortened(column)} for {name}; expected the name of a column of the file")
    return dict(columns or {})


def close(name: str, choices: Sequence[str]) -> str | None:
    """The hint that names the choice most like a name, where one is like it."""
    found = difflib.get_close_matches(name, choices, n=1)
    return f"did you mean {found[0]!r}?" if found else None
