"""Bringing the service's own tables to the form that this code knows."""

from pathlib import Path
from typing import Final

from tallymark.ledger import own_tables
from tallymark.ledger.store import Store
from tallymark.service.tables import REVISION, VERSION

_FOLDER: Final = Path(__file__).parent / "migrations"


def upgraded(store: Store) -> None:
    """Makes the tables where there are none, and brings older ones up to date: all of it or nothing. `LedgerError`
    where a newer version made them."""
    own_tables.upgraded(store, _FOLDER, version=VERSION, revision=REVISION, whose="the service's")
