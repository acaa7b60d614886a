"""Players who were merged: their results are the other's, whatever comes later and however batches are cut."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_same_as_replay import DAY, QUICK, START, matches
from told import Clock, bodies, game, new

import tallymark as tm
from tallymark.games.ids import Id
from tallymark.games.times import format_instant
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.verify import verify

KINDS = {
    "match": tm.methodology("arena").with_(late="recompute"),
    "game": tm.methodology("lichess").with_(late="recompute"),
    "weeks": tm.methodology("paper").with_(period="7d", late="recompute", origin=format_instant(START)),
}


def stands(ledger: Ledger) -> dict[Any, Any]:
    """Everybody's rating, and how many games it is of."""
    return {row["player"]: (row["rating"], row["games"]) for row in ledger.ratings("p").rows()}


def close(ledger: Ledger) -> None:
    ledger.close_periods("p")
    ledger.settle()


@pytest.mark.parametrize("cut", [1, 2000])
@pytest.mark.parametrize("kind", KINDS)
def test_later_matches_are_the_others(kind: str, cut: int, tmp_path: Path) -> None:
    ledger = new(tmp_path, KINDS[kind])
    days = iter(range(START, START + 80 * DAY, 8 * DAY))

    def played(n: int, a: str, b: str) -> dict[str, Any]:
        return game(n, a, b, 1, format_instant(next(days)))

    told: list[Callable[[], object]] = [
        lambda: ledger.append(played(1, "Ann", "cid"), pool="p"),
        lambda: ledger.append(played(2, "ann", "bob"), pool="p"),
        lambda: ledger.merge("Ann", into="ann", pool="p", id="one", reason="one person"),
        lambda: ledger.append(played(3, "Ann", "bob"), pool="p"),
        lambda: ledger.append(played(4, "Ann", "ann"), pool="p"),  # against oneself: it does not count
        lambda: ledger.append(played(5, "cid", "Ann"), pool="p"),
        lambda: ledger.append({**game(6, "x", "y", 0.5, format_instant(START))}, pool="p"),  # late: all is recomputed
        lambda: close(ledger),
    ]
    for n, tell in enumerate(told):
        tell()
        if n % 2 or cut == 1:
            ledger.settle(most=cut)
    want = tm.replay(ledger.games("p"), KINDS[kind]).ratings
    assert stands(ledger) == {row["player"]: (row["rating"], row["games"]) for row in want.rows()}
    assert stands(ledger)["ann"][1] == 4
    assert "Ann" not in stands(ledger)
    if kind != "weeks":
        changes = [change for change in ledger.history("ann", "p") if change.kind == "rated"]
        assert changes[0].matches[0].opponents == ("cid",)
    ledger.part("Ann", pool="p", id="two", reason="twins")
    close(ledger)
    assert stands(ledger)["Ann"][1] == 4
    assert stands(ledger)["ann"][1] == 2
    ledger.export(tmp_path / "export.txt")
    assert verify(tmp_path / "export.txt").entries == len(bodies(ledger))


@QUICK
@given(
    played=matches(most=25),
    pairs=st.lists(st.tuples(st.integers(0, 24), st.permutations(["ann", "bob", "10", 9, 10, "Zoe"])), max_size=6),
)
@pytest.mark.parametrize("kind", KINDS)
def test_a_ledger_with_merges_is_a_replay_of_its_games(
    kind: str,
    played: list[dict[str, Any]],
    pairs: list[tuple[int, list[Id]]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    ledger = new(tmp_path_factory.mktemp("l"), KINDS[kind])
    for n, match in enumerate(played):
        ledger.append(match, pool="p")
        for k, (at, people) in enumerate(pairs):
            if at == n and k % 3 == 2:
                ledger.part(people[0], pool="p", id=f"part {k}", reason="r")
            elif at == n:
                ledger.merge(people[0], into=people[1], pool="p", id=f"merge {k}", reason="r")
        if n % 3 == 0:
            ledger.settle()
    close(ledger)
    want = tm.replay(ledger.games("p"), KINDS[kind]).ratings
    assert stands(ledger) == {row["player"]: (row["rating"], row["games"]) for row in want.rows()}


def test_no_circles(tmp_path: Path) -> None:
    ledger = new(tmp_path, KINDS["match"])
    ledger.append(game(1, "a", "b", 1, "2026-01-01"), pool="p")
    for n, (one, two) in enumerate([("a", "b"), ("b", "c"), ("c", "a")]):
        ledger.merge(one, into=two, pool="p", id=f"m{n}", reason="r")
    ledger.settle()
    told = [json.loads(body) for body in bodies(ledger)]
    assert [one.get("reason") for one in told if one["kind"] in ("corrected", "refused")] == [None, None, "merged"]


@pytest.mark.parametrize("rules", ["arena", "paper"])
def test_what_is_on_record_alone_has_no_effect_under_later_rules(rules: str, tmp_path: Path) -> None:
    """Corrections without effect stay so, also when rules come under which corrections have one."""
    before = tm.methodology(rules) if rules == "arena" else tm.methodology(rules).with_(period="7d", late="next-period")
    clock = Clock()
    ledger = new(tmp_path, before, clock=clock)
    for n in range(4):
        ledger.append(game(n, "abcd"[n], "bcda"[n], 1, f"2026-01-{1 + 8 * n:02}"), pool="p")
    close(ledger)
    stood = stands(ledger)
    ledger.merge("a", into="c", pool="p", id="x", reason="r")
    ledger.annul([0], pool="p", id="y", reason="r")
    ledger.change_rules("p", before.with_(late="recompute"), id="z")
    close(ledger)
    ledger.append(game("late", "e", "f", 1, "2026-01-02"), pool="p")
    close(ledger)
    now = stands(ledger)
    assert {player: now[player] for player in stood} == stood
    assert now["e"][1] == 1
