"""The tables: made by revisions, as tables.py says them; and what is no ledger is refused."""

import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, insert, select, text
from told import Clock, game

from tallymark.errors import LedgerError
from tallymark.ledger import migrations
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.store import Store, open_store
from tallymark.ledger.tables import META, REVISION
from tallymark.replay.schedule import DAY

FORM = {
    "sqlite": [
        """SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk
           FROM sqlite_master m, pragma_table_info(m.name) c
           WHERE m.type = 'table' AND m.name NOT LIKE '%version%'""",
        "SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE '%version%'",
        """SELECT m.name, f."table", f."from", f."to" FROM sqlite_master m, pragma_foreign_key_list(m.name) f
           WHERE m.name NOT LIKE '%version%'""",
        """SELECT m.name, i."unique", i.origin, c.seqno, c.name FROM sqlite_master m, pragma_index_list(m.name) i,
           pragma_index_info(i.name) c WHERE m.name NOT LIKE '%version%'""",
        "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND name NOT LIKE '%version%'",
    ],
    "postgresql": [
        """SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name
           FROM information_schema.columns
           WHERE table_schema = current_schema() AND table_name <> 'ledger_version'""",
        "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() AND tablename <> 'ledger_version'",
        """SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
           WHERE connamespace = current_schema()::regnamespace AND conname NOT LIKE '%version%'""",
        """SELECT sequencename, data_type, start_value, increment_by, cache_size FROM pg_sequences
           WHERE schemaname = current_schema()""",
    ],
}


def form(connection: Connection) -> list[list[str]]:
    """Columns, indexes and constraints of all tables, as the database tells them."""
    statements = FORM[connection.dialect.name]
    return [sorted(" ".join(map(str, row)) for row in connection.execute(text(one))) for one in statements]


def tables_of(store: Store) -> list[list[str]]:
    with store.reading() as connection:
        return form(connection)


def test_revisions_add_up_to_the_tables(ledger_url: str) -> None:
    Ledger.open(ledger_url, create=True).close()
    store = open_store(ledger_url)
    migrated = tables_of(store)
    with store.writing() as connection:
        for statement in ["entry", "receipt", "inbox", "head", "rating", "stair", "pool"]:
            connection.execute(text(f"DROP TABLE {statement} {'CASCADE' if 'postgres' in ledger_url else ''}"))
        META.drop_all(connection)
        META.create_all(connection)
    assert migrated == tables_of(store)
    store.close()


def test_the_newest_revision_is_what_the_code_knows() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert ScriptDirectory.from_config(config).get_heads() == [REVISION]


