"""The closed vocabulary of results: what a cell says about who won, how it ended, or that it says nothing.

There is no else-branch: a cell that is not in the vocabulary is a fault with a reason, never a draw and never a loss.
What an ending does to ratings is the methodology's business.
"""

import math
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.vocabulary import SPELLINGS, Ending


class Outcome(NamedTuple):
    """What a result says: player_a's score (NaN where nobody won and nobody drew) and the ending, if it names one."""

    score: float
    ending: Ending | None


WON: Final = frozenset({"win", "won", "w", "victory", "a", "player_a", "model_a", "home", "1-0", "w/l"})
DRAWN: Final = frozenset(
    {"draw", "drawn", "d", "tie", "tied", "t", "remis", "=", "½", "1/2", "½-½", "1/2-1/2", "1/2 - 1/2", "d/d", "x"}
)
LOST: Final = frozenset({"loss", "lost", "lose", "l", "defeat", "b", "player_b", "model_b", "away", "0-1", "l/w"})
ENDED: Final[Mapping[str, tuple[float, Ending]]] = {
    "+/-": (1.0, Ending.WALKOVER),
    "+-": (1.0, Ending.WALKOVER),
    "+:-": (1.0, Ending.WALKOVER),
    "1-0f": (1.0, Ending.WALKOVER),
    "1-0ff": (1.0, Ending.WALKOVER),
    "-/+": (0.0, Ending.WALKOVER),
    "-+": (0.0, Ending.WALKOVER),
    "-:+": (0.0, Ending.WALKOVER),
    "0-1f": (0.0, Ending.WALKOVER),
    "0-1ff": (0.0, Ending.WALKOVER),
}
"""A side that did not appear: a point in the standings, no game."""
OVER: Final[Mapping[str, Ending]] = {
    "*": Ending.UNFINISHED,
    "unfinished": Ending.UNFINISHED,
    "unterminated": Ending.UNFINISHED,
    "adjourned": Ending.UNFINISHED,
    "aborted": Ending.ABORTED,
    "abandoned": Ending.ABORTED,
    "void": Ending.VOID,
    "annulled": Ending.VOID,
    "cancelled": Ending.VOID,
    "no contest": Ending.VOID,
    "nc": Ending.VOID,
    "nc/nc": Ending.VOID,
    "bye": Ending.BYE,
    "walkover": Ending.WALKOVER,
    "w/o": Ending.WALKOVER,
    "w.o.": Ending.WALKOVER,
    "w.o": Ending.WALKOVER,
    "wo": Ending.WALKOVER,
    "-/-": Ending.WALKOVER,
    "0-0f": Ending.WALKOVER,
}
"""Ended without a winner that the cell would name."""
NOTHING: Final = frozenset({"?", "-", "na", "n/a", "nan", "null", "none", "unknown", "unk"})
"""How programs and people write that a cell has nothing to say."""

_POINTS: Final = re.compile(r"([0-9]+(?:[.,][0-9]{1,2})?) ?[-:] ?([0-9]+(?:[.,][0-9]{1,2})?)")
_AWARDED: Final = re.compile(r"([0-9]+ ?[-:] ?[0-9]+) (?:\(?w\.? ?/?o\.?\)?|walkover)")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_COMMA: Final = re.compile(r"[+-]?[0-9],[0-9]{1,2}")
_DATE: Final = re.compile(
    r"[0-9]{1,2}[-/. ]{1,2}[a-z\u00e4]{3}\.?|[a-z\u00e4]{3}[-/. ]{1,2}[0-9]{1,2}|[0-9]{1,2}:[0-9]{2}:[0-9]{2}"
    r"|[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}(?: .*)?"
    r"|(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])-(?:19|20)[0-9]{2}"
)
_SETS: Final = re.compile(r"[0-9]+[-:][0-9]+(?:\([0-9]+\))?(?:[ ,;]+[0-9]+[-:][0-9]+(?:\([0-9]+\))?)+")
_LEFT: Final = re.compile(r"[0-9].* (?:ret|retired|def|default|aufg(?:abe|eg)?|ab(?:andon)?)\.?")
_SERIAL: Final = re.compile(r"[0-9]{5}")  # days since 1900, from 1954 to 2119: what a spreadsheet makes of a date


