"""Exports: what stands in them, and ledgers made of them again."""

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from exports import chained_again, filled, some_matches, ticking

from tallymark.errors import BrokenChainError, InputError, LedgerError, ReadError, WriteError
from tallymark.games.progress import silent
from tallymark.ledger import schema
from tallymark.ledger.importing import import_anew
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.store import open_store
from tallymark.ledger.verify import verify

POOLS = (("chess", "arena"), ("go", "go-onchain"), ("votes", "votes"))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with filled(tmp_path / "a.db", POOLS) as made:
        yield made


def test_lines_are_hash_space_entry_and_each_pool_ends(ledger: Ledger, tmp_path: Path) -> None:
    told = ledger.export(tmp_path / "all.txt")
    lines = (tmp_path / "all.txt").read_bytes().splitlines()
    at = 0
    for pool, (name, _) in zip(told, POOLS, strict=True):
        entries = lines[at : at + pool.position]
        assert pool.pool == name
        assert [json.loads(line[65:])["n"] for line in entries] == list(range(1, pool.position + 1))
        assert json.loads(entries[0][65:])["pool"] == name
        assert lines[at + pool.position] == f"end {pool.position} {pool.hash}".encode()
        assert chained_again(entries) == b"".join(line + b"\n" for line in lines[at : at + pool.position + 1])
        at += pool.position + 1
    assert at == len(lines)


def test_one_pool(ledger: Ledger, tmp_path: Path) -> None:
    (told,) = ledger.export(tmp_path / "go.txt", pool="go")
    assert told.pool == "go"
    assert [pool.pool for pool in verify(tmp_path / "go.txt").pools] == ["go"]
    with pytest.raises(InputError, match="there is no pool 'shogi'"):
        ledger.export(tmp_path / "x.txt", pool="shogi")
    assert not (tmp_path / "x.txt").exists()


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_packed_by_name_and_the_same_bytes_each_time(ledger: Ledger, tmp_path: Path, ending: str) -> None:
    ledger.export(tmp_path / "a.txt")
    for name in ("a", "b"):
        ledger.export(tmp_path / f"{name}.txt{ending}")
    packed = (tmp_path / f"a.txt{ending}").read_bytes()
    assert packed == (tmp_path / f"b.txt{ending}").read_bytes()
    assert len(packed) < (tmp_path / "a.txt").stat().st_size / 2
    assert verify(tmp_path / f"a.txt{ending}") == verify(tmp_path / "a.txt")
    if ending == ".gz":
        assert gzip.decompress(packed) == (tmp_path / "a.txt").read_bytes()


def test_what_waits_is_not_in_it_and_progress_is_told(ledger: Ledger, tmp_path: Path) -> None:
    told: list[tuple[int, float | None]] = []
    ledger.append_many(some_matches(3, first=100), pool="chess")
    before = ledger.export(tmp_path / "a.txt", progress=lambda rows, share: told.append((rows, share)))
    assert told[-1] == (sum(pool.position for pool in before), 1.0)
    ledger.settle()
    assert ledger.export(tmp_path / "a.txt", "chess")[0].position == before[0].position + 3


def test_a_file_that_cannot_be_written_leaves_what_was_there(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="is a directory"):
        ledger.export(tmp_path)
    with pytest.raises(WriteError, match="cannot be written"):
        ledger.export(tmp_path / "none" / "a.txt")


