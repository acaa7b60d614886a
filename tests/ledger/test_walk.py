"""Pages that are followed while games are rated: everybody once, in the order of the first page."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from told import Clock, game, new

import tallymark as tm
from tallymark.errors import StaleError
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.reading import walk
from tallymark.ledger.reading.boards import Board
from tallymark.replay.schedule import DAY


@pytest.fixture
def ledger(ledger_url: str) -> Iterator[Ledger]:
    with Ledger.open(ledger_url, create=True, clock=Clock()) as made:
        made.open_pool("p", "arena")
        yield made


def played(ledger: Ledger, *matches: dict[str, Any]) -> None:
    ledger.append_many(matches, pool="p")
    ledger.settle()


def equals(ledger: Ledger, groups: int, each: int) -> None:
    """Groups of players who are equal in all but their ids: they have won, drawn, lost as often as each other."""
    matches, n = [], 0
    for group in range(groups):
        for one in range(each):
            for win in range(group):
                matches.append(game(n, f"g{group}p{one:02}", f"o{n}", (0, 0.5, 1)[(group + win) % 3]))
                n += 1
    played(ledger, *matches)


def walked(ledger: Ledger, limit: int, between: Callable[[int], None], **asked: Any) -> tuple[list[Any], list[Board]]:
    """The players of all pages; `between` is called with the number of the page that was read."""
    found: list[Any] = []
    pages: list[Board] = []
    after = None
    while True:
        board = ledger.board("p", after=after, limit=limit, **asked)
        found += board.table["player"].tolist()
        pages.append(board)
        between(len(pages))
        after = board.next
        if after is None:
            return found, pages


def test_a_game_between_two_pages_repeats_and_loses_nobody(ledger: Ledger) -> None:
    names = [f"p{n:03}" for n in range(250)]
    state = tm.Snapshot.from_arrays(
        player=[*names, "x"], rating=[1500 + 100 * (n // 50) for n in range(250)] + [900], deviation=[60.0] * 251
    )
    ledger.import_state(state, pool="p", at="2026-01-01")
    played(ledger, *[game(n, name, "x", 0.5) for n, name in enumerate(names)])
    order = ledger.ratings("p")["player"].tolist()
    assert len(order) == 251
    whole, pages = walked(ledger, 20, lambda page: None)
    assert (whole, len(pages), {page.since for page in pages}) == (order, 13, {252})

    def one_game(page: int) -> None:
        if page == 6:  # one who was shown meets one who was not
            played(ledger, game("between", order[115], order[125], 0))

    again, pages = walked(ledger, 20, one_game)
    assert again == order
    assert [page.since for page in pages] == [252] * 13
    assert [page.position for page in pages] == [252] * 6 + [253] * 7
    assert [page.moved for page in pages if page.moved] == [(order[125],)]
    now = ledger.ratings("p")
    told = {row["player"]: row["rating"] for page in pages[6:] for row in page.table.rows()}
    assert told[order[125]] == now["rating"][now["player"].tolist().index(order[125])]  # the numbers of now
    assert ledger.board("p", limit=1000).table["player"].tolist() == now["player"].tolist() != order


steps = st.lists(
    st.tuples(
        st.integers(0, 11), st.integers(0, 11), st.sampled_from([0, 0.5, 1]), st.sampled_from(["", "team", "set"])
    ),
    max_size=4,
)


@settings(max_examples=25)
@given(
    before=st.lists(steps, min_size=1, max_size=4), between=st.lists(steps, max_size=6), limit=st.integers(1, 5),
    rules=st.sampled_from(["arena", "votes", "elo", "lichess", "go-onchain"]),
    asked=st.sampled_from([{}, {"window": "week"}, {"window": "rolling", "days": 2}, {"provisional": "without"},
                           {"provisional": "apart"}, {"search": "p"}]),
)  # fmt: skip
def test_everybody_once_whatever_is_rated(
    before: list[Any], between: list[Any], limit: int, rules: str, asked: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    clock = Clock()
    ledger = new(tmp_path_factory.mktemp("walk"), rules, clock=clock)
    count = 0

    def happens(some: list[Any]) -> None:
        nonlocal count
        for a, b, score, kind in some:
            count += 1
            x, y = f"p{a}", f"p{b}" if a != b else "o"
            if kind == "set" and rules != "go-onchain":
                ledger.adjust({x: tm.Rating(1500 + 10 * b, 50 + a, 0.06)}, pool="p", id=f"c{count}", reason="so it is")
            elif kind == "team" and rules != "go-onchain":
                sides = [{"players": [x, y], "rank": 1}, {"players": ["q"], "rank": 1 + (score > 0)}]
                ledger.append({"id": count, "sides": sides}, pool="p")
            else:
                ledger.append(game(count, x, y, score), pool="p")
        ledger.settle()
        clock.now += 1000

    for some in before:
        happens(some)
        clock.now += DAY // 2
    # What one page of all of them says is what the pages say, whatever comes between.
    want = list(ledger.board("p", limit=1000, **asked).table.rows())
    found, pages = walked(
        ledger, limit, lambda page: happens(between[page - 1]) if page <= len(between) else None, **asked
    )
    assert found == [row["player"] for row in want]
    if "search" not in asked:
        assert [row["rank"] for page in pages for row in page.table.rows()] == [row["rank"] for row in want]
    unmoved = [row for page in pages for row in page.table.rows() if row["player"] not in page.moved]
    told = {row["player"]: row | {"rank": None} for row in want}
    assert [told[row["player"]] for row in unmoved] == [row | {"rank": None} for row in unmoved]


def test_ranks_behind_a_place_in_the_middle_while_games_are_rated(ledger: Ledger) -> None:
    equals(ledger, 3, 4)
    want = {row["player"]: row["rank"] for row in ledger.board("p", limit=1000).table.rows()}
    middle = ledger.board("p", limit=1000).table["player"].tolist()[len(want) // 2]
    board = ledger.board("p", around=middle, limit=1)
    played(ledger, game("x", "g2p00", "stranger", 1), game("y", "stranger", "g1p00", 1))
    after = board.next
    while after is not None:
        board = ledger.board("p", after=after, limit=2)
        assert [row["rank"] for row in board.table.rows()] == [want[player] for player in board.table["player"]]
        after = board.next


def test_a_board_that_is_another_one_is_said_to_be(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    equals(ledger, 3, 4)
    after = ledger.board("p", limit=2).next
    week = ledger.board("p", "week", limit=2).next
    played(ledger, game("x", "g2p00", "g2p01", 1), game("y", "g2p00", "g2p01", 1))
    assert ledger.board("p", after=after).since < ledger.head("p").position
    monkeypatch.setattr(walk, "PAGE", 1)
    with pytest.raises(StaleError, match="2 entries have come since"):
        ledger.board("p", after=after)
    monkeypatch.undo()
    with pytest.raises(StaleError, match="another entry"):
        ledger.board("p", after=week)
    ledger.change_rules("p", tm.methodology("arena").with_(tau=0.6), id="rules")
    ledger.settle()
    with pytest.raises(StaleError, match="moved everybody") as error:
        ledger.board("p", after=after)
    assert error.value.hint == "begin again"


def test_a_week_that_ends_while_it_is_read(tmp_path: Path) -> None:
    clock = Clock()
    ledger = new(tmp_path, "arena", clock=clock)
    equals(ledger, 3, 3)
    at = "2026-05-28"
    assert clock.now == 1_780_000_000_000_000  # a Thursday
    want = ledger.board("p", "week", at=at, limit=1000).table["player"].tolist()

    def ends(page: int) -> None:
        played(ledger, game(f"b{page}", want[0], want[-1], 1))
        clock.now += 5 * DAY if page == 2 else 0

    found, pages = walked(ledger, 4, ends, window="week", at=at)
    assert found == want
    assert (pages[0].frozen, pages[-1].frozen, pages[-1].since) == (False, True, pages[0].position)


def test_the_last_days_are_those_of_the_first_page(tmp_path: Path) -> None:
    clock = Clock()
    ledger = new(tmp_path, "arena", clock=clock)
    for n in range(5):
        played(ledger, game(n, f"a{n}", f"b{n}", 1))
        clock.now += DAY
    first = ledger.board("p", "rolling", days=2, limit=3)
    assert sorted(first.table["player"]) == ["a3", "a4", "b3"]  # settled exactly two days ago counts
    clock.now += DAY
    rest = ledger.board("p", "rolling", days=2, after=first.next)
    assert rest.table["player"].tolist() == ["b4"]
    assert sorted(ledger.board("p", "rolling", days=2).table["player"]) == ["a4", "b4"]
    assert first.window is not None
    assert first.window.end - first.window.start == 2 * DAY
    assert len(ledger.board("p", "rolling", days=6).table) == 10
    assert len(ledger.board("p", "rolling", days=3000).table) == 10
