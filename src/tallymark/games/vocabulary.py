"""The closed words of a game log: how a game ended and where it came from, each with an integer code that never moves.

Codes are the position in the enumeration. They go into columns (int8) and into hashes, so a new word is added at the
end and none is ever renamed.
"""

import difflib
from enum import StrEnum

from tallymark.checked import shortened
from tallymark.errors import InputError


class Ending(StrEnum):
    """How a game ended. What each means for rating is the methodology's business, not the log's.

    >>> Ending.parse("resignation").code
    1
    """

    NORMAL = "normal"
    RESIGNATION = "resignation"
    TIMEOUT = "timeout"
    FORFEIT = "forfeit"
    ILLEGAL = "illegal"
    DISCONNECT = "disconnect"
    ADJUDICATED = "adjudicated"
    WALKOVER = "walkover"
    BYE = "bye"
    UNFINISHED = "unfinished"
    ABORTED = "aborted"
    VOID = "void"

    @property
    def code(self) -> int:
        """Position in the enumeration, from 0."""
        return _ENDING_CODES[self.value]

    @classmethod
    def parse(cls, word: str) -> "Ending":
        """The member written exactly as `word`; InputError lists the choices otherwise."""
        if word not in _ENDING_CODES:
            raise _unknown("ending", word, tuple(_ENDING_CODES))
        return cls(word)


class Source(StrEnum):
    """Where a game came from.

    >>> Source.parse("queue").code
    0
    """

    QUEUE = "queue"
    TABLE = "table"
    TOURNAMENT = "tournament"
    CASUAL = "casual"

    @property
    def code(self) -> int:
        """Position in the enumeration, from 0."""
        return _SOURCE_CODES[self.value]

    @classmethod
    def parse(cls, word: str) -> "Source":
        """The member written exactly as `word`; InputError lists the choices otherwise."""
        if word not in _SOURCE_CODES:
            raise _unknown("source", word, tuple(_SOURCE_CODES))
        return cls(word)


_ENDING_CODES = {ending.value: code for code, ending in enumerate(Ending)}
_SOURCE_CODES = {source.value: code for code, source in enumerate(Source)}
_COMPARED = 40
"""So many characters of a word are compared with those known: of a longer one, none was meant."""


def _unknown(what: str, word: str, choices: tuple[str, ...]) -> InputError:
    close = difflib.get_close_matches(word[:_COMPARED].strip().lower(), choices, n=1)
    return InputError(
        f"{what} is {shortened(word)}; it is one of {', '.join(choices)}",
        hint=f"did you mean {close[0]!r}?" if close else None,
    )
