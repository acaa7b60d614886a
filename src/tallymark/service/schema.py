"""Bringing the service's own tables to the form that this code knows."""

from pathlib import Path
from typing import Final

from sqlalchemy import inspect, text

from tallymark.errors import LedgerError
from tallymark.ledger.store import Store
from tallymark.service.tables import REVISION, VERSION

_FOLDER: Final = Path(__file__).parent / "migrations"


def upgraded(store: Store) -> None:
    """Makes the tables where there are none, and brings older ones up to date: all of it or nothing. `LedgerError`
    where a newer version made them."""
    if _revision(store) == REVISION:
        return
    from alembic import command  # nobody who starts a service again waits for it
    from alembic.config import Config

    with store.writing() as connection:
        store.alone(connection)
        config = Config()
        config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _revision(store: Store) -> str | None:
    with store.reading() as connection:
        if not inspect(connection).has_table(VERSION):
            return None
        found: str | None = connection.scalar(text(f"SELECT version_num FROM {VERSION}"))
    if found is not None and not (found.isdigit() and found <= REVISION):
        raise LedgerError(
            f"{store.name} has the service's tables of revision {found}; this version knows {REVISION}",
            hint="a newer version of tallymark made them: use that one",
        )
    return found
