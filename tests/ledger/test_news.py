"""Entries as they come: read in pieces, and waited for by any number with one look at the database for all."""

import logging
import threading
from collections.abc import Iterator, Mapping
from queue import Queue

import pytest
from sqlalchemy import event
from told import Clock, bodies, game

import tallymark as tm
from tallymark.errors import InputError, LedgerError
from tallymark.ledger.entries import GENESIS, chained
from tallymark.ledger.ledger import Ledger


@pytest.fixture
def ledger(ledger_url: str) -> Iterator[Ledger]:
    with Ledger.open(ledger_url, create=True, clock=Clock()) as made:
        made.open_pool("p", "arena")
        made.open_pool("q", "arena")
        yield made


def rated(ledger: Ledger, *ids: int, pool: str = "p") -> None:
    ledger.append_many([game(n, "ann", "bob", 1) for n in ids], pool=pool)
    ledger.settle(pool)


def test_entries_in_pieces_are_the_stream(ledger: Ledger) -> None:
    rated(ledger, *range(10))
    for limit in (1, 3, 11, 1000):
        found: list[bytes] = []
        link = GENESIS
        while some := ledger.entries("p", len(found), limit):
            assert len(some) <= limit
            for entry in some:
                link = chained(link, entry.body)
                assert (entry.position, entry.hash) == (len(found) + 1, link)
                found.append(entry.body)
        assert found == bodies(ledger)
        assert ledger.head("p")[:2] == (11, link)
    assert ledger.entries("p", 10**15) == []
    assert [len(ledger.entries("q")), ledger.head("q").position] == [1, 1]


@pytest.mark.parametrize(
    ("asked", "says"),
    [({"after": -1}, "after is -1"), ({"after": True}, "after is True"), ({"limit": 0}, "1 to 1,000"),
     ({"limit": 1001}, "1 to 1,000"), ({"limit": 1.5}, "1 to 1,000"), ({"pool": "x"}, "no pool 'x'")],
)  # fmt: skip
def test_what_are_no_entries(asked: dict[str, object], says: str, ledger: Ledger) -> None:
    with pytest.raises(InputError, match=says):
        ledger.entries(**{"pool": "p", **asked})  # type: ignore[arg-type]


def test_who_waits_is_woken_by_whoever_rates(ledger: Ledger, ledger_url: str) -> None:
    assert ledger.wait_for("p", 0) == 1  # that one is there
    assert ledger.wait_for("p", 1, 0.0) == 1  # as it was: nothing has come
    assert ledger.wait_for("p", 0, 0.0) == 1
    found: Queue[int] = Queue()
    threads = [threading.Thread(target=lambda: found.put(ledger.wait_for("p", 1, 60))) for _ in range(20)]
    for thread in threads:
        thread.start()
    with Ledger.open(ledger_url, clock=Clock()) as other:  # its bell is not ours
        rated(other, 1, pool="q")
        rated(other, 1)
    for thread in threads:
        thread.join()
    assert [found.get() for _ in threads] == [2] * 20
    with pytest.raises(InputError, match="no pool 'x'"):
        ledger.wait_for("x", 1)


def test_many_who_wait_cost_one_look(ledger: Ledger) -> None:
    looks = 0

    def looked(connection: object, cursor: object, statement: str, *more: object) -> None:
        nonlocal looks
        looks += "FROM pool JOIN head" in statement

    told = [Queue[Mapping[str, int]]() for _ in range(100)]
    blocks = [ledger.telling(one.put) for one in told]
    for block in blocks:
        block.__enter__()
    assert [one.get(timeout=60) for one in told] == [{"p": 1, "q": 1}] * 100
    event.listen(ledger._store.reads, "before_cursor_execute", looked)
    rated(ledger, 1, 2)
    assert [one.get(timeout=60) for one in told] == [{"p": 3}] * 100
    assert looks < 10
    with ledger.telling(told[0].put):
        assert told[0].get(timeout=60) == {"p": 3, "q": 1}  # who comes later begins with all of them
    for block in blocks:
        block.__exit__(None, None, None)


def test_one_who_cannot_be_told_is_left_out(ledger: Ledger, caplog: pytest.LogCaptureFixture) -> None:
    heard: Queue[Mapping[str, int]] = Queue()
    with caplog.at_level(logging.ERROR, "tallymark.ledger"), ledger.telling(heard.put):
        assert heard.get(timeout=60) == {"p": 1, "q": 1}
        with pytest.raises(RuntimeError, match="gone"), ledger.telling(_gone):
            pass
        calls = []

        def once(heads: Mapping[str, int]) -> None:
            calls.append(heads)
            if len(calls) > 1:
                _gone(heads)

        with ledger.telling(once):
            for n in range(3):
                rated(ledger, n)
                assert heard.get(timeout=60) == {"p": 2 + n}
    assert len(calls) == 2
    assert "cannot be told" in caplog.text


def _gone(heads: Mapping[str, int]) -> None:
    raise RuntimeError("gone")


def test_a_closed_ledger_tells_nobody(ledger_url: str) -> None:
    with tm.Ledger.open(ledger_url, create=True) as ledger:
        ledger.open_pool("p", "arena")
        assert ledger.wait_for("p", 0) == 1
    with pytest.raises(LedgerError, match="closed"):
        ledger.wait_for("p", 0)
    assert "tallymark looks" not in [thread.name for thread in threading.enumerate()]


def test_a_database_that_is_gone_is_looked_at_again(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from tallymark.ledger.reading import news

    monkeypatch.setattr(news, "_PATIENCE", 0.001)
    real, failures = ledger._store.reading, iter(range(3))

    def sometimes():  # type: ignore[no-untyped-def]
        if threading.current_thread().name == "tallymark looks" and next(failures, None) is not None:
            raise LedgerError("the database is gone")
        return real()

    monkeypatch.setattr(ledger._store, "reading", sometimes)
    assert ledger.wait_for("p", 0, 60) == 1
    assert caplog.text.count("looking again") == 1
