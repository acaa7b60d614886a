"""Items in their order become entries: the one place where what was received changes a pool.

Matches that follow one another are rated in one run; a command (`fold/commands/`) is a run of its own. A run knows
nothing of batches: cut anywhere, the same items give the same entries.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final, NamedTuple, Protocol, TypeAlias

from tallymark.errors import LedgerError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry, chained
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.rating import rate_matches
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


class Folded(NamedTuple):
    """What items became."""

    entries: list[Entry]
    stand: Stand
    rules: Methodology
    rows: dict[Id, Row]
    """Those that changed."""


Command: TypeAlias = Callable[[Folding, Received], None]
COMMANDS: Final[dict[str, Command]] = {}
"""What a command does, by its name."""


def fold(stand: Stand, rules: Methodology, reach: Reach, items: Sequence[Received], engine: Engine = "auto") -> Folded:
    """The entries of the items, and where the pool and its players stand then."""
    going = Folding(reach, stand, rules, engine)
    for name, run in groupby(items, key=lambda item: item.command):
        if name is None:
            _matches(going, list(run))
            continue
        for item in run:
            if name not in COMMANDS:
                raise LedgerError(f"{name!r} is no command of this version", hint="a newer tallymark wrote it")
            COMMANDS[name](going, item)
    return Folded(going.written, going.stand, going.rules, going.changed)


def _matches(going: Folding, items: Sequence[Received]) -> None:
    """Matches of a pool by match or game: each is rated when it is settled."""
    players = {player for item in items for player in item.match.people}
    rows = going.rows(players)
    outcomes, changed = rate_matches(going.rules, rows, [item.match for item in items], going.engine)
    last = {player: row.position for player, row in rows.items()}
    rules_at = going.stand.rules_at
    for item, outcome in zip(items, outcomes, strict=True):
        at, position = going.settled_at(item.received), going.stand.position + 1
        if outcome.reason is not None:
            body = entries.not_rated(position, at, rules_at, item.body, outcome.reason)
            going.write(body, at, item.receipt)
            continue
        before = [last[one.player] for one in outcome.after]
        body = entries.rated(position, at, rules_at, going.rules, item.body, outcome.after, before)
        for one in outcome.after:
            last[one.player] = position
        going.write(body, at, item.receipt, played=max(going.stand.played, item.match.played))
    going.changed |= {player: row._replace(position=last[player]) for player, row in changed.items()}
