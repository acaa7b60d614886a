"""Both players in one cell: "Ann vs. Bob"."""

import re
from typing import Final

from tallymark.checked import shortened
from tallymark.games.columns import Cells, words
from tallymark.games.report import Findings, Reason

_BETWEEN: Final = re.compile(r"\s+(?:vs\.?|v\.?|versus)\s+", re.IGNORECASE)


def paired(cells: Cells, findings: Findings) -> dict[str, Cells]:
    """The two players of each pairing, without the blanks around them; a cell of another form is a fault.

    >>> paired(["Ann vs. Bob "], Findings(1))
    {'player_a': ['Ann'], 'player_b': ['Bob']}
    """
    first: list[object] = []
    second: list[object] = []
    faults: dict[int, str] = {}
    for row, text in enumerate(words(cells, "pairing")):
        parts = [part.strip() for part in _BETWEEN.split(text or "")]
        if len(parts) != 2:
            faults[row] = f"pairing is {shortened(text) if text else 'empty'}; expected two players with vs. between"
        first.append(parts[0] if len(parts) == 2 else None)
        second.append(parts[1] if len(parts) == 2 else None)
    findings.reject(faults, Reason.MISSING_PLAYER, lambda row: faults[row])
    return {"player_a": first, "player_b": second}


def is_pairing(text: object) -> bool:
    """Whether a cell names two players.

    >>> is_pairing("Ann v Bob"), is_pairing("final")
    (True, False)
    """
    return isinstance(text, str) and len(_BETWEEN.split(text)) == 2
