"""What orders players of equal points: a small closed set, each counted over the games that were played."""

import difflib
from collections.abc import Iterable
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.standings.results import Results

Whole = NDArray[np.int64]


class TieBreak(StrEnum):
    """What tells equal points apart, more being better. Walkovers and byes do not count but where it says so.

    >>> TieBreak.parse("wins")
    <TieBreak.WINS: 'wins'>
    """

    DIRECT = "direct"
    """Points from the games among those who are still equal, walkovers too."""
    WINS = "wins"
    """Games won."""
    SONNEBORN_BERGER = "sonneborn-berger"
    """The points of each opponent for a win, half of them for a draw."""
    BUCHHOLZ = "buchholz"
    """The points of each opponent, a game each."""

    @classmethod
    def parse(cls, word: str) -> "TieBreak":
        """The member of a word; `InputError` lists the choices."""
        choices = [member.value for member in cls]
        if word not in choices:
            close = difflib.get_close_matches(str(word).lower(), choices, n=1)
            raise InputError(
                f"tie-break is {shortened(word)}; it is one of {', '.join(choices)}",
                hint=f"did you mean {close[0]!r}?" if close else None,
            )
        return cls(word)

    @property
    def column(self) -> str:
        """Its column in the table."""
        return self.value.replace("-", "_")


def parse_tie_breaks(words: Iterable[str]) -> list[TieBreak]:
    """Each of the words, in their order; `InputError` for one that is there twice."""
    if isinstance(words, str):
        words = [word.strip() for word in words.split(",") if word.strip()]
    found = [TieBreak.parse(word) for word in words]
    for one in found:
        if found.count(one) > 1:
            raise InputError(f"tie-break {one.value} is there twice", hint="once is enough")
    return found


def broken(ties: Iterable[TieBreak], results: Results) -> list[tuple[TieBreak, Whole, int]]:
    """The value of each tie-break by player, in units of which so many are a point, in the order given."""
    equal = [results.pool, results.points]
    values: list[tuple[TieBreak, Whole, int]] = []
    for tie in ties:
        value, unit = _value(tie, results, equal)
        equal.append(value)
        values.append((tie, value, unit))
    return values


def _value(tie: TieBreak, results: Results, equal: list[Whole]) -> tuple[Whole, int]:
    a, b, twice = results.a, results.b, results.twice_score
    unit = results.values.unit
    of = results.points
    if tie is TieBreak.WINS:
        return results.wins, 1
    if tie is TieBreak.DIRECT:
        _, group = np.unique(np.stack(equal), axis=1, return_inverse=True)
        group = group.reshape(-1)
        among = results.scoring & (group[a] == group[b])
        return results.summed(a[among], results.worth_a[among]) + results.summed(b[among], results.worth_b[among]), unit
    played = results.played
    a, b, twice = a[played], b[played], twice[played]
    if tie is TieBreak.BUCHHOLZ:
        return results.summed(a, of[b]) + results.summed(b, of[a]), unit
    return results.summed(a, twice * of[b]) + results.summed(b, (2 - twice) * of[a]), 2 * unit
