"""Rows that seat several: a ballot of five systems and their ranks, a doubles match of two winners and two losers."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.games.columns import Cells
from tallymark.games.decimals import decimals
from tallymark.games.ids import exact_items, is_missing, items_of
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.counts import taken
from tallymark.games.shapes.names import SHARED
from tallymark.games.shapes.plan import Seats
from tallymark.games.shapes.telling import scored, won

_SIDES = (("winner", "loser"), ("player_a", "player_b"))


def entries_of(
    several: Mapping[str, Sequence[Cells]],
    findings: Findings,
    results: Mapping[str, str] | None = None,
    seats: Seats = Seats.PLAIN,
) -> tuple[dict[str, Cells], Findings]:
    """The entries that the rows seat, one behind the other, and the findings about these; a row is a match.

    `several` has the columns of each canonical name: of player and rank (or points) as many as there are seats, or of
    winner and loser (or player_a and player_b, with what tells the result) as many as a side has players.

    >>> told, _ = entries_of({"player": [["ann"], ["bob"]], "rank": [["2"], ["1"]]}, Findings(1))
    >>> told["player"], told["rank"]
    (['ann', 'bob'], ['2', '1'])
    """
    if "player" in several:
        return _ranked(several, findings)
    a, b = next(pair for pair in _SIDES if pair[0] in several)
    one = {name: columns[0] for name, columns in several.items()}
    if a == "winner":
        score, endings = won(one, findings, results)
        one |= endings
    else:
        one = scored(one, findings, results, seats)
        score = _checked(one["score_a"], findings)
    if "game" in one and "match" not in one:
        one["match"] = one["game"]
    players = [*several[a], *several[b]]
    side = np.repeat([0, 1], [len(several[a]), len(several[b])])
    names = _players(players)
    there = np.array([[name is not None and name != "" for name in column] for column in names], dtype=bool).T
    for which, name in ((0, a), (1, b)):
        nobody = np.flatnonzero(~there[:, side == which].any(axis=1))
        findings.reject(nobody.tolist(), Reason.MISSING_PLAYER, _missing(name))
    row, seat = np.nonzero(there)
    told = _shared(one, row)
    told["player"] = [names[s][r] for r, s in zip(row.tolist(), seat.tolist(), strict=True)]
    told["team"] = side[seat] + 1
    behind = np.where(side[seat] == 0, score[row] < 0.5, score[row] > 0.5)
    told["rank"] = np.where(behind, 2.0, 1.0)
    return told, findings.spread(row)


def _ranked(several: Mapping[str, Sequence[Cells]], findings: Findings) -> tuple[dict[str, Cells], Findings]:
    """Entries of rows with a player and a rank (or points) for each seat; a seat without either is not taken."""
    by = "rank" if "rank" in several else "points"
    names = _players(several["player"])
    places = [items_of(column) for column in several[by]]
    there = np.array(
        [
            [not (is_missing(name) and is_missing(place)) for name, place in zip(who, which, strict=True)]
            for who, which in zip(names, places, strict=True)
        ],
        dtype=bool,
    ).T
    findings.reject(np.flatnonzero(~there.any(axis=1)).tolist(), Reason.MISSING_PLAYER, _missing("player"))
    row, seat = np.nonzero(there)
    told = _shared({name: columns[0] for name, columns in several.items()}, row)
    at = list(zip(row.tolist(), seat.tolist(), strict=True))
    told["player"] = [names[s][r] for r, s in at]
    told[by] = [places[s][r] for r, s in at]
    return told, findings.spread(row)


def _players(columns: Sequence[Cells]) -> list[list[object]]:
    return [exact_items(column, "player") for column in columns]


def _missing(name: str) -> Callable[[int], str]:
    return lambda _: f"{name} is missing"


def _shared(one: Mapping[str, Cells], row: NDArray[np.int64]) -> dict[str, Cells]:
    """What a row has once, for each of its entries."""
    return {name: taken(cells, row) for name, cells in one.items() if name in SHARED}


def _checked(cells: Cells, findings: Findings) -> NDArray[np.float64]:
    score, wrong = decimals(cells, "score_a", findings)
    findings.reject(wrong, Reason.BAD_SCORE, lambda row: f"score_a is {shortened(wrong[row])}, which is not a number")
    findings.reject(np.isnan(score), Reason.NO_RESULT, lambda _: "score_a is empty: no result")
    findings.reject(
        ~np.isin(score, (0.0, 0.5, 1.0)),
        Reason.BAD_SCORE,
        lambda row: f"score_a is {score[row]:g}; of teams of several it is 1, 0.5 or 0",
    )
    return score
