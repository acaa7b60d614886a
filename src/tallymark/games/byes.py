"""BYE in the place of an opponent: nobody to play against, and nobody who is rated."""

import numpy as np

from tallymark.games.coded import Coded
from tallymark.games.ids import Id
from tallymark.games.report import Findings
from tallymark.games.vocabulary import Ending


def is_bye(player: Id) -> bool:
    """Whether an id stands for nobody.

    >>> is_bye("BYE"), is_bye("byeon"), is_bye(7)
    (True, False, False)
    """
    return isinstance(player, str) and player.strip().casefold() == "bye"


def note_byes(coded: Coded, findings: Findings) -> None:
    """Games against nobody have ended in a bye, whatever else is said of them: they keep their points, and no rating.

    >>> coded = Coded(["BYE", "ann"], np.array([1]), np.array([0]), np.array([1.0]), [""], np.array([0]), np.array([0]))
    >>> note_byes(coded, Findings(1))
    >>> coded.ending.tolist() == [Ending.BYE.code]
    True
    """
    if "bye" not in "\n".join(map(str, coded.players)).casefold():  # which is soon seen
        return
    nobody = [code for code, player in enumerate(coded.players) if is_bye(player)]
    if not nobody:
        return
    byes = (np.isin(coded.a, nobody) | np.isin(coded.b, nobody)) & findings.open
    if byes.any():
        ending = np.full(len(coded.a), -1, dtype=np.int8) if coded.ending is None else coded.ending
        coded.ending = np.where(byes, np.int8(Ending.BYE.code), ending).astype(np.int8)
        count = int(np.count_nonzero(byes))
        findings.notes.append(f"{count:,} game{'' if count == 1 else 's'} against BYE: a bye, which is not rated")
