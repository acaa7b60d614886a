"""How files tell who won, other than by player_a's score: winner and loser, two scores, or a word. Each becomes one."""

import math
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.columns import Cells, words
from tallymark.games.decimals import decimals
from tallymark.games.ids import exact_items, is_missing, items_of
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.alphabets import Alphabet, winner_by_number
from tallymark.games.shapes.lines import parse_line
from tallymark.games.shapes.pairing import paired
from tallymark.games.shapes.plan import Seats
from tallymark.games.shapes.results import NOTHING, Outcome, plainly
from tallymark.games.vocabulary import Ending

TELLING: Final[tuple[tuple[str, ...], ...]] = (
    ("player_a", "player_b", "score_a"),
    ("player_a", "player_b", "points_a", "points_b"),
    ("player_a", "player_b", "result"),
    ("player_a", "player_b", "winner_side"),
    ("player_a", "player_b", "preference"),
    ("winner", "loser"),
)
"""The columns of each way of telling, the clearest first: a file that has several is read by the first."""
Parse = Callable[[str, str, str, Mapping[str, str] | None], Outcome]
"""Reads one cell: its text, the two players, and the words that somebody mapped."""
_SHOWN: Final = 8
"""So many unknown words are listed."""


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
) -> dict[str, Cells]:
    """The columns with player_a, player_b, score_a and, where a result names one, ending; `findings` takes the faults.

    `results` maps words of this file to words of the vocabulary; `seats` says what the two sides are called in it.
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
        parse = _by_number if by_number else _alphabet(told[name], seats).parse
        outcomes = _outcomes(told, name, ("player_a", "player_b"), findings, results, parse)
        told["score_a"] = np.array([outcome.score for outcome in outcomes])
        told |= _endings(told, outcomes, findings)
        findings.notes.append(f"score_a is told by {name}")
    return told


def _by_number(text: str, a: str, b: str, words: Mapping[str, str] | None) -> Outcome:
    return winner_by_number(text, words)


def _alphabet(cells: Cells, seats: Seats) -> Alphabet:
    return Alphabet.of(filter(None, map(word_of, set(items_of(cells)))), seats)


def _compared(a: Cells, b: Cells, findings: Findings) -> np.ndarray:
    mine, theirs = _points("points_a", a, findings), _points("points_b", b, findings)
    findings.reject(np.isnan(mine) | np.isnan(theirs), Reason.NO_RESULT, lambda _: "points are missing: no result")
    findings.reject(np.isinf(mine) | np.isinf(theirs), Reason.BAD_SCORE, lambda _: "points are not finite")
    return np.where(mine > theirs, 1.0, np.where(mine < theirs, 0.0, 0.5))


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


def _outcomes(
    cells: Mapping[str, Cells],
    name: str,
    sides: tuple[str, str],
    findings: Findings,
    results: Mapping[str, str] | None,
    parse: Parse,
    empty: Outcome | None = None,
) -> list[Outcome]:
    """The outcome of each row's cell; NaN as the score, and a finding, where there is none (or what `empty` says)."""
    first, second = (exact_items(cells[side], side) for side in sides)
    nothing = Outcome(math.nan, None)
    missing: dict[int, str] = {}
    faults: dict[int, str] = {}
    unknown: dict[str, int] = {}
    outcomes: list[Outcome] = []
    for row, text in enumerate(map(word_of, items_of(cells[name]))):
        outcome = nothing
        a, b = _text(first[row]), _text(second[row])
        told = text is not None and bool(text.strip()) and (text in (results or {}) or text in (a, b))
        if not told and (text is None or not text.strip() or plainly(text) in NOTHING):
            missing[row] = "empty" if text is None or not text.strip() else repr(text)
            outcome = empty or nothing
        else:
            try:
                outcome = parse(str(text), a, b, results)
            except InputError as error:
                faults[row] = error.message
                unknown[str(text)] = unknown.get(str(text), 0) + 1
        outcomes.append(outcome)
    if empty is None:
        findings.reject(missing, Reason.NO_RESULT, lambda row: f"{name} is {missing[row]}: no result")
    findings.reject(faults, Reason.UNKNOWN_RESULT, lambda row: faults[row])
    over = {row: one.ending for row, one in enumerate(outcomes) if math.isnan(one.score) and one.ending is not None}
    findings.reject(over, Reason.NO_RESULT, lambda row: f"no result: {over[row]}")
    if unknown:
        findings.notes.append(_unknown(name, unknown))
    return outcomes


