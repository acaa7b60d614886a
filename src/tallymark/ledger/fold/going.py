"""A fold under way: what it may ask, what it has written, and where the pool and its players stand now."""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from orjson import loads

from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry, chained
from tallymark.ledger.fold.history import History
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.rating import After
from tallymark.ledger.fold.reasons import Unrated
from tallymark.ledger.fold.rows import Row, newcomer
from tallymark.ledger.fold.seats import ArraySeats, ListSeats, Seats
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.rules import rules_in
from tallymark.methodology import Methodology
from tallymark.replay.engines import Engine
from tallymark.replay.schedule import DAY

P = TypeVar("P")


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
    """A fold under way: what it has written, where the pool stands now, and the rows that changed.

    `kept`: seats that whoever folds keeps from fold to fold; `reach` has the rows of who is seated there from them.
    """

    reach: Reach
    stand: Stand
    rules: Methodology
    engine: Engine
    kept: ListSeats | ArraySeats | None = None
    written: list[Entry] = field(default_factory=list)
    changed: dict[Id, Row] = field(default_factory=dict)
    fetched: dict[Id, Row] = field(default_factory=dict)

    def rows(self, players: Collection[Id]) -> dict[Id, Row]:
        """The rows of these players as they stand now; a newcomer's for who has none."""
        found: dict[Id, Row] = {}
        missing: Collection[Id] = players
        if self.changed or self.fetched:
            missing = []
            for one in players:
                row = self.changed.get(one) or self.fetched.get(one)
                if row is None:
                    missing.append(one)
                else:
                    found[one] = row
        if missing:
            got = self.reach.rows(missing, self.rules)
            self.fetched |= got
            found |= got
            blank = newcomer(self.rules)
            for one in missing:
                if one not in found:
                    found[one] = blank
        return found

    def places(self, seats: Seats[P], names: Sequence[bytes]) -> list[P]:
        """Where these players sit, who are named in JSON; who has no seat yet takes one."""
        kept = seats is self.kept
        if kept:
            seats.take(self.changed)
        places = seats.places(names)
        if places is None:
            seats.take(self.rows([loads(name) for name in {*names} if name not in seats.seat]))
            places = seats.places(names)
        assert places is not None
        if kept:  # there they stand from now on
            self.changed.clear()
            self.fetched.clear()
        return places

    def settled_at(self, received: int) -> int:
        """When what was received then is settled: time does not go back in a stream."""
        return max(self.stand.at, received)

    def write(self, body: bytes, at: int, receipt: int | None, **moved: int) -> None:
        """One more entry; `moved`: what else changes in the stand."""
        position = self.stand.position + 1
        link = chained(self.stand.hash, body)
        self.written.append(Entry(position, link, body, receipt))
        self.stand = replace(self.stand.moved(**moved), position=position, hash=link, at=at)

    def entries(self, first: int) -> Iterator[Entry]:
        """The entries from a position on, those written here too."""
        before = self.stand.position - len(self.written)
        if first <= before:
            yield from self.reach.entries(first, before)
        yield from self.written[max(0, first - before - 1) :]

    def take(self, rows: Mapping[Id, Row]) -> None:
        """Rows that players have from now on."""
        self.changed |= rows

    def write_states(
        self, header: int, at: int, after: Sequence[After], rows: Mapping[Id, Row], settles: Container[Id]
    ) -> None:
        """Chunks of states behind their header; `rows` has the row of each player. `settles`: who has a match among
        those that are settled by it."""
        for low in range(0, len(after), entries.CHUNK):
            chunk = after[low : low + entries.CHUNK]
            now = self.rows([one.player for one in chunk])
            before = [now[one.player].position for one in chunk]
            position = self.stand.position + 1
            body = entries.states(position, at, self.stand.rules_at, self.rules, header, chunk, before)
            self.write(body, at, None)
            self.take(
                {
                    player: rows[player]._replace(
                        position=position, settled=position if player in settles else row.settled
                    )
                    for player, row in now.items()
                }
            )

    def rules_at(self, position: int) -> Methodology:
        """The methodology that an entry brought, which may be one that was written here."""
        before = self.stand.position - len(self.written)
        if position <= before:
            return self.reach.rules(position)
        return rules_in(self.written[position - before - 1].body, position)

    def merged(self) -> dict[Id, Id]:
        """Whose results a player's are, of players who were merged when this was recomputed last."""
        if not self.stand.merged:
            return {}
        history = History(merged=dict(self.stand.merged))
        return {player: history.now(player) for player in history.merged}

    def move(self, **moved: int) -> None:
        """What changes in the stand without an entry of its own: it follows from the entry to come."""
        self.stand = self.stand.moved(**moved)


def from_the_future(going: Folding, items: Sequence[Received]) -> dict[int, str]:
    """Which matches are dated beyond the time that they are settled at, by more than any clock or time zone is wrong:
    one slip must not move a pool's time."""
    at = going.stand.at
    found: dict[int, str] = {}
    for n, item in enumerate(items):
        at = max(at, item.received)
        if item.match.played > at + DAY:
            found[n] = Unrated.FUTURE
    return found


def too_late(going: Folding, played: int) -> bool:
    """Whether an instant lies further back than the methodology recomputes."""
    days = going.rules.period.recompute_days
    return days is not None and played < going.stand.played - round(days * DAY)
