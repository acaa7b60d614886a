"""A fold under way: what it may ask, what it has written, and where the pool and its players stand now."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from tallymark.games.ids import Id
from tallymark.ledger.entries import Entry, chained
from tallymark.ledger.fold.rows import Row, newcomer
from tallymark.ledger.fold.stand import Stand
from tallymark.methodology import Methodology
from tallymark.replay.engines import Engine


class Reach(Protocol):
    """What the fold may ask of the ledger that it is about, as it was before the items."""

    def rows(self, players: Iterable[Id], rules: Methodology) -> dict[Id, Row]:
        """The rows of these players; who has none is left out."""
        ...

    def rules(self, position: int) -> Methodology:
        """The methodology that the entry at a position brought."""
        ...

    def entries(self, first: int, last: int) -> Iterable[Entry]:
        """The entries from a position to another, both included."""
        ...


@dataclass
class Folding:
    """A fold under way: what it has written, where the pool stands now, and the rows that changed."""

    reach: Reach
    stand: Stand
    rules: Methodology
    engine: Engine
    written: list[Entry] = field(default_factory=list)
    changed: dict[Id, Row] = field(default_factory=dict)
    fetched: dict[Id, Row] = field(default_factory=dict)

    def rows(self, players: Iterable[Id]) -> dict[Id, Row]:
        """The rows of these players as they stand now; a newcomer's for who has none."""
        wanted = list(players)
        missing = [one for one in wanted if one not in self.changed and one not in self.fetched]
        if missing:
            self.fetched |= self.reach.rows(missing, self.rules)
        blank = newcomer(self.rules)
        return {one: self.changed.get(one) or self.fetched.get(one, blank) for one in wanted}

    def settled_at(self, received: int) -> int:
        """When what was received then is settled: time does not go back in a stream."""
        return max(self.stand.at, received)

    def write(self, body: bytes, at: int, receipt: int | None, **moved: int) -> None:
        """One more entry; `moved`: what else changes in the stand."""
        position = self.stand.position + 1
        link = chained(self.stand.hash, body)
        self.written.append(Entry(position, link, body, receipt))
        self.stand = replace(self.stand, position=position, hash=link, at=at, **moved)

    def entries(self, first: int) -> Iterator[Entry]:
        """The entries from a position on, those written here too."""
        before = self.stand.position - len(self.written)
        if first <= before:
            yield from self.reach.entries(first, before)
        yield from self.written[max(0, first - before - 1) :]

    def take(self, rows: Mapping[Id, Row]) -> None:
        """Rows that players have from now on."""
        self.changed |= rows
