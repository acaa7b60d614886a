"""The desk: many coroutines append, each gets its own answer, and nobody who gave up hurts the others."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from clubs import Clock

from tallymark.errors import ConflictError, LedgerError, UnknownError
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import Item, match_item
from tallymark.service.desk import Desk


@pytest.fixture
def ledger(ledger_url: str) -> Iterator[Ledger]:
    with Ledger.open(ledger_url, create=True, clock=Clock()) as made:
        made.open_pool("p", "arena")
        yield made


def match(n: int, score: float = 1) -> Item:
    return match_item({"id": n, "player_a": "ann", "player_b": "bob", "score_a": score})


def test_each_gets_its_own_answer(ledger: Ledger) -> None:
    desk = Desk(ledger)

    async def all_of_them() -> list[Receipt | BaseException]:
        await desk.append(match(99), "p")  # from here on the pool is known
        sent = [desk.append(match(n % 40), "p") for n in range(60)] + [desk.append(match(7, 0.5), "p")]
        return await asyncio.gather(*sent, return_exceptions=True)

    *found, last = asyncio.run(all_of_them())
    receipts = [one for one in found if isinstance(one, Receipt)]
    assert [(one.id, one.again) for one in receipts] == [(n % 40, n >= 40) for n in range(60)]
    assert receipts[5].number == receipts[45].number
    assert isinstance(last, ConflictError)
    assert ledger.settle() == 41


def test_what_is_not_there_is_told(ledger: Ledger) -> None:
    with pytest.raises(UnknownError, match="no pool"):
        asyncio.run(Desk(ledger).append(match(1), "x"))
    desk = Desk(ledger)
    asyncio.run(desk.append(match(1), "p"))
    ledger.close()
    with pytest.raises(LedgerError, match="closed"):
        asyncio.run(desk.append(match(2), "p"))


def test_who_gave_up_is_passed_over(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(ledger)
    reached, opened = threading.Event(), threading.Event()

    def clock() -> int:
        reached.set()
        assert opened.wait(60)
        return 7

    async def main() -> Receipt:
        await desk.append(match(0), "p")
        monkeypatch.setattr(ledger._writing, "_clock", clock)
        gone = asyncio.create_task(desk.append(match(1), "p"))
        stays = asyncio.create_task(desk.append(match(2), "p"))
        await asyncio.to_thread(reached.wait, 60)
        gone.cancel()
        opened.set()
        with pytest.raises(asyncio.CancelledError):
            await gone
        return await stays

    assert asyncio.run(main()).id == 2
    assert ledger.settle() == 3, "what was handed in is in the ledger, whoever waits for it"
