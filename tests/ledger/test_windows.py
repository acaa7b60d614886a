"""Weeks and months: where they begin and end, and what is frozen of them."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select, update
from told import Clock, game, kinds, new

import tallymark as tm
from tallymark.errors import LedgerError
from tallymark.games.times import format_instant
from tallymark.ledger.tables import CLOSING, WINDOW
from tallymark.ledger.telling import instant_of
from tallymark.ledger.verify import verify
from tallymark.ledger.windows import SPANS, Span, end_of, over, together, window_of
from tallymark.replay.schedule import DAY
from tallymark.table_cells import Value

HOUR = DAY // 24
instants = st.integers(instant_of("1980-01-01"), instant_of("2150-01-01"))


def when(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1_000_000, UTC)


@given(at=instants)
def test_windows_are_those_of_the_calendar(at: int) -> None:
    week, month = (window_of(span, at) for span in SPANS)
    assert week.start <= at < week.end
    assert when(week.start).isocalendar()[:2] == when(at).isocalendar()[:2] != when(week.end).isocalendar()[:2]
    assert (when(week.start).isoweekday(), week.start % DAY) == (1, 0)
    assert (when(month.start).year, when(month.start).month) == (when(at).year, when(at).month)
    assert when(month.start).day == when(month.end).day == 1
    assert month.start <= at < month.end <= month.start + 31 * DAY
    assert window_of("month", month.end - 1) == month


@given(at=instants, later=st.integers(0, 40 * DAY))
def test_a_window_is_over_once_another_has_begun(at: int, later: int) -> None:
    left = {window.span for window in over(at, at + later)}
    assert left == {span for span in SPANS if window_of(span, at) != window_of(span, at + later)}
    assert bool(left) == (at + later >= end_of(at))
    assert together(at, [at, at + later, at]) == (1 if left else 3)


def ladder(folder: Path, *, cut: int = 2000) -> tm.Ledger:
    """Matches of three weeks, appended as they are played, and settled in batches."""
    clock = Clock(instant_of("2026-11-27T12:00"))  # a Friday
    ledger = new(folder, "arena", clock=clock)
    for n in range(40):
        ledger.append(game(n, f"p{n % 5}", f"p{(n + 1 + n // 5) % 5 if (1 + n // 5) % 5 else 6}", n % 2), pool="p")
        clock.now += 11 * HOUR
        if n % cut == 0:
            ledger.settle()
    ledger.settle()
    return ledger


def frozen(ledger: tm.Ledger) -> list[list[tuple[object, ...]]]:
    with ledger._store.reading() as connection:
        return [sorted(map(tuple, connection.execute(select(table)))) for table in (WINDOW, CLOSING)]


def test_what_is_frozen_does_not_depend_on_batches(tmp_path: Path) -> None:
    found = []
    for cut in (1, 7, 2000):
        folder = tmp_path / str(cut)
        folder.mkdir()
        found.append(frozen(ladder(folder, cut=cut)))
    assert found[0] == found[1] == found[2]
    assert [row[1] for row in found[0][0]] == [1, 1, 1, 2]  # three weeks, and November


def test_windows_are_rebuilt_and_verified(tmp_path: Path) -> None:
    ledger = ladder(tmp_path)
    before = frozen(ledger)
    assert verify(tmp_path / "ledger.db").entries == 41
    assert ledger.rebuild("p").differed == []
    for change in (
        delete(WINDOW),
        delete(CLOSING).where(CLOSING.c.player == "p1"),
        update(CLOSING).where(CLOSING.c.kind == 1).values(games=CLOSING.c.games + 1),
        update(WINDOW).values(start=WINDOW.c.start + 1),
    ):
        with ledger._store.writing() as connection:
            connection.execute(change)
        with pytest.raises(LedgerError, match="frozen at"):
            verify(tmp_path / "ledger.db")
        assert ledger.rebuild("p").differed
        assert frozen(ledger) == before
    ledger.export(tmp_path / "all.tally")
    (tmp_path / "other").mkdir()
    with tm.Ledger.open(tmp_path / "other" / "ledger.db", create=True) as other:
        other.import_bundle(tmp_path / "all.tally")
        assert frozen(other) == before


def test_only_matches_put_a_player_on_a_board(tmp_path: Path) -> None:
    clock = Clock(instant_of("2026-11-27T12:00"))
    ledger = new(tmp_path, "arena", clock=clock)
    ledger.append(game(1, "a", "b", 1), pool="p")
    ledger.append(game(2, "a", "c", 1), pool="p")
    ledger.settle()
    clock.now += 7 * DAY
    ledger.append(game(3, "a", "b", 1), pool="p")
    ledger.adjust({"c": tm.Rating(1600, 90)}, pool="p", id="case 1", reason="a slip of the pen")
    ledger.settle()
    clock.now += 7 * DAY
    ledger.append(game(4, "a", "b", 1), pool="p")
    ledger.settle()
    assert kinds(ledger) == ["opened", "rated", "rated", "rated", "adjusted", "rated"]
    with ledger._store.reading() as connection:
        found = connection.execute(
            select(CLOSING.c.player, CLOSING.c.position, CLOSING.c.settled).where(CLOSING.c.kind == 1)
        ).all()
    assert sorted(map(tuple, found)) == sorted(
        [("a", 3, 3), ("b", 2, 2), ("c", 3, 3), ("a", 4, 4), ("b", 4, 4), ("c", 5, 3)]
    )


def test_on_either_store(ledger_url: str) -> None:
    clock = Clock(instant_of("2026-11-27T12:00"))
    with tm.Ledger.open(ledger_url, create=True, clock=clock) as ledger:
        ledger.open_pool("p", "lichess")
        boards, tables = [], [ledger.ratings("p")]
        for n in range(12):
            ledger.append(game(n, f"p{n % 4}", f"p{(n + 1) % 4}", n % 2, f"2026-10-{n + 1:02}"), pool="p")
            ledger.settle()
            boards.append((clock.now, list(ledger.board("p", "week").table.rows())))
            tables.append(ledger.ratings("p"))
            clock.now += 50 * HOUR
        for number, (at, rows) in enumerate(boards[:-1]):
            if window_of("week", at) != window_of("week", boards[number + 1][0]):
                board = ledger.board("p", "week", at=np.datetime64(at, "us"))
                assert (board.frozen, list(board.table.rows())) == (True, rows)
        for position, table in enumerate(tables, 1):
            assert list(ledger.ratings("p", position).rows()) == list(table.rows())
        assert ledger.rebuild("p").differed == []
        assert verify(ledger_url).entries == 13


steps = st.lists(
    st.tuples(
        st.integers(0, 4), st.integers(1, 4), st.sampled_from([1, 0, 0.5]), st.integers(-20, 20), st.integers(0, 300)
    ),
    min_size=1,
    max_size=25,
)
RULES = {
    "match": tm.methodology("arena"),
    "recomputed": tm.methodology("lichess").with_(late="recompute"),
    "periods": tm.methodology("paper").with_(period="7d", late="next-period"),
    "recomputed-periods": tm.methodology("paper").with_(period="7d", late="recompute"),
}


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(played=steps)
def test_boards_follow_from_the_entries(
    name: str, played: list[tuple[int, int, float, int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever comes when, late or corrected: what was frozen is what was shown, and what a recount gives."""
    folder = tmp_path_factory.mktemp("l")
    clock = Clock(instant_of("2026-11-20T12:00"))
    ledger = new(folder, RULES[name], clock=clock)
    shown: dict[tuple[Span, int], list[dict[str, Value]]] = {}
    for n, (a, b, score, days, hours) in enumerate(played):
        clock.now += hours * HOUR
        at = format_instant(min(clock.now, clock.now + days * DAY))
        ledger.append(game(n, f"p{a}", f"p{(a + b) % 5}", score, at), pool="p")
        if n % 7 == 5:
            ledger.annul([n - 3], pool="p", id=f"case {n}", reason="a slip")
        ledger.settle()
        for span in SPANS:
            window = window_of(span, clock.now)
            shown[span, window.start] = list(ledger.board("p", span).table.rows())
    for (span, start), rows in shown.items():
        assert list(ledger.board("p", span, at=np.datetime64(start, "us")).table.rows()) == rows
    assert verify(folder / "ledger.db").pools[0].pool == "p"
    ratings = {row["player"]: row for row in ledger.ratings("p").rows()}
    for row in ledger.board("p").table.rows():
        assert {key: value for key, value in row.items() if key != "rank"} == ratings[row["player"]]


