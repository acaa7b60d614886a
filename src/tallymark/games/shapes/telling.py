"""How files tell who won, other than by player_a's score: winner and loser, two scores, or a word. Each becomes one."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError, ReadError
from tallymark.games.columns import Cells
from tallymark.games.decimals import as_thousands, decimals
from tallymark.games.ids import encode, exact_items, items_of
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.alphabets import Alphabet, winner_by_number
from tallymark.games.shapes.counts import taken
from tallymark.games.shapes.lines import parse_line
from tallymark.games.shapes.outcomes import distinct, endings_of, outcomes_of
from tallymark.games.shapes.pairing import paired
from tallymark.games.shapes.plan import Seats
from tallymark.games.shapes.results import NOTHING, Outcome, plainly
from tallymark.games.texts import Text

TELLING: Final[tuple[tuple[str, ...], ...]] = (
    ("player_a", "player_b", "score_a"),
    ("player_a", "player_b", "points_a", "points_b"),
    ("player_a", "player_b", "result"),
    ("player_a", "player_b", "winner_side"),
    ("player_a", "player_b", "preference"),
    ("winner", "loser"),
)
"""The columns of each way of telling, the clearest first: a file that has several is read by the first."""


def shape_of(columns: Mapping[str, object], mapped: Mapping[str, object] | None = None) -> tuple[str, ...] | None:
    """The way of telling that these columns allow, None for none; what somebody `mapped` decides before the header.

    >>> shape_of({"winner": 0, "loser": 0, "result": 0})
    ('winner', 'loser')
    >>> shape_of(dict.fromkeys(["player_a", "player_b", "score_a", "result"]), mapped={"result": "outcome"})
    ('player_a', 'player_b', 'result')
    """
    meant = [way for way in TELLING if any(name in (mapped or {}) for name in way if not name.startswith("player_"))]
    only_winners = {"winner", "loser"} <= set(columns) and "player_a" not in columns
    if ("winner", "loser") in meant or only_winners:  # their result tells the draws
        meant = [way for way in meant if "result" not in way]
    if len(meant) > 1:
        told = " and ".join(", ".join(name for name in way if name in (mapped or {})) for way in meant)
        raise InputError(f"the result is told twice, by {told}", hint="map the columns of one way of telling it")
    if meant:
        return meant[0]
    return next((way for way in TELLING if all(name in columns for name in way)), None)


def scored(
    cells: Mapping[str, Cells],
    findings: Findings,
    results: Mapping[str, str] | None = None,
    seats: Seats = Seats.PLAIN,
    sides: tuple[str, str] = ("", ""),
) -> dict[str, Cells]:
    """The columns with player_a, player_b, score_a and, where a result names one, ending; `findings` takes the faults.

    `results` maps words of this file to words of the vocabulary; `seats` and `sides` say what the two sides and
    their columns are called in it.
    Winner and loser take the seats a and b in the order of their ids, so that the order of the columns does not give
    the result away.
    """
    told = dict(cells)
    if "pairing" in told:
        told |= paired(told.pop("pairing"), findings)
    way = shape_of(told)
    if way is None or "score_a" in way:
        return told
    if way == ("winner", "loser"):
        return told | _seated(told, findings, results)
    if "points_a" in way:
        told["score_a"] = _compared(told["points_a"], told["points_b"], findings)
        findings.notes.append("score_a is told by points_a and points_b: more points win, equal points draw")
    elif "preference" in way:
        told["score_a"] = _preferred(told["preference"], findings)
        findings.notes.append("score_a is 2 - preference: 1 is player_a, 2 is player_b, between them a share of each")
    else:
        by_number = "winner_side" in way
        name = "winner_side" if by_number else "result"
        parse = _by_number if by_number else _alphabet(told[name], seats, sides).parse
        outcomes = outcomes_of(told, name, ("player_a", "player_b"), findings, results, parse)
        if not by_number:
            _ask_about_zero(told[name], outcomes.score, findings, results or {})
        told["score_a"] = outcomes.score
        told |= endings_of(told, outcomes, findings)
        findings.notes.append(f"score_a is told by {name}")
    return told


def _ask_about_zero(cells: Cells, score: NDArray[np.float64], findings: Findings, results: Mapping[str, str]) -> None:
    """ReadError for results of 0 beside -1 or 2, wherever in the file: 0 may be a draw then."""
    codes, table = distinct(cells)
    plain = {at: plainly(word).removesuffix(".0") for at, word in enumerate(table) if word not in results}
    zero, others = ([at for at, word in plain.items() if word in words] for words in (("0",), ("-1", "2")))
    if not zero or not others:
        return
    lost = np.isin(codes, zero) & (score == 0.0) & findings.open
    unknown = np.flatnonzero(np.isin(codes, others) & np.isnan(score))
    if lost.any() and len(unknown):
        word, nought = table[codes[unknown[0]]], table[codes[int(np.argmax(lost))]]
        raise ReadError(
            f"{', '.join(findings.origin.files) or 'the input'}: result has {nought!r} and, in "
            f"{findings.place(int(unknown[0]))}, {word!r}; 0 may be a draw or a loss",
            hint=f"say what they are: results={{{nought!r}: 'draw', {word!r}: 'loss'}}, or void for what is no result",
        )


def _by_number(text: str, a: str, b: str, words: Mapping[str, str] | None) -> Outcome:
    return winner_by_number(text, words)


def _alphabet(cells: Cells, seats: Seats, sides: tuple[str, str]) -> Alphabet:
    return Alphabet.of(distinct(cells)[1], seats, sides)


def _compared(a: Cells, b: Cells, findings: Findings) -> np.ndarray:
    mine, theirs = _points("points_a", a, findings), _points("points_b", b, findings)
    findings.reject(np.isnan(mine) | np.isnan(theirs), Reason.NO_RESULT, lambda _: "points are missing: no result")
    findings.reject(np.isinf(mine) | np.isinf(theirs), Reason.BAD_SCORE, lambda _: "points are not finite")
    # How files say that nobody has reported any. Below 0 alone says nothing: there are games with such scores.
    findings.reject(
        (mine == theirs) & (mine < 0), Reason.NO_RESULT, lambda row: f"points are both {_cell(a, row)}: no result"
    )
    one, two = as_thousands(a), as_thousands(b)
    if one is not None and two is not None:
        findings.reject(
            ((one > two) != (mine > theirs)) | ((one < two) != (mine < theirs)),
            Reason.BAD_SCORE,
            lambda row: f"points are {_cell(a, row)} and {_cell(b, row)}: a thousand, or one and a bit?",
        )
    return np.where(mine > theirs, 1.0, np.where(mine < theirs, 0.0, 0.5))


def _cell(cells: Cells, row: int) -> str:
    return shortened(items_of(cells)[row] if not isinstance(cells, Text) else cells[row])


def _points(name: str, cells: Cells, findings: Findings) -> np.ndarray:
    points, wrong = decimals(cells, name, findings)
    empty = [row for row, cell in wrong.items() if isinstance(cell, str) and plainly(cell) in NOTHING]
    findings.reject(empty, Reason.NO_RESULT, lambda row: f"{name} is {shortened(wrong[row])}: no result")
    findings.reject(wrong, Reason.BAD_SCORE, lambda row: f"{name} is {shortened(wrong[row])}, which is not a number")
    return points


def _preferred(cells: Cells, findings: Findings) -> np.ndarray:
    preference, wrong = decimals(cells, "preference", findings)
    findings.reject(
        wrong, Reason.BAD_SCORE, lambda row: f"preference is {shortened(wrong[row])}, which is not a number"
    )
    findings.reject(np.isnan(preference), Reason.NO_RESULT, lambda _: "preference is empty: no result")
    outside = ~((preference >= 1.0) & (preference <= 2.0))
    findings.reject(
        outside, Reason.BAD_SCORE, lambda row: f"preference is {preference[row]:g}; it lies from 1 (player_a) to 2"
    )
    return 2.0 - preference


def won(
    cells: Mapping[str, Cells], findings: Findings, results: Mapping[str, str] | None = None
) -> tuple[np.ndarray, dict[str, Cells]]:
    """The winner's score of each row, and the column of endings where a result names one.

    >>> won({"winner": ["ann"], "loser": ["bob"], "result": ["1:1"]}, Findings(1))
    (array([0.5]), {})
    """
    if "result" not in cells:
        return np.ones(len(findings)), {}
    outcomes = outcomes_of(cells, "result", ("winner", "loser"), findings, results, parse_line, Outcome(1.0, None))
    wrong = outcomes.score < 0.5
    findings.reject(wrong, Reason.UNKNOWN_RESULT, lambda _: "result says that the loser won")
    return outcomes.score, endings_of(cells, outcomes, findings)


def _seated(cells: Mapping[str, Cells], findings: Findings, results: Mapping[str, str] | None) -> dict[str, Cells]:
    """Winner and loser as player_a and player_b by the order of their ids; a result that says draw is one."""
    findings.notes.append("player_a and player_b are winner and loser in the order of their ids")
    score, told = won(cells, findings, results)
    winner, loser = cells["winner"], cells["loser"]
    if not (isinstance(winner, Text) and isinstance(loser, Text)):
        winner, loser = list(exact_items(winner, "winner")), list(exact_items(loser, "loser"))
    n = len(findings)
    code, _ = encode(_both(winner, loser), "player")
    swap = code[:n] > code[n:]
    told["player_a"], told["player_b"] = _exchanged(winner, loser, swap)
    for one, other in (("name_a", "name_b"), ("band_a", "band_b")):
        if one in cells and other in cells:
            told[one], told[other] = _exchanged(cells[one], cells[other], swap)
    told["score_a"] = np.where(swap, 1.0 - score, score)
    return told


def _exchanged(one: Cells, two: Cells, swap: NDArray[np.bool_]) -> tuple[Cells, Cells]:
    """Both columns, their cells exchanged in the rows of `swap`."""
    n = len(swap)
    here = np.where(swap, n, 0) + np.arange(n)
    there = np.where(swap, 0, n) + np.arange(n)
    both = _both(one, two)
    return taken(both, here), taken(both, there)


def _both(one: Cells, two: Cells) -> Cells:
    if isinstance(one, Text) and isinstance(two, Text):
        return Text.joined([one, two])
    return [*items_of(one), *items_of(two)]
