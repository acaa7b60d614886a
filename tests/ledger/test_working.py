"""Raters at work: what comes is rated as it comes, by one process a pool; what is stuck is told, and loses nothing."""

import logging
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import orjson
import pytest
from cluster import Cluster
from sqlalchemy import text
from told import Clock, bodies, game, kinds

from tallymark.errors import LedgerError, StuckError
from tallymark.ledger.fold.commands import COMMANDS
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import Item
from tallymark.ledger.store import open_store
from tallymark.ledger.working import FEW, work


@pytest.fixture
def ledger(ledger_url: str) -> Iterator[Ledger]:
    with Ledger.open(ledger_url, create=True, clock=Clock()) as made:
        made.open_pool("p", "arena")
        made.open_pool("q", "arena")
        yield made


def test_what_comes_is_rated_as_it_comes(ledger: Ledger) -> None:
    with ledger.rating():
        positions = [ledger.settled(ledger.append(game(n, "ann", "bob", 1), pool="pq"[n % 2]), 30) for n in range(6)]
    assert positions == [2, 2, 3, 3, 4, 4]
    assert ledger.settle() == 0


def test_what_another_program_appends_is_rated_too(ledger: Ledger, ledger_url: str) -> None:
    with ledger.rating(), Ledger.open(ledger_url, clock=Clock()) as other:
        assert other.settled(other.append(game(1, "ann", "bob", 1), pool="p"), 30) == 2


def test_a_rater_that_is_stopped_has_finished_its_batch(ledger: Ledger) -> None:
    ledger.append_many([game(n, "ann", "bob", 1) for n in range(50)], pool="p")
    stop = threading.Event()
    stop.set()
    ledger.run(stop)
    assert len(bodies(ledger)) == 1
    with ledger.rating():
        ledger.settled(ledger.append(game(99, "ann", "bob", 1), pool="p"), 30)
    assert len(bodies(ledger)) == 52


def test_waiting_ends(ledger: Ledger) -> None:
    receipt = ledger.append(game(1, "ann", "bob", 1), pool="p")
    with pytest.raises(LedgerError, match=r"1 of pool 'p' is not rated after 0\.01 seconds") as late:
        ledger.settled(receipt, 0.01)
    assert "Ledger.run" in str(late.value.hint)
    ledger.settle()
    assert ledger.settled(receipt) == 2


UNKNOWN = Item("strange", b'{"command":"strange","id":"strange"}', bytes(32))


def with_something_strange(ledger: Ledger) -> tuple[Receipt, Receipt]:
    """Five matches, a command that nobody knows, two more; and a match in another pool."""
    ledger.append_many([game(n, "ann", "bob", 1) for n in range(5)], pool="p")
    (strange,) = ledger._tell([UNKNOWN], "p")
    assert isinstance(strange, Receipt)
    ledger.append_many([game(n, "ann", "bob", 1) for n in range(5, 7)], pool="p")
    return strange, ledger.append(game(1, "ann", "bob", 1), pool="q")


