"""A store by its URL, or by the path of its file."""

import os
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from tallymark.checked import shortened
from tallymark.errors import LedgerError
from tallymark.ledger.store.base import Store
from tallymark.ledger.store.postgresql import PostgresStore
from tallymark.ledger.store.sqlite import SqliteStore


def open_store(where: str | os.PathLike[str]) -> Store:
    """The store at a URL (`sqlite:///file`, `postgresql://user@host/name`) or in a file. Nothing is connected to yet.

    >>> open_store("ladder.db").name
    'sqlite:///ladder.db'
    """
    text = os.fspath(where)
    if "://" not in text:
        return SqliteStore(URL.create("sqlite", database=str(Path(text))))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise LedgerError(f"{shortened(text)} is no URL of a database", hint=_HINT) from None
    kind = url.get_backend_name()
    if kind not in ("sqlite", "postgresql", "postgres"):
        raise LedgerError(f"{kind} is no database that holds ledgers", hint=_HINT)
    if url.drivername not in _DRIVERS:
        raise LedgerError(f"{url.drivername} is no way to reach a database here", hint=_HINT)
    return SqliteStore(url) if kind == "sqlite" else PostgresStore(url)


_DRIVERS = ("sqlite", "sqlite+pysqlite", "postgresql", "postgres", "postgresql+psycopg")

_HINT = "a file, sqlite:///FILE, or postgresql://USER@HOST/NAME"
