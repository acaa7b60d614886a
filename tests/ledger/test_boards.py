"""Boards: pages that neither repeat nor lose anybody, weeks and months, and their order."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from told import Clock, game, new

import tallymark as tm
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.places import DEVIATION, deviation_bytes, place_of, place_of_rating, rating_of
from tallymark.ledger.reading import rows as board_rows
from tallymark.ledger.reading.boards import Board
from tallymark.ledger.reading.rows import Which
from tallymark.ledger.tables import RATING
from tallymark.ledger.telling import instant_of
from tallymark.ledger.windows import window_of
from tallymark.replay.schedule import DAY

finite = st.floats(-1e9, 1e9)
ids: st.SearchStrategy[Id] = st.integers(-(2**63), 2**63 - 1) | st.text("ab9é\U0001f600", min_size=1, max_size=4)
places = st.tuples(finite, st.floats(0, 1e6), st.integers(0, 2**62), ids)


def by_rule(place: tuple[float, float, int, Id]) -> tuple[Any, ...]:
    rating, deviation, games, player = place
    return -rating, deviation, -games, isinstance(player, str), player


@given(a=places, b=places)
def test_places_are_in_the_order_of_boards(a: tuple[float, float, int, Id], b: tuple[float, float, int, Id]) -> None:
    for one, other in ((a, b), (a, (*a[:3], b[3])), (a, (*a[:2], *b[2:])), (a, (a[0], *b[1:]))):
        assert (place_of(*one) < place_of(*other)) == (by_rule(one) < by_rule(other))
        assert (place_of(*one) == place_of(*other)) == (by_rule(one) == by_rule(other))


@given(place=places)
def test_places_tell_what_they_are_made_of(place: tuple[float, float, int, Id]) -> None:
    told = place_of(*place)
    assert rating_of(told) == place[0]
    assert told.startswith(place_of_rating(place[0]))
    assert told[DEVIATION] == deviation_bytes(place[1])


def paged(ledger: tm.Ledger, limit: int, **asked: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    after = None
    while True:
        page = ledger.board("p", after=after, limit=limit, **asked)
        rows += page.table.rows()
        assert 0 < len(page.table) <= limit
        after = page.next
        if after is None:
            return rows


def newcomers(folder: Path, pairs: int = 15, rules: str = "arena") -> tm.Ledger:
    """Many who are equal in all but their ids, some of which are numbers; and a few who are not."""
    ledger = new(folder, rules)
    names: list[Id] = [n if n % 3 else f"p{n}" for n in range(2 * pairs)]
    matches = [game(n, names[2 * n], names[2 * n + 1], 1) for n in range(pairs)]
    ledger.append_many([*matches, game("x", names[0], names[3], 1), game("y", names[0], names[5], 0.5)], pool="p")
    ledger.settle()
    return ledger


@pytest.mark.parametrize("limit", [1, 2, 7, 29, 30, 1000])
def test_pages_have_everybody_once_in_the_order_of_ratings(limit: int, tmp_path: Path) -> None:
    ledger = newcomers(tmp_path)
    rows = paged(ledger, limit)
    assert [row["player"] for row in rows] == ledger.ratings("p")["player"].tolist()
    best = [row["rating"] for row in rows]
    assert [row["rank"] for row in rows] == [1 + sum(rating > one for rating in best) for one in best]


@pytest.mark.parametrize("window", ["all-time", "week", "month"])
def test_around_a_player(window: str, tmp_path: Path) -> None:
    ledger = newcomers(tmp_path)
    everybody = paged(ledger, 1000)
    for place, row in enumerate(everybody):
        for limit in (1, 4, 5, 40):
            page = ledger.board("p", window, around=row["player"], limit=limit)  # type: ignore[arg-type]
            first = max(0, min(place - limit // 2, len(everybody) - limit))
            assert list(page.table.rows()) == everybody[first : first + limit]
            assert (page.next is None) == (first + limit >= len(everybody))
            if page.next is not None:
                behind = ledger.board("p", window, after=page.next, limit=limit)  # type: ignore[arg-type]
                assert list(behind.table.rows()) == everybody[first + limit : first + 2 * limit]
    with pytest.raises(InputError, match="not on this board"):
        ledger.board("p", around="stranger")


def test_ranks_are_of_those_who_take_one(tmp_path: Path) -> None:
    rules = tm.methodology("lichess")
    assert rules.published.rankable_deviation is not None
    ledger = new(tmp_path, rules)
    many = [game(n, f"p{n % 4}", f"p{(n + 1) % 4}", n % 3 / 2, "2026-01-01") for n in range(90)]
    ledger.append_many([*many, game("x", "best", "p0", 1, "2026-01-02")], pool="p")
    ledger.settle()
    want = [row["rank"] for row in paged(ledger, 1000)]
    assert want[0] is None
    assert want[1:] == [1, 2, 3, 4]
    for limit in (1, 2, 3):
        assert [row["rank"] for row in paged(ledger, limit)] == want
    assert [ledger.board("p", around=f"p{n}", limit=1).table["rank"].tolist() for n in range(4)] == [
        [row["rank"]] for row in sorted(paged(ledger, 9), key=lambda row: str(row["player"]))[1:]
    ]


def test_nobody_is_on_a_board_without_a_match(tmp_path: Path) -> None:
    ledger = new(tmp_path, "arena")
    assert len(ledger.board("p").table) == 0
    ledger.import_state(tm.Snapshot.from_arrays(player=["a", "b"], rating=[1600, 1700]), pool="p", at="2026-01-01")
    ledger.settle()
    board = ledger.board("p")
    assert (len(board.table), board.next, board.position, board.frozen) == (0, None, 2, False)
    assert len(ledger.ratings("p")) == 2


def names(board: Board) -> list[Any]:
    return list(board.table["player"])


def test_weeks_and_months(tmp_path: Path) -> None:
    clock = Clock(instant_of("2026-11-29T23:59:59.999999"))  # the last instant of a week
    ledger = new(tmp_path, "arena", clock=clock)
    ledger.append(game(1, "a", "b", 1), pool="p")
    clock.now += 1
    ledger.append(game(2, "c", "b", 1), pool="p")
    ledger.settle()
    clock.now += 2 * DAY  # December, the same week
    ledger.append(game(3, "d", "b", 1), pool="p")
    ledger.settle()
    first, second = (ledger.board("p", "week", at=day) for day in ("2026-11-28", "2026-12-06T23:59:59"))
    assert (sorted(names(first)), first.frozen, first.position) == (["a", "b"], True, 2)
    assert (sorted(names(second)), second.frozen, second.position) == (["b", "c", "d"], False, 4)
    assert first.window == window_of("week", instant_of("2026-11-23"))
    november, december = ledger.board("p", "month", at="2026-11-01"), ledger.board("p", "month")
    assert (sorted(names(november)), november.frozen, november.position) == (["a", "b", "c"], True, 3)
    assert (sorted(names(december)), december.frozen) == (["b", "d"], False)
    # Ratings are those at the end of the window: b had lost once, twice, and three times.
    lost = [board.table["losses"][names(board).index("b")] for board in (first, november, second)]
    assert lost == [1, 2, 3]
    assert first.table["provisional"].all()
    clock.now += 30 * DAY  # a new week and month, in which nothing was settled
    for window in ("week", "month"):
        assert len(ledger.board("p", window).table) == 0
    again = ledger.board("p", "month", at="2026-12-31")
    assert (list(again.table.rows()), again.frozen) == (list(december.table.rows()), False)
    assert len(ledger.board("p", "week", at="2020-01-01").table) == 0
    ledger.append(game(4, "a", "b", 1), pool="p")
    ledger.settle()
    frozen = ledger.board("p", "month", at="2026-12-31")
    assert (list(frozen.table.rows()), frozen.frozen) == (list(december.table.rows()), True)
    assert list(ledger.board("p", "week", at="2026-12-01").table.rows()) == list(second.table.rows())


def test_a_week_of_many_entries_is_read_from_the_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = newcomers(tmp_path)
    few = [list(ledger.board("p", "week", limit=limit).table.rows()) for limit in (3, 1000)]
    middle = few[1][len(few[1]) // 2]["player"]
    assert isinstance(middle, str | int)
    around = list(ledger.board("p", "week", limit=3, around=middle).table.rows())
    for name, value in (("_WORTH", 0), ("PAGE", 5)):
        monkeypatch.setattr(board_rows, name, value)
        assert [list(ledger.board("p", "week", limit=limit).table.rows()) for limit in (3, 1000)] == few
        assert paged(ledger, 4, window="week") == paged(ledger, 1000)
        if name == "_WORTH":
            assert list(ledger.board("p", "week", limit=3, around=middle).table.rows()) == around


def test_a_page_is_found_by_the_index(ledger_url: str) -> None:
    with tm.Ledger.open(ledger_url, create=True, clock=Clock()) as ledger:
        ledger.open_pool("p", "arena")
        ledger.append_many([game(n, f"a{n}", f"b{n}", n % 2) for n in range(300)], pool="p")
        ledger.settle()
        with ledger._store.writing() as connection:
            if "sqlite" in ledger_url:
                plan = "EXPLAIN QUERY PLAN "
            else:
                connection.execute(text("ANALYZE rating"))
                connection.execute(text("SET enable_seqscan = off"))  # 600 rows are read sooner as they lie
                plan = "EXPLAIN "
            which = Which(RATING, {"pool": 1}, 0, None, None)
            query = board_rows._places(board_rows._parts(which), board_rows._Order(">", ""), False)
            asked = {"pool": 1, "first": 0, "place": b"\x80", "count": 5}
            told = [str(row) for row in connection.execute(text(plan + query.text), asked)]
        assert len([line for line in told if "rating_board" in line]) == len(which.parts)
        assert not [line for line in told if "SCAN rating" in line or "Seq Scan" in line]
        assert [row["player"] for row in paged(ledger, 100)] == ledger.ratings("p")["player"].tolist()
        assert [row["player"] for row in paged(ledger, 100, window="month")] == ledger.ratings("p")["player"].tolist()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"window": "year"}, "expected all-time, week, month, rolling"),
        ({"at": "2026-01-01"}, "at is for weeks and months"),
        ({"limit": 0}, "from 1 to 1,000"),
        ({"limit": 1001}, "from 1 to 1,000"),
        ({"after": "x"}, "expected what a page of this board has as next"),
        ({"after": "1_1_0x1.8p+10_00"}, "expected what a page"),
        ({"after": "1_1_inf_1_0_" + "00" * 33, "around": "a"}, "both given"),
        ({"search": "a", "around": "a"}, "both given"),
        ({"search": ""}, "expected the beginning"),
        ({"window": "rolling"}, "days is None"),
        ({"window": "rolling", "days": 0}, "from 1 to 3660"),
        ({"window": "rolling", "days": 7, "at": "2026-01-01"}, "at is for weeks"),
        ({"days": 7}, "days is for rolling"),
        ({"kind": "robot"}, "kind is 'robot'; expected person, agent, house, item"),
        ({"provisional": True}, "expected with, apart, without"),
        ({"window": "week", "at": "soon"}, "expected a time"),
    ],
)
def test_what_is_no_board(asked: dict[str, Any], says: str, tmp_path: Path) -> None:
    ledger = newcomers(tmp_path, 3)
    with pytest.raises(InputError, match=says):
        ledger.board("p", **asked)
    with pytest.raises(InputError, match="which have an end"):
        ledger.window("all-time")
