"""Every value as it counts since a recomputation: it wrote down what players have at its end, and a digest of the rest.

The rest is computed once more, by the very fold, when somebody asks for it; and kept, for entries never change.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import orjson
from sqlalchemy.engine import Connection

from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.going import Folding
from tallymark.ledger.fold.history import History
from tallymark.ledger.fold.periods import in_total_order
from tallymark.ledger.fold.played import Match, read_match
from tallymark.ledger.fold.recompute import Key, brought, computed, unit_of
from tallymark.ledger.fold.rows import Row, newcomer
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.reach import StoredReach
from tallymark.ledger.reading.states import Told, of_state
from tallymark.ledger.rulebook import Rulebook
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER
from tallymark.replay.engines import Engine

LARGEST: Final = 20_000
"""Entries of a pool up to which everything is computed once more for whoever asks: a second, once a recomputation."""
_KEPT: Final = 3
"""Recomputations of which the values are kept, of some ten thousand matches each."""


class Value(NamedTuple):
    """A player's state after a match, or after the matches of a period, as they count."""

    matches: tuple[Match, ...]
    told: Told


class Values:
    """Every value as it counts since the recomputation `header`, under its `rules`."""

    def __init__(
        self,
        header: int,
        rules: Methodology,
        units: Mapping[Key, Mapping[Id, bytes]],
        matches: Mapping[Key, Sequence[Match]],
        begun: Mapping[Id, Row],
        entry: Mapping[Id, tuple[int, int]],
    ) -> None:
        self.header, self.rules = header, rules
        self._units, self._matches, self._begun, self._entry = units, matches, begun, entry
        self._of = {match.id: key for key, some in matches.items() for match in some}

    def of(self, player: Id) -> Iterator[Value]:
        """A player's, in the order in which they are rated."""
        for key, states in self._units.items():
            if player in states:
                own = tuple(match for match in self._matches[key] if player in match.people)
                yield Value(own, self._told(states[player]))

    def position(self, value: Value) -> int:
        """The entry of its last match."""
        return max(self._entry[match.id][0] for match in value.matches)

    def settled(self, value: Value) -> int:
        """When that was settled, in microseconds since 1970 UTC."""
        return max(self._entry[match.id][1] for match in value.matches)

    def stood(self, match: Match) -> dict[Id, tuple[Row, Told | None, Told]]:
        """Of each player of a match: the row as predictions need it, the state before the match or its period (None:
        the player began there), and the state after it. Nobody where the match does not count there."""
        key = self._of.get(match.id)
        if key is None or key not in self._units:
            return {}
        wanted = self._units[key].keys() & set(match.people)
        before: dict[Id, tuple[bytes, int]] = {}
        for one, states in self._units.items():
            if one == key:
                break
            for player in wanted & states.keys():
                before[player] = states[player], max(each.played for each in self._matches[one])
        found = {}
        for player in wanted:
            row, told = self._begun.get(player, newcomer(self.rules)), None
            if player in before:
                state, played = before[player]
                told = self._told(state)
                row = row._replace(
                    mu=told.mu, phi2=told.phi2, sigma2=told.sigma2, last=played, last_played=played, rated=1, games=1
                )
            found[player] = row, told, self._told(self._units[key][player])
        return found

    def _told(self, state: bytes) -> Told:
        return of_state(orjson.loads(state), self.rules, 0, 0)


class Computed:
    """Values of recomputations, computed once each."""

    def __init__(self, engine: Engine) -> None:
        self._engine: Engine = engine
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, int], Values] = OrderedDict()

    def values(self, connection: Connection, pool: int, header: int, head: Stand, rulebook: Rulebook) -> Values | None:
        """The values since a recomputation; None where there are too many."""
        if header > LARGEST:
            return None
        with self._lock:
            key = pool, header
            if key not in self._kept:
                self._kept[key] = _values(connection, pool, header, head, rulebook, self._engine)
                if len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]


def _values(connection: Connection, pool: int, header: int, head: Stand, rulebook: Rulebook, engine: Engine) -> Values:
    reach = StoredReach(connection, pool, rulebook, {})
    stream = list(reach.entries(1, header))
    rules = rulebook.at(connection, pool, entries.prefix(stream[-1].body).rules_at)
    history, closed = History.of(stream), _closed(stream)
    going = Folding(reach, replace(head, closed=closed), rules, engine)
    told = computed(going, history)
    matches: dict[Key, list[Match]] = {}
    for match in in_total_order([match for match, _ in history.counted()], history.behind):
        matches.setdefault(unit_of(match, head, rules), []).append(match)
    entry: dict[Id, tuple[int, int]] = {}
    for one in stream:
        begins = entries.prefix(one.body)
        item = entries.item_in(one.body, begins.kind) if begins.kind in entries.MATCHES else None
        if item is not None:
            entry[read_match(item).id] = one.position, begins.at
    return Values(header, rules, told.units, matches, brought(going, history), entry)


def _closed(stream: Sequence[Entry]) -> int:
    """The last period that was over when everything was computed again; NEVER where none was."""
    closed = NEVER
    for entry in stream:
        kind = entries.prefix(entry.body).kind
        if kind == "closed":
            period = orjson.loads(entry.body)["period"]
            closed = closed if period is None else max(closed, period)
        elif kind == "accepted" and not entries.is_late(entry.body):
            period = entries.period_of(entry.body)
            closed = closed if period is None else max(closed, period - 1)
    return closed
