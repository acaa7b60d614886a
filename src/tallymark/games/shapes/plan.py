"""What recognition makes of a file's head: which of its columns is which, and what is said about it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

Row = Sequence[object]
"""A row's cells, one a column of the file."""


class Seats(StrEnum):
    """What player_a and player_b are called in a file, where its words for a result may speak of that."""

    PLAIN = "plain"
    HOME_AWAY = "home-away"
    WHITE_BLACK = "white-black"
    BLACK_WHITE = "black-white"


@dataclass(frozen=True)
class Plan:
    """How a file is read: `columns` has the positions of the file's columns for each canonical name.

    Several positions are the players of a side or the entries of a row, in their order. Without `header` the first
    row is a game like the others. `notes` announce what was recognised, for nobody had said it. `seats` are the words
    for the two sides of a game, `sides` the names of their columns: a result may speak of either. `names` is the
    first row as it stands in the file.
    """

    columns: Mapping[str, tuple[int, ...]]
    header: bool = True
    notes: tuple[str, ...] = ()
    seats: Seats = Seats.PLAIN
    sides: tuple[str, str] = ("", "")
    names: tuple[str, ...] = ()

    @property
    def positions(self) -> tuple[int, ...]:
        """The positions of all columns that are used, each once."""
        return tuple(dict.fromkeys(position for several in self.columns.values() for position in several))

    def uses_all(self, width: int) -> bool:
        """Whether each of so many columns is used for more than to be shown.

        >>> Plan({"player_a": (0,), "name_a": (1,)}).uses_all(2), Plan({"player_a": (0, 1)}).uses_all(2)
        (False, True)
        """
        used = {at for name, several in self.columns.items() if not name.startswith("name") for at in several}
        return len(used) == width


Choose = Callable[[Sequence[str], Sequence[Row]], Plan]
"""Makes a plan from the first row and some of the rows after it (of which the ragged ones have fewer or more cells)."""
