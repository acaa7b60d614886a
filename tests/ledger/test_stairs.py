"""Steps of ratings: how many are above, without a look at all; kept by raters, made anew, and held to the ratings."""

import math
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, text
from told import Clock, game

import tallymark as tm
from tallymark.ledger import stairs
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.stairs import CODES, Everybody, all_above, built, cut, differences
from tallymark.ledger.tables import RATING, STAIR
from tallymark.ledger.verify import verify

groups = st.dictionaries(st.floats(-1e3, 1e3), st.integers(1, 50), max_size=60)


@pytest.fixture
def ledger(ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    monkeypatch.setattr(stairs, "STEP", 4)
    monkeypatch.setattr(stairs, "_FEW", 3)  # some steps are counted value by value, some at once
    with Ledger.open(ledger_url, create=True, clock=Clock()) as made:
        made.open_pool("p", "arena")
        yield made


@given(groups=groups)
def test_steps_have_everybody_and_few(groups: dict[float, int]) -> None:
    ordered = sorted(groups.items())
    steps = cut(-2e3, 2e3, ordered)
    starts = sorted(steps)
    assert list(steps) == starts
    assert starts[0] == -2e3
    for start, end in zip(starts, [*starts[1:], 2e3], strict=True):
        on = [(value, count) for value, count in ordered if start <= value < end]
        assert steps[start] == sum(count for _, count in on)
        assert steps[start] <= stairs.STEP or len(on) == 1


def held(ledger: Ledger) -> int:
    """Steps say what a count says; how many there are."""
    with ledger._store.reading() as connection:
        found = connection.execute(select(RATING).where(RATING.c.pool == 1, RATING.c.place.is_not(None))).all()
        everybody = Everybody()
        for row in found:
            everybody.add({"place": row.place, "rating": row.rating, "low": row.low})
        assert differences(connection, 1, everybody) == []
        for measure in CODES:
            values = [getattr(row, measure) for row in found]
            asked = sorted({*values, *(math.nextafter(one, 0.0) for one in values), -1e9, 0.0, 1e9})
            assert all_above(connection, 1, measure, asked) == [sum(one > value for one in values) for value in asked]
        assert all_above(connection, 2, "low", [1.0]) == [0]
        return len(connection.execute(select(STAIR)).all())


def test_raters_keep_them(ledger: Ledger, ledger_url: str) -> None:
    for n in range(12):
        ledger.append_many([game(f"{n} {k}", f"a{k}", f"b{n * k % 40}", k % 3 / 2) for k in range(25)], pool="p")
        ledger.settle(most=10)
        held(ledger)
    assert held(ledger) > 8
    ledger.adjust({"a3": tm.Rating(1900, 30), "new": tm.Rating(1000, 50)}, pool="p", id="c", reason="so it is")
    ledger.annul(["1 3"], pool="p", id="d", reason="not played")
    ledger.settle()
    held(ledger)
    verify(ledger_url)


def test_two_raters_keep_them(ledger: Ledger, ledger_url: str) -> None:
    with Ledger.open(ledger_url, clock=Clock()) as other:
        for n in range(8):
            which = (ledger, other)[n % 2]
            which.append_many([game(f"{n} {k}", f"a{k}", f"b{k}", 1) for k in range(20)], pool="p")
            which.settle()
    held(ledger)


def test_many_who_are_equal_are_a_step_by_themselves(ledger: Ledger) -> None:
    ledger.append_many([game(n, f"a{n}", f"b{n}", 1) for n in range(60)], pool="p")
    ledger.settle()
    with ledger._store.reading() as connection:
        counts: list[int] = list(connection.scalars(select(STAIR.c.count)))
    assert max(counts) == 60
    assert held(ledger)
    ledger.append_many([game(100 + n, f"a{n}", f"c{n}", 1) for n in range(10)], pool="p")
    ledger.settle()
    held(ledger)


def test_what_is_wrong_is_told_and_made_anew(ledger: Ledger) -> None:
    ledger.append_many([game(n, f"a{n}", f"b{n % 7}", 1) for n in range(60)], pool="p")
    ledger.settle()
    with ledger._store.writing() as connection:
        connection.execute(text("UPDATE stair SET count = count + 1 WHERE measure = 2"))
    differed = ledger.rebuild("p").differed
    assert differed
    assert all("count of the step of lows from" in str(one) for one in differed)
    assert ledger.rebuild("p").differed == []
    held(ledger)
    with ledger._store.writing() as connection:
        connection.execute(text("DELETE FROM stair"))
    assert len(ledger.rebuild("p").differed) == 2
    with ledger._store.writing() as connection:
        built(connection, 1)
    held(ledger)


def test_who_is_nowhere_is_counted_nowhere() -> None:
    assert stairs.measured({"place": None, "rating": 1.0, "low": None}) is None