def test_an_item_that_cannot_be_folded_stops_its_pool_and_loses_nothing(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    strange, _ = with_something_strange(ledger)
    for _ in range(2):
        with pytest.raises(
            StuckError, match=rf"'p' stands still at entry 6: receipt {strange.number} \(strange\)"
        ) as told:
            ledger.settle()
        assert (told.value.receipt, told.value.position) == (strange.number, 6)
    assert len(bodies(ledger, "q")) == 2  # other pools go on
    receipt = ledger.append(game(7, "ann", "bob", 1), pool="p")
    monkeypatch.setitem(COMMANDS, "strange", noted)
    assert ledger.settle() == 4
    assert ledger.settled(receipt) == 10
    assert kinds(ledger) == ["opened", *["rated"] * 5, "noted", *["rated"] * 3]


def noted(going: Any, item: Any) -> None:
    going.write(b'{"n":7,"kind":"noted","at":0,"rules":1}', going.stand.at, item.receipt)


def test_a_rater_at_work_tells_of_it_once_and_goes_on(ledger: Ledger, caplog: pytest.LogCaptureFixture) -> None:
    strange, other = with_something_strange(ledger)
    with caplog.at_level(logging.ERROR, "tallymark.ledger"), ledger.rating():
        assert ledger.settled(other, 30) == 2
        for n in range(10, 13):
            assert ledger.settled(ledger.append(game(n, "ann", "bob", 1), pool="q"), 30)
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1
    assert f"receipt {strange.number} (strange) cannot be folded" in told[0]


def test_bytes_that_are_no_match_are_found_among_others(ledger: Ledger, ledger_url: str) -> None:
    ledger.append_many([game(n, "ann", "bob", 1) for n in range(9)], pool="p")
    store = open_store(ledger_url)
    with store.writing() as connection:  # nobody appends such bytes; a disk may give them back
        damaged = connection.scalar(text("SELECT min(receipt) + 5 FROM inbox"))
        statement = text("UPDATE inbox SET body = :body WHERE receipt = :receipt")
        connection.execute(statement, {"body": b'{"id":5,', "receipt": damaged})
    store.close()
    with pytest.raises(StuckError) as told:
        ledger.settle()
    assert told.value.receipt == damaged
    assert [orjson.loads(body)["match"]["id"] for body in bodies(ledger)[1:]] == [0, 1, 2, 3, 4]


def test_one_session_leads_a_pool_until_it_ends(postgres: Cluster) -> None:
    url = postgres.schema()
    Ledger.open(url, create=True).close()
    with Ledger.open(url) as one, Ledger.open(url) as two, Ledger.open(postgres.schema(), create=True) as elsewhere:
        first, second, third = (each._raters.watch() for each in (one, two, elsewhere))
        assert [first.leads(1), second.leads(1), second.leads(2), first.leads(2)] == [True, False, True, False]
        assert first.leads(1)
        assert third.leads(1)  # another schema is another ledger
        first.close()
        while not second.leads(1):
            second.wait(0.01)
        second.close()
        third.close()


class Pools:
    """A ledger that never moves, led by somebody else."""

    def __init__(self, stop: threading.Event) -> None:
        self.rated_at: list[float] = []
        self.time = 0.0
        self._stop = stop

    def watch(self) -> "Pools":
        return self

    def leads(self, pool: int) -> bool:
        return False

    def wait(self, seconds: float) -> None:
        self.time += 10.0

    def close(self) -> None:
        self._stop.set()

    def heads(self, waiting: bool) -> Mapping[int, int]:
        return {1: 5} if waiting else {1: 4}

    def rated(self, pool: int) -> int:
        self.rated_at.append(self.time)
        self._stop.set()
        return 1


def test_a_pool_whose_leader_hangs_is_rated_in_the_end() -> None:
    stop = threading.Event()
    pools = Pools(stop)
    work(pools, stop, now=lambda: pools.time, overdue=30.0)
    assert pools.rated_at == [50.0]


class Busy(Pools):
    """A ledger in which rounds of so many items take a while each."""

    def __init__(self, stop: "Stop", rounds: list[int]) -> None:
        super().__init__(stop)
        self.rounds, self.stop = rounds, stop

    def leads(self, pool: int) -> bool:
        return True

    def rated(self, pool: int) -> int:
        self.time += 0.004
        if len(self.rounds) == 1:
            self.stop.set()
        return self.rounds.pop(0)


class Stop(threading.Event):
    """Notes how long somebody would rest."""

    def __init__(self) -> None:
        super().__init__()
        self.rests: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.rests.append(round(timeout or 0.0, 6))
        return self.is_set()


def test_a_rater_rests_after_a_few_items_and_never_while_one_or_many_come() -> None:
    stop = Stop()
    pools = Busy(stop, [1, FEW + 1, 2, 7, 1])
    work(pools, stop, now=lambda: pools.time)
    assert stop.rests == [0.004, 0.004]
