"""One truth: the record of a board is the sum of what stands against each opponent, whatever was corrected."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_same_as_replay import START, matches
from told import new, rows

import tallymark as tm
from tallymark.games.ids import Id
from tallymark.games.times import format_instant
from tallymark.ledger.entries import prefix
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.orders import read
from tallymark.ledger.reading import effects
from tallymark.ledger.reading.seats import Side
from tallymark.ledger.reading.states import everybody

WEEKS = tm.methodology("paper").with_(period="7d", origin=format_instant(START))
KINDS = {
    "match": tm.methodology("arena").with_(late="recompute"),
    "game": tm.methodology("lichess").with_(late="recompute"),
    "no draws": tm.methodology("arena").with_(late="recompute", draws=False),
    "on record": tm.methodology("arena"),
    "weeks": WEEKS.with_(late="recompute"),
    "weeks, refused": WEEKS.with_(late="refuse"),
    "weeks, next": WEEKS.with_(late="next-period"),
}
PEOPLE: list[Id] = ["ann", "bob", "10", 9, 10, "Zoe"]


@st.composite
def told(draw: st.DrawFn) -> list[tuple[str, Any]]:
    """Matches, most of them in their order, and corrections of those that came before; now and then all is settled."""
    played = draw(matches(most=20))
    if draw(st.booleans()):
        played = draw(st.permutations(played))
    people = draw(st.sampled_from([[], ["merge", "part"]]))
    out: list[tuple[str, Any]] = []
    for n, match in enumerate(played):
        out.append(("play", match))
        for _ in range(draw(st.integers(0, 2))):
            of = played[draw(st.integers(0, n))]
            what = draw(st.sampled_from(["annul", "restore", "change", "change", "settle", "close", *people]))
            a, b = draw(st.permutations(PEOPLE))[:2]
            if what == "change":
                score = draw(st.sampled_from([1, 0, 0.5, None]))
                same = draw(st.booleans())
                who = (of["player_a"], of["player_b"]) if same else (a, b)
                out.append((what, {**of, "player_a": who[0], "player_b": who[1], "score_a": score}))
            elif what in ("annul", "restore"):
                out.append((what, of["id"]))
            else:
                out.append((what, (a, b)))
    return out


def tell(ledger: Ledger, n: int, what: str, about: Any) -> None:
    said: dict[str, Any] = {"pool": "p", "id": f"c{n}", "reason": "r"}
    if what == "play":
        ledger.append(about, pool="p")
    elif what == "change":
        ledger.change(about, **said)
    elif what == "annul":
        ledger.annul([about], **said)
    elif what == "restore":
        ledger.restore([about], **said)
    elif what == "merge":
        ledger.merge(about[0], into=about[1], **said)
    elif what == "part":
        ledger.part(about[0], **said)
    elif what == "close" and ledger.rules("p").period.kind == "calendar":
        ledger.close_periods("p")
        ledger.settle()
    else:
        ledger.settle()


def agree(ledger: Ledger) -> None:
    """Board rows, sums of records, and what two say of each other."""
    stood = rows(ledger)
    for player, row in stood.items():
        found = ledger.records(player, "p")
        assert found.whole
        sums = tuple(map(sum, zip((0, 0, 0, 0), *(one[1:] for one in found.records), strict=True)))
        assert sums == (row.games, row.wins, row.draws, row.losses), player
        for one in found.records:
            both = ledger.head_to_head(player, one.opponent, "p", limit=100)
            assert both[:4] == one[1:]
            assert [meeting.score for meeting in both.meetings].count(0.5) == one.draws
            back = ledger.head_to_head(one.opponent, player, "p")
            assert back[:4] == (one.games, one.losses, one.draws, one.wins)


def told_by_history(ledger: Ledger) -> None:
    """Where nobody was merged, the matches of a history that count now are those of the record; but for what a
    recomputation put in the place of something equal: it did not move the player, and so made no row."""
    for player, row in rows(ledger).items():
        history = ledger.history(player, "p", 1000)
        now = {match.match: match.now for change in history for match in change.matches if match.now is not None}
        counted = {
            meeting.match: meeting.score
            for one in ledger.records(player, "p").records
            for meeting in ledger.head_to_head(player, one.opponent, "p", limit=100).meetings
        }
        assert len(counted) == row.games
        moved = {change.of for change in history}
        unmoved = [again for again in ledger.recomputations("p") if again.position not in moved]
        equal = {match for again in unmoved for cause in again.causes for match in cause.matches}
        assert {match: one.score for match, one in now.items()} == {
            match: score for match, score in counted.items() if match in now or match not in equal
        }, player
        for change in history:
            header = None if change.of is None else prefix(ledger.entry("p", change.of).body).kind
            assert bool(change.causes) == (header == "restated")


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=told())
@pytest.mark.parametrize("kind", KINDS)
def test_the_record_is_the_sum_of_what_stands_against_each(
    kind: str, steps: list[tuple[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with new(tmp_path_factory.mktemp("l"), KINDS[kind]) as ledger:
        for n, (what, about) in enumerate(steps):
            tell(ledger, n, what, about)
            if n == len(steps) // 2:
                ledger.settle()
                agree(ledger)
        ledger.settle()
        agree(ledger)
        tell(ledger, len(steps), "close", None)
        agree(ledger)
        if not any(what == "merge" for what, _ in steps):
            told_by_history(ledger)


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=told())
@pytest.mark.parametrize("kind", ["match", "game", "weeks"])
def test_what_a_match_does_now_is_what_it_does_in_a_ledger_that_was_told_so_at_once(
    kind: str, steps: list[tuple[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with new(tmp_path_factory.mktemp("l"), KINDS[kind]) as ledger:
        for n, (what, about) in enumerate(steps):
            tell(ledger, n, what, about)
        ledger.settle()
        tell(ledger, len(steps), "close", None)
        infos = [ledger.match("p", about["id"]) for what, about in steps if what == "play"]
        counting = [info for info in infos if info.counts]
        counting.sort(key=lambda one: (one.played_at, isinstance(one.id, str), one.id))
        with new(tmp_path_factory.mktemp("l"), KINDS[kind]) as other:
            for info in counting:
                a, b = (side.seats[0] for side in info.sides)
                told = {"id": info.id, "player_a": a.player, "player_b": b.player, "score_a": a.score}
                other.append({**told, "played_at": str(info.played_at).replace(" ", "T")}, pool="p")
            other.settle()
            tell(other, 0, "close", None)
            for info in counting:
                want = other.match("p", info.id).sides
                assert [without_entry(side) for side in info.sides] == [without_entry(side) for side in want]
                # Behind a recomputation, whose entry has no times of matches, ageing is not in what was expected.
                exact = info.changed_by != info.position
                for one, other_one in zip(info.sides, want, strict=True):
                    expected = other_one.seats[0].expected
                    assert one.seats[0].expected == (expected if exact else pytest.approx(expected, abs=0.01))
        for info in infos:
            at_all = [one for one in info.corrections if one.what in ("annul", "restore")][-1:]
            if not info.counts and not any(one.what == "annul" for one in at_all):
                assert info.state == "not-rated"
                assert info.reason is not None
        if ledger.recomputations("p"):
            agree_with(ledger)


def without_entry(side: Side) -> tuple[object, ...]:
    """All but what was expected, and the entry before."""
    return side.rank, [seat[:2] + seat[3:5] for seat in side.seats]


def agree_with(ledger: Ledger) -> None:
    """The values of the last recomputation end where its chunks say."""
    last = ledger.recomputations("p")[-1]
    values = ledger.computed("p", last.position)
    assert values is not None
    for one in range(last.position + 1, last.position + 1 + last.chunks):
        rules = ledger.rules("p")
        for player, state in everybody(ledger.entry("p", one).body, rules).items():
            ends = [value.told.rating for value in values.of(player)][-1:]
            assert ends == [state.rating] or (not ends and state.rating == rules.initial())


def test_a_read_that_breaks_off_half_way_doubles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with new(tmp_path, tm.methodology("arena").with_(late="recompute")) as ledger:
        for n in range(2):
            ledger.append({"id": n, "player_a": "ann", "player_b": "bob", "score_a": 1}, pool="p")
            ledger.settle()
            ledger.annul([n], pool="p", id=f"c{n}", reason="r")
            ledger.settle()
    with Ledger.open(tmp_path / "ledger.db") as ledger:
        with monkeypatch.context() as patched:
            patched.setattr(read, "correction", breaking(read.correction))
            with pytest.raises(OSError, match="gone"):
                ledger.said("p", [0])
        assert [one.what for one in ledger.said("p", [0])[0].corrections] == ["annul"]
        with monkeypatch.context() as patched:
            patched.setattr("tallymark.ledger.reading.again.bodies", breaking(effects.bodies))
            with pytest.raises(OSError, match="gone"):
                ledger.recomputations("p")
        assert [[cause.matches for cause in one.causes] for one in ledger.recomputations("p")] == [[(0,)], [(1,)]]


def breaking(whole: Callable[..., Any]) -> Callable[..., Any]:
    """A function that works once."""
    calls = iter(["once"])

    def once(*given: object) -> Any:
        if next(calls, None) is None:
            raise OSError("the file is gone")
        return whole(*given)

    return once
