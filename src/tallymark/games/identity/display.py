"""What players are called: a name for each id, where rows have both."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.games.columns import Cells
from tallymark.games.ids import Id, exact_items, is_missing, items_of

_SEATS = ("name_a", "name_b")


def names_of_games(
    cells: Mapping[str, Cells],
    players: Sequence[Id],
    a: NDArray[np.int32],
    b: NDArray[np.int32],
    row: NDArray[np.int64],
) -> dict[Id, str] | None:
    """The name of each player in the last of the games that has one; None where no row has names.

    `row` has the place in the columns of `cells` of each game, whose players are `a` and `b`.

    >>> zero, one = np.array([0, 0], np.int32), np.array([1, 1], np.int32)
    >>> names_of_games({"name_a": ["Ann", "Anne"], "name_b": ["Bob", None]}, [7, 9], zero, one, np.array([0, 1]))
    {7: 'Anne', 9: 'Bob'}
    """
    if not set(_SEATS) <= set(cells):
        return None
    last = np.full(len(players), -1, dtype=np.int64)
    found: dict[int, str] = {}
    for name, codes in zip(_SEATS, (a, b), strict=True):
        items = items_of(cells[name])
        there = np.array([not is_missing(item) for item in items], dtype=bool)
        games = np.flatnonzero(there[row])
        latest = np.full(len(players), -1, dtype=np.int64)
        np.maximum.at(latest, codes[games], games)
        for code in np.flatnonzero(latest > last).tolist():
            found[code] = str(items[int(row[latest[code]])])
        last = np.maximum(last, latest)
    return {players[code]: name for code, name in sorted(found.items())}


def names_of_entries(cells: Mapping[str, Cells], players: Sequence[Id]) -> dict[Id, str] | None:
    """The name of each player in the last of the entries that has one; None where there are none."""
    if not {"player", "name"} <= set(cells):
        return None
    pairs = zip(exact_items(cells["player"], "player"), items_of(cells["name"]), strict=True)
    found = {one: str(name) for one, name in pairs if not is_missing(name)}
    return {one: found[one] for one in players if one in found}
