"""Matches that do not say when they were played stand where they came, whatever is computed again."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_same_as_replay import QUICK, kept, matches
from told import bodies, game, new, rows

import tallymark as tm
from tallymark.games.ids import Id


def truth(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The order that counts: dated matches by time and id; the others behind all that were there when they came."""
    key: dict[Id, tuple[str, int, bool, Any]] = {}
    last = ""
    for n, match in enumerate(told):
        at = match.get("played_at")
        key[match["id"]] = (last, 1, True, n) if at is None else (at, 0, isinstance(match["id"], str), match["id"])
        last = max(last, at or "")
    return sorted(told, key=lambda match: key[match["id"]])


@pytest.mark.parametrize("name", ["arena", "elo"])
@QUICK
@given(
    told=matches(),
    order=st.randoms(use_true_random=False),
    undated=st.sets(st.integers(0, 39)),
    gone=st.integers(0, 39),
    cut=st.integers(1, 9),
)
def test_they_stay_behind_what_was_there_when_they_came(
    name: str,
    told: list[dict[str, Any]],
    order: Any,
    undated: set[int],
    gone: int,
    cut: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    order.shuffle(told)
    for n in undated & set(range(len(told))):
        del told[n]["played_at"]
    rules = tm.methodology(name).with_(late="recompute")
    ledger = new(tmp_path_factory.mktemp("l"), rules)
    for low in range(0, len(told), cut):
        ledger.append_many(told[low : low + cut], pool="p")
        ledger.settle(most=cut)
    annulled = told[gone % len(told)]["id"]
    ledger.annul([annulled], pool="p", id="c", reason="a test")
    ledger.settle()
    ledger.close_periods("p")
    ledger.settle()
    left = [match for match in truth(told) if match["id"] != annulled]
    plain = new(tmp_path_factory.mktemp("l"), tm.methodology(name))
    if left:
        plain.append_many(left, pool="p")
        plain.settle()
    assert kept(ledger) == kept(plain)
    log = ledger.games("p")
    assert log.game is not None
    assert log.games is not None
    assert [log.games[code] for code in log.game.tolist()] == [match["id"] for match in left]


def test_one_that_comes_behind_dated_ones_is_rated_at_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    ledger = new(tmp_path_factory.mktemp("l"), tm.methodology("arena").with_(late="recompute"))
    ledger.append(game("b", "ann", "bob", 1, "2026-01-02T00:00:00Z"), pool="p")
    ledger.append({"id": "a", "player_a": "ann", "player_b": "bob", "score_a": 0}, pool="p")
    ledger.settle()
    assert [b'"kind":"rated"' in body for body in bodies(ledger)] == [False, True, True]
    assert rows(ledger)["ann"].games == 2
