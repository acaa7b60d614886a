"""Where a ledger cannot be: gone, read-only, full, locked, something else. A clear refusal; nothing acknowledged is
lost, nothing half done stays, and what comes back is gone on with."""

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cluster import Cluster
from crowd import PROCESSES, fill
from sqlalchemy import text
from told import Clock, bodies, game, rows

from tallymark.errors import InputError, LedgerError
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.store import open_store
from tallymark.ledger.store.sqlite import SqliteStore

NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger in a file, with one match rated and one that waits."""
    made = tmp_path / "ledger.db"
    with_two(made)
    return made


def with_two(where: str | Path) -> None:
    with Ledger.open(where, create=True, clock=Clock()) as ledger:
        ledger.open_pool("p", "arena")
        ledger.append(game(1, "ann", "bob", 1), pool="p")
        ledger.settle()
        ledger.append(game(2, "ann", "bob", 0), pool="p")


def patient(ledger: Ledger, seconds: float) -> None:
    assert isinstance(ledger._store, SqliteStore)
    ledger._store.patience = seconds


def goes_on(ledger: Ledger) -> None:
    """All that was acknowledged is there once, and more can come."""
    ledger.append(game(3, "ann", "bob", 0.5), pool="p")
    ledger.settle()
    assert [json.loads(body)["match"]["id"] for body in bodies(ledger)[1:]] == [1, 2, 3]
    assert rows(ledger)["ann"].games == 3


# ---- what is no ledger


def a_folder(path: Path) -> None:
    path.mkdir()


def some_text(path: Path) -> None:
    path.write_text("player_a,player_b,score_a\n")


def nothing(path: Path) -> None:
    pass


def an_empty_file(path: Path) -> None:
    path.touch()


@pytest.mark.parametrize(
    ("make", "create", "words"),
    [
        (a_folder, False, "is a folder; expected the file of a ledger"),
        (a_folder, True, "is a folder; expected the file of a ledger"),
        (some_text, False, "is no SQLite file"),
        (some_text, True, "is no SQLite file"),
        (nothing, False, "there is no file"),
        (an_empty_file, False, "holds no ledger"),
    ],
)
def test_what_is_no_ledger_is_refused_and_left_alone(
    tmp_path: Path, make: Callable[[Path], None], create: bool, words: str
) -> None:
    path = tmp_path / "x.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(LedgerError, match=words) as refused:
        Ledger.open(path, create=create)
    assert str(path) in str(refused.value)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert [one.name for one in tmp_path.iterdir()] == (["x.db"] if make is not nothing else [])


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("nowhere/x.db", "there is no folder nowhere for x.db"),
        (":memory:", "in memory would be gone"),
        ("sqlite://", "in memory would be gone"),
        ("mysql://localhost/x", "mysql is no database that holds ledgers"),
        ("://", "is no URL of a database"),
    ],
)
def test_where_no_ledger_can_be(where: str, words: str) -> None:
    with pytest.raises(LedgerError, match=words):
        Ledger.open(where, create=True)


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="postgresql") as refused:
        Ledger.open(f"postgresql://someone:secret@/x?host={tmp_path}")
    assert "secret" not in str(refused.value)
    assert refused.value.hint == "is the server there, and does the URL name it?"


# ---- a file that is read-only, full, locked, moved


@contextmanager
def unprivileged(folder: Path) -> Iterator[None]:
    """As somebody whom permissions bind: the superuser may write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    for parent in [folder, *folder.parents][:-2]:
        if parent.stat().st_uid == 0 and not parent.stat().st_mode & 1:
            parent.chmod(parent.stat().st_mode | 0o011)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_file_that_is_read_only(path: Path) -> None:
    before = path.read_bytes()
    path.chmod(0o444)
    path.parent.chmod(0o777)
    with unprivileged(path.parent), Ledger.open(path) as ledger:
        assert len(bodies(ledger)) == 2  # it can be read
        with pytest.raises(LedgerError, match="readonly") as refused:
            ledger.append(game(3, "ann", "bob", 1), pool="p")
        assert refused.value.hint == "the file, or its folder, cannot be written to: copy it to where it can"
        with pytest.raises(LedgerError, match="readonly"):
            ledger.settle()
    for beside in path.parent.glob("ledger.db-*"):
        beside.unlink()
    path.parent.chmod(0o555)  # and now its log cannot be written beside it
    with unprivileged(path.parent), pytest.raises(LedgerError, match="readonly") as refused:
        Ledger.open(path)
    assert refused.value.hint == "the file, or its folder, cannot be written to: copy it to where it can"
    path.parent.chmod(0o755)
    path.chmod(0o644)
    assert path.read_bytes() == before
    with Ledger.open(path, clock=Clock()) as ledger:
        goes_on(ledger)


