"""The closed words of a game log: how a game ended and where it came from, each with an integer code that never moves.

Codes are the position in the enumeration. They go into columns (int8) and into hashes, so a new word is added at the
end and none is ever renamed.
"""

import difflib
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

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

    @classmethod
    def spelt(cls, word: str) -> "Ending":
        """The member that `word` is a usual spelling of, whatever its case; InputError lists the choices otherwise.

        >>> Ending.spelt("Time forfeit"), Ending.spelt("RET")
        (<Ending.TIMEOUT: 'timeout'>, <Ending.RESIGNATION: 'resignation'>)
        """
        plain = " ".join(word.casefold().split())
        if plain in _ENDING_CODES:
            return cls(plain)
        if plain in SPELLINGS:
            return SPELLINGS[plain]
        for pattern, ending in _PHRASES:
            if pattern.fullmatch(plain):
                return ending
        raise _unknown("ending", word, tuple(_ENDING_CODES), tuple(SPELLINGS))


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

    @classmethod
    def spelt(cls, word: str) -> "Source":
        """The member written as `word`, whatever its case; InputError lists the choices otherwise.

        >>> Source.spelt("Queue")
        <Source.QUEUE: 'queue'>
        """
        return cls.parse(word.casefold() if word.casefold() in _SOURCE_CODES else word)


BANDS: Final = 4
"""The highest starting band that a newcomer declares; the lowest is 1, and 0 is none declared."""
BANDS_ARE: Final = f"starting bands are 1 to {BANDS}, and 0 is none"
"""The same in words."""
ENDINGS: Final[Mapping[Ending, str]] = {
    Ending.NORMAL: "completed; finished; checkmate; mate; stalemate; score; scored; points; played; draw; agreement; "
    "draw by agreement; repetition; 3-fold rep; 3-fold repetition; threefold repetition; 50-move rule; "
    "fifty-move rule; insufficient material; insufficient; draw agreed; agreed; ko/tko; ko; tko; submission; decision; "
    "decision - unanimous; decision - split; decision - majority; tko - doctor's stoppage",
    Ending.RESIGNATION: "resign; resigned; resigns; r; ret; retired; retirement; withdrawn during play",
    Ending.TIMEOUT: "time; t; time forfeit; timed out; out of time; outoftime; flag; flag fall; time out; time-out",
    Ending.FORFEIT: "f; forfeited; def; default; defaulted; disqualified; disqualification; dq; death",
    Ending.ILLEGAL: "i; illegal move; illegal moves; rules infraction; rule infraction",
    Ending.DISCONNECT: "disconnected; disconnection; offline; stalled connection; connection lost",
    Ending.ADJUDICATED: "adjudication; j; manual adjudication; user adjudication; gui adjudication; "
    "gui tb adjudication; draw by manual adjudication; tcec draw rule; tcec win rule; jury decision",
    Ending.WALKOVER: "w/o; wo; w.o.; walk over; walk-over; no show; no-show; did not appear; dns; forfeit win",
    Ending.BYE: "free; spielfrei",
    Ending.UNFINISHED: "unf; unterminated; adjourned; suspended; in progress; played and unfinished; not finished",
    Ending.ABORTED: "abn; abd; abandoned; played and abandoned; emergency; interrupted; aborted by server",
    Ending.VOID: "voided; annulled; cancelled; canceled; nc; no contest; no_contest; no result; overturned; "
    "could not continue",
}
"""The usual spellings of each ending beside its own word, divided by semicolons; case does not count."""
SPELLINGS: Final[Mapping[str, Ending]] = {word: ending for ending, text in ENDINGS.items() for word in text.split("; ")}
"""The ending of each spelling."""
_PHRASES: Final = (
    (re.compile("gui tb mate in [0-9]+"), Ending.ADJUDICATED),
    (re.compile("(?:black|white) (?:loses|lost|forfeits) on time|.+ won on time"), Ending.TIMEOUT),
    (re.compile("(?:black|white) resigns|.+ won by resignation"), Ending.RESIGNATION),
    (re.compile(".+ won by checkmate|game drawn by .+"), Ending.NORMAL),
    (re.compile(".+ won - game abandoned"), Ending.DISCONNECT),
    (re.compile("(?:black|white) disconnects"), Ending.DISCONNECT),
    (re.compile("(?:black|white) makes an illegal move(?:: .*)?"), Ending.ILLEGAL),
    (re.compile("(?:black|white) mates"), Ending.NORMAL),
)
"""Sentences that programs write into a game's termination."""
_ENDING_CODES = {ending.value: code for code, ending in enumerate(Ending)}
_SOURCE_CODES = {source.value: code for code, source in enumerate(Source)}
_COMPARED = 40
"""So many characters of a word are compared with those known: of a longer one, none was meant."""


def _unknown(what: str, word: str, choices: tuple[str, ...], spellings: tuple[str, ...] = ()) -> InputError:
    close = difflib.get_close_matches(word[:_COMPARED].strip().lower(), (*choices, *spellings), n=1)
    return InputError(
        f"{what} is {shortened(word)}; it is one of {', '.join(choices)}",
        hint=f"did you mean {close[0]!r}?" if close else None,
    )
