"""Words in the place of an opponent: of a bye, which is nobody to play against, and of somebody not known."""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.games.coded import Coded
from tallymark.games.ids import Id
from tallymark.games.report import Findings, Reason
from tallymark.games.vocabulary import Ending

_WORDS: Final = ("bye", "spielfrei", "freilos", "exempt")
_BYE: Final = re.compile(rf"\W*(?:{'|'.join(_WORDS)})[\W_]*[0-9]*\W*")
_NOT_KNOWN: Final = re.compile(r"\s*(?:[-\u2013\u2014?]+|NN|N\. ?N\.?)\s*")
_MAYBE: Final = re.compile(r"\n[\s?N.\u2013\u2014-]+(?=\n)")  # among texts behind one another: is any not known?
_SHOWN: Final = 3


def is_bye(player: Id) -> bool:
    """Whether an id is a word for a bye, in any language that has one here, perhaps numbered.

    >>> is_bye("BYE"), is_bye("Spielfrei 2"), is_bye("byeon"), is_bye(7)
    (True, True, False, False)
    """
    return isinstance(player, str) and len(player) < 40 and _BYE.fullmatch(player.casefold()) is not None


def is_nobody(player: Id) -> bool:
    """Whether an id says that a player is not known: a dash, question marks, `NN`.

    >>> is_nobody("?"), is_nobody("N.N."), is_nobody("Ann"), is_nobody(7)
    (True, True, False, False)
    """
    return isinstance(player, str) and _NOT_KNOWN.fullmatch(player) is not None


def count_people(players: Sequence[Id]) -> int:
    """How many of the players are some, and no word for a bye.

    >>> count_people(["ann", "BYE", 7])
    2
    """
    return len(players) - sum(map(is_bye, players))


def reject_nobody(name: str, codes: NDArray[np.int32], players: Sequence[Id], findings: Findings) -> None:
    """Reject rows whose player is missing, or is a word for one who is not known; `codes` are places in `players`."""
    if len(codes) and codes.min() < 0:
        findings.reject(codes < 0, Reason.MISSING_PLAYER, lambda _: f"{name} is missing")
    if not players or not isinstance(players[-1], str):  # texts come last
        return
    together = "\n".join(["", *map(str, players), ""])
    nobody = [code for code, player in enumerate(players) if is_nobody(player)] if _MAYBE.search(together) else []
    if nobody:
        findings.reject(
            np.isin(codes, nobody),
            Reason.MISSING_PLAYER,
            lambda row: f"{name} is {players[codes[row]]!r}, which stands for nobody",
        )


def note_byes(coded: Coded, findings: Findings) -> None:
    """Games against nobody have ended in a bye, whatever else is said of them: they keep their points, and no rating.

    >>> coded = Coded(["BYE", "ann"], np.array([1]), np.array([0]), np.array([1.0]), [""], np.array([0]), np.array([0]))
    >>> note_byes(coded, Findings(1))
    >>> coded.ending.tolist() == [Ending.BYE.code]
    True
    """
    if not coded.players or not isinstance(coded.players[-1], str):
        return
    together = "\n".join(map(str, coded.players)).casefold()
    if not any(word in together for word in _WORDS):  # which is soon seen
        return
    nobody = [code for code, player in enumerate(coded.players) if is_bye(player)]
    if not nobody:
        return
    byes = (np.isin(coded.a, nobody) | np.isin(coded.b, nobody)) & findings.open
    if byes.any():
        ending = np.full(len(coded.a), -1, dtype=np.int8) if coded.ending is None else coded.ending
        coded.ending = np.where(byes, np.int8(Ending.BYE.code), ending).astype(np.int8)
        count = int(np.count_nonzero(byes))
        there = np.union1d(coded.a[byes], coded.b[byes])
        words = [str(coded.players[code]) for code in nobody if code in there]
        listed = ", ".join(words[:_SHOWN]) + (", ..." if len(words) > _SHOWN else "")
        findings.notes.append(f"{count:,} game{'' if count == 1 else 's'} against {listed}: a bye, which is not rated")