def everything(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables."""
    with store.reading() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in META.sorted_tables
        }


def told(store: Store, url: str) -> list[list[str]]:
    """`tables_of` without the name of the schema."""
    schema = url.rpartition("search_path%3D")[2]
    return [[line.replace(f"{schema}.", "") for line in lines] for lines in tables_of(store)]


def test_a_ledger_of_the_first_revision_becomes_as_a_new_one(
    ledger_url: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    clock = Clock()
    old_url = f"sqlite:///{tmp_path / 'old.db'}"
    if "sqlite" not in ledger_url:
        old_url = request.getfixturevalue("postgres").schema()
    with Ledger.open(ledger_url, create=True, clock=clock) as ledger:
        ledger.name("b", "Ann", kind="house")
        for pool, rules in (("p", "arena"), ("q", "elo"), ("empty", "votes")):
            ledger.open_pool(pool, rules)
        for n in range(60):
            ledger.append(game(n, f"a{n % 7}", "b" if n % 2 else 17 + n % 3, n % 3 / 2), pool="pq"[n % 2])
            if n % 9 == 0:
                ledger.settle()
                clock.now += 3 * DAY
        ledger.settle()
        ledger.name(17, "Straße", kind="agent")
    new, old = open_store(ledger_url), open_store(old_url)
    old.look(create=True)
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    with old.writing() as connection, new.reading() as source:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        there = MetaData()
        there.reflect(connection, only=[table.name for table in META.sorted_tables if table.name != "stair"])
        for table in META.sorted_tables:
            if table.name != "stair":
                columns = [table.c[name] for name in there.tables[table.name].columns.keys()]  # noqa: SIM118
                if found := [dict(row) for row in source.execute(select(*columns)).mappings()]:
                    connection.execute(insert(there.tables[table.name]), found)
    with pytest.raises(LedgerError, match="revision 0001"):
        Ledger.open(old_url)
    Ledger.open(old_url, create=True).close()
    assert told(old, old_url) == told(new, ledger_url)
    again = everything(old)
    for name, rows in everything(new).items():
        assert again[name] == rows, name
    assert {row[:2] for row in again["stair"]} == {(1, 1), (1, 2), (2, 1), (2, 2)}
    new.close()
    old.close()


def test_create_leaves_a_ledger_as_it_is(ledger_url: str) -> None:
    with Ledger.open(ledger_url, create=True) as ledger:
        ledger.open_pool("x", "arena")
    with Ledger.open(ledger_url, create=True) as ledger:
        ledger.append({"id": "m1", "player_a": "a", "player_b": "b", "score_a": 1}, pool="x")
    with Ledger.open(ledger_url) as ledger:
        assert ledger.settle() == 1


def test_opening_a_ledger_that_is_there_loads_no_alembic(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    Ledger.open(path, create=True).close()
    code = f"""
import sys
from tallymark.ledger.ledger import Ledger
Ledger.open({str(path)!r}).close()
assert "sqlalchemy" in sys.modules
assert not [name for name in sys.modules if name.startswith(("alembic", "mako", "psycopg"))]
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize(("found", "hint"), [("0000", "bring them up to date"), ("9999", "newer"), ("ab12", "newer")])
def test_tables_of_another_revision_are_refused(ledger_url: str, found: str, hint: str) -> None:
    Ledger.open(ledger_url, create=True).close()
    store = open_store(ledger_url)
    with store.writing() as connection:
        connection.execute(text(f"UPDATE ledger_version SET version_num = '{found}'"))
    store.close()
    with pytest.raises(LedgerError, match=f"revision {found}; this version knows {REVISION}") as refused:
        Ledger.open(ledger_url)
    assert hint in str(refused.value.hint)
    if hint == "newer":
        with pytest.raises(LedgerError, match=f"revision {found}"):
            Ledger.open(ledger_url, create=True)


def test_an_empty_database_holds_no_ledger(ledger_url: str) -> None:
    if "sqlite" in ledger_url:
        Path(ledger_url.removeprefix("sqlite:///")).touch()
    with pytest.raises(LedgerError, match="holds no ledger") as refused:
        Ledger.open(ledger_url)
    assert "ledger init" in str(refused.value.hint)


def test_a_database_of_something_else_stays_as_it_is(ledger_url: str) -> None:
    if "sqlite" in ledger_url:
        Path(ledger_url.removeprefix("sqlite:///")).touch()
    store = open_store(ledger_url)
    with store.writing() as connection:
        connection.execute(text("CREATE TABLE songs (title TEXT)"))
    before = tables_of(store)
    for create in (False, True):
        with pytest.raises(LedgerError, match="songs"):
            Ledger.open(ledger_url, create=create)
    assert tables_of(store) == before
    if "sqlite" in ledger_url:
        with store.reading() as connection:
            assert connection.scalar(text("PRAGMA journal_mode")) == "delete"
    store.close()


def test_a_ledger_lives_beside_another_program_in_a_schema_of_its_own(postgres: object) -> None:
    from cluster import Cluster

    assert isinstance(postgres, Cluster)
    theirs, ours = postgres.schema(), postgres.schema()
    store = open_store(theirs)
    with store.writing() as connection:
        connection.execute(text("CREATE TABLE pool (depth TEXT)"))
    store.close()
    with pytest.raises(LedgerError, match=r"has the tables pool, and no ledger"):
        Ledger.open(theirs, create=True)
    with Ledger.open(ours, create=True) as ledger:
        ledger.open_pool("x", "arena")
        ledger.append({"id": "m1", "player_a": "a", "player_b": "b", "score_a": 1}, pool="x")
        assert ledger.settle() == 1
