"""Boards of some: by kind, provisional or not, found by a beginning; and ranks that are shared."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select
from told import Clock, game

import tallymark as tm
from tallymark.errors import InputError
from tallymark.ledger.ids import id_of
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.people import KINDS
from tallymark.ledger.reading import rows as board_rows
from tallymark.ledger.reading import search
from tallymark.ledger.reading.shared import shared
from tallymark.ledger.tables import RATING
from tallymark.replay.schedule import DAY

HOUSE = [f"p{n}" for n in range(0, 24, 4)]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(ledger_url: str, clock: Clock) -> Iterator[Ledger]:
    """Some who have played much and some little, in two pools; of some it is known what they are."""
    with Ledger.open(ledger_url, create=True, clock=clock) as made:
        for pool in ("p", "q"):
            made.open_pool(pool, "arena")
            for player in HOUSE[:3]:
                made.name(player, f"House {player}", kind="house")
            made.append_many(
                [game(n, f"p{n % 12}", f"p{n % 24}", n % 3 / 2) for n in range(999) if n % 24 > 11], pool=pool
            )
            made.settle()
            for player in HOUSE[3:]:
                made.name(player, f"House {player}", kind="house")
        made.name("p1", "Åsa Öberg", kind="person")
        made.name("p2", "ann", kind="person")
        made.name("p3", "ANNA", kind="agent")
        yield made


def players(ledger: Ledger, pool: str = "p", **asked: Any) -> list[Any]:
    found: list[Any] = []
    after = None
    while True:
        board = ledger.board(pool, after=after, limit=5, **asked)
        found += board.table["player"].tolist()
        after = board.next
        if after is None:
            assert found == ledger.board(pool, limit=1000, **asked).table["player"].tolist()
            return found


def test_kinds(ledger: Ledger) -> None:
    order = ledger.ratings("p")["player"].tolist()
    for pool in ("p", "q"):
        assert players(ledger, pool, kind="house") == [player for player in order if player in HOUSE]
        assert players(ledger, pool, kind="person") == [player for player in order if player in ("p1", "p2")]
    assert players(ledger, kind="item") == []
    ledger.name("p1", kind="agent")
    assert sorted(players(ledger, kind="agent")) == ["p1", "p3"]
    ledger.forget("p1")
    assert players(ledger, kind="agent") == ["p3"]
    table = ledger.board("p", kind="house").table
    assert table["rank"].tolist() == [1 + sum(one > rating for one in table["rating"]) for rating in table["rating"]]
    ledger.rebuild("p")
    assert players(ledger, kind="house") == [player for player in order if player in HOUSE]


def test_kinds_of_weeks_that_are_over(ledger: Ledger, clock: Clock) -> None:
    week = "2026-05-28"
    before = players(ledger, window="week", at=week, kind="house")
    assert sorted(before) == sorted(HOUSE)
    clock.now += 7 * DAY
    ledger.append(game("later", "p0", "p1", 1), pool="p")
    ledger.settle()
    assert ledger.board("p", "week", at=week).frozen
    assert players(ledger, window="week", at=week, kind="house") == before
    assert players(ledger, window="week", kind="house") == ["p0"]
    ledger.name("p1", kind="house")
    assert sorted(players(ledger, window="week", at=week, kind="house")) == sorted([*HOUSE, "p1"])
    ledger.forget("p0")
    assert "p0" not in players(ledger, window="week", at=week, kind="house")
    ledger.rebuild("p")
    assert sorted(players(ledger, window="week", at=week, kind="house")) == sorted([*HOUSE[1:], "p1"])


@pytest.mark.parametrize(("few", "worth"), [(5000, 130_000), (5000, 0), (3, 130_000)])
def test_provisional_apart(few: int, worth: int, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_rows, "PAGE", few)
    monkeypatch.setattr(board_rows, "_WORTH", worth)
    ledger.append_many([game(f"n{n}", f"n{n}", "p0", 1) for n in range(4)], pool="p")
    ledger.settle()
    table = ledger.ratings("p")
    both = list(zip(table["player"].tolist(), table["provisional"].tolist(), strict=True))
    assert {provisional for _, provisional in both} == {True, False}
    for asked in ({}, {"window": "week"}, {"window": "rolling", "days": 1}, {"window": "month"}):
        assert players(ledger, provisional="apart", **asked) == [player for player, is_so in both if is_so]
        assert players(ledger, provisional="without", **asked) == [player for player, is_so in both if not is_so]
        assert players(ledger, provisional="with", **asked) == table["player"].tolist()
        house = [player for player, is_so in both if not is_so and player in HOUSE]
        assert players(ledger, provisional="without", kind="house", **asked) == house
    rows = list(ledger.board("p", provisional="without", kind="house").table.rows())
    around = ledger.board("p", provisional="without", kind="house", around=house[1], limit=1)
    assert list(around.table.rows()) == rows[1:2]


def test_a_deviation_at_the_bound_is_not_provisional(ledger: Ledger) -> None:
    ledger.adjust({"p0": tm.Rating(1500, 110.0), "p1": tm.Rating(1500, 110.00001)}, pool="p", id="c", reason="to see")
    ledger.settle()
    assert "p0" in players(ledger, provisional="without")
    assert "p1" in players(ledger, provisional="apart")


def test_other_rules_say_otherwise_who_is_provisional(ledger: Ledger) -> None:
    assert players(ledger, provisional="without")
    ledger.change_rules("p", tm.methodology("arena").with_(provisional_deviation=1.0), id="strict")
    ledger.settle()
    assert players(ledger, provisional="without") == []
    assert ledger.board("p").table["provisional"].all()
    assert ledger.rebuild("p").differed == []


def test_searches(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger.append_many([game("a", 12, "p0", 1), game("b", "12", "p0", 1), game("c", 123, "Ann", 1)], pool="p")
    ledger.settle()
    order = ledger.ratings("p")["player"].tolist()
    ranks = {row["player"]: row["rank"] for row in ledger.board("p").table.rows()}

    def found(text: str, **asked: Any) -> list[Any]:
        board = ledger.board("p", search=text, **asked)
        assert not board.cut
        return list(board.table["player"])

    assert found("house") == [player for player in order if player in HOUSE]
    assert found("HOUSE P4") == ["p4"]
    assert found("åsa ö") == ["p1"]
    assert found("A\u030asa") == ["p1"]
    assert set(found("ann")) == {"p2", "p3"}  # of an id, capitals make a difference
    assert set(found("Ann")) == {"p2", "p3", "Ann"}
    assert set(found("12")) == {12, "12", 123}
    assert found("p1", kind="person") == ["p1"]
    assert found("p1", provisional="apart") == [p for p in players(ledger, provisional="apart") if str(p)[:2] == "p1"]
    assert found("%") == found("p_") == found("nobody") == []
    board = ledger.board("p", search="p1", limit=2)
    assert board.next is not None
    rest = ledger.board("p", search="p1", after=board.next)
    rows = [*board.table.rows(), *rest.table.rows()]
    assert [row["player"] for row in rows] == [player for player in order if str(player)[:2] == "p1"]
    assert [row["rank"] for row in rows] == [ranks[row["player"]] for row in rows]  # on the whole board
    assert ledger.board("p", search="p1", kind="person").table["rank"].tolist() == [None]
    ledger.forget("p1")
    assert found("åsa") == []
    monkeypatch.setattr(search, "LOOKED_AT", 3)
    board = ledger.board("p", search="p1")
    assert (len(board.table), board.cut) == (3, True)


def test_shared_ranks(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    states: dict[str | int, tm.Rating] = {f"p{n}": tm.Rating(1000 + 40 * n, 30 + n % 5) for n in range(0, 24, 2)}
    ledger.adjust(states, pool="p", id="c", reason="to see")
    ledger.settle()
    table = ledger.board("p", limit=1000, shared=True).table
    with ledger._store.reading() as connection:
        rows = {id_of(row.player): row for row in connection.execute(select(RATING).where(RATING.c.pool == 1))}
    intervals = {
        player: (row.rating - 2 * row.deviation, row.rating + 2 * row.deviation) for player, row in rows.items()
    }
    want = {player: 1 + sum(low > high for low, _ in intervals.values()) for player, (_, high) in intervals.items()}
    got = dict(zip(table["player"].tolist(), table["shared_rank"].tolist(), strict=True))
    assert got == want
    assert len(set(got.values())) > 3
    assert shared(list(intervals.values())) == [want[player] for player in intervals]
    assert next(iter(table.columns)) == "pool"
    house = ledger.board("p", kind="house", shared=True).table
    assert house["shared_rank"].tolist() == shared([intervals[player] for player in house["player"]])
    week = ledger.board("p", "week", shared=True, limit=7, around="p5").table
    assert week["shared_rank"].tolist() == [want[player] for player in week["player"]]
    # Of who is found, it is that on the board which is searched.
    last, rank = house["player"].tolist()[-1], house["shared_rank"].tolist()[-1]
    assert rank > 1
    found = ledger.board("p", "week", kind="house", search=f"house {last}", shared=True).table
    assert found["shared_rank"].tolist() == [rank]
    monkeypatch.setattr(board_rows, "SHARED", 6)
    assert None not in ledger.board("p", "week", kind="house", shared=True, limit=2).table["shared_rank"].tolist()
    assert ledger.board("p", "week", shared=True, limit=2).table["shared_rank"].tolist() == [None] * 2
    monkeypatch.setattr(board_rows, "SHARED", 5)
    assert ledger.board("p", kind="house", shared=True).table["shared_rank"].tolist() == [None] * 6
    monkeypatch.setattr(board_rows, "SHARED", 1000)
    monkeypatch.setattr(board_rows, "PAGE", 10)
    assert ledger.board("p", "week", shared=True, limit=2).table["shared_rank"].tolist() == [None] * 2


@pytest.mark.parametrize("asked", [{"kind": "house"}, {"window": "week"}, {"window": "week", "kind": "house"}])
def test_far_down_a_board_of_some_nobody_is_counted(
    asked: dict[str, Any], ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ledger.board("p", **asked).table
    order = whole["player"].tolist()
    ranks = dict(zip(order, whole["rank"].tolist(), strict=True))
    monkeypatch.setattr(board_rows, "PAGE", 2)
    near = ledger.board("p", around=order[1], limit=2, **asked)
    assert [row["rank"] for row in near.table.rows()] == [ranks[player] for player in near.table["player"]]
    far = ledger.board("p", around=order[4], limit=2, **asked)
    assert order[4] in far.table["player"]
    assert far.table["rank"].tolist() == [None, None]
    while far.next is not None:
        far = ledger.board("p", after=far.next, limit=2, **asked)
        assert set(far.table["rank"]) == {None}
    assert far.table["player"].tolist()[-1] == order[-1]
    board = ledger.board("p", around=order[4], limit=2)
    assert None not in board.table["rank"].tolist()  # of all, there are steps


def test_who_is_named_while_a_first_match_is_rated(ledger: Ledger) -> None:
    for n, kind in enumerate(KINDS):
        ledger.append(game(f"k{n}", f"k{n}", "p0", 1), pool="p")
        if n % 2:
            ledger.settle()
        ledger.name(f"k{n}", kind=kind)
    ledger.settle()
    for n, kind in enumerate(KINDS):
        assert f"k{n}" in players(ledger, kind=kind)


def test_a_page_is_of_one_board(ledger: Ledger) -> None:
    with pytest.raises(InputError, match="not on this board"):
        ledger.board("p", kind="house", around="p1")
