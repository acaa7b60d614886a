"""Matches as people said them last: as they were sent, or as the last correction has them."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.engine import Connection

from tallymark.games.ids import Id
from tallymark.ledger.fold.played import Match, read_match
from tallymark.ledger.inbox import received
from tallymark.ledger.reading.notable import Corrected, Notable, annulled


class Said(NamedTuple):
    """A match as it was `sent`, and the corrections that name it, the first one first, whatever they are worth."""

    sent: Match
    corrections: tuple[Corrected, ...]

    @property
    def match(self) -> Match:
        """As it was said last."""
        return next((one.match for one in reversed(self.corrections) if one.match is not None), self.sent)

    @property
    def annulled(self) -> bool:
        """Whether the last that was said is that it does not count."""
        return annulled(self.corrections)


def said(connection: Connection, pool: int, position: int, notable: Notable, ids: Sequence[Id]) -> dict[Id, Said]:
    """Those of some matches that a pool has received, by their ids, as of an entry."""
    found = {}
    for id, body in received(connection, pool, ids).items():
        if not body.startswith(b'{"command":'):
            found[id] = Said(read_match(body), tuple(notable.corrections(connection, pool, position, id)))
    return found
