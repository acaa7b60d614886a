"""Bringing the arena's own tables to the form that this code knows."""

from pathlib import Path
from typing import Final

from tallymark.arena.store.tables import REVISION, VERSION
from tallymark.ledger import own_tables
from tallymark.ledger.store import Store

_FOLDER: Final = Path(__file__).parent / "migrations"


def upgraded(store: Store) -> None:
    """Makes the tables where there are none, and brings older ones up to date: all of it or nothing. `LedgerError`
    where a newer version made them."""
    own_tables.upgraded(store, _FOLDER, version=VERSION, revision=REVISION, whose="the arena's")
