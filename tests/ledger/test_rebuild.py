"""Rebuild: projections made again from the entries, bit for bit, and what stood there otherwise is told."""

from pathlib import Path

import pytest
from exports import filled, some_matches
from sqlalchemy import text

from tallymark.errors import BrokenChainError, InputError
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.verify import verify

POOLS = (("p", "arena"), ("go", "go-float"), ("exact", "go-onchain"), ("votes", "votes"), ("weeks", "paper"))


def tampered(ledger: Ledger, *statements: str) -> None:
    with ledger._store.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))


def ratings(ledger: Ledger) -> list[tuple[object, ...]]:
    with ledger._store.reading() as connection:
        return [tuple(row) for row in connection.execute(text("SELECT * FROM rating ORDER BY pool, player"))]


@pytest.mark.parametrize(("pool", "rules"), POOLS)
def test_what_was_right_stays_as_it_is(tmp_path: Path, pool: str, rules: str) -> None:
    with filled(tmp_path / "a.db", [(pool, rules)], 24) as ledger:
        before = ratings(ledger)
        told = ledger.rebuild(pool)
        assert (told.pool, told.differed) == (pool, [])
        assert (told.position, told.players) == (verify(tmp_path / "a.db").pools[0].position, len(before))
        assert ratings(ledger) == before


def test_what_was_wrong_is_told_and_put_right(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db", [("p", "arena"), ("q", "arena")]) as ledger:
        before = ratings(ledger)
        tampered(
            ledger,
            "UPDATE rating SET games = 99, rating = 1.5 WHERE player = 'ann' AND pool = 1",
            "DELETE FROM rating WHERE player = 'bob' AND pool = 1",
            "UPDATE rating SET player = 'nobody' WHERE player = '4' AND pool = 1",
        )
        told = {str(one) for one in ledger.rebuild("p").differed}
        assert len(told) == 5
        assert any(one.startswith("games of player ann is 99; its entries give ") for one in told)
        assert "player bob is nobody; its entries give there" in told
        assert "player nobody is there; its entries give nobody" in told
        assert ratings(ledger) == before
        assert ledger.rebuild("p").differed == []


def test_rating_goes_on_from_what_was_rebuilt(tmp_path: Path) -> None:
    """A rater remembers rows; not those that were wrong."""
    with filled(tmp_path / "a.db") as ledger:
        tampered(ledger, "UPDATE rating SET state = zeroblob(24)")
        ledger._raters.clear()
        ledger.rebuild("p")
        ledger.append_many(some_matches(6, first=50), pool="p")
        ledger.settle()
    verify(tmp_path / "a.db")


def test_entries_that_do_not_follow_change_nothing(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db") as ledger:
        tampered(ledger, "DROP TRIGGER entry_no_update", "UPDATE entry SET hash = zeroblob(32) WHERE position = 7")
        tampered(ledger, "UPDATE rating SET games = 99")
        before = ratings(ledger)
        with pytest.raises(BrokenChainError) as caught:
            ledger.rebuild("p")
        assert caught.value.position == 7
        assert ratings(ledger) == before


def test_no_such_pool(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db") as ledger, pytest.raises(InputError, match="there is no pool 'x'"):
        ledger.rebuild("x")
