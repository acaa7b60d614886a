"""Matches of the arena as lists show them: with how they ended in the game's own words, and what they changed."""

from collections.abc import Sequence
from typing import NamedTuple

from tallymark.arena.referee.record import Record
from tallymark.arena.store import records
from tallymark.errors import BrokenChainError
from tallymark.service.arena.documents import ListedMatch, Moved
from tallymark.service.arena.matches import changes_of
from tallymark.service.pages.arena.outcome import Outcome, outcome_of
from tallymark.service.state import Service


class Row(NamedTuple):
    """A match of a list. `change`: what it made of the rating of the agent whose list it is."""

    match: ListedMatch
    outcome: Outcome
    change: Moved | None


def rows_of(service: Service, matches: Sequence[ListedMatch], agent: str | None = None) -> list[Row]:
    """The matches of a page; `agent`: whose list it is."""
    over = [one["match"] for one in matches if one["ended"] is not None]
    with service.ledger.store.reading() as connection:
        last = records.last(connection, over)
    return [_row(one, last.get(one["match"], ()), agent) for one in matches]


def _row(match: ListedMatch, last: Sequence[tuple[int, bytes]], agent: str | None) -> Row:
    told, changes = None, None
    try:
        for n, line in last:
            record = Record.read(line, n)
            if record.kind == "over":
                told = record.text("told")
            elif record.kind == "settled":
                changes = changes_of(record)
    except BrokenChainError:
        pass  # its own page says so; the others of the list are shown all the same
    mine = [change for seat, change in zip(match["seats"], changes or (), strict=False) if seat["agent"] == agent]
    return Row(match, outcome_of(match, told), mine[0] if mine else None)
