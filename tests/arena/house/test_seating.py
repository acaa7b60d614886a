"""House agents in a hall: they come when nobody else does, and think in processes that may be killed."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from copy import copy
from pathlib import Path

import pytest
from halls import Player, Time, first, opened, stands, turns

from tallymark.arena.games.catalogue import game
from tallymark.arena.games.face import Action
from tallymark.arena.house.mind import Mind
from tallymark.arena.house.roster import house_agents
from tallymark.arena.house.seating import seat
from tallymark.arena.house.thinking import Thinking
from tallymark.arena.referee.saying import ActionRequest, MatchEnd, MatchStart
from tallymark.arena.store import agents


class Inline(Thinking):
    """Here and now."""

    def run(self, task: Callable[[], None]) -> None:
        task()

    def act(self, mind: Mind, asked: ActionRequest) -> Action:
        return mind.act(asked, bytes(32))


def test_a_house_agent_comes_after_ten_seconds_and_is_asked_like_everybody(tmp_path: Path) -> None:
    time = Time()
    with opened(str(tmp_path / "arena.db"), time, games=[game("connect-four")]) as (ledger, hall):
        seat(hall, Inline())
        ann = Player(hall, "ann")
        ann.manner = first
        ann.join("connect-four")
        turns(hall, ledger, 2)
        time.ms = 9_999
        turns(hall, ledger, 2)
        assert not ann.all(MatchStart)
        time.ms = 10_000
        turns(hall, ledger)
        house = next(one for one in ann.last(MatchStart).entrants if one.agent != "ann")
        assert house.kind == "house"
        assert ann.last(MatchEnd).unrated is None
        assert stands(ledger, "connect-four-1").state == "settled"
        with ledger.store.reading() as connection:
            found = agents.find(connection, house.agent)
        (there,) = (one for one in house_agents("connect-four") if one.id == house.agent)
        assert found is not None
        assert (found.program.algorithm, found.program.digest) == (there.algorithm, there.hash)
        assert ledger.player(house.agent).kind == "house"


@pytest.fixture
def thinking() -> Iterator[Thinking]:
    with Thinking() as found:
        yield found


def asked(name: str) -> ActionRequest:
    position = game(name).start(bytes(32), 2)
    return ActionRequest("m", 0, 1, position.seen(0), position.form(0), 10_000, 10_000)


class Deadly:
    """A mind whose process is killed some times before it is there."""

    def __init__(self, mind: Mind, times: int) -> None:
        self.mind, self.times = mind, times
        self.told = mind.told

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        raise AssertionError("this is sent to another process, and nothing of it arrives but the mind")

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        self.times -= 1
        return (os._exit, (1,)) if self.times >= 0 else (copy, (self.mind,))


@pytest.mark.parametrize("times", [0, 3])
def test_minds_think_in_other_processes_and_one_that_is_killed_is_replaced(thinking: Thinking, times: int) -> None:
    _, greedy, _ = house_agents("tic-tac-toe")
    request = asked("tic-tac-toe")
    # It leaves nothing to chance here.
    assert thinking.act(Deadly(greedy.mind, times), request) == greedy.mind.act(request, bytes(32))


def test_a_mind_that_kills_its_process_each_time_is_not_asked_for_ever(thinking: Thinking) -> None:
    _, greedy, _ = house_agents("tic-tac-toe")
    with pytest.raises(BrokenProcessPool):
        thinking.act(Deadly(greedy.mind, 1000), asked("tic-tac-toe"))
    assert thinking.act(greedy.mind, asked("tic-tac-toe")) == greedy.mind.act(asked("tic-tac-toe"), bytes(32))


def test_nothing_is_thought_any_more_when_it_is_over() -> None:
    done: list[int] = []
    with Thinking() as thinking:
        thinking.run(lambda: done.append(1))
    thinking.run(lambda: done.append(2))
    assert done == [1]
