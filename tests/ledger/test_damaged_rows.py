"""Rows that hold what is no number (case SVC-18): told by name, and made again from entries when they are needed."""

import math
from pathlib import Path

import pytest
from sqlalchemy import update
from told import game, new, rows

import tallymark as tm
from tallymark.ledger.fold.rows import DOUBLES
from tallymark.ledger.ids import key_of
from tallymark.ledger.matches import Json
from tallymark.ledger.tables import RATING


def damaged(ledger: tm.Ledger, player: str) -> None:
    with ledger.store.writing() as connection:
        state = DOUBLES.pack(math.nan, 1.0, 0.0036)
        connection.execute(update(RATING).where(RATING.c.player == key_of(player)).values(state=state))


def test_a_damaged_row_is_named_and_costs_nobody_a_rating(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "plain").mkdir()
    ledger, plain = new(tmp_path, "arena"), new(tmp_path / "plain", "arena")
    first = [game(1, "ann", "bob", 1), game(2, "bob", "cyd", 0.5)]
    later = [game(3, "ann", "cyd", 0), game(4, "bob", "cyd", 1)]
    for one in (ledger, plain):
        one.append_many(first, pool="p")
        one.settle()
    damaged(ledger, "ann")
    with pytest.raises(tm.ProjectionError, match="the rating of 'ann' holds what is no number"):
        ledger.ratings("p")
    with pytest.raises(tm.ProjectionError, match="'ann'"):
        ledger.board("p")
    assert ledger.history("bob", "p")[0].after.rating == plain.history("bob", "p")[0].after.rating
    for one in (tm.Ledger.open(tmp_path / "ledger.db"), plain):  # a rater that remembers nobody
        one.append_many(later, pool="p")
        assert one.settle() == 2
    assert "the pool's projections are made again from its entries" in caplog.text
    assert rows(ledger) == rows(plain)


@pytest.mark.parametrize("ranks", [(-1, -1), (-1, 0), (1, -1)])
def test_a_rank_that_says_that_there_is_none_is_no_rank(tmp_path: Path, ranks: tuple[int, int]) -> None:
    ledger = new(tmp_path, "arena")

    def sides(first: int | None, second: int | None) -> Json:
        return [{"players": ["a", "b"], "rank": first}, {"players": ["c", "d"], "rank": second}]

    with pytest.raises(tm.InputError, match=r"sides\[\d\].rank is -1; expected a number from 0"):
        ledger.append({"id": "m", "sides": sides(*ranks)}, pool="p")
    ledger.append({"id": "m", "sides": sides(None, None)}, pool="p")
    ledger.settle()
    assert ledger.match("p", "m").reason == "no-result"
