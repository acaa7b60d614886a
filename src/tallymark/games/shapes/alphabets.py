"""Results that speak of a seat: B+R, white, H and A. Who sat there has to be known; what could be two things is asked.

A column is read by one alphabet, found from all of its cells, so that no letter means two things in one file.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tallymark.errors import InputError
from tallymark.games.shapes.plan import Seats
from tallymark.games.shapes.results import DRAWN, Outcome, parse_result, plainly, unknown_word
from tallymark.games.shapes.spellings import plain as spelt
from tallymark.games.vocabulary import SPELLINGS, Ending

_COLOUR: Final = re.compile(r"(b|w|black|white) ?\+ ?(.*)")
_MARGIN: Final = re.compile(r"|[0-9]+(?:[.,][0-9]+)?(?: ?(?:moku|points?))?|score")
_GO: Final[Mapping[str, Outcome]] = {
    "0": Outcome(0.5, None),
    "jigo": Outcome(0.5, None),
    "both lose": Outcome(math.nan, Ending.VOID),
}
"""What SGF writes beside wins of a colour."""
_ASKING: Final = ", as nobody said who was White and who was Black: columns={'white': '...', 'black': '...'}"


@dataclass(frozen=True)
class Alphabet:
    """How the words of one column of results are read: whose the seats are, and which single letters mean them.

    >>> Alphabet.of(["B+R", "0"], Seats.BLACK_WHITE).parse("0").score
    0.5
    """

    seats: Seats
    go: bool
    home_away: bool
    letters: bool
    sides: tuple[str, str] = ("", "")

    @classmethod
    def of(cls, words: Iterable[str], seats: Seats, sides: tuple[str, str] = ("", "")) -> "Alphabet":
        """The alphabet that all words of a column are in; `sides` are the names of the columns of the two players."""
        found = set(map(plainly, words))
        go = any(_COLOUR.fullmatch(word) for word in found)
        return cls(seats, go, "h" in found, "w" in found and "b" in found and "l" not in found, sides)

    def parse(self, text: str, a: str = "", b: str = "", words: Mapping[str, str] | None = None) -> Outcome:
        """What a cell says of the game between `a` and `b`; `InputError` for what is in no alphabet, or in two."""
        plain = plainly(text)
        if (words or {}).get(text) is not None or (text in (a, b) and a != b):
            return parse_result(text, a, b, words)
        if len(plain) > 1 and spelt(plain) in self.sides:
            return Outcome(1.0 if spelt(plain) == self.sides[0] else 0.0, None)
        if self.go and plain in _GO:
            return _GO[plain]
        if match := _COLOUR.fullmatch(plain):
            return Outcome(self._won(text, match[1][0]), _ending(text, match[2]))
        if plain in ("black", "white") or (self.letters and plain in ("b", "w")):
            return Outcome(self._won(text, plain[0]), None)
        if plain in ("b", "w") and self.seats == Seats.BLACK_WHITE:
            raise unknown_word(text, ": it may be a colour or a side")
        if self.home_away and plain in ("h", "a"):
            return Outcome(1.0 if plain == "h" else 0.0, None)
        if plain == "a" and self.seats == Seats.HOME_AWAY:
            raise unknown_word(text, ": it may be the away side or player_a")
        return parse_result(text, a, b)

    def _won(self, text: str, colour: str) -> float:
        if self.seats not in (Seats.WHITE_BLACK, Seats.BLACK_WHITE):
            raise unknown_word(text, _ASKING)
        return 1.0 if (colour == "w") == (self.seats == Seats.WHITE_BLACK) else 0.0


def _ending(text: str, how: str) -> Ending | None:
    """How a win of a colour came about; None for a margin of points."""
    if _MARGIN.fullmatch(how):
        return None
    if how in SPELLINGS or how in tuple(Ending):
        return Ending.spelt(how)
    raise InputError(f"result is {text!r}, which does not end in a way that is known", hint="map it to a win of a side")


def winner_by_number(text: str, words: Mapping[str, str] | None = None) -> Outcome:
    """What 1 and 2 say where they are the number of the side that won; words for a draw are draws.

    >>> winner_by_number("2").score
    0.0
    """
    mapped = (words or {}).get(text)
    if mapped is not None:
        return parse_result(text, words=words)
    plain = plainly(text).removesuffix(".0")
    if plain in DRAWN:
        return Outcome(0.5, None)
    if plain in ("1", "2"):
        return Outcome(2.0 - float(plain), None)
    raise InputError(
        f"winner_side is {text!r}; it is 1 (player_a won), 2 (player_b) or a word for a draw",
        hint=f"results={{{text!r}: 'draw'}}, or another word",
    )
