"""What is known of a pool whose entries are folded again, without its tables."""

from collections.abc import Callable, Collection, Iterable

from orjson import loads

from tallymark.games.ids import Id
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.rows import Row
from tallymark.ledger.fold.seats import ArraySeats, ListSeats
from tallymark.ledger.ids import in_json
from tallymark.ledger.rules import rules_in
from tallymark.methodology import Methodology
from tallymark.replay.single import single


class Known:
    """What a recount knows of its pool: what the fold may ask for (`fold.going.Reach`)."""

    def __init__(self, history: Callable[[int, int], Iterable[Entry]]) -> None:
        self.players: dict[Id, Row] = {}
        self.seats: ListSeats | ArraySeats | None = None
        """Where there are seats, who has one stands there."""
        self._history = history
        self._brought: dict[int, Methodology] = {}

    def rows(self, players: Iterable[Id], rules: Methodology) -> dict[Id, Row]:
        """The rows of these players; who has none is left out."""
        get = self.players.get
        if self.seats is None:
            return {player: row for player in players if (row := get(player)) is not None}
        seated: list[Id] = []
        found: dict[Id, Row] = {}
        for player in players:
            if in_json(player) in self.seats.seat:
                seated.append(player)
            elif (row := get(player)) is not None:
                found[player] = row
        return found | self.seats.rows(seated)

    def rules(self, position: int) -> Methodology:
        """The methodology that the entry at a position brought."""
        if position not in self._brought:
            (entry,) = self.entries(position, position)
            self._brought[position] = rules_in(entry.body, position)
        return self._brought[position]

    def entries(self, first: int, last: int) -> Iterable[Entry]:
        """The entries from a position to another."""
        return self._history(first, last)

    def take(self, rows: dict[Id, Row]) -> None:
        """Rows that players have from now on."""
        if self.seats is None:
            self.players |= rows
        else:
            self.seats.take(rows)

    def sit(self, rules: Methodology, kind: type[ListSeats | ArraySeats]) -> None:
        """Seats for these rules; nobody sits there yet."""
        if self.seats is not None:
            self.players |= self.seats.rows(map(loads, self.seats.seat))
        self.seats = None if single(rules) is None else kind(rules)

    @property
    def count(self) -> int:
        """How many players there are."""
        seated: Collection[bytes] = () if self.seats is None else self.seats.seat
        return len(seated) + sum(in_json(player) not in seated for player in self.players)
