"""Matches that are over and wait to be rated: when the ledger has an entry of one, its last record and what is said."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tallymark.arena.hall.playing import Playing
from tallymark.arena.hall.writing import Batch
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.finished import Finished, Settlement
from tallymark.arena.referee.saying import Change
from tallymark.arena.store import matches, records
from tallymark.arena.store.matches import Match
from tallymark.games.ids import Id
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.reading.effects import Effect, Effects


class _Waiting(NamedTuple):
    finished: Finished
    playing: Playing | None
    """Who is to be told; nobody where another hall played it."""


class Settling:
    """By the number of their receipt in the ledger."""

    def __init__(self) -> None:
        self._waiting: dict[int, _Waiting] = {}

    def playing(self) -> list[Playing]:
        """Those that were played here."""
        return [one.playing for one in self._waiting.values() if one.playing is not None]

    def add(self, playing: Playing) -> None:
        """A match is over, and the ledger has it."""
        if playing.receipt is not None:
            self._waiting[playing.receipt.number] = _Waiting(playing.finished, playing)

    def inherit(self, ledger: Ledger, left: Iterable[Match]) -> list[Effects]:
        """Matches that another hall has left; the entries of those that have one by now."""
        found: list[Effects] = []
        for match in left:
            with ledger.store.reading() as connection:
                lines = records.of(connection, match.id)
            finished, item = Finished.of(lines), ledger.received(match.pool, match.id)
            if item is None or not finished.is_in(item):
                continue  # it was aborted, and another match has its id
            fate = ledger.receipt(match.pool, match.id)
            self._waiting.setdefault(fate.number, _Waiting(finished, None))
            if fate.entry is not None:
                found += ledger.effects(match.pool, fate.entry - 1, 1)
        return found

    def settle(self, batch: Batch, entry: Effects) -> None:
        """Where an entry is about a match that waits: it is settled."""
        found = None if entry.entry.receipt is None else self._waiting.pop(entry.entry.receipt, None)
        if found is None:
            return
        finished, playing = found
        state: matches.State = "aborted" if finished.verdict.aborted else "settled"
        batch.settled.append(matches.Settled(finished.match, state, entry.entry.position))
        if finished.verdict.unrated is not None:
            return  # its end was the last word, and everybody was told
        step = finished.settled(settlement(finished, entry))
        if playing is None:
            batch.records += [(finished.match, finished.n + n, line) for n, line in enumerate(step.records)]
        else:
            batch.take(playing, step)


def settlement(finished: Finished, entry: Effects) -> Settlement:
    """What the entry of a match made of it. One that is accepted, and no more, is rated later: nobody knows how."""
    at, position = entry.at, entry.entry.position
    if entry.kind == "not-rated":
        return Settlement(at, position, unrated=Reason.RULES)
    if entry.kind == "accepted":
        return Settlement(at, position, None)
    moved = {one.player: one for one in entry.players}
    return Settlement(at, position, tuple(_change(moved, agent) for agent in finished.agents))


def _change(moved: Mapping[Id, Effect], agent: str) -> Change | None:
    one = moved.get(agent)
    if one is None or one.before is None:
        return None
    return Change(one.before.rating, one.before.deviation, one.after.rating, one.after.deviation)
