"""Seats of players that a compiled recount keeps: whoever else changes a row, it ends where the interpreter does."""

from pathlib import Path

import pytest
from exports import filled, some_matches
from told import game, rows

from tallymark import Rating, methodology
from tallymark.games.ids import Id
from tallymark.games.progress import silent
from tallymark.ledger import verify as verifying
from tallymark.ledger.fold.rows import Row, newcomer
from tallymark.ledger.fold.seats import ArraySeats, ListSeats
from tallymark.ledger.recount import Recount
from tallymark.replay.engines import Engine

RULES = methodology("arena-v1-draft")


def recounted(path: Path, engine: Engine) -> Recount:
    *_, last = verifying.stretches(path, engine, silent)
    return last.recount


@pytest.mark.parametrize("at_once", [300, 2000, 1 << 19])
def test_commands_and_other_matches_among_plain_ones(
    tmp_path: Path, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled(tmp_path / "a.db", [("p", "arena-v0")], 40) as ledger:
        ledger.adjust({"ann": Rating(1800, 60, 0.06), "newcomer": Rating(1200, 90, 0.06)}, pool="p", id="1", reason="x")
        ledger.append_many(some_matches(40, first=100), pool="p")
        ledger.change_rules("p", "arena-v1-draft", id="2")
        ledger.append_many(some_matches(40, first=200), pool="p")
        ledger.append(game("last", "newcomer", "ann", 1), pool="p")
        ledger.settle()
        ledger.export(tmp_path / "a.txt")
        expected = rows(ledger)
    monkeypatch.setattr(verifying, "_AT_ONCE", at_once)
    one, two = (recounted(tmp_path / "a.txt", engine) for engine in ("interpreted", "compiled"))
    assert one.player_count == two.player_count == len(expected)
    assert (type(one._known.seats), type(two._known.seats)) == (ListSeats, ArraySeats)
    for recount in (one, two):
        assert recount._known.rows(expected, RULES) == expected
    assert (one.stand, one.methodology) == (two.stand, two.methodology)


def test_a_crowd(tmp_path: Path) -> None:
    """More players than there are seats at first."""
    with filled(tmp_path / "a.db", count=0) as ledger:
        ledger.append_many((game(n, f"a{n}", n % 900, n % 2) for n in range(1500)), pool="p")
        ledger.settle()
        ledger.export(tmp_path / "a.txt")
    one, two = (recounted(tmp_path / "a.txt", engine) for engine in ("interpreted", "compiled"))
    assert one.player_count == two.player_count == 2400
    people: list[Id] = ["a7", 7, 899]
    assert one._known.rows(people, RULES) == two._known.rows(people, RULES)


@pytest.mark.parametrize("kind", [ListSeats, ArraySeats])
def test_who_sits_down_sits_as_told(kind: type[ListSeats | ArraySeats]) -> None:
    seats = kind(RULES)
    new = newcomer(RULES)
    other = Row(1.5, 0.25, 0.0036, 7, 1, 3, 2, 1, 0, 7, 0, 0, 0.0, 5, 0, 4)
    seats.take({"ann": new, "bob": other})
    assert seats.rows(["bob", "ann"]) == {"ann": new, "bob": other}
    seats.take({"bob": new, "cid": other})  # a newcomer again, as after a recomputation
    assert seats.rows(["ann", "bob", "cid"]) == {"ann": new, "bob": new, "cid": other}
    seats.take({})
    assert seats.rows([]) == {}


def test_a_large_export_is_compiled_where_nobody_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled(tmp_path / "a.db") as ledger:
        ledger.export(tmp_path / "a.txt")
    assert isinstance(recounted(tmp_path / "a.txt", "auto")._known.seats, ListSeats)
    monkeypatch.setattr(verifying, "_LARGE", 0)
    assert isinstance(recounted(tmp_path / "a.txt", "auto")._known.seats, ArraySeats)
