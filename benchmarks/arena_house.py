"""`python -m benchmarks.arena_house [--quick] [--game NAME] [--matches N] [--pair A B]`: do searching agents win?

For each game with perfect information: 200 matches of the searching agent against the one at random, each begins half
of them; how many it wins, draws and loses, its score, how many standard errors that is above one half (null where all
ended alike), and the mean and 99th percentile of what a move of it takes, in milliseconds. `--pair greedy search`
compares others.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import mean, quantiles

from benchmarks.arena_playing import played
from tallymark.arena.games.catalogue import game as game_of
from tallymark.arena.games.catalogue import games
from tallymark.arena.games.face import Action
from tallymark.arena.house.mind import Mind
from tallymark.arena.house.roster import house_agents
from tallymark.arena.referee.saying import ActionRequest

_QUICK = 2


@dataclass
class Timed:
    """A mind, and what each of its actions took, in milliseconds."""

    mind: Mind
    took: list[float] = field(default_factory=list)

    @property
    def told(self) -> str:
        """The mind's own words."""
        return self.mind.told

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        """The mind's own action."""
        began = time.perf_counter()
        action = self.mind.act(asked, chance)
        self.took.append((time.perf_counter() - began) * 1e3)
        return action


def main() -> int:
    """Measures the games and prints one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena_house", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two matches a game: does it still work?")
    parser.add_argument("--game", action="append", choices=_searched(), help="this game; more than once for several")
    parser.add_argument("--matches", type=int, default=200, metavar="N", help="matches a game (200)")
    parser.add_argument("--pair", nargs=2, default=("search", "random"), metavar=("A", "B"), help="manners")
    given = parser.parse_args()
    matches = _QUICK if given.quick else given.matches
    document: dict[str, object] = {"load before": round(os.getloadavg()[0], 1), "matches": matches, "pair": given.pair}
    for name in given.game or _searched():
        document[name] = measured(name, given.pair, matches)
        print(f"{name}: {document[name]}", file=sys.stderr)
    print(json.dumps(document, indent=2))
    return 0


def measured(name: str, pair: Sequence[str], matches: int) -> dict[str, float | None]:
    """So many matches of one game: results of the first of two manners, and what its actions took."""
    minds = {agent.manner: agent.mind for agent in house_agents(name)}
    first, second = Timed(minds[pair[0]]), Timed(minds[pair[1]])
    results: Counter[str] = Counter()
    for n in range(matches):
        seat = n % 2
        seats = (first, second) if seat == 0 else (second, first)
        outcome = played(game_of(name), seats, n.to_bytes(32, "big"))
        ranks = {one: side.rank for side in outcome.sides for one in side.seats}
        mine, other = ranks[seat], ranks[1 - seat]
        results["won" if mine < other else "drawn" if mine == other else "lost"] += 1
    score = (results["won"] + results["drawn"] / 2) / matches
    spread = sum(results[word] * (worth - score) ** 2 for word, worth in (("won", 1), ("drawn", 0.5), ("lost", 0)))
    error = (spread / matches**2) ** 0.5
    return {
        **{word: results[word] for word in ("won", "drawn", "lost")},
        "score": round(score, 4),
        "standard errors above a half": round((score - 0.5) / error, 1) if error else None,
        "mean ms": round(mean(first.took), 2),
        "p99 ms": round(quantiles(first.took, n=100)[98], 2),
    }


def _searched() -> list[str]:
    return [one.name for one in games() if any(agent.manner == "search" for agent in house_agents(one.name))]


if __name__ == "__main__":
    raise SystemExit(main())
