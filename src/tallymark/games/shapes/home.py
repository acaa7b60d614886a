"""Which side an entry was, where a file has two rows a game: the home side is player_a."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.games.columns import Cells, words
from tallymark.games.report import Findings, Reason

SEATS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("home", "h", "white", "first", "1"), 0),
    **dict.fromkeys(("away", "a", "visitor", "guest", "black", "second", "2"), 1),
}
"""The words for a side, and the seat that each takes."""


def check_sides(cells: Cells, findings: Findings) -> NDArray[np.int8]:
    """The seat of each entry: 0 sits before 1, and a missing one counts as 0. An unknown word is a fault.

    >>> check_sides(["away", "Home"], Findings(2)).tolist()
    [1, 0]
    """
    items = words(cells, "side")
    seats = [0 if word is None else SEATS.get(word.strip().casefold()) for word in items]
    findings.reject(
        [entry for entry, seat in enumerate(seats) if seat is None],
        Reason.BAD_NUMBER,
        lambda entry: f"side is {shortened(items[entry])}; it is one of {', '.join(SEATS)}",
    )
    return np.array([seat or 0 for seat in seats], dtype=np.int8)
