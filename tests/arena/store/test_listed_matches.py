"""Lists of matches: whoever goes on behind the last one of each page meets every match once."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import event

import tallymark as tm
from tallymark.arena.store import matches, records, schema
from tallymark.arena.store.agents import Agent, register
from tallymark.arena.store.matches import Match, Place, Sitting

STATES: list[matches.State] = ["playing", "over", "settled", "aborted"]


def match(n: int, started: int, game: str, agents: tuple[str, str], state: matches.State) -> Match:
    """A match of that number."""
    seats = tuple(Sitting(seat, agent, "agent", "1", "", None, None) for seat, agent in enumerate(agents))
    name = f"{game}-{n}"
    return Match(name, game, n, game, True, f"{game}-1", state, "hall", bytes(32), started, None, None, None, seats)


drawn = st.builds(
    lambda started, game, agents, state: (started, game, agents, state),
    st.integers(0, 5),  # many begin in the same microsecond
    st.sampled_from(["hex", "chess"]),
    st.permutations(["ann", "bob", "cyd"]).map(lambda some: (some[0], some[1])),
    st.sampled_from(STATES),
)


@settings(max_examples=30, deadline=None)
@given(
    first=st.lists(drawn, max_size=12),
    later=st.lists(drawn, max_size=4),
    limit=st.integers(1, 5),
    game=st.sampled_from([None, "hex"]),
    agent=st.sampled_from([None, "ann"]),
    state=st.sampled_from([None, "settled"]),
    over=st.booleans(),
)
def test_pages_have_every_match_once_whatever_begins_meanwhile(
    first: list[tuple[int, str, tuple[str, str], matches.State]],
    later: list[tuple[int, str, tuple[str, str], matches.State]],
    limit: int,
    game: str | None,
    agent: str | None,
    state: matches.State | None,
    over: bool,
) -> None:
    there = [match(n, *one) for n, one in enumerate(first)]
    new = [match(len(first) + n, 10 + one[0], *one[1:]) for n, one in enumerate(later)]
    wanted = [
        one
        for one in there
        if game in (None, one.game)
        and state in (None, one.state)
        and not (over and one.state == "playing")
        and (agent is None or agent in [seat.agent for seat in one.seats])
    ]
    wanted.sort(key=lambda one: (one.started, one.id), reverse=True)
    with tempfile.TemporaryDirectory() as folder, tm.Ledger.open(Path(folder) / "x.db", create=True) as ledger:
        schema.upgraded(ledger.store)
        with ledger.store.writing() as connection:
            for name in ("ann", "bob", "cyd"):
                register(connection, Agent(name, "owner"), 0)
            if there:
                matches.begin(connection, there)
        found: list[str] = []
        after: Place | None = None
        while True:
            with ledger.store.reading() as connection:
                page = matches.listed(
                    connection, game=game, agent=agent, state=state, over=over, after=after, limit=limit
                )
            found += [one.id for one in page]
            if len(page) < limit:
                break
            after = Place(page[-1].started, page[-1].id)
            if new:
                with ledger.store.writing() as connection:
                    matches.begin(connection, new)
                new = []
    assert found == [one.id for one in wanted]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"game": "hex"},
        {"state": "settled"},
        {"over": True},
        {"game": "hex", "state": "settled"},
        {"agent": "ann"},
        {"agent": "ann", "game": "hex", "state": "settled"},
    ],
    ids=lambda asked: "-".join(asked) or "all",
)
def test_no_page_sorts_all_matches(tmp_path: Path, asked: dict[str, Any]) -> None:
    sent: list[tuple[str, Any]] = []
    with tm.Ledger.open(tmp_path / "x.db", create=True) as ledger:
        schema.upgraded(ledger.store)
        with ledger.store.reading() as connection:

            def note(_: Any, cursor: Any, statement: str, parameters: Any, *more: Any) -> None:
                sent.append((statement, parameters))

            event.listen(connection, "before_cursor_execute", note)
            for after in (None, Place(17, "hex-1")):
                matches.listed(connection, **asked, after=after)
            event.remove(connection, "before_cursor_execute", note)
            assert len(sent) == 2
            plans = [
                row[3]
                for statement, parameters in sent
                for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            ]
    assert plans
    assert not [plan for plan in plans if "TEMP B-TREE" in plan or ("SCAN" in plan and "INDEX" not in plan)]


def test_both_stores_go_on_behind_a_place(ledger_url: str) -> None:
    with tm.Ledger.open(ledger_url, create=True) as ledger:
        schema.upgraded(ledger.store)
        with ledger.store.writing() as connection:
            for name in ("ann", "bob"):
                register(connection, Agent(name, "owner"), 0)
            matches.begin(connection, [match(n, n // 2, "hex", ("ann", "bob"), "settled") for n in range(5)])
        with ledger.store.reading() as connection:
            for agent in (None, "ann"):
                found = matches.listed(connection, agent=agent, state="settled", after=Place(1, "hex-3"))
                assert [one.id for one in found] == ["hex-2", "hex-1", "hex-0"]
            assert matches.playing(connection) == {}
            assert matches.failed(connection, "ann") == (5, 0, 0, 0)


def test_the_last_two_records_of_matches_are_read_at_once(ledger_url: str) -> None:
    with tm.Ledger.open(ledger_url, create=True) as ledger:
        schema.upgraded(ledger.store)
        with ledger.store.writing() as connection:
            for name in ("ann", "bob"):
                register(connection, Agent(name, "owner"), 0)
            matches.begin(connection, [match(n, n, "hex", ("ann", "bob"), "settled") for n in range(3)])
            rows = [(f"hex-{n}", k, b"%d" % k) for n, count in ((0, 1), (1, 12)) for k in range(count)]
            records.keep(ledger.store, connection, rows)
        with ledger.store.reading() as connection:
            found = records.last(connection, ["hex-1", "hex-0", "hex-2", "none"])
            assert found == {"hex-0": [(0, b"0")], "hex-1": [(10, b"10"), (11, b"11")]}
            assert records.last(connection, []) == {}
