"""What entries did to ratings: the same as the histories of players tell, wherever a page of entries is cut."""

from pathlib import Path

import pytest
from told import Clock, game, new

import tallymark as tm
from tallymark.ledger.reading.effects import COMPARED

MANY = COMPARED // 2 + 1


@pytest.mark.parametrize("rules", ["arena", "votes", "go-onchain", "paper"])
@pytest.mark.parametrize("page", [1, 3, 100])
def test_effects_are_what_histories_tell(tmp_path: Path, rules: str, page: int) -> None:
    clock = Clock()
    with new(tmp_path, rules, clock=clock) as ledger:
        for n in range(20):
            played = f"2026-01-{1 + n:02}"
            told = {"source": "queue", "board": 19, "steps": 100} if rules == "go-onchain" else {}
            ledger.append(game(n, n % 3, f"p{n % 4}", [1, 0][n % 2], played, **told), pool="p")
        ledger.close_periods("p", "2026-03-01")
        if rules != "go-onchain":
            ledger.adjust({1: tm.Rating(1600, 90)}, pool="p", id="a", reason="known")
        ledger.settle()
        found, after = [], 0
        while some := ledger.effects("p", after, page):
            found += some
            after = some[-1].entry.position
        assert [one.entry for one in found] == ledger.entries("p", 0, 1000)
        players = {effect.player for one in found for effect in one.players}
        assert players
        for player in players:
            told_of = [
                (one.entry.position, effect.before, effect.after)
                for one in found
                for effect in one.players
                if effect.player == player
            ]
            history = [(one.position, one.before, one.after) for one in ledger.history(player, "p", 100)]
            assert told_of == history[::-1]


def test_large_chunks_are_not_compared(tmp_path: Path) -> None:
    with new(tmp_path, "paper") as ledger:
        for n in range(MANY):
            ledger.append(game(n, f"a{n}", f"b{n}", 1, "2026-03-02"), pool="p")
        ledger.close_periods("p", "2026-05-01")
        ledger.settle()
        (states,) = (one for one in ledger.effects("p", 0, 1000) if one.kind == "states")
    assert len(states.players) == 2 * MANY
    assert {effect.before for effect in states.players} == {None}
    after = {effect.player: effect.after.rating for effect in states.players}
    assert after["a0"] > 1500 > after["b0"]


def test_who_is_imported_was_nobody_before(tmp_path: Path) -> None:
    games = tm.GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
    before = tm.replay(games, "arena")
    with new(tmp_path, "arena") as ledger:
        ledger.import_state(before.snapshot(), pool="p", at="2026-03-01")
        ledger.append(game(1, "ann", "bob", 1), pool="p")
        ledger.settle()
        _, imported, rated = ledger.effects("p")
    ratings = {row["player"]: row["rating"] for row in before.ratings.rows()}
    assert {one.player: one.after.rating for one in imported.players} == ratings
    assert {one.before for one in imported.players} == {None}
    assert {one.player: one.before.rating for one in rated.players if one.before} == ratings


@pytest.mark.parametrize("after", [-1, True, "1"])
def test_what_is_no_position(tmp_path: Path, after: int) -> None:
    with new(tmp_path, "arena") as ledger, pytest.raises(tm.InputError, match="expected a position"):
        ledger.effects("p", after)
