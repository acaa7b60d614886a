"""What a pool is told besides matches: what each does, what refuses it, and that a stranger recounts all of it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from told import Clock, bodies, game, kinds, new, rows, shown

import tallymark as tm
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.verify import verify

WEEKS = tm.methodology("paper").with_(period="7d", origin="2026-01-05")


def played(ledger: Ledger, *days: int, first: int = 0) -> None:
    """A game a day of January 2026 between a few people."""
    people = ["ann", "bob", "cid", "dee"]
    for n, day in enumerate(days, first):
        a, b = people[n % 4], people[(n + 1 + n // 4 % 3) % 4]
        ledger.append(game(n, a, b, [1, 0, 0.5][n % 3], f"2026-01-{day:02}T12:00:00Z"), pool="p")
    ledger.settle()


def last(ledger: Ledger) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(bodies(ledger)[-1])
    return told


def recounted(ledger: Ledger, folder: Path) -> None:
    """A stranger recounts the export, and the ledger what it shows."""
    ledger.export(folder / "export.txt")
    assert verify(folder / "export.txt").entries == len(bodies(ledger))


def test_rules_change_forward_only(tmp_path: Path) -> None:
    ledger = new(tmp_path, "arena-v0")
    played(ledger, 1, 2)
    before = shown(ledger)
    ledger.change_rules("p", "arena-v1-draft", id="bounds")
    ledger.settle()
    assert shown(ledger) == before
    assert ledger.rules("p").id == "arena-v1-draft"
    played(ledger, 3, first=2)
    assert last(ledger)["rules"] == 4
    assert [json.loads(body)["rules"] for body in bodies(ledger)] == [1, 1, 1, 1, 4]
    recounted(ledger, tmp_path)


def test_rules_of_another_kind_are_refused(tmp_path: Path) -> None:
    ledger = new(tmp_path, "arena")
    ledger.change_rules("p", "elo", id="no")
    ledger.settle()
    assert (last(ledger)["kind"], last(ledger)["reason"]) == ("refused", "other-system")
    assert ledger.rules("p").id == "arena-v0"
    recounted(ledger, tmp_path)


def test_rules_of_a_calendar_pool_change_with_the_next_period(tmp_path: Path) -> None:
    ledger = new(tmp_path, WEEKS)
    played(ledger, 5, 6)
    ledger.change_rules("p", WEEKS.with_(tau=0.3), id="calmer")
    ledger.settle()
    assert ledger.rules("p") == WEEKS
    played(ledger, 13, first=2)
    assert ledger.rules("p").system.tau == 0.3  # type: ignore[attr-defined]
    told = [json.loads(body) for body in bodies(ledger)]
    assert [(one["kind"], one["rules"]) for one in told][-3:] == [("closed", 1), ("states", 1), ("accepted", 4)]
    recounted(ledger, tmp_path)


def test_corrections_under_recompute(tmp_path: Path) -> None:
    rules = tm.methodology("arena").with_(late="recompute")
    ledger = new(tmp_path, rules)
    played(ledger, 1, 2, 3, 4)
    whole = shown(ledger)
    ledger.annul([1, 2], pool="p", id="a1", reason="played by a bot", case="17", approvers=["eve", "fay"])
    ledger.settle()
    assert kinds(ledger)[-4:] == ["corrected", "restated", "states", "closed"]
    with new(_folder(tmp_path, "without"), rules) as other:
        other.append_many([game(0, "ann", "bob", 1, "2026-01-01T12:00:00Z")], pool="p")
        other.append_many([game(3, "dee", "ann", 1, "2026-01-04T12:00:00Z")], pool="p")
        other.settle()
        assert shown(ledger) == shown(other)
    ledger.restore([1, 2], pool="p", id="a2", reason="it was no bot")
    ledger.settle()
    assert shown(ledger) == whole
    ledger.change(game(0, "ann", "bob", 0, "2026-01-01T12:00:00Z"), pool="p", id="a3", reason="a typing slip")
    ledger.settle()
    assert (rows(ledger)["bob"].wins, rows(ledger)["ann"].wins) == (1, 0)
    assert shown(ledger) != whole
    recounted(ledger, tmp_path)


def _folder(path: Path, name: str) -> Path:
    (path / name).mkdir()
    return path / name


def test_who_is_annulled_altogether_is_on_no_board(tmp_path: Path) -> None:
    ledger = new(tmp_path, tm.methodology("arena").with_(late="recompute"))
    ledger.append(game(1, "ann", "bob", 1, "2026-01-01"), pool="p")
    ledger.settle()
    ledger.annul([1], pool="p", id="x", reason="never played")
    ledger.settle()
    assert shown(ledger) == {}
    recounted(ledger, tmp_path)


@pytest.mark.parametrize(("late", "told"), [("refuse", "refused"), ("next-period", "corrected")])
def test_corrections_of_published_periods(tmp_path: Path, late: str, told: str) -> None:
    ledger = new(tmp_path, WEEKS.with_(late=late))
    played(ledger, 5, 6, 13)
    before = shown(ledger)
    ledger.annul([0], pool="p", id="x", reason="never played")
    ledger.settle()
    assert last(ledger)["kind"] == told
    assert shown(ledger) == before
    recounted(ledger, tmp_path)


@pytest.mark.parametrize("late", ["refuse", "next-period", "recompute"])
def test_corrections_of_the_open_period_count(tmp_path: Path, late: str) -> None:
    ledger = new(tmp_path, WEEKS.with_(late=late))
    played(ledger, 5, 6)
    ledger.annul([0], pool="p", id="x", reason="never played")
    ledger.close_periods("p", "2026-01-12")
    ledger.settle()
    assert {who: row.games for who, row in rows(ledger).items()} == {"bob": 1, "cid": 1}
    recounted(ledger, tmp_path)


def test_votes_of_a_voter_are_voided(tmp_path: Path) -> None:
    ledger = new(tmp_path, tm.methodology("votes").with_(late="recompute"))
    for n in range(6):
        vote = game(n, "tea", "coffee", n % 2, f"2026-01-0{n + 1}", data={"voter": "v" if n < 4 else "w", "ballot": n})
        ledger.append(vote, pool="p")
    ledger.settle()
    ledger.void_voter("v", pool="p", id="void v", reason="a script", approvers=["eve"])
    ledger.settle()
    assert rows(ledger)["tea"].games == 2
    with pytest.raises(InputError, match="no vote of 'x'"):
        ledger.void_voter("x", pool="p", id="void x", reason="a script")
    recounted(ledger, tmp_path)


def test_adjusted_states(tmp_path: Path) -> None:
    ledger = new(tmp_path, "arena")
    played(ledger, 1, 2, 3)
    games = {who: row.games for who, row in rows(ledger).items()}
    ledger.adjust({"ann": tm.Rating(1400, 90, 0.06)}, pool="p", id="adj", reason="sandbagging", approvers=["eve"])
    ledger.settle()
    assert shown(ledger)["ann"] == pytest.approx((1400, 90, 0.06))
    assert {who: row.games for who, row in rows(ledger).items()} == games
    assert last(ledger)["item"]["approvers"] == ["eve"]
    recounted(ledger, tmp_path)


def test_depth_of_recomputation(tmp_path: Path) -> None:
    ledger = new(tmp_path, WEEKS.with_(late="recompute", recompute_days=10))
    played(ledger, 5, 13, 21)
    ledger.append(game("old", "ann", "bob", 1, "2026-01-06"), pool="p")
    ledger.append(game("new", "ann", "bob", 1, "2026-01-14"), pool="p")
    ledger.annul([0], pool="p", id="x", reason="never played")
    ledger.settle()
    assert [json.loads(body).get("reason") for body in bodies(ledger)[-3:]] == ["too-late", None, "too-late"]
    ledger.append(game("young", "dan", "bob", 1, "2026-01-22"), pool="p")
    ledger.settle()
    ledger.merge("ann", into="eve", pool="p", id="y", reason="one person")  # ann played on the 5th
    ledger.merge("dan", into="eve", pool="p", id="z", reason="one person")
    ledger.settle()
    assert [json.loads(body).get("reason") for body in bodies(ledger)[-2:]] == ["too-late", None]
    recounted(ledger, tmp_path)


def test_states_from_elsewhere(tmp_path: Path) -> None:
    first = new(_folder(tmp_path, "first"), "lichess")
    played(first, 1, 2, 3, 4)
    log = tm.GameLog.from_arrays(
        player_a=["ann", "bob"], player_b=["bob", "cid"], score_a=[1, 0], played_at=["2026-01-01", "2026-01-02"]
    )
    snapshot = tm.replay(log, "lichess").snapshot()
    ledger = new(_folder(tmp_path, "second"), "lichess")
    ledger.import_state(snapshot, pool="p", at="2026-01-02")
    ledger.settle()
    later = tm.GameLog.from_arrays(player_a=["ann"], player_b=["cid"], score_a=[0], played_at=["2026-02-01"])
    ledger.append(game("x", "ann", "cid", 0, "2026-02-01"), pool="p")
    ledger.settle()
    want = tm.replay(later, "lichess", start=snapshot).ratings
    got = shown(ledger)
    assert [got[who][0] for who in want["player"]] == want["rating"].tolist()
    assert [got[who][1] for who in want["player"]] == want["deviation"].tolist()
    ledger.import_state(snapshot, pool="p", at="2026-03-01")
    ledger.settle()
    assert last(ledger)["reason"] == "pool-has-matches"
    recounted(ledger, tmp_path)


def test_what_is_refused_at_the_door(tmp_path: Path) -> None:
    ledger = new(tmp_path, WEEKS, clock=Clock())
    played(ledger, 5)
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: ledger.annul([7], pool="p", id="x", reason="r"), "has no match 7"),
        (lambda: ledger.annul([], pool="p", id="x", reason="r"), "matches is empty"),
        (lambda: ledger.annul([0], pool="p", id="x", reason=""), "reason is ''"),
        (lambda: ledger.annul([0], pool="p", id="x", reason="r", approvers="eve"), "expected a list"),
        (lambda: ledger.merge("ann", into="ann", pool="p", id="x", reason="r"), "are both 'ann'"),
        (lambda: ledger.close_periods("p", "2062-01-01"), "not closed before it is over"),
        (lambda: ledger.change({"id": 0, "player_a": "a"}, pool="p", id="x", reason="r"), "player_b"),
    ]
    for wrong, said in cases:
        with pytest.raises(InputError, match=said):
            wrong()


OPERATIONS = ["games", "late", "annul", "restore", "change", "merge", "part", "close", "rules", "adjust"]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), late=st.sampled_from(["refuse", "next-period", "recompute", "ledger-order"]))
def test_whatever_is_told_is_recounted(
    data: st.DataObject, late: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("l")
    rules = tm.methodology("lichess") if late == "ledger-order" else WEEKS.with_(late=late)
    ledger = new(folder, rules)
    day, count = 5, 0
    times: list[str] = []
    people: list[Id] = ["ann", "bob", "cid", "dee", 7]
    for n, what in enumerate(data.draw(st.lists(st.sampled_from(OPERATIONS), min_size=3, max_size=14))):
        some = data.draw(st.permutations(people))
        why: dict[str, Any] = {"pool": "p", "id": f"c{n}", "reason": "r"}
        if what in ("games", "late"):
            day += data.draw(st.integers(0, 9)) if what == "games" else 0
            at = day if what == "games" else max(1, day - data.draw(st.integers(0, 20)))
            when = f"2026-{1 + at // 28:02}-{1 + at % 28:02}"
            ledger.append(game(count, some[0], some[1], data.draw(st.sampled_from([0, 1, 0.5])), when), pool="p")
            times.append(when)
            count += 1
        elif what in ("annul", "restore", "change") and count:
            match = data.draw(st.integers(0, count - 1))
            if what == "change":
                ledger.change(game(match, some[0], some[1], 1, times[match]), **why)
            else:
                getattr(ledger, what)([match], **why)
        elif what == "merge":
            ledger.merge(some[0], into=some[1], **why)
        elif what == "part":
            ledger.part(some[0], **why)
        elif what == "close":
            ledger.close_periods("p", f"2026-{1 + day // 28:02}-{1 + day % 28:02}")
        elif what == "rules":
            ledger.change_rules("p", rules.with_(tau=0.3 + n / 100), id=f"r{n}")
        elif what == "adjust":
            ledger.adjust({some[0]: tm.Rating(1400 + n, 90, 0.06)}, **why)
        if data.draw(st.booleans()):
            ledger.settle(most=data.draw(st.integers(1, 5)))
    ledger.settle()
    recounted(ledger, folder)
    ledger.rebuild("p")


def test_a_match_that_was_not_rated_counts_when_it_is_corrected(tmp_path: Path) -> None:
    for name, rules in (("arena", tm.methodology("arena")), ("weeks", WEEKS)):
        ledger = new(_folder(tmp_path, name), rules.with_(late="recompute"))
        ledger.append(game(1, "ann", "bob", None, "2026-01-06"), pool="p")
        ledger.append(game(2, "cid", "dee", 1, "2026-01-07", ending="aborted"), pool="p")
        ledger.append(game(3, "eve", "fay", 1, "2026-01-08"), pool="p")
        ledger.append(game(4, "ann", "bob", 1, "2026-01-20"), pool="p")
        ledger.settle()
        ledger.change(game(1, "ann", "bob", 1, "2026-01-06"), pool="p", id="a", reason="it had a result")
        ledger.change(game(2, "cid", "dee", 1, "2026-01-07"), pool="p", id="b", reason="it was played to the end")
        ledger.change(game(3, "eve", "fay", None, "2026-01-08"), pool="p", id="c", reason="it had none")
        ledger.close_periods("p")
        ledger.settle()
        want = tm.replay(ledger.games("p"), rules).ratings
        assert {row["player"]: row["rating"] for row in ledger.ratings("p").rows()} == {
            row["player"]: row["rating"] for row in want.rows()
        }
        assert sorted(want["player"]) == ["ann", "bob", "cid", "dee"]
        recounted(ledger, tmp_path / name)


def test_closing_twice_at_one_instant(tmp_path: Path) -> None:
    ledger = new(tmp_path, WEEKS.with_(late="recompute"))
    ledger.append(game(1, "ann", "bob", 1, "2026-01-06"), pool="p")
    ledger.close_periods("p", "2026-02-01")
    ledger.append(game(2, "ann", "bob", 0, "2026-01-06"), pool="p")
    ledger.close_periods("p", "2026-02-01")
    ledger.settle()
    assert shown(ledger)["ann"][0] == 1500.0


def test_an_import_keeps_the_weeks_of_its_snapshot(tmp_path: Path) -> None:
    rules = tm.methodology("paper").with_(period="7d")
    days = ["2026-01-01", "2026-01-02", "2026-01-09"]
    log = tm.GameLog.from_arrays(
        player_a=["ann", "bob", "ann"], player_b=["bob", "cid", "cid"], score_a=[1, 0, 1], played_at=days
    )
    ledger = new(tmp_path, rules)
    snapshot = tm.replay(log, rules).snapshot()
    with pytest.raises(InputError, match="behind the open period of 1 games"):
        ledger.import_state(snapshot, pool="p", at="2026-01-15")
    with pytest.raises(InputError, match="which is to come"):
        ledger.import_state(snapshot, pool="p", at="2062-01-10")
    ledger.import_state(snapshot, pool="p", at="2026-01-10")
    ledger.append(game("x", "bob", "cid", 1, "2026-01-23"), pool="p")
    ledger.close_periods("p", "2026-01-30")
    ledger.settle()
    later = tm.GameLog.from_arrays(player_a=["bob"], player_b=["cid"], score_a=[1], played_at=["2026-01-23"])
    want = tm.replay(later, rules, start=snapshot).ratings
    for column in ("player", "rating", "deviation", "games"):
        assert ledger.ratings("p")[column].tolist() == want[column].tolist()
    recounted(ledger, tmp_path)
