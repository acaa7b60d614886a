"""Tables that a program keeps in a ledger's database beside the ledger's, with a history of their own."""

from pathlib import Path

from sqlalchemy import inspect, text

from tallymark.errors import LedgerError
from tallymark.ledger.store import Store


def upgraded(store: Store, folder: Path, *, version: str, revision: str, whose: str) -> None:
    """Makes the tables where there are none, and brings older ones up to date: all of it or nothing.

    `folder`: where Alembic's `env.py` and `versions` are; `version`: the table that says which revision the others
    have; `revision`: the newest one. `LedgerError` where a newer version made them; it calls them `whose` tables.
    """
    if _found(store, version, revision, whose) == revision:
        return
    from alembic import command  # nobody who starts a program again waits for it
    from alembic.config import Config

    with store.writing() as connection:
        store.alone(connection)
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _found(store: Store, version: str, revision: str, whose: str) -> str | None:
    with store.reading() as connection:
        if not inspect(connection).has_table(version):
            return None
        found: str | None = connection.scalar(text(f"SELECT version_num FROM {version}"))
    if found is not None and not (found.isdigit() and found <= revision):
        raise LedgerError(
            f"{store.name} has {whose} tables of revision {found}; this version knows {revision}",
            hint="a newer version of tallymark made them: use that one",
        )
    return found
