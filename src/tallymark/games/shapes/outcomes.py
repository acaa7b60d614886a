"""Columns of words as outcomes: each word is understood once, each fault told by row."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.columns import Cells, words
from tallymark.games.ids import exact_items, is_missing, items_of
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.results import NOTHING, Outcome, plainly
from tallymark.games.texts import Text
from tallymark.games.vocabulary import Ending

Parse = Callable[[str, str, str, Mapping[str, str] | None], Outcome]
"""Reads one cell: its text, the two players, and the words that somebody mapped."""
_ENDINGS: Final = tuple(Ending)
_SHOWN: Final = 8
"""So many unknown words are listed."""


@dataclass(frozen=True)
class Outcomes:
    """What a column of results says, by row: the score (NaN = none) and the code of the ending (-1 = none)."""

    score: NDArray[np.float64]
    ending: NDArray[np.int8]


def distinct(cells: Cells) -> tuple[NDArray[np.int64], list[str]]:
    """The word of each row by its place in a list of distinct words, "" for a missing cell; numbers in short form.

    >>> codes, table = distinct([0.5, "W/L", None, 0.5])
    >>> [table[code] for code in codes]
    ['0.5', 'W/L', '', '0.5']
    """
    if isinstance(cells, Text):
        texts, codes = list(cells.texts), cells.codes.astype(np.int64)
    else:
        place: dict[tuple[type, object], int] = {}
        items = items_of(cells)
        codes = np.fromiter((place.setdefault(_key(item), len(place)) for item in items), np.int64, len(items))
        texts = [_word(item) for _, item in place]
    place_of = {text: at for at, text in reversed(list(enumerate(texts)))}
    return np.array([place_of[text] for text in texts], dtype=np.int64)[codes] if texts else codes, texts


def outcomes_of(
    cells: Mapping[str, Cells],
    name: str,
    sides: tuple[str, str],
    findings: Findings,
    results: Mapping[str, str] | None,
    parse: Parse,
    empty: Outcome | None = None,
) -> Outcomes:
    """The outcome of each row's cell of the column `name`; a finding where there is none (or what `empty` says)."""
    codes, table = distinct(cells[name])
    wanted = {word: code for code, word in enumerate(table) if word}
    first, second = (_among(cells[side], side, wanted) == codes for side in sides)
    keys, which = np.unique(codes * 4 + first * 2 + second, return_inverse=True)
    score = np.full(len(keys), math.nan)
    ending = np.full(len(keys), -1, dtype=np.int8)
    missing: dict[int, str] = {}
    faults: dict[int, str] = {}
    over: dict[int, Ending] = {}
    for at, key in enumerate(keys.tolist()):
        text, a, b = table[key // 4], bool(key & 2), bool(key & 1)
        outcome = empty or Outcome(math.nan, None)
        if not text.strip() or (plainly(text) in NOTHING and not (a or b or text in (results or {}))):
            missing[at] = repr(text) if text.strip() else "empty"
        else:
            try:
                outcome = parse(text, text if a else "", text if b else "", results)
            except InputError as error:
                outcome = Outcome(math.nan, None)
                faults[at] = error.message
            if math.isnan(outcome.score) and outcome.ending is not None:
                over[at] = outcome.ending
        score[at] = outcome.score
        ending[at] = -1 if outcome.ending is None else outcome.ending.code
    of = which.reshape(-1)
    if empty is None:
        _reject(findings, of, missing, Reason.NO_RESULT, lambda what: f"{name} is {what}: no result")
    _reject(findings, of, faults, Reason.UNKNOWN_RESULT, str)
    _reject(findings, of, over, Reason.NO_RESULT, lambda what: f"no result: {what}")
    if faults:
        counts = np.bincount(of, minlength=len(keys))
        unknown: dict[str, int] = {}
        for at in faults:
            word = table[int(keys[at]) // 4]
            unknown[word] = unknown.get(word, 0) + int(counts[at])
        findings.notes.append(_unknown(name, unknown))
    return Outcomes(score[of], ending[of])


def endings_of(cells: Mapping[str, Cells], outcomes: Outcomes, findings: Findings) -> dict[str, Cells]:
    """The column of endings: the file's own word, and where it has none the one that the result names."""
    told = outcomes.ending
    if not (told >= 0).any():
        return {}
    if "ending" not in cells:
        return {"ending": Text((told + 1).astype(np.int32), ["", *(ending.value for ending in _ENDINGS)])}
    own = words(cells["ending"], "ending")
    both = {
        row: f"the ending is {own[row]}, and result says {_ENDINGS[told[row]]}"
        for row in np.flatnonzero(told >= 0).tolist()
        if (word := own[row]) and _spelt(word) != _ENDINGS[told[row]]
    }
    findings.reject(both, Reason.UNKNOWN_RESULT, lambda row: both[row])
    return {"ending": [word or (_ENDINGS[code] if code >= 0 else None) for word, code in zip(own, told, strict=True)]}


def _reject(
    findings: Findings, of: NDArray[np.int64], what: Mapping[int, str], reason: Reason, message: Callable[[str], str]
) -> None:
    """Rejects the rows of the keys in `what`, each with the message of its key's."""
    if what:
        findings.reject(np.isin(of, list(what)), reason, lambda row: message(what[int(of[row])]))


def _among(cells: Cells, name: str, wanted: Mapping[str, int]) -> NDArray[np.int64]:
    """For each player the place of the word that is its id, -1 where none is."""
    if isinstance(cells, Text):
        places = np.fromiter((wanted.get(text, -1) for text in cells.texts), np.int64, len(cells.texts))
        return places[cells.codes]
    items = exact_items(cells, name)
    return np.fromiter((wanted.get("" if item is None else str(item), -1) for item in items), np.int64, len(items))


def _key(item: object) -> tuple[type, object]:
    """What tells cells apart: True and 1 are two words."""
    if is_missing(item):
        return type(None), None
    return type(item), item if isinstance(item, str | int | float) else repr(item)


def _word(item: object) -> str:
    return "" if is_missing(item) else item if isinstance(item, str) else format(item, "")


def _spelt(word: str) -> str:
    try:
        return Ending.spelt(word)
    except InputError:
        return word


def _unknown(name: str, words: Mapping[str, int]) -> str:
    """The note that lists what a column of results has beside results, and the way out."""
    shown: Sequence[str] = sorted(words, key=lambda word: -words[word])[:_SHOWN]
    listed = ", ".join(f"{shortened(word)} ({words[word]:,})" for word in shown)
    more = f" and {len(words) - _SHOWN:,} more" if len(words) > _SHOWN else ""
    example = f"results={{{shortened(shown[0])}: 'draw'}}"
    return f"{name} has words that are no results: {listed}{more}; {example}, or win, loss, void, makes one of it"