def _unknown(name: str, words: Mapping[str, int]) -> str:
    """The note that lists what a column of results has beside results, and the way out."""
    shown = sorted(words, key=lambda word: -words[word])[:_SHOWN]
    listed = ", ".join(f"{shortened(word)} ({words[word]:,})" for word in shown)
    more = f" and {len(words) - _SHOWN:,} more" if len(words) > _SHOWN else ""
    example = f"results={{{shortened(shown[0])}: 'draw'}}"
    return f"{name} has words that are no results: {listed}{more}; {example}, or win, loss, void, makes one of it"


def won(
    cells: Mapping[str, Cells], findings: Findings, results: Mapping[str, str] | None = None
) -> tuple[np.ndarray, dict[str, Cells]]:
    """The winner's score of each row, and the column of endings where a result names one.

    >>> won({"winner": ["ann"], "loser": ["bob"], "result": ["1:1"]}, Findings(1))
    (array([0.5]), {})
    """
    if "result" not in cells:
        return np.ones(len(findings)), {}
    outcomes = _outcomes(cells, "result", ("winner", "loser"), findings, results, parse_line, Outcome(1.0, None))
    score = np.array([outcome.score for outcome in outcomes])
    findings.reject(score < 0.5, Reason.UNKNOWN_RESULT, lambda _: "result says that the loser won")
    return score, _endings(cells, outcomes, findings)


def _seated(cells: Mapping[str, Cells], findings: Findings, results: Mapping[str, str] | None) -> dict[str, Cells]:
    """Winner and loser as player_a and player_b by the order of their ids; a result that says draw is one."""
    winner, loser = exact_items(cells["winner"], "winner"), exact_items(cells["loser"], "loser")
    findings.notes.append("player_a and player_b are winner and loser in the order of their ids")
    score, told = won(cells, findings, results)
    swap = [_ranked(first) > _ranked(second) for first, second in zip(winner, loser, strict=True)]
    told["player_a"], told["player_b"] = _swapped(winner, loser, swap)
    if "name_a" in cells and "name_b" in cells:
        told["name_a"], told["name_b"] = _swapped(items_of(cells["name_a"]), items_of(cells["name_b"]), swap)
    told["score_a"] = np.where(swap, 1.0 - score, score)
    return told


def _swapped(one: list[object], two: list[object], swap: list[bool]) -> tuple[list[object], list[object]]:
    pairs = list(zip(one, two, swap, strict=True))
    return [b if s else a for a, b, s in pairs], [a if s else b for a, b, s in pairs]


def _endings(cells: Mapping[str, Cells], outcomes: list[Outcome], findings: Findings) -> dict[str, Cells]:
    """The column of endings: the file's own word, and where it has none the one that the result names."""
    if not any(outcome.ending for outcome in outcomes):
        return {}
    own = words(cells["ending"], "ending") if "ending" in cells else [None] * len(outcomes)
    both = {
        row: f"the ending is {word}, and result says {outcome.ending}"
        for row, (word, outcome) in enumerate(zip(own, outcomes, strict=True))
        if word and outcome.ending and _spelt(word) != outcome.ending
    }
    findings.reject(both, Reason.UNKNOWN_RESULT, lambda row: both[row])
    return {"ending": [word or outcome.ending for word, outcome in zip(own, outcomes, strict=True)]}


def _spelt(word: str) -> str:
    try:
        return Ending.spelt(word)
    except InputError:
        return word


def _ranked(name: object) -> tuple[int, int, str]:
    """A key in rank order; what is missing comes first and is refused later."""
    if isinstance(name, str):
        return 2, 0, name
    return (1, name, "") if isinstance(name, int) else (0, 0, "")


def word_of(cell: object) -> str | None:
    """A cell of results as text, None where it is missing; numbers in their shortest form.

    >>> word_of(0.5), word_of("W/L"), word_of(None)
    ('0.5', 'W/L', None)
    """
    return None if is_missing(cell) else cell if isinstance(cell, str) else format(cell, "")


def _text(name: object) -> str:
    return "" if name is None else str(name)
