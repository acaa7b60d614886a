"""Appending from many threads: groups, each caller's own answer, and nobody hurt by another's item."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from queue import SimpleQueue
from typing import Any

import pytest
from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError
from told import game

from tallymark.errors import ConflictError, LedgerError
from tallymark.ledger import inbox
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import match_item

CLIENTS = 20
Answer = Receipt | Exception


class Gate:
    """A clock that lets the first group wait until everybody else has queued up."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()
        self.open.set()

    def __call__(self) -> int:
        self.reached.set()
        assert self.open.wait(60)
        return 7


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def ledger(ledger_url: str, gate: Gate) -> Iterator[Ledger]:
    with Ledger.open(ledger_url, create=True, clock=gate) as made:
        made.open_pool("p", "arena")
        made.open_pool("q", "arena")
        yield made


def queued(ledger: Ledger, gate: Gate, calls: Sequence[Callable[[], Receipt]]) -> list[Answer]:
    """What each call gives that queues up behind a first append which is being written."""
    gate.reached.clear()
    gate.open.clear()
    found: list[Answer] = [LedgerError("nothing came")] * len(calls)

    def one(n: int) -> None:
        try:
            found[n] = calls[n]()
        except Exception as error:
            found[n] = error

    first = threading.Thread(target=ledger.append, args=(game("first", "ann", "bob", 1),), kwargs={"pool": "p"})
    first.start()
    assert gate.reached.wait(60)
    threads = []
    for n in range(len(calls)):  # one after the other, so that the order of the games is known
        threads.append(threading.Thread(target=one, args=(n,)))
        size = ledger._writing._queue.qsize()
        threads[-1].start()
        while ledger._writing._queue.qsize() == size:
            threads[-1].join(0.001)
    gate.open.set()
    for thread in (first, *threads):
        thread.join(60)
    return found


def send(ledger: Ledger, name: int, score: float = 1, pool: str = "p") -> Receipt:
    return ledger.append(game(name, "ann", "bob", score), pool=pool)


def test_what_has_queued_up_is_one_transaction(ledger: Ledger, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    transactions = []
    writing = ledger._store.writing

    def counted() -> AbstractContextManager[Connection]:
        transactions.append(1)
        return writing()

    monkeypatch.setattr(ledger._store, "writing", counted)
    pools = ["p", "q"]
    found = queued(ledger, gate, [partial(send, ledger, n, pool=pools[n % 2]) for n in range(CLIENTS)])
    assert len(transactions) == 2
    assert [(one.pool, one.id, one.again) for one in found if isinstance(one, Receipt)] == [
        (pools[n % 2], n, False) for n in range(CLIENTS)
    ]
    numbers = [one.number for one in found if isinstance(one, Receipt)]
    assert sorted(numbers[::2]) == numbers[::2]
    assert sorted(numbers[1::2]) == numbers[1::2]
    assert ledger.settle() == CLIENTS + 1


def test_each_gets_its_own_answer(ledger: Ledger, gate: Gate) -> None:
    scores = [1, 1, 0, 1]
    found = queued(ledger, gate, [partial(send, ledger, 5, score) for score in scores])
    assert [one.again if isinstance(one, Receipt) else type(one) for one in found] == [False, True, ConflictError, True]


def test_an_item_that_cannot_be_written_hurts_nobody_else(
    ledger: Ledger, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    appended = inbox.appended

    def refusing(*arguments: Any) -> Any:
        found = appended(*arguments)
        if any(item.id == 3 for item in arguments[4]):
            raise ValueError("not this one")
        return found

    monkeypatch.setattr(inbox, "appended", refusing)
    found = queued(ledger, gate, [partial(send, ledger, n) for n in range(6)])
    assert [isinstance(one, Receipt) for one in found] == [True, True, True, False, True, True]
    assert str(found[3]) == "not this one"
    assert ledger.settle() == 6


def test_what_is_wrong_with_the_database_is_told_to_all_once(
    ledger: Ledger, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    appended = inbox.appended

    def full(*arguments: Any) -> Any:
        calls.append(len(arguments[4]))
        if len(calls) == 1:
            return appended(*arguments)
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    monkeypatch.setattr(inbox, "appended", full)
    found = queued(ledger, gate, [partial(send, ledger, n) for n in range(5)])
    assert calls == [1, 5]
    assert all(isinstance(one, LedgerError) and "disk is full" in str(one) for one in found)
    assert len({id(one) for one in found}) == 5  # a traceback belongs to one thread
    monkeypatch.undo()
    assert not ledger.append(game(0, "ann", "bob", 1), pool="p").again
    assert ledger.settle() == 2


def test_the_thread_ends_with_the_ledger(ledger: Ledger) -> None:
    ledger.append(game(1, "ann", "bob", 1), pool="p")
    thread = ledger._writing._thread
    assert thread is not None
    assert thread.is_alive()
    ledger.close()
    assert not thread.is_alive()
    with pytest.raises(LedgerError, match="closed"):
        ledger.append(game(2, "ann", "bob", 1), pool="p")


def test_a_thread_that_has_nothing_to_write_ends_and_another_begins(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallymark.ledger.writing._IDLE", 0.001)
    for n in range(3):
        assert not ledger.append(game(n, "ann", "bob", 1), pool="p").again
        thread = ledger._writing._thread
        if thread is not None:
            thread.join(60)
            assert not thread.is_alive()
    assert ledger.settle() == 3


def test_who_does_not_wait_is_told(ledger: Ledger, caplog: pytest.LogCaptureFixture) -> None:
    told: SimpleQueue[Receipt | Exception] = SimpleQueue()

    def fails(found: Receipt | Exception) -> None:
        raise ValueError("nobody here")

    match = match_item(game(1, "ann", "bob", 1))
    ledger.append_soon(match, pool="p", tell=fails)
    ledger.append_soon(match, pool="p", tell=told.put)
    ledger.append_soon(match_item(game(1, "ann", "bob", 0)), pool="p", tell=told.put)
    receipt, conflict = told.get(timeout=60), told.get(timeout=60)
    assert isinstance(receipt, Receipt)
    assert receipt.again
    assert isinstance(conflict, ConflictError)
    assert [record.getMessage() for record in caplog.records] == ["who appended a match cannot be told of it"]
    assert ledger.settle() == 1
