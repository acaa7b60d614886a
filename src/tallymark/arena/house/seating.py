"""House agents take their place in a hall."""

from typing import Final

from tallymark import __version__
from tallymark.arena.hall.hall import Hall
from tallymark.arena.house.mind import HouseAgent
from tallymark.arena.house.roster import house_agents
from tallymark.arena.house.thinking import Thinking
from tallymark.arena.referee.saying import ActionRequest, MatchStart
from tallymark.arena.store.agents import Agent, Program

OWNER: Final = "house"
"""Whose they are."""


def seat(hall: Hall, thinking: Thinking) -> None:
    """Every house agent of the hall's games is there from now on."""
    for game in hall.games:
        for house in house_agents(game):
            _enter(hall, house, thinking)


def _enter(hall: Hall, house: HouseAgent, thinking: Thinking) -> None:
    def act(start: MatchStart, asked: ActionRequest) -> str:
        return thinking.act(house.mind, asked)

    program = Program(__version__, house.algorithm, house.hash)
    hall.house(Agent(house.id, OWNER, "house", program), act, [house.game], thinking.run)
