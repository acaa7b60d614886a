"""What stands beside a winner and a loser: a score that may be a draw, sets of tennis, how the match ended."""

import math
import re
from collections.abc import Mapping
from typing import Final

from tallymark.games.shapes.results import Outcome, parse_result, plainly
from tallymark.games.vocabulary import Ending

_SET: Final = r"(?:[0-9]{1,3}[-/:][0-9]{1,3}(?:\([0-9]{1,3}\))?|[\[(][0-9]{1,3}[-:][0-9]{1,3}[\])])"
_SETS: Final = re.compile(rf"{_SET}(?:[ ,;]+{_SET})*")
_ENDED: Final[Mapping[str, Ending]] = {
    "ret": Ending.RESIGNATION,
    "retired": Ending.RESIGNATION,
    "def": Ending.FORFEIT,
    "default": Ending.FORFEIT,
    "w/o": Ending.WALKOVER,
    "walkover": Ending.WALKOVER,
    "abn": Ending.ABORTED,
    "abd": Ending.ABORTED,
    "abandoned": Ending.ABORTED,
    "played and abandoned": Ending.ABORTED,
    "unf": Ending.UNFINISHED,
    "unfinished": Ending.UNFINISHED,
    "played and unfinished": Ending.UNFINISHED,
    "in progress": Ending.UNFINISHED,
}
"""The words behind (or in the place of) the sets."""
WITHOUT_WINNER: Final = frozenset({Ending.ABORTED, Ending.UNFINISHED, Ending.VOID})
"""Endings that leave nobody the winner, whoever is written first."""


def parse_line(text: str, winner: str = "", loser: str = "", words: Mapping[str, str] | None = None) -> Outcome:
    """What the cell beside a winner and a loser says, the score being the winner's; `InputError` for what is unknown.

    One pair of numbers is a score, and equal ones are a draw. Several are sets, which say nothing about who won the
    match; nor does the score of a match that somebody left.

    >>> parse_line("6-4 4-6 7-6(5)"), parse_line("1:1").score, parse_line("6-8 2-5 RET").ending
    (Outcome(score=1.0, ending=None), 0.5, <Ending.RESIGNATION: 'resignation'>)
    """
    plain = plainly(text)
    if (words or {}).get(text) is None:
        for word, ending in _ENDED.items():
            if plain.rstrip(".") == word or (
                plain.rstrip(".").endswith(f" {word}") and _SETS.fullmatch(plain.rstrip(".")[: -len(word)].strip())
            ):
                return _won(ending)
        if " " in plain and _SETS.fullmatch(plain) and not re.fullmatch(r"[0-9]+ ?[-:] ?[0-9]+", plain):
            return Outcome(1.0, None)
        if re.fullmatch(_SET, plain) and ("(" in plain or "[" in plain):
            return Outcome(1.0, None)
    outcome = parse_result(text, winner, loser, words)
    return _won(outcome.ending) if math.isnan(outcome.score) and outcome.ending is not None else outcome


def _won(ending: Ending) -> Outcome:
    return Outcome(math.nan if ending in WITHOUT_WINNER else 1.0, ending)
