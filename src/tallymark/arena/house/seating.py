"""House agents take their place in a hall."""

from collections.abc import Sequence
from typing import Final

from tallymark import __version__
from tallymark.arena.hall.hall import Hall
from tallymark.arena.house.mind import HouseAgent
from tallymark.arena.house.roster import house_agents
from tallymark.arena.house.thinking import Thinking
from tallymark.arena.referee.saying import ActionRequest
from tallymark.arena.store.agents import Agent, Program

OWNER: Final = "house"
"""Whose they are."""


def seat(hall: Hall, thinking: Thinking) -> None:
    """Every house agent of the hall's games is there from now on: once, for its game and for that one's benchmark."""
    plays: dict[HouseAgent, list[str]] = {}
    for game in hall.games:
        for house in house_agents(game):
            plays.setdefault(house, []).append(game)
    for house, names in plays.items():
        _enter(hall, house, names, thinking)


def _enter(hall: Hall, house: HouseAgent, plays: Sequence[str], thinking: Thinking) -> None:
    def act(asked: ActionRequest) -> str:
        return thinking.act(house.mind, asked)

    program = Program(__version__, house.algorithm, house.hash)
    hall.house(Agent(house.id, OWNER, "house", program), act, plays, thinking.run)