def test_imported_it_is_the_same_ledger_again(ledger: Ledger, tmp_path: Path) -> None:
    told = ledger.export(tmp_path / "a.txt")
    with Ledger.open(tmp_path / "b.db", create=True, clock=ticking()) as other:
        assert other.import_bundle(tmp_path / "a.txt") == told
        other.export(tmp_path / "b.txt")
        assert (tmp_path / "b.txt").read_bytes() == (tmp_path / "a.txt").read_bytes()
        assert verify(tmp_path / "b.db") == verify(tmp_path / "a.db")
        # Idempotency goes on: the same is known, something else is a conflict, and new matches follow.
        again = other.append_many(some_matches(), pool="chess")
        assert all(isinstance(one, Receipt) and one.again for one in again)
        (other_content,) = other.append_many(
            [{"id": "m0", "player_a": "x", "player_b": "y", "score_a": 1}], pool="chess"
        )
        assert isinstance(other_content, Conflict)
        assert other.settle() == 0
        for one in (ledger, other):
            one.append_many(some_matches(5, first=50), pool="chess")
            one.settle()
    assert verify(tmp_path / "b.db").pools[0].players == verify(tmp_path / "a.db").pools[0].players


@pytest.mark.parametrize("at", [1, 4, 9])
def test_a_broken_export_leaves_an_empty_ledger(ledger: Ledger, tmp_path: Path, at: int) -> None:
    ledger.export(tmp_path / "a.txt", "votes")
    lines = (tmp_path / "a.txt").read_bytes().splitlines(keepends=True)
    (tmp_path / "broken.txt").write_bytes(b"".join(lines[:at] + lines[at + 1 :]))
    with Ledger.open(tmp_path / "b.db", create=True) as other:
        with pytest.raises(BrokenChainError) as caught:
            other.import_bundle(tmp_path / "broken.txt")
        assert caught.value.position == at + 1
        assert other.export(tmp_path / "none.txt") == []
        other.import_bundle(tmp_path / "a.txt")
    with pytest.raises(LedgerError, match="'votes' already"):
        ledger.import_bundle(tmp_path / "a.txt")


def test_no_ledger_is_made_by_an_import_that_fails(ledger: Ledger, ledger_url: str, tmp_path: Path) -> None:
    whole, broken = tmp_path / "a.txt", tmp_path / "broken.txt"
    ledger.export(whole)
    broken.write_bytes(whole.read_bytes()[:-20])  # nearly all of it is written by then
    with pytest.raises((BrokenChainError, ReadError)):
        import_anew(ledger_url, broken, "auto", silent)
    with pytest.raises(LedgerError, match=r"there is no file|holds no ledger"):
        Ledger.open(ledger_url)
    where, told = import_anew(ledger_url, whole, "auto", silent)
    with Ledger.open(ledger_url) as made:
        assert made.where == where
        assert [one.pool for one in told] == [one.pool for one in made.pools()] == [pool for pool, _ in POOLS]
        with pytest.raises(LedgerError, match="already"):
            import_anew(ledger_url, whole, "auto", silent)
        assert len(made.pools()) == len(POOLS)


def test_a_link_to_where_a_ledger_was_to_be_made_stays(tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to("club.db")
    with pytest.raises(ZeroDivisionError), schema.making(link):
        raise ZeroDivisionError
    assert link.is_symlink()
    assert not link.exists()


def test_a_ledger_that_another_is_just_making_there_is_left_to_it(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with pytest.raises(ZeroDivisionError), schema.making(path):
        raise ZeroDivisionError
    assert not path.exists()
    first = open_store(path)
    first.look(create=True)
    with first.reading():  # the file is there, with nothing in it
        pass
    with schema.making(path):
        first.close()
    assert path.stat().st_size
    Ledger.open(path).close()


def test_no_such_file(tmp_path: Path) -> None:
    with (
        Ledger.open(tmp_path / "b.db", create=True) as other,
        pytest.raises(ReadError, match=r"none.txt cannot be read"),
    ):
        other.import_bundle(tmp_path / "none.txt")


def test_a_file_is_verified_without_a_database_and_without_a_compiler(ledger: Ledger, tmp_path: Path) -> None:
    ledger.export(tmp_path / "a.txt")
    code = "import sys; from tallymark.ledger.verify import verify; verify(sys.argv[1]); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "a.txt"], capture_output=True, text=True, check=True, timeout=60
    )
    assert not {"numba", "sqlalchemy", "psycopg", "alembic", "duckdb"} & set(done.stdout.split())
