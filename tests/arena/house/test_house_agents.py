"""What holds for every house agent, whatever it plays."""

import json
import re
from dataclasses import dataclass, replace

import pytest
from benchmarks.arena_playing import played
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.arena.games.catalogue import game, games
from tallymark.arena.games.face import Action, Choice, Position, Seat
from tallymark.arena.house.boards import Chance, Greedy, rebuilt
from tallymark.arena.house.mind import HouseAgent, seeded, sources
from tallymark.arena.house.roster import house_agents
from tallymark.arena.house.searching import TreeSearch
from tallymark.arena.referee.saying import ActionRequest
from tallymark.errors import InputError

EVERY = [agent for one in games() for agent in house_agents(one.name)]
SEED = bytes(range(32))


def asked(position: Position, seat: Seat) -> ActionRequest:
    """The request as it is after it has gone over a wire."""
    seen = json.loads(json.dumps(position.seen(seat)))
    return ActionRequest("m", seat, 1, seen, position.form(seat), 1000, 1000)


def test_names_are_those_of_agents_and_nobody_has_anothers() -> None:
    assert len({agent.id for agent in EVERY}) == len(EVERY)
    for agent in EVERY:
        assert re.fullmatch("[a-z0-9][a-z0-9-]{0,39}", agent.id)
        assert agent.algorithm.endswith(".")
        assert agent.algorithm.isprintable()
    for one in games():
        manners = [agent.manner for agent in house_agents(one.name)]
        assert manners[0] == "random"
        assert len(manners) >= max(3, one.seats[-1] - 1)  # whoever comes alone finds the table full
    with pytest.raises(InputError, match="there is no game 'go'"):
        house_agents("go")


@pytest.mark.parametrize("agent", EVERY, ids=lambda agent: str(agent.id))
@settings(max_examples=3, deadline=None)
@given(seed=st.binary(min_size=32, max_size=32), skip=st.integers(0, 25))
def test_an_action_is_legal_and_a_function_of_what_is_asked_and_chance(
    agent: HouseAgent, seed: bytes, skip: int
) -> None:
    one = game(agent.game)
    position = one.start(seed, one.seats[-1])
    for n in range(skip):
        if position.awaited:
            seat = position.awaited[0]
            position.apply(seat, Chance().act(asked(position, seat), bytes([n]) * 32))
    before = position.digest()
    for seat in position.awaited:
        request = asked(position, seat)
        action = agent.mind.act(request, seed)
        form = position.form(seat)
        assert action in form.actions if isinstance(form, Choice) else len(action) <= form.longest
        assert agent.mind.act(request, seed) == action
        assert action != "resign"
        assert position.digest() == before
    if position.awaited:
        position.apply(position.awaited[0], agent.mind.act(asked(position, position.awaited[0]), seed))


def test_the_hash_is_of_the_words_the_parameters_and_the_source_and_of_nothing_else() -> None:
    agent = next(agent for agent in EVERY if agent.id == "house-connect-four-search")
    assert re.fullmatch("[0-9a-f]{64}", agent.hash)
    assert agent.parameters == {"simulations": 1200, "exploration": 2.0}
    assert HouseAgent("connect-four", "search", TreeSearch(1200)).hash == agent.hash
    assert HouseAgent("hex", "search", TreeSearch(1200)).hash == agent.hash  # the same algorithm
    assert HouseAgent("connect-four", "search", TreeSearch(1201)).hash != agent.hash
    assert HouseAgent("connect-four", "search", TreeSearch(1200, 1.5)).hash != agent.hash
    assert HouseAgent("connect-four", "greedy", Greedy("four")).hash != HouseAgent("x", "greedy", Greedy("discs")).hash


def test_the_source_is_that_of_the_modules_of_the_house_that_it_is_made_of() -> None:
    names = [name.removeprefix("tallymark.arena.house.") for name in sources(TreeSearch(1))]
    assert names == ["boards", "searching"]
    assert all(text.startswith(b'"""') for text in sources(TreeSearch(1)).values())


@pytest.mark.parametrize(
    ("name", "matches"),
    [("tic-tac-toe", 20), ("connect-four", 8), ("othello", 2), ("hex", 4), ("chess", 2), ("go-9x9", 1)],
)
def test_who_searches_beats_who_plays_at_random(name: str, matches: int) -> None:
    """A short one: `benchmarks/arena_house.py` plays 200 of each."""
    minds = {agent.manner: agent.mind for agent in house_agents(name)}
    mind = minds["search"]
    if isinstance(mind, TreeSearch):
        mind = replace(mind, simulations=mind.simulations // 4)
    elif name == "go-9x9":
        mind = minds["greedy"]  # whose moves the searching one plays out: it is as good, and a hundred times as fast
    worth = 0
    for n in range(matches):
        seats = (mind, minds["random"]) if n % 2 == 0 else (minds["random"], mind)
        outcome = played(game(name), seats, n.to_bytes(32, "big"))
        ranks = {seat: side.rank for side in outcome.sides for seat in side.seats}
        worth += ranks[1 - n % 2] - ranks[n % 2]
    assert worth >= 0.6 * matches


def test_a_match_of_house_agents_is_repeated_by_its_seed() -> None:
    minds = [agent.mind for agent in house_agents("connect-four")][:2]

    def actions(seed: bytes) -> list[Action]:
        told: list[Action] = []
        played(game("connect-four"), minds, seed, lambda position, seat, action: told.append(action))
        return told

    assert actions(SEED) == actions(SEED) != actions(bytes(32))


def test_chance_is_a_stream_of_its_own() -> None:
    assert seeded(SEED).random() == seeded(SEED).random() != seeded(bytes(32)).random()
    assert seeded(bytes(31) + b"\1").random() == pytest.approx(0.13436424411240122, abs=0)


def test_only_boards_are_rebuilt() -> None:
    with pytest.raises(InputError, match="kuhn-poker is no board game"):
        rebuilt(asked(game("kuhn-poker").start(SEED, 2), 0))


@dataclass(frozen=True)
class Idle:
    """A mind that is none: for the protocol."""

    told: str = "Nothing."

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        return "pass"


def test_parameters_are_the_attributes_of_the_mind() -> None:
    assert HouseAgent("kuhn-poker", "idle", Idle()).parameters == {"told": "Nothing."}
