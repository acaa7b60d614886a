"""Which form the tables of a database have, and bringing them to the one that this code knows."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection

from tallymark.errors import LedgerError
from tallymark.ledger.store import Store, open_store
from tallymark.ledger.tables import REVISION

VERSION: Final = "ledger_version"
"""The table that says which revision the others have."""
_FOLDER: Final = Path(__file__).parent / "migrations"


def opened(where: str | os.PathLike[str], create: bool = False) -> Store:
    """The store of a ledger of this version. `create`: its tables are made, or brought up to date, first."""
    store = open_store(where)
    try:
        store.look(create)
        if create:
            upgraded(store)
        else:
            checked(store)
        store.logged()
    except BaseException:
        store.close()
        raise
    return store


def checked(store: Store) -> None:
    """Nothing, or `LedgerError`: what the database holds is not a ledger of this version, and what to do about it."""
    with store.reading() as connection:
        found = _revision(connection)
        if found is None:
            other = _others(connection)
    if found is None:
        raise LedgerError(
            f"{store.name} holds no ledger" + (f"; it has the tables {other}" if other else ""),
            hint="is it another program's? a ledger has a file or database of its own"
            if other
            else "make one: tallymark ledger init, or create=True",
        )
    if found != REVISION:
        raise _refused(store, found)


def upgraded(store: Store) -> None:
    """Makes the tables of a ledger where there are none, and brings older ones up to date: all of it or nothing."""
    with store.writing() as connection:
        _upgrade(store, connection)


@contextmanager
def making(where: str | os.PathLike[str]) -> Iterator[tuple[Store, Connection]]:
    """One transaction in a ledger, whose tables are made there, or brought up to date, first: where what is done then
    fails, they are as they were, and where nothing was, nothing is."""
    store = open_store(where)
    try:
        store.look(create=True)
        with store.writing() as connection:
            _upgrade(store, connection)
            yield store, connection
        store.logged()
    finally:
        store.close()


def _upgrade(store: Store, connection: Connection) -> None:
    if _revision(connection) == REVISION:
        return  # nobody is made to wait
    store.alone(connection)
    found = _revision(connection)
    if found == REVISION:
        return
    if found is None and (other := _others(connection)):
        raise LedgerError(
            f"{store.name} has the tables {other}, and no ledger",
            hint="a ledger has a file or database (or schema: ?options=-csearch_path=NAME) of its own",
        )
    if found is not None and _newer(found):
        raise _refused(store, found)
    from alembic import command  # nobody who opens a ledger that is there waits for it
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION):
        return None
    found: str | None = connection.scalar(text(f"SELECT version_num FROM {VERSION}"))
    return found


def _others(connection: Connection) -> str:
    """The tables that there are, as a message has them."""
    names = sorted(inspect(connection).get_table_names())
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _newer(found: str) -> bool:
    return not (found.isdigit() and found < REVISION)


def _refused(store: Store, found: str) -> LedgerError:
    return LedgerError(
        f"{store.name} has tables of revision {found}; this version knows {REVISION}",
        hint="a newer version of tallymark made them: use that one"
        if _newer(found)
        else "bring them up to date: tallymark ledger init, or create=True",
    )
