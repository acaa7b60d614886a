"""Which house agents there are, for each game."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from tallymark.arena.games.benchmark import Benchmark
from tallymark.arena.games.catalogue import game
from tallymark.arena.house.boards import Chance, Greedy
from tallymark.arena.house.chess import AlphaBeta
from tallymark.arena.house.go import GreedyGo, Playouts
from tallymark.arena.house.kuhn import ByTheCard, Equilibrium
from tallymark.arena.house.mind import HouseAgent, Mind
from tallymark.arena.house.searching import TreeSearch
from tallymark.arena.house.werewolf import Scripted

_MINDS: Final[Mapping[str, Mapping[str, Mind]]] = {
    "tic-tac-toe": {"greedy": Greedy("three"), "search": TreeSearch(400)},
    "connect-four": {"greedy": Greedy("four"), "search": TreeSearch(1200)},
    "chess": {"greedy": Greedy("material"), "search": AlphaBeta(2)},
    "othello": {"greedy": Greedy("discs"), "search": TreeSearch(80)},
    "hex": {"greedy": Greedy("path"), "search": TreeSearch(250)},
    "go-9x9": {"greedy": GreedyGo(), "search": Playouts(8, 80, 30)},
    "go-13x13": {"greedy": GreedyGo(), "search": Playouts(8, 48, 40)},
    "go-19x19": {"greedy": GreedyGo(), "search": Playouts(8, 32, 40)},
    "kuhn-poker": {"greedy": ByTheCard(), "equilibrium": Equilibrium()},
    # Seven, and the one at random: whoever comes alone to the largest table finds it full.
    "werewolf": {
        "open": Scripted(open_after=1, trust=6),
        "careful": Scripted(open_after=3, trust=4, votes=1),
        "bluffing": Scripted(open_after=2, trust=6, bluffs=True),
        "trusting": Scripted(open_after=1, trust=12),
        "doubting": Scripted(open_after=2, trust=2),
        "quiet": Scripted(open_after=9, trust=6, votes=3),
        "bold": Scripted(open_after=1, trust=8, bluffs=True),
    },
}
"""What decides for the agents of each game, by their manner; one at random is in every game."""


def house_agents(name: str) -> Sequence[HouseAgent]:
    """The house agents of a game, the one at random first, or the standard opponents of a benchmark, which are those of
    its game; `InputError` where there is no such game.

    >>> [agent.id for agent in house_agents("connect-four")]
    ['house-connect-four-random', 'house-connect-four-greedy', 'house-connect-four-search']
    """
    one = game(name)
    return _agents(one.game.name if isinstance(one, Benchmark) else one.name)


@cache
def _agents(name: str) -> Sequence[HouseAgent]:
    minds: dict[str, Mind] = {"random": Chance(), **_MINDS[name]}
    return tuple(HouseAgent(name, manner, mind) for manner, mind in minds.items())
