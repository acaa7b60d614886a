"""Windows closed while a stream is recounted: what the rater freezes as it goes, from the entries alone."""

from collections.abc import Mapping
from typing import NamedTuple

from tallymark.games.ids import Id
from tallymark.ledger.fold.folding import Folded
from tallymark.ledger.fold.rows import Row
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.windows import SPANS, Span, Window, over
from tallymark.methodology import Methodology


class Closing(NamedTuple):
    """A window that is over: its first entry, where the pool stood, and the rows that were changed in it."""

    window: Window
    first: int
    stand: Stand
    rules: Methodology
    rows: dict[Id, Row]


class Closer:
    """Looks on while a pool is folded, in batches that do not go beyond the end of a window (`windows.together`)."""

    def __init__(self) -> None:
        self._open: dict[Span, tuple[int, set[Id]]] = {span: (1, set()) for span in SPANS}
        self._closings: list[Closing] = []

    def look(self, before: Stand, rules: Methodology, players: Mapping[Id, Row], folded: Folded) -> None:
        """A batch was folded; `before`, `rules` and `players` are as they were before it."""
        for window in over(before.at, folded.stand.at):
            first, changed = self._open[window.span]
            stood = {player: players[player] for player in changed}
            self._closings.append(Closing(window, first, before, rules, stood))
            self._open[window.span] = before.position + 1, set()
        for _, changed in self._open.values():
            changed.update(folded.rows)

    def taken(self) -> list[Closing]:
        """The windows that were closed since this was asked last."""
        found, self._closings = self._closings, []
        return found
