"""Single matches, pairs of players, predictions, and the methodologies of a pool."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from told import Clock, game, new, shown

import tallymark as tm
from tallymark.errors import InputError, UnknownError
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.reading import counted
from tallymark.ledger.telling import instant_of
from tallymark.replay.schedule import DAY


@pytest.fixture
def ledger(ledger_url: str) -> Iterator[Ledger]:
    with Ledger.open(ledger_url, create=True, clock=Clock()) as made:
        made.open_pool("p", "arena")
        yield made


def played(ledger: Ledger, *matches: dict[str, Any]) -> None:
    ledger.append_many(matches, pool="p")
    ledger.settle()


def test_a_match(ledger: Ledger) -> None:
    ledger.append(game(1, "a", "b", 1, "2026-01-02", ending="timeout"), pool="p")
    waiting = ledger.match("p", 1)
    assert (waiting.state, waiting.position, waiting.settled_at, waiting.changed_by) == ("waiting", None, None, None)
    assert [side.rank for side in waiting.sides] == [1, 2]
    ledger.settle()
    played(ledger, game(2, "b", "a", 0.5), game(3, "a", "b", None))
    before = shown(ledger)
    played(ledger, game(4, "a", "b", 0))
    info = ledger.match("p", 4)
    entry = ledger.entry("p", 5)
    assert (info.pool, info.id, info.state, info.reason, info.position) == ("p", 4, "rated", None, 5)
    assert (info.hash, info.changed_by, info.rules, info.period) == (entry.hash.hex(), 5, 1, None)
    assert [side.rank for side in info.sides] == [2, 1]
    a, b = (side.seats[0] for side in info.sides)
    for seat, score in ((a, 0.0), (b, 1.0)):
        assert (seat.before, seat.after, seat.score) == (
            tm.Rating(*before[seat.player]), tm.Rating(*shown(ledger)[seat.player]), score
        )  # fmt: skip
        assert seat.change == shown(ledger)[seat.player][0] - before[seat.player][0]
        assert seat.previous == 3
    assert a.before is not None
    assert b.before is not None
    expected = tm.methodology("arena").system.expected(a.before, b.before)
    assert a.expected == pytest.approx(expected, abs=1e-12)
    assert a.expected + b.expected == pytest.approx(1.0)  # type: ignore[operator]
    first = ledger.match("p", 1)
    assert (first.ending, str(first.played_at)) == ("timeout", "2026-01-02 00:00:00+00:00")
    assert (first.sides[0].seats[0].expected, first.sides[0].seats[0].before) == (0.5, tm.Rating(1500, 350, 0.06))
    none = ledger.match("p", 3)
    assert (none.state, none.reason, none.sides[0].rank, none.sides[0].seats[0].score) == (
        "not-rated", "no-result", None, None
    )  # fmt: skip
    assert orjson.loads(none.content)["score_a"] is None
    ledger.adjust({"a": tm.Rating(1600, 90)}, pool="p", id="command", reason="a slip")
    for wrong in ("x", "command", "1"):
        with pytest.raises(UnknownError):
            ledger.match("p", wrong)


def test_a_match_of_teams(ledger: Ledger) -> None:
    played(ledger, game(0, "a", "z", 1))
    sides = [{"players": ["a", "b"], "rank": 2}, {"players": ["c"], "rank": 1}, {"players": ["d"], "rank": 2}]
    played(ledger, {"id": 1, "sides": sides})
    info = ledger.match("p", 1)
    seats = {seat.player: seat for side in info.sides for seat in side.seats}
    assert {player: seat.score for player, seat in seats.items()} == {"a": 0.5, "b": 0.5, "c": 3.0, "d": 1.0}
    assert sum(seat.expected for seat in seats.values()) == pytest.approx(5.0)  # type: ignore[misc]
    assert seats["a"].expected > seats["b"].expected == 1.0  # type: ignore[operator]
    assert [side.rank for side in info.sides] == [2, 1, 2]


def test_corrections_of_a_match(ledger: Ledger, ledger_url: str) -> None:
    played(ledger, game(1, "a", "b", 1), game("1", "a", "b", 1), game(2, "a", "b", 1, data={"kind": "corrected"}))
    ledger.annul([1, 2], pool="p", id="c1", reason="not played", case="7", approvers=["ann", "bob"])
    ledger.settle()
    (one,) = ledger.match("p", 1).corrections
    assert (one.position, one.what, one.reason, one.case, one.approvers) == (
        5,
        "annul",
        "not played",
        "7",
        ("ann", "bob"),
    )
    assert (ledger.match("p", 1).state, ledger.match("p", 2).state, ledger.match("p", "1").state) == (
        "annulled", "annulled", "rated"
    )  # fmt: skip
    assert ledger.match("p", "1").corrections == ()
    ledger.restore([1], pool="p", id="c2", reason="played after all")
    ledger.change(game(1, "b", "a", 1), pool="p", id="c3", reason="a typo")
    ledger.settle()
    info = ledger.match("p", 1)
    assert (info.state, [one.what for one in info.corrections]) == ("rated", ["annul", "restore", "change"])
    assert info.recorded is not None
    assert [seat.player for side in info.recorded for seat in side.seats] == ["b", "a"]
    assert [seat.player for side in info.sides for seat in side.seats] == ["a", "b"]  # no rating changed
    assert (info.counts, info.late, info.anew, info.first) == (True, "ledger-order", None, None)
    assert orjson.loads(info.content)["player_a"] == "a"
    with Ledger.open(ledger_url) as other:
        assert other.match("p", 1) == info


def test_a_match_of_a_calendar_period(tmp_path: Path) -> None:
    rules = tm.methodology("paper").with_(period="7d", origin="2026-01-05")
    ledger = new(tmp_path, rules)
    played(ledger, game(1, "a", "b", 1, "2026-01-06"), game(2, "b", "a", 1, "2026-01-13"))
    first, second = ledger.match("p", 1), ledger.match("p", 2)
    assert (first.state, first.period, second.period) == ("accepted", 0, 1)
    assert second.changed_by is None
    assert second.sides[0].seats[0].before is None
    assert first.changed_by is not None
    assert ledger.entry("p", first.changed_by).body.startswith(b'{"n":3,"kind":"closed"')
    seat = first.sides[0].seats[0]
    assert (seat.before, seat.after) == (tm.Rating(1500, 350, 0.06), ledger.history("a", "p")[0].after)
    assert seat.score == 1.0
    ledger.close_periods("p")
    ledger.settle()
    again = ledger.match("p", 1)
    assert again == first
    after = ledger.match("p", 2).sides[1].seats[0]
    assert (after.before, after.after) == (seat.after, ledger.history("a", "p")[0].after)


@pytest.mark.parametrize("late", ["ledger-order", "recompute"])
def test_head_to_head(late: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = new(tmp_path, tm.methodology("arena").with_(late=late))
    scores = [1, 0, 0.5, 1, 1]
    played(ledger, *[game(n, *(("a", "b") if n % 2 else ("b", "a")), s) for n, s in enumerate(scores)])
    played(ledger, *[game(f"x{n}", "a", "c", 1) for n in range(9)])
    sides = [{"players": ["a", "c"], "rank": 1}, {"players": ["b"], "rank": 2}]
    played(ledger, {"id": "t", "sides": sides}, {"id": "u", "sides": [{"players": ["a", "b"], "rank": 1},
                                                                      {"players": ["c"], "rank": 2}]})  # fmt: skip
    both = ledger.head_to_head("a", "b", "p", limit=2)
    assert both[:4] == (6, 2, 1, 3)
    assert [(one.match, one.score) for one in both.meetings] == [("t", 1.0), (4, 0.0)]
    assert both.whole
    assert ledger.head_to_head("b", "a", "p")[:4] == (6, 3, 1, 2)
    more = ledger.head_to_head("a", "b", "p", before=both.meetings[-1].position)
    assert [one.match for one in more.meetings] == [3, 2, 1, 0]
    assert more[:4] == both[:4]
    ledger.annul([0, "t"], pool="p", id="c", reason="not played")
    ledger.change(game(1, "a", "b", 1), pool="p", id="d", reason="a typo")
    assert ledger.head_to_head("a", "b", "p")[:4] == both[:4]  # they wait
    ledger.settle()
    now = ledger.head_to_head("a", "b", "p")
    # On record alone, a correction changes no rating, and so nothing that is counted with it.
    assert now[:4] == ((4, 2, 1, 1) if late == "recompute" else (6, 2, 1, 3))
    of_a = ledger.records("a", "p")
    assert (of_a.whole, of_a.position) == (True, now.position)
    assert of_a.records[0] == ("c", 10, 10, 0, 0)
    assert of_a.records[1] == ("b", *now[:4])
    monkeypatch.setattr(counted, "LOOKED_AT", 3)
    some = ledger.head_to_head("a", "b", "p")
    assert (some.games < now.games, some.whole) == (True, False)
    assert not ledger.records("a", "p").whole
    with pytest.raises(UnknownError, match="'nobody' has no rating"):
        ledger.head_to_head("a", "nobody", "p")
    with pytest.raises(InputError, match="both 'a'"):
        ledger.head_to_head("a", "a", "p")


@pytest.mark.parametrize("name", ["arena", "lichess", "elo", "votes", "go-float", "go-onchain", "contest", "calendar"])
def test_predictions_are_those_of_a_replay(name: str, tmp_path: Path) -> None:
    rules = (
        tm.methodology("paper").with_(period="7d")
        if name == "calendar"
        else tm.methodology(name if name != "glicko" else "contest")
    )
    ledger = new(tmp_path, rules)
    for n in range(25):
        day = f"2026-01-{n + 1:02}"
        ledger.append(game(n, n % 4, (n + 1 + n % 3) % 4, n % 2, day), pool="p")
    ledger.settle()
    replay = tm.replay(ledger.games("p"), rules)
    for a, b in ((0, 1), (3, 2), (0, "new"), ("x", "y")):
        for at in (None, "2026-01-26", "2026-03-01", "2026-01-02"):
            (want,) = tm.predict(replay, [a], [b], at=at).rows()
            got = ledger.predict("p", a, b, at=at)
            assert (got.p_a, got.logit_a, got.note) == (want["p_a"], want["logit_a"], want["note"])
            assert (got.a.rating, got.a.deviation) == (want["rating_a"], want["deviation_a"])
            assert (got.b.rating, got.b.deviation) == (want["rating_b"], want["deviation_b"])
            assert (got.provisional_a, got.provisional_b) == (want["provisional_a"], want["provisional_b"])
            assert got.position == ledger.head("p").position
    assert ledger.predict("p", 0, "new").position_b == 0
    assert ledger.predict("p", 0, "new").position_a > 1
    with pytest.raises(InputError, match="a and b are both 0"):
        ledger.predict("p", 0, 0)
    ledger.open_pool("empty", rules)
    assert ledger.predict("empty", "x", "y").p_a == 0.5


def test_the_methodologies_of_a_pool(ledger: Ledger) -> None:
    clock = ledger._clock
    assert isinstance(clock, Clock)
    played(ledger, game(1, "a", "b", 1))
    clock.now += DAY
    other = tm.methodology("arena").with_(tau=0.6)
    ledger.change_rules("p", other, id="r")
    ledger.settle()
    first, second = ledger.rules_history("p")
    assert (first.position, first.methodology, first.hash) == (
        1,
        tm.methodology("arena").id,
        tm.methodology("arena").hash,
    )
    assert (second.position, second.methodology, second.hash) == (3, other.id, other.hash)
    assert (second.at - first.at).days == 1
    assert instant_of(second.at.isoformat()) == clock.now
    ledger.change_rules("p", "arena", id="back")
    ledger.settle()
    assert len(ledger.rules_history("p")) == 3
