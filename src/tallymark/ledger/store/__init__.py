"""What SQLite and PostgreSQL do differently. Everything else of a ledger is the same SQL on both."""

from tallymark.ledger.store.base import Store
from tallymark.ledger.store.opening import open_store

__all__ = ["Store", "open_store"]
