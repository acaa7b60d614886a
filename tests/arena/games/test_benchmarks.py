"""Benchmarks: the same games, in pools of their own, against the same house agents."""

import pytest

from tallymark.arena.games.benchmark import SUFFIX
from tallymark.arena.games.catalogue import benchmarks, game, games
from tallymark.arena.games.face import Game
from tallymark.arena.house.roster import house_agents


def test_each_game_for_two_has_one_and_no_other_game_has() -> None:
    assert [one.game.name for one in benchmarks()] == [one.name for one in games() if max(one.seats) == 2]
    assert {one.kind for one in games()} == {"arena"}
    assert {one.kind for one in benchmarks()} == {"benchmark"}


def test_R6_pools_of_benchmarks_and_of_the_arena_are_others() -> None:
    pools = [one.pool for one in benchmarks()]
    assert len(set(pools)) == len(pools)
    assert {one.pool for one in games()}.isdisjoint(pools)
    names = [one.ruleset.name for one in (*games(), *benchmarks())]
    assert len(set(names)) == len(names)
    assert not any(one.name.endswith(SUFFIX) for one in games())


@pytest.mark.parametrize("one", benchmarks(), ids=lambda one: str(one.name))
def test_the_play_is_the_games(one: Game) -> None:
    under = game(one.name.removesuffix(SUFFIX))
    assert game(one.name) is one
    assert (one.rules, one.seats) == (under.rules, under.seats)
    limits, own = one.ruleset, under.ruleset
    assert (limits.action_ms, limits.grace_ms, limits.pace_ms) == (own.action_ms, own.grace_ms, own.pace_ms)
    first, other = one.start(bytes(32), 2), under.start(bytes(32), 2)
    action = first.default(first.awaited[0])
    for position in (first, other):
        position.apply(position.awaited[0], action)
    assert (first.digest(), first.seen(0)) == (other.digest(), other.seen(0))
    assert house_agents(one.name) == house_agents(under.name)
