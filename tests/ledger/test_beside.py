"""What a program writes together with what it appends, and who moved since it looked last."""

from typing import Any

import pytest
from sqlalchemy import text
from told import Clock

from tallymark.errors import ConflictError
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger

GAME: dict[str, Any] = {"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 1}


def opened(url: str) -> Ledger:
    ledger = Ledger.open(url, create=True, clock=Clock())
    ledger.open_pool("p", "arena-v0")
    with ledger.beside() as own:
        own.connection.execute(text("CREATE TABLE mine (told VARCHAR PRIMARY KEY)"))
    return ledger


def mine(ledger: Ledger) -> list[str]:
    with ledger.beside() as own:
        return list(own.connection.scalars(text("SELECT told FROM mine ORDER BY told")))


def told(ledger: Ledger, row: str, match: dict[str, Any], broken: bool = False) -> Receipt:
    """A row of one's own and a match; `broken`: something goes wrong behind both."""
    with ledger.beside() as own:
        own.connection.execute(text("INSERT INTO mine VALUES (:row)"), {"row": row})
        receipt = own.append(match, pool="p")
        if broken:
            raise ZeroDivisionError
    return receipt


def test_all_of_it_or_nothing(ledger_url: str) -> None:
    with opened(ledger_url) as ledger:
        with pytest.raises(ZeroDivisionError):
            told(ledger, "x", GAME, broken=True)
        assert mine(ledger) == []
        assert ledger.settle() == 0
        assert not told(ledger, "x", GAME).again
        assert mine(ledger) == ["x"]
        with pytest.raises(ConflictError):
            told(ledger, "y", GAME | {"score_a": 0})
        assert mine(ledger) == ["x"]
        assert ledger.append(GAME, pool="p").again
        assert ledger.settle() == 1


def test_a_rater_hears_of_it(ledger_url: str) -> None:
    with opened(ledger_url) as ledger, ledger.rating():
        with ledger.beside() as own:
            receipt = own.append(GAME, pool="p")
        assert ledger.settled(receipt, timeout=30) == 2


def test_who_moved(ledger_url: str) -> None:
    with opened(ledger_url) as ledger:
        assert ledger.moved("p") == (1, ledger.rules("p"), {}, True)
        ledger.append_many([GAME, GAME | {"id": "m2", "player_a": "cid", "player_b": "dan"}], pool="p")
        ledger.settle()
        first = ledger.moved("p", 1)
        assert (first.position, set(first.rows), first.everybody) == (3, {"ann", "bob", "cid", "dan"}, False)
        ledger.append(GAME | {"id": "m3", "player_a": "dan"}, pool="p")
        ledger.settle()
        then = ledger.moved("p", 3)
        assert set(then.rows) == {"dan", "bob"}
        assert then.rows["bob"].games == 2
        assert first.rows | then.rows == ledger.moved("p").rows
        assert ledger.moved("p", 4).rows == {}
        strangers = [f"nobody{n}" for n in range(600)]  # more than a statement has
        asked = [([*strangers, "ann", "cid"], 3), (["ann", "dan"], 3), ([*strangers, "bob"], 3), (["bob", "dan"], 4)]
        assert [ledger.moved_since("p", *one) for one in asked] == [False, True, True, False]
        ledger.change_rules("p", ledger.rules("p").with_(tau=0.3), id="r")
        ledger.settle()
        assert ledger.moved("p", 4).everybody