def test_a_copy_without_a_log_of_its_own(path: Path) -> None:
    copy = path.with_name("copy.db")
    with sqlite3.connect(path) as connection:
        connection.execute(f"VACUUM INTO '{copy}'")
    connection.close()
    copy.chmod(0o444)
    with unprivileged(path.parent), Ledger.open(copy) as ledger:
        assert len(bodies(ledger)) == 2
    copy.chmod(0o644)
    with Ledger.open(copy, clock=Clock()) as ledger:
        goes_on(ledger)
    with sqlite3.connect(copy) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


@contextmanager
def small_disk(folder: Path) -> Iterator[int]:
    """A folder on a disk of a megabyte; where none can be mounted, how large a file may be instead."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True, check=False
    )
    yield 0 if mounted.returncode == 0 else 400_000
    if mounted.returncode == 0:
        subprocess.run(["umount", folder], check=True)


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    with small_disk(folder) as largest:
        path = folder / "ledger.db"
        with_two(path)
        process = PROCESSES.Process(target=fill, args=(str(path), largest, str(tmp_path / "told")))
        process.start()
        process.join(120)
        acknowledged, message, hint = json.loads((tmp_path / "told").read_text())
        assert acknowledged > 50
        assert "full" in message or "disk I/O" in message
        assert "nothing of this was kept" in hint
        shutil.copytree(folder, tmp_path / "larger")
    with Ledger.open(tmp_path / "larger" / "ledger.db", clock=Clock()) as ledger:
        ledger.settle()
        told = [json.loads(body)["match"]["id"] for body in bodies(ledger)[1:]]
        assert told == [1, 2, *(f"full{n}" for n in range(acknowledged))]


def test_a_file_that_is_locked_for_long(path: Path) -> None:
    with Ledger.open(path, clock=Clock()) as ledger:
        patient(ledger, 0.05)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match="database is locked") as refused:
            ledger.append(game(3, "ann", "bob", 0.5), pool="p")
        assert refused.value.hint == "another program has held the file for 0.05 seconds"
        with pytest.raises(LedgerError, match="database is locked"):
            ledger.settle()
        assert len(bodies(ledger)) == 2  # who reads waits for nobody
        other.rollback()
        other.close()
        goes_on(ledger)


def test_a_thread_that_writes_for_long(path: Path) -> None:
    with Ledger.open(path, clock=Clock()) as ledger:
        patient(ledger, 0.05)
        with ledger._store.writing(), pytest.raises(LedgerError, match="another thread") as refused:
            ledger.append(game(3, "ann", "bob", 0.5), pool="p")
        assert refused.value.hint == "this program has been writing for 0.05 seconds"
        goes_on(ledger)


def test_two_programs_on_one_file(path: Path) -> None:
    with Ledger.open(path, clock=Clock()) as one, Ledger.open(path, clock=Clock()) as two:
        assert one.settle() == 1
        for n in range(3, 9):
            (one if n % 2 else two).append(game(n, "ann", "bob", 1), pool="p")
            assert (two if n % 3 else one).settle() == 1
        assert bodies(one) == bodies(two)
        assert rows(one)["ann"].games == 8


def test_a_file_that_disappears_and_comes_back(path: Path) -> None:
    with Ledger.open(path, clock=Clock()) as ledger:
        hidden = path.with_name("hidden.db")
        path.rename(hidden)
        for _ in range(2):
            with pytest.raises(LedgerError, match="is not the file that was opened"):
                ledger.append(game(3, "ann", "bob", 0.5), pool="p")
        shutil.copy(hidden, path)  # not the one that we have read
        with pytest.raises(LedgerError, match="is not the file that was opened"):
            ledger.settle()
        hidden.rename(path)
        goes_on(ledger)


# ---- a server that is gone, read-only, stuck


@pytest.fixture
def url(postgres: Cluster) -> str:
    where = postgres.schema()
    with_two(where)
    return where


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_a_server_that_disappears_and_comes_back(postgres: Cluster, url: str, how: str) -> None:
    assert how in ("fast", "immediate")
    with Ledger.open(url, clock=Clock()) as ledger:
        postgres.stop("fast" if how == "fast" else "immediate")
        try:
            with pytest.raises(LedgerError) as refused:
                ledger.append(game(3, "ann", "bob", 0.5), pool="p")
            assert refused.value.hint == "is the server there, and does the URL name it?"
            with pytest.raises(LedgerError):
                ledger.settle()
        finally:
            postgres.start()
        goes_on(ledger)


def test_a_rater_at_work_goes_on_when_the_server_is_back(postgres: Cluster, url: str) -> None:
    with Ledger.open(url, clock=Clock()) as ledger, ledger.rating():
        ledger.settled(ledger.append(game(3, "ann", "bob", 0.5), pool="p"), 30)
        postgres.restart("immediate")
        while True:
            try:
                receipt = ledger.append(game(4, "ann", "bob", 0.5), pool="p")
                break
            except LedgerError:
                continue
        assert ledger.settled(receipt, 60) == 5


def test_a_server_that_takes_no_writes(url: str) -> None:
    with Ledger.open(f"{url}%20-c%20default_transaction_read_only=on") as ledger:
        assert len(bodies(ledger)) == 2
        with pytest.raises(LedgerError, match="read-only") as refused:
            ledger.append(game(3, "ann", "bob", 0.5), pool="p")
        assert refused.value.hint == "this server takes no writes: is it a replica?"


def test_a_user_who_may_only_read(postgres: Cluster, url: str) -> None:
    schema = url.partition("search_path%3D")[2]
    store = open_store(url)
    with store.writing() as connection:
        connection.execute(text(f"CREATE ROLE reader_{schema} LOGIN"))
        connection.execute(text(f"GRANT USAGE ON SCHEMA {schema} TO reader_{schema}"))
        connection.execute(text(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO reader_{schema}"))
    store.close()
    with Ledger.open(url.replace("tallymark@", f"reader_{schema}@")) as ledger:
        assert len(bodies(ledger)) == 2
        with pytest.raises(LedgerError, match="permission denied") as refused:
            ledger.append(game(3, "ann", "bob", 0.5), pool="p")
        assert refused.value.hint == "may this user read and write the tables of the ledger?"


def test_who_is_stuck_inside_a_transaction_is_thrown_out(url: str) -> None:
    zombie = open_store(f"{url}%20-c%20idle_in_transaction_session_timeout=100")
    with Ledger.open(url, clock=Clock()) as ledger:
        writing = zombie.writing()
        connection = writing.__enter__()
        connection.execute(text("UPDATE head SET position = position + 1"))
        assert ledger.settle() == 1  # waits for the zombie's lock, and then has it
        with pytest.raises(LedgerError, match=r"idle-in-transaction|connection"):
            writing.__exit__(None, None, None)
        goes_on(ledger)
    zombie.close()


def test_a_lock_that_is_held_for_long(url: str) -> None:
    holder = open_store(url)
    with Ledger.open(f"{url}%20-c%20lock_timeout=100", clock=Clock()) as ledger:
        with holder.writing() as connection:
            connection.execute(text("UPDATE head SET position = position"))
            with pytest.raises(LedgerError, match="lock timeout"):
                ledger.settle()
        goes_on(ledger)
    holder.close()


@pytest.mark.parametrize("told", [10**18, 253_402_300_799_000_000, -(10**18), 1.5, None])
def test_a_clock_that_tells_no_time(told: Any, path: Path) -> None:
    """Nothing is acknowledged that could never be rated."""
    clock = Clock()
    with Ledger.open(path, clock=clock) as ledger:
        right, clock.now = clock.now, told
        with pytest.raises(LedgerError, match="the clock says"):
            ledger.append(game("x", "ann", "bob", 1), pool="p")
        clock.now = right
        goes_on(ledger)


def test_a_match_of_thousands_is_refused_at_the_door(path: Path) -> None:
    sides = [{"players": list(range(side * 2500, side * 2500 + 2500)), "rank": side} for side in (0, 1)]
    with Ledger.open(path) as ledger, pytest.raises(InputError, match="more than 50,000 pairs of opponents"):
        ledger.append({"id": "big", "sides": sides}, pool="p")