def parse_result(text: str, a: str = "", b: str = "", words: Mapping[str, str] | None = None) -> Outcome:
    """What the cell says of the game between `a` and `b`; `InputError` for what is not in the vocabulary.

    `words` maps cells of this file to words of the vocabulary ("bothbad" = "draw") or of endings. The name of a player
    is a win of that player, unless both the vocabulary and a player claim the word.

    >>> parse_result("2-1").score, parse_result("½-½").score, parse_result("0-1F")
    (1.0, 0.5, Outcome(score=0.0, ending=<Ending.WALKOVER: 'walkover'>))
    >>> parse_result("bothbad", words={"bothbad": "draw"}).score
    0.5
    """
    mapped = (words or {}).get(text)
    plain = plainly(text if mapped is None else mapped)
    dated = _DATE.fullmatch(plain) or (_SERIAL.fullmatch(plain) and 20_000 <= int(plain) < 80_000)
    known = None if dated else known_word(plain, mapped is not None)
    if mapped is not None and known is not None:
        return known
    named = {a: 1.0, b: 0.0}.get(text) if a != b and text else None
    if named is not None and known is not None and known != Outcome(named, None):
        raise InputError(
            f"result is {text!r}, a player and a word for something else", hint="map it to win, draw or loss"
        )
    if named is not None:
        return Outcome(named, None)
    if known is not None:
        return known
    if dated:
        raise InputError(
            f"result is {text!r}, which looks like a {'time' if ':' in plain else 'date'} that a spreadsheet made of a "
            "score",
            hint="format the column as text before the scores are typed, or read the original file",
        )
    if _SETS.fullmatch(plain):
        raise unknown_word(
            text, ": it may be sets, or scores one after the other; say who won, or how many each side won"
        )
    if _LEFT.fullmatch(plain):
        raise unknown_word(text, ": it says that somebody left, and not who; say who won")
    raise unknown_word(text)


def plainly(text: str) -> str:
    """A cell as the vocabulary has it.

    >>> plainly(" 1\u20130 ")
    '1-0'
    """
    return text.strip().casefold().replace("\u2013", "-").replace("\u2212", "-")


def unknown_word(text: str, why: str = "") -> InputError:
    """The error for a cell that is not in the vocabulary.

    >>> print(unknown_word("bothbad"))
    result is 'bothbad', which is no word for a result
    """
    return InputError(
        f"result is {shortened(text)}, which is no word for a result{why}", hint="map it to win, draw or loss"
    )


def checked_words(words: Mapping[str, str] | None) -> dict[str, str]:
    """A mapping of cells to words of the vocabulary, or `InputError` that names the word that is none.

    >>> checked_words({"bothbad": "draw"})
    {'bothbad': 'draw'}
    """
    if words is not None and not isinstance(words, Mapping):
        raise InputError(f"results is {shortened(words)}; expected a mapping like {{'bothbad': 'draw'}}")
    for cell, word in (words or {}).items():
        if not isinstance(cell, str) or not isinstance(word, str) or known_word(word.strip().casefold(), True) is None:
            raise InputError(
                f"results maps {shortened(cell)} to {shortened(word)}, which is no word for a result",
                hint="map a cell of the file to a word such as win, draw, loss or void",
            )
    return dict(words or {})


def known_word(plain: str, endings: bool = False) -> Outcome | None:
    """What a word of the vocabulary says, None where it is none; with `endings`, theirs count too.

    >>> known_word("draw"), known_word("resigned")
    (Outcome(score=0.5, ending=None), None)
    """
    if plain in WON:
        return Outcome(1.0, None)
    if plain in DRAWN:
        return Outcome(0.5, None)
    if plain in LOST:
        return Outcome(0.0, None)
    if plain in ENDED:
        return Outcome(*ENDED[plain])
    if plain in OVER:
        return Outcome(math.nan, OVER[plain])
    if endings and (plain in SPELLINGS or plain in tuple(Ending)):
        return Outcome(math.nan, Ending.spelt(plain))
    if match := _AWARDED.fullmatch(plain):
        awarded = known_word(match[1])
        return None if awarded is None or awarded.score == 0.5 else Outcome(awarded.score, Ending.WALKOVER)
    if match := _POINTS.fullmatch(plain):
        mine, theirs = (float(points.replace(",", ".")) for points in match.groups())
        return Outcome(1.0 if mine > theirs else 0.0 if mine < theirs else 0.5, None)
    number = plain.replace(",", ".") if _COMMA.fullmatch(plain) else plain
    if _NUMBER.fullmatch(number) and 0.0 <= float(number) <= 1.0:
        return Outcome(abs(float(number)), None)
    return None