def test_times_without_a_whole_week_or_month_are_refused(tmp_path: Path) -> None:
    with new(tmp_path, "arena") as ledger:
        for span in SPANS:
            for at in ("0001-01-01", "9999-12-31"):
                with pytest.raises(tm.InputError, match="expected a time from 0001-02-10 to 9999-11-21"):
                    ledger.window(span, at)
                with pytest.raises(tm.InputError, match="expected a time from"):
                    ledger.board("p", span, at=at)
        assert ledger.entries("p", 2**63 - 1) == []
        assert ledger.effects("p", 2**63 - 1) == []
        with pytest.raises(tm.InputError, match="expected the beginning of a name or id"):
            ledger.board("p", search="\0")


def test_a_window_is_frozen_by_what_is_settled_later_and_not_by_the_clock(tmp_path: Path) -> None:
    """What was received before its end is settled in it, however long it waits: in a queue, or to be rated."""
    clock = Clock(instant_of("2026-11-27T12:00"))  # a Friday
    ledger = new(tmp_path, "arena", clock=clock)
    for n, (one, other) in enumerate((("ann", "bob"), ("cid", "dan"))):
        ledger.append(game(n, one, other, 1), pool="p")
        if n == 0:
            ledger.settle()
    clock.now += 7 * DAY
    week = ledger.board("p", "week", at="2026-11-27")
    assert (week.frozen, set(week.table["player"].tolist())) == (False, {"ann", "bob"})
    ledger.settle()
    week = ledger.board("p", "week", at="2026-11-27")
    assert (week.frozen, set(week.table["player"].tolist())) == (False, {"ann", "bob", "cid", "dan"})
    ledger.append(game(2, "ann", "bob", 0), pool="p")
    ledger.settle()
    then = ledger.board("p", "week", at="2026-11-27")
    assert (then.frozen, then.position, list(then.table.rows())) == (True, 3, list(week.table.rows()))
