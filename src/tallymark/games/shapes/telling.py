"""How files tell who won, other than by player_a's score: winner and loser, two scores, or a word. Each becomes one."""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.columns import Cells, numbers, words
from tallymark.games.ids import exact_items, is_missing, items_of
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.results import Outcome, parse_result

TELLING: Final[tuple[tuple[str, ...], ...]] = (
    ("player_a", "player_b", "score_a"),
    ("player_a", "player_b", "points_a", "points_b"),
    ("player_a", "player_b", "result"),
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
    if ("winner", "loser") in meant:  # their result tells the draws
        meant = [way for way in meant if "result" not in way]
    if len(meant) > 1:
        told = " and ".join(", ".join(name for name in way if name in (mapped or {})) for way in meant)
        raise InputError(f"the result is told twice, by {told}", hint="map the columns of one way of telling it")
    if meant:
        return meant[0]
    return next((way for way in TELLING if all(name in columns for name in way)), None)


def scored(
    cells: Mapping[str, Cells], findings: Findings, results: Mapping[str, str] | None = None
) -> dict[str, Cells]:
    """The columns with player_a, player_b, score_a and, where a result names one, ending; `findings` takes the faults.

    `results` maps words of this file to words of the vocabulary. Winner and loser take the seats a and b in the order
    of their ids, so that the order of the columns does not give the result away.
    """
    way = shape_of(cells)
    told = dict(cells)
    if way is None or "score_a" in way:
        return told
    if way == ("winner", "loser"):
        told |= _seated(cells, findings, results)
    elif "points_a" in way:
        told["score_a"] = _compared(cells["points_a"], cells["points_b"], findings)
        findings.notes.append("score_a is told by points_a and points_b: more points win, equal points draw")
    else:
        outcomes = _outcomes(cells, "player_a", "player_b", findings, results)
        told["score_a"] = np.array([outcome.score for outcome in outcomes])
        told |= _endings(told, outcomes, findings)
        findings.notes.append("score_a is told by result")
    return told


def _compared(a: Cells, b: Cells, findings: Findings) -> np.ndarray:
    mine, theirs = _points("points_a", a, findings), _points("points_b", b, findings)
    findings.reject(np.isnan(mine) | np.isnan(theirs), Reason.NO_RESULT, lambda _: "points are missing: no result")
    findings.reject(np.isinf(mine) | np.isinf(theirs), Reason.BAD_SCORE, lambda _: "points are not finite")
    return np.where(mine > theirs, 1.0, np.where(mine < theirs, 0.0, 0.5))


def _points(name: str, cells: Cells, findings: Findings) -> np.ndarray:
    points, wrong = numbers(cells)
    findings.reject(wrong, Reason.BAD_SCORE, lambda row: f"{name} is {shortened(wrong[row])}, which is not a number")
    return points


def _outcomes(
    cells: Mapping[str, Cells], a: str, b: str, findings: Findings, results: Mapping[str, str] | None
) -> list[Outcome]:
    """The outcome of each row's `result`; NaN as the score, and a finding, where there is none."""
    first, second = exact_items(cells[a], a), exact_items(cells[b], b)
    nothing = Outcome(math.nan, None)
    empty: list[int] = []
    faults: dict[int, str] = {}
    outcomes: list[Outcome] = []
    for row, text in enumerate(map(_word, items_of(cells["result"]))):
        outcome = nothing
        if text is None or not text.strip():
            empty.append(row)
        else:
            try:
                outcome = parse_result(text, _text(first[row]), _text(second[row]), results)
            except InputError as error:
                faults[row] = error.message
        outcomes.append(outcome)
    findings.reject(empty, Reason.NO_RESULT, lambda _: "result is empty: no result")
    findings.reject(faults, Reason.UNKNOWN_RESULT, lambda row: faults[row])
    over = {row: one.ending for row, one in enumerate(outcomes) if math.isnan(one.score) and one.ending is not None}
    findings.reject(over, Reason.NO_RESULT, lambda row: f"no result: {over[row]}")
    return outcomes


def _seated(cells: Mapping[str, Cells], findings: Findings, results: Mapping[str, str] | None) -> dict[str, Cells]:
    """Winner and loser as player_a and player_b by the order of their ids; a result that says draw is one."""
    winner, loser = exact_items(cells["winner"], "winner"), exact_items(cells["loser"], "loser")
    score = np.ones(len(findings))
    told: dict[str, Cells] = {}
    findings.notes.append("player_a and player_b are winner and loser in the order of their ids")
    if "result" in cells:
        outcomes = _outcomes(cells, "winner", "loser", findings, results)
        score = np.array([outcome.score for outcome in outcomes])
        findings.reject(score < 0.5, Reason.UNKNOWN_RESULT, lambda _: "result says that the loser won")
        told |= _endings(cells, outcomes, findings)
    swap = [_ranked(first) > _ranked(second) for first, second in zip(winner, loser, strict=True)]
    told["player_a"] = [two if s else one for one, two, s in zip(winner, loser, swap, strict=True)]
    told["player_b"] = [one if s else two for one, two, s in zip(winner, loser, swap, strict=True)]
    told["score_a"] = np.where(swap, 1.0 - score, score)
    return told


def _endings(cells: Mapping[str, Cells], outcomes: list[Outcome], findings: Findings) -> dict[str, Cells]:
    """The column of endings: the file's own word, and where it has none the one that the result names."""
    if not any(outcome.ending for outcome in outcomes):
        return {}
    own = words(cells["ending"], "ending") if "ending" in cells else [None] * len(outcomes)
    both = {
        row: f"the ending is {word}, and result says {outcome.ending}"
        for row, (word, outcome) in enumerate(zip(own, outcomes, strict=True))
        if word and outcome.ending and word != outcome.ending
    }
    findings.reject(both, Reason.UNKNOWN_RESULT, lambda row: both[row])
    return {"ending": [word or outcome.ending for word, outcome in zip(own, outcomes, strict=True)]}


def _ranked(name: object) -> tuple[int, int, str]:
    """A key in rank order; what is missing comes first and is refused later."""
    if isinstance(name, str):
        return 2, 0, name
    return (1, name, "") if isinstance(name, int) else (0, 0, "")


def _word(cell: object) -> str | None:
    """A cell of results as text: numbers in their shortest form."""
    return None if is_missing(cell) else cell if isinstance(cell, str) else format(cell, "")


def _text(name: object) -> str:
    return "" if name is None else str(name)
