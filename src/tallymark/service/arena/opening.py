"""The arena of a service that has one."""

from collections.abc import Iterator
from contextlib import contextmanager

from tallymark.arena.games.catalogue import games
from tallymark.arena.hall.hall import Hall
from tallymark.ledger.ledger import Ledger


@contextmanager
def playing(ledger: Ledger) -> Iterator[Hall]:
    """A hall with every game, at work as long as the block lasts; then what is played is aborted (E3)."""
    with Hall(ledger, games()) as hall, hall.running():
        yield hall
