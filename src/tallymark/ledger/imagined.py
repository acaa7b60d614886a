"""What would be: a pool without some of its matches, or with its open period closed. Nothing is written anywhere.

The stream is folded again, by the fold that wrote it, from what was received; so whatever else happened (late games,
changed rules, adjustments) happens again.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from tallymark.games.ids import Id
from tallymark.ledger.entries import Entry, item_in, prefix
from tallymark.ledger.fold.by_calendar import close
from tallymark.ledger.fold.folding import fold
from tallymark.ledger.fold.going import Folding, Reach
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.rows import Row
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.rules import rules_in
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER
from tallymark.replay.engines import Engine

_AT_ONCE: Final = 20_000


class Imagined(NamedTuple):
    """Where everybody would stand, and under which methodology."""

    rows: dict[Id, Row]
    rules: Methodology


class _Memory:
    """What the fold asks for, of a stream that is only thought of."""

    def __init__(self, first: Entry) -> None:
        self.players: dict[Id, Row] = {}
        self.stream = [first]

    def rows(self, players: Iterable[Id], rules: Methodology) -> dict[Id, Row]:
        return {player: self.players[player] for player in players if player in self.players}

    def rules(self, position: int) -> Methodology:
        return rules_in(self.stream[position - 1].body, position)

    def entries(self, first: int, last: int) -> Iterator[Entry]:
        return islice(self.stream, first - 1, last)


def without(stream: Iterable[Entry], left_out: Callable[[Received], bool], engine: Engine = "auto") -> Imagined:
    """The pool of a stream as it would be, had these items never been received."""
    return otherwise(stream, lambda item: None if left_out(item) else item, engine)


def otherwise(
    stream: Iterable[Entry], instead: Callable[[Received], Received | None], engine: Engine = "auto"
) -> Imagined:
    """The pool of a stream as it would be, had something else been received in the place of each item, or nothing."""
    entries = iter(stream)
    first = next(entries)
    rules = rules_in(first.body, 1)
    stand = Stand(1, first.hash, 1, prefix(first.body).at)
    memory = _Memory(first)
    received = (item for item in map(received_in, entries) if item is not None)
    items = (item for item in map(instead, received) if item is not None)
    while some := list(islice(items, _AT_ONCE)):
        folded = fold(stand, rules, memory, some, engine)
        stand, rules = folded.stand, folded.rules
        memory.players |= folded.rows
        memory.stream += folded.entries
    return Imagined(memory.players, rules)


def received_in(entry: Entry) -> Received | None:
    """What an entry is about, as it was received.

    >>> received_in(Entry(2, bytes(32), b'{"n":2,"kind":"rules","at":7,"rules":1,"item":{"command":"rules"}}')).received
    7
    """
    told = prefix(entry.body)
    item = item_in(entry.body, told.kind)
    return None if item is None else Received(None, told.at, item)


def if_closed(stand: Stand, rules: Methodology, reach: Reach, engine: Engine = "auto") -> dict[Id, Row]:
    """The rows that would change if the open period closed now; none where there is no open period."""
    if stand.open_period == NEVER and not stand.waiting_from:
        return {}
    going = Folding(reach, stand, rules, engine)
    close(going, max(stand.open_period, stand.closed), stand.at)
    return going.changed
