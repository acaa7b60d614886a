"""The arena's own tables: made by revisions, as the tables say them; records that nobody changes."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Table, inspect

import tallymark as tm
from tallymark.arena.store import locks, migrations, records, schema
from tallymark.arena.store.agents import Agent, Program
from tallymark.arena.store.tables import META, REVISION, VERSION
from tallymark.errors import LedgerError
from tallymark.ledger.store import Store
from tallymark.ledger.tables import META as LEDGER


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


def test_the_newest_revision_is_what_the_code_knows() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [REVISION]


def test_newer_tables_are_refused(ledger_url: str) -> None:
    with tm.Ledger.open(ledger_url, create=True) as ledger:
        schema.upgraded(ledger.store)
        with ledger.store.writing() as connection:
            connection.exec_driver_sql(f"UPDATE {VERSION} SET version_num = '9999'")
        with pytest.raises(LedgerError, match="arena's tables of revision 9999"):
            schema.upgraded(ledger.store)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE arena_record SET body = body",
        "DELETE FROM arena_record",
        "INSERT INTO arena_record SELECT * FROM arena_record",
    ],
)
def test_records_are_never_changed(ledger_url: str, statement: str) -> None:
    with tm.Ledger.open(ledger_url, create=True) as ledger:
        schema.upgraded(ledger.store)
        with ledger.store.writing() as connection:
            records.keep(ledger.store, connection, [("hex-1", 0, b'{"n":0}'), ("hex-1", 1, b'{"n":1}')])
        with pytest.raises(LedgerError), ledger.store.writing() as connection:
            connection.exec_driver_sql(statement)
        with ledger.store.reading() as connection:
            assert records.of(connection, "hex-1") == [b'{"n":0}', b'{"n":1}']
            assert records.of(connection, "hex-1", after=0, limit=1) == [b'{"n":1}']


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE arena_lock SET version = '2'",
        "DELETE FROM arena_lock",
        "INSERT INTO arena_lock SELECT * FROM arena_lock",
    ],
)
def test_the_program_of_a_benchmark_is_never_changed(ledger_url: str, statement: str) -> None:
    ann = Agent("ann", "ann", program=Program("1", "It counts.", "0a" * 32))
    with tm.Ledger.open(ledger_url, create=True) as ledger:
        schema.upgraded(ledger.store)
        with ledger.store.writing() as connection:
            lock = locks.locked(connection, ann, "hex-benchmark", 5)
        assert lock == ("ann", "hex-benchmark", ann.program, ann.program.configuration, 5)
        with pytest.raises(LedgerError), ledger.store.writing() as connection:
            connection.exec_driver_sql(statement)
        with ledger.store.writing() as connection:
            other = ann._replace(program=Program("2"))
            assert locks.locked(connection, other, "hex-benchmark", 6) == lock
            assert locks.locked(connection, other, "chess-benchmark", 7).program == Program("2")
            assert [one.game for one in locks.of_agent(connection, "ann")] == ["chess-benchmark", "hex-benchmark"]
