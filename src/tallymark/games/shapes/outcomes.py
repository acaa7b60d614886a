"""Columns of words as outcomes: each word is understood once, each fault told by row."""

import math
import re
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
from tallymark.games.shapes.results import NOTHING, Outcome, known_word, plainly
from tallymark.games.texts import Text
from tallymark.games.vocabulary import Ending

Parse = Callable[[str, str, str, Mapping[str, str] | None], Outcome]
"""Reads one cell: its text, the two players, and the words that somebody mapped."""
_ENDINGS: Final = tuple(Ending)
_LIKELY: Final = tuple(
    (re.compile(pattern), meant)
    for pattern, meant in (
        (r"\bw\.? ?/?o\b|kampflos|forfa|no.?show|walk|angetreten|\bff?\b", "walkover"),
        (r"both|draw|tie\b|tied|remis|unentsch|patt|\bnul\b|nulle|empate|tablas", "draw"),
        (r"sieg|gewonn|win\b|won\b|gan[a\u00f3]|victo", "win"),
        (r"niederl|verlor|loss|lost|perd|d[e\u00e9]fait|derrot", "loss"),
    )
)
"""What a word that is not known may mean: an example for whoever has to say it, which is never taken."""
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
    as_players = _as_players(table, keys, results or {}) if name == "result" else {}
    if as_players:
        words_ = ", ".join(sorted({repr(table[key // 4]) for key in as_players})[:_SHOWN])
        findings.notes.append(f"{name} has names of players, and {words_} for the players of that name")
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
        elif key in as_players:
            outcome = as_players[key]
        else:
            try:
                outcome = parse(text, text if a else "", text if b else "", results)
            except InputError as error:
                outcome = Outcome(math.nan, None)
                if not (a and b):  # who wins against oneself is told of as that, and by the name nothing is wrong
                    faults[at] = error.message
            if math.isnan(outcome.score) and outcome.ending is not None:
                over[at] = outcome.ending
        score[at] = outcome.score
        ending[at] = -1 if outcome.ending is None else outcome.ending.code
    of = which.reshape(-1)
    if empty is None:
        _reject(findings, of, missing, Reason.NO_RESULT, lambda what: f"{name} is {what}: no result")
    elif missing and len(missing) < len(keys):
        _reject_unwritten(cells, name, np.isin(of, list(missing)), findings)
    players = _spelt_otherwise([table[int(keys[at]) // 4] for at in faults], [cells[side] for side in sides])
    for at in faults:
        if player := players.get(table[int(keys[at]) // 4]):
            faults[at] += f"; did you mean the player {shortened(player)}?"
    _reject(findings, of, faults, Reason.UNKNOWN_RESULT, str)
    _reject(findings, of, over, Reason.NO_RESULT, lambda what: f"no result: {what}")
    if faults:
        counts = np.bincount(of, minlength=len(keys))
        unknown: dict[str, int] = {}
        for at in faults:
            word = table[int(keys[at]) // 4]
            unknown[word] = unknown.get(word, 0) + int(counts[at])
        if players:
            listed = ", ".join(
                f"{shortened(word)} for {shortened(one)}" for word, one in list(players.items())[:_SHOWN]
            )
            findings.notes.append(
                f"{name} has players spelt otherwise than in their columns: {listed}; spell them alike"
            )
        others = {word: count for word, count in unknown.items() if word not in players}
        findings.notes += [_unknown(name, others)] if others else []
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


def ending_words(cells: Cells, findings: Findings, results: Mapping[str, str]) -> Cells:
    """The column of endings with words of the vocabulary for those that `results` maps; a note names those unknown."""
    items = words(cells, "ending")
    spelt: dict[str | None, str | None] = {None: None}
    unknown: dict[str, int] = {}
    for word in items:
        if word not in spelt:
            spelt[word] = known = _spelt(results.get(str(word), str(word)))
            if known not in _ENDINGS:
                spelt[word], unknown[str(word)] = word, 0
        if word in unknown:
            unknown[word] += 1
    if unknown:
        shown = sorted(unknown, key=lambda word: -unknown[word])[:_SHOWN]
        listed = ", ".join(f"{shortened(word)} ({unknown[word]:,})" for word in shown)
        findings.notes.append(
            f"ending has words that are none: {listed}; results={{{shortened(shown[0])}: 'walkover'}}, or another "
            "ending, makes one of it"
        )
    return [spelt[word] for word in items] if results else cells


def words_used(cells: Mapping[str, Cells], results: Mapping[str, str]) -> frozenset[str]:
    """Which of the words that somebody mapped are in a column of results or endings.

    >>> words_used({"result": ["good", "1-0"]}, {"good": "win", "bad": "loss"})
    frozenset({'good'})
    """
    columns = [cells[name] for name in ("result", "winner_side", "ending") if name in cells]
    return frozenset(word for column in columns for word in distinct(column)[1] if word in results)


def _as_players(table: Sequence[str], keys: NDArray[np.int64], results: Mapping[str, str]) -> dict[int, Outcome]:
    """The words that mean a player though they mean something else elsewhere, by key.

    In a column of which every other cell is the name of one of the two players, or a word for a draw, a name of one is
    one; but a word for a draw is none if it stands for a draw in other rows.
    """
    named = [key for key in keys.tolist() if key & 3 in (1, 2) and table[key // 4] not in results]
    others = [key for key in keys.tolist() if key not in set(named)]
    drawn = set()
    for key in others:
        text = table[key // 4]
        plain = plainly(text)
        known = known_word(plainly(results.get(text, text)), text in results)
        if known is not None and known == (0.5, None):
            drawn.add(text)
        elif plain and plain not in NOTHING:
            return {}
    if all(known_word(plainly(table[key // 4])) is not None for key in named):
        return {}  # then nothing shows that they are names
    found = {}
    for key in named:
        text = table[key // 4]
        outcome = Outcome(1.0 if key & 2 else 0.0, None)
        if text not in drawn and known_word(plainly(text)) not in (None, outcome):
            found[key] = outcome
    return found


def _spelt_otherwise(words_: Sequence[str], columns: Sequence[Cells]) -> dict[str, str]:
    """The players that words are the names of but for case and blanks."""
    if not words_:
        return {}
    found: dict[str, str] = {}
    for column in columns:
        for text in column.texts if isinstance(column, Text) else {str(item) for item in items_of(column) if item}:
            found.setdefault("".join(text.casefold().split()), text)
    near = {word: found.get("".join(word.casefold().split()), word) for word in words_}
    return {word: one for word, one in near.items() if one != word}


def _reject_unwritten(cells: Mapping[str, Cells], name: str, missing: NDArray[np.bool_], findings: Findings) -> None:
    """Reject rows with a winner and without the score that others have, but for those whose ending says why."""
    if "ending" in cells:
        missing = missing & np.array([not word for word in words(cells["ending"], "ending")], dtype=bool)
    count = int(np.count_nonzero(missing & findings.open))
    if count:
        findings.notes.append(
            f"{count:,} of {len(missing):,} rows have no {name}: walkovers, or games that nobody wrote down? they are "
            f"left out; columns={{{name!r}: ''}} takes every row as a win"
        )
        findings.reject(
            missing,
            Reason.NO_RESULT,
            lambda _: f"{name} is empty, though other rows have one: a walkover, or a game that nobody wrote down?",
        )


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
    likely = ((word, meant) for word in shown for pattern, meant in _LIKELY if pattern.search(word.casefold()))
    word, meant = next(likely, (shown[0], "..."))
    example = f"results={{{shortened(word)}: {meant!r}}}"
    others = ", ".join(one for one in ("win", "draw", "loss", "walkover", "void") if one != meant)
    return f"{name} has words that are no results: {listed}{more}; {example}, or {others}, makes one of it"
