"""Agents for Go: one that takes what it can, and one that plays the best of that one's moves out."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from tallymark.arena.chance import drawn
from tallymark.arena.games.engine import State
from tallymark.arena.games.face import Action, Seat
from tallymark.arena.games.go import KOMI, PASS, area
from tallymark.arena.games.grids import MARKS, rows
from tallymark.arena.house.boards import rebuilt
from tallymark.arena.house.mind import seeded
from tallymark.arena.referee.saying import ActionRequest

Point: TypeAlias = tuple[int, int]
"""Row from the top and column from the left, both from 0."""
_CAPTURE: Final = 10.0
"""What a stone taken is worth, beside what else is good about a move."""
_SAVE: Final = 8.0
_ATARI: Final = 3.0
_NEAR: Final = 1.0
_LINES: Final[Mapping[int, float]] = {0: -2.0, 1: -0.5, 2: 1.0, 3: 1.0}
"""What the first lines from the edge are worth; of those further in each is worth nothing."""


@dataclass(frozen=True)
class Chain:
    """Stones that live or are taken together, and the free points beside them."""

    mark: str
    stones: frozenset[Point]
    free: frozenset[Point]


@dataclass(frozen=True)
class GreedyGo:
    """Takes and saves what it can, stays beside stones and off the edge, fills no eye of its own, kills none of its own
    chains; passes where no such move is left, or where it leads and the other has passed."""

    @property
    def told(self) -> str:
        """See `Mind`."""
        return (
            "Takes the most stones, else saves the most of its own, else threatens, stays near other stones and off "
            "the edge; fills no eye of its own and leaves no chain with one free point. Passes where no such move is "
            "left, or where the other has passed and it leads."
        )

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        """See `Mind`."""
        one, state = rebuilt(asked)
        board = rows(one.reading.shown(state))
        if _may_stop(asked, board):
            return PASS
        best = next(iter(ranked(board, asked.seat, state, chance)), None)
        return PASS if best is None else one.reading.spelt(state, best)


@dataclass(frozen=True)
class Playouts:
    """The best moves of `GreedyGo`, each played out at random: more often those that do better, in points of the area
    and in what `GreedyGo` thinks of them.

    `moves`: how many are tried; `playouts`: how often in all; `length`: moves of a playout, whose area then counts.
    """

    moves: int
    playouts: int
    length: int
    exploration: float = 8.0
    """In points: how much better than it has done a move tried once may be."""

    @property
    def told(self) -> str:
        """See `Mind`."""
        return (
            f"The {self.moves} best moves of the greedy agent, played out at random {self.playouts} times in all, "
            f"more often those that do better (UCB1 on the difference of areas after {self.length} moves, added to "
            "what the greedy agent thinks of them); the one tried most."
        )

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        """See `Mind`."""
        one, state = rebuilt(asked)
        board = rows(one.reading.shown(state))
        if _may_stop(asked, board):
            return PASS
        worth = ranked(board, asked.seat, state, chance)
        tried = list(worth)[: self.moves]
        if len(tried) < 2:
            return one.reading.spelt(state, tried[0]) if tried else PASS
        random = seeded(chance)
        sums, counts = dict.fromkeys(tried, 0.0), dict.fromkeys(tried, 0)

        def hope(action: int) -> float:
            more = self.exploration * math.sqrt(math.log(sum(counts.values())) / counts[action])
            return worth[action] + sums[action] / counts[action] + more

        for n in range(self.playouts):
            action = tried[n] if n < len(tried) else max(tried, key=hope)
            after = state.clone()
            after.apply_action(action)
            _play_out(after, random, self.length)
            black, white = area(rows(one.reading.shown(after)))
            sums[action] += (black - white) * (1 if asked.seat == 0 else -1)
            counts[action] += 1
        return one.reading.spelt(state, max(tried, key=counts.__getitem__))


def ranked(board: Sequence[str], seat: Seat, state: State, chance: bytes) -> dict[int, float]:
    """The moves worth making by OpenSpiel's numbers, and what they are worth, the best first; of equal ones in an order
    that chance draws."""
    size = len(board)
    at = chains(board)
    worth: dict[int, float] = {}
    for action in state.legal_actions()[:-1]:  # the last is a pass
        value = _worth((size - 1 - action // size, action % size), board, at, seat)
        if value is not None:
            worth[action] = value
    order = sorted(worth, key=lambda action: (-worth[action], drawn(chance, str(action))))
    return {action: worth[action] for action in order}


def _worth(point: Point, board: Sequence[str], at: Mapping[Point, Chain], seat: Seat) -> float | None:
    """What a move is worth; None where it fills an eye, or leaves a chain with one free point and takes nothing."""
    mine, size = MARKS[seat], len(board)
    near = [at.get(place) for place in around(point, size)]
    if all(chain is not None and chain.mark == mine and len(chain.free) > 1 for chain in near):
        return None
    chains_ = {id(chain): chain for chain in near if chain is not None}.values()
    taken = sum(len(chain.stones) for chain in chains_ if chain.mark != mine and len(chain.free) == 1)
    own = [chain for chain in chains_ if chain.mark == mine]
    free = {place for place in around(point, size) if place not in at}.union(*(chain.free for chain in own)) - {point}
    if not taken and len(free) < 2:
        return None
    saved = sum(len(chain.stones) for chain in own if len(chain.free) == 1)
    atari = sum(len(chain.stones) for chain in chains_ if chain.mark != mine and len(chain.free) == 2)
    line = min(*point, size - 1 - point[0], size - 1 - point[1])
    beside = any(
        board[y][x] != "."
        for y in range(max(0, point[0] - 2), min(size, point[0] + 3))
        for x in range(max(0, point[1] - 2), min(size, point[1] + 3))
    )
    value = _CAPTURE * taken + _SAVE * saved + _ATARI * math.sqrt(atari) + _NEAR * beside
    return value + _LINES.get(line, 0.0)


def chains(board: Sequence[str]) -> dict[Point, Chain]:
    """The chain of every stone, by its point."""
    size = len(board)
    found: dict[Point, Chain] = {}
    for start in ((y, x) for y in range(size) for x in range(size)):
        mark = board[start[0]][start[1]]
        if mark == "." or start in found:
            continue
        stones, free, queue = {start}, set[Point](), [start]
        while queue:
            for place in around(queue.pop(), size):
                there = board[place[0]][place[1]]
                if there == ".":
                    free.add(place)
                elif there == mark and place not in stones:
                    stones.add(place)
                    queue.append(place)
        found.update(dict.fromkeys(stones, Chain(mark, frozenset(stones), frozenset(free))))
    return found


def around(point: Point, size: int) -> Iterator[Point]:
    """The points beside a point."""
    y, x = point
    if y > 0:
        yield y - 1, x
    if y < size - 1:
        yield y + 1, x
    if x > 0:
        yield y, x - 1
    if x < size - 1:
        yield y, x + 1


def _may_stop(asked: ActionRequest, board: Sequence[str]) -> bool:
    """Whether a pass ends the game, and wins it."""
    actions = asked.seen["actions"]
    assert isinstance(actions, Sequence)
    black, white = area(board)
    lead = black - white - KOMI[len(board)]
    return bool(actions) and actions[-1] == PASS and (lead if asked.seat == 0 else -lead) > 0


def _play_out(state: State, random: Random, length: int) -> None:
    """So many moves at random; a pass only where nothing else is left, or where that is drawn."""
    for _ in range(length):
        if state.is_terminal():
            return
        actions = state.legal_actions()
        state.apply_action(actions[int(random.random() * len(actions))])
