"""The service's own tables: made by revisions, as the tables say them; brought up from any older revision."""

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Table, inspect

import tallymark as tm
from tallymark.errors import LedgerError
from tallymark.ledger.store import Store
from tallymark.ledger.tables import META as LEDGER
from tallymark.service import migrations, schema
from tallymark.service.admin import tables as admin
from tallymark.service.cases import tables as cases
from tallymark.service.tables import META, REVISION, VERSION
from tallymark.service.votes import tables as votes

assert {"ballot", "case_event"} <= set(META.tables)  # whoever has tables is imported here
OWN = (admin, cases, votes)


def config() -> Config:
    found = Config()
    found.set_main_option("script_location", str(Path(migrations.__file__).parent))
    found.set_main_option("path_separator", "os")
    return found


def differences(store: Store) -> list[object]:
    """What the database has otherwise than the tables say."""

    def ours(found: object, name: str | None, kind: str, reflected: bool, other: object) -> bool:
        of = found if isinstance(found, Table) else getattr(found, "table", None)
        return name not in (VERSION, "ledger_version") and getattr(of, "name", None) not in LEDGER.tables

    with store.writing() as connection:
        options = {"include_object": ours, "compare_type": True, "version_table": VERSION}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), META))


def test_revisions_add_up_to_the_tables(ledger_url: str) -> None:
    with tm.Ledger.open(ledger_url, create=True) as ledger:
        schema.upgraded(ledger.store)
        schema.upgraded(ledger.store)  # nothing happens
        assert differences(ledger.store) == []
        with ledger.store.reading() as connection:
            names = set(inspect(connection).get_table_names())
        assert names == set(LEDGER.tables) | set(META.tables) | {VERSION, "ledger_version"}


def test_older_tables_are_brought_up(ledger_url: str) -> None:
    with tm.Ledger.open(ledger_url, create=True) as ledger:
        first = config()
        with ledger.store.writing() as connection:
            first.attributes["connection"] = connection
            command.upgrade(first, "0001")
        assert differences(ledger.store) != []
        schema.upgraded(ledger.store)
        assert differences(ledger.store) == []


def test_the_newest_revision_is_what_the_code_knows() -> None:
    assert ScriptDirectory.from_config(config()).get_heads() == [REVISION]


def test_newer_tables_are_refused(ledger_url: str) -> None:
    with tm.Ledger.open(ledger_url, create=True) as ledger:
        schema.upgraded(ledger.store)
        with ledger.store.writing() as connection:
            connection.exec_driver_sql(f"UPDATE {VERSION} SET version_num = '9999'")
        with pytest.raises(LedgerError, match="9999"):
            schema.upgraded(ledger.store)
