"""Writes sdk/js/test/votes.json: periods of votes with the results of votes-v1, what single votes add to the sums,
results after fewer iterations than it takes, and doubles with their exp and log.

`python tests/sdk/votes_vectors.py` rewrites the file, always to the same bytes; with `--check` it writes nothing and
exits with 1 where the file differs. Doubles stand as the 16 hexadecimal digits of their bits, so that NaN, -0 and the
last bit are told.
"""

import json
import math
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Final, NamedTuple

import tallymark as tm
from tallymark.fixedpoint.vectors.drawing import Draw
from tallymark.games.ids import rank_order
from tallymark.methodology import methodology
from tallymark.numeric import exp_normal, half_even, half_up, log, logistic
from tallymark.replay import Snapshot
from tallymark.systems import Rating
from tallymark.systems.glicko2 import g, game

FILE: Final = Path(__file__).resolve().parents[2] / "sdk" / "js" / "test" / "votes.json"
SEED: Final = 1
PERIODS: Final = 150
DOUBLES: Final = 400
MULTIPLIERS: Final = (100.0, 100.0, 1000000.0)
LOW: Final = (0, 100, 1)
HIGH: Final = (300000, 35000, 1000000)

Id = str | int
Item = tuple[int, int, int]
"""Rating, deviation and volatility as stored."""


class Period(NamedTuple):
    """Items by id, votes (a, b, the score of a), and the rounding."""

    name: str
    items: Mapping[Id, Item]
    votes: Sequence[tuple[Id, Id, float]]
    rounding: str = "half-even"


NEW: Final[Item] = (150000, 35000, 60000)
FAR: Final[Mapping[Id, Item]] = {"high": (300000, 35000, 60000), "low": (0, 35000, 60000)}
PAPER: Final[Mapping[Id, Item]] = {
    "player": (150000, 20000, 60000),
    "one": (140000, 3000, 60000),
    "two": (155000, 10000, 60000),
    "three": (170000, 30000, 60000),
}
SMALL: Final[Mapping[Id, Item]] = {1: (150000, 100, 1), 2: (150000, 100, 1)}
WILD: Final[Mapping[Id, Item]] = {1: (300000, 100, 1000000), 2: (0, 100, 1000000)}
IDS: Final[Sequence[Id]] = (10, 9, "10", "9", "B", "a", "\ue000", "\U00010000", "z", "aa")
MANY: Final = {name: (150000 + 37 * i, 3000 + 1111 * i, 60000 - 7 * i) for i, name in enumerate(IDS)}
OLD: Final[Mapping[Id, Item]] = {"a": NEW, "b": (161234, 4321, 60000)}
AGAIN: Final = (("a", "b", 1.0), ("a", "b", 0.0), ("a", "b", 0.5), ("a", "b", 1.0), ("b", "a", 1.0), ("b", "a", 0.25))
NAMED: Final = (
    Period("new against new", {"a": NEW, "b": NEW}, [("a", "b", 1.0)]),
    Period("new against new, tie", {"a": NEW, "b": NEW}, [("a", "b", 0.5)]),
    Period("the paper's example", PAPER, [("player", "one", 1.0), ("player", "two", 0.0), ("player", "three", 0.0)]),
    Period("told otherwise", PAPER, [("three", "player", 1.0), ("two", "player", 1.0), ("player", "one", 1.0)]),
    Period("the highest loses to the lowest", FAR, [("high", "low", 0.0)]),
    Period("the highest beats the lowest", FAR, [("high", "low", 1.0)]),
    Period("as sure as can be", SMALL, [(1, 2, 1.0)]),
    Period("as wild as can be", WILD, [(1, 2, 0.0)]),
    Period("all against all", MANY, [(a, b, 1.0 - i % 2) for i, (a, b) in enumerate(permutations(IDS, 2))]),
    Period("one pair many times, ties too", OLD, AGAIN),
    Period("half up", OLD, [("a", "b", 1.0)], "half-up"),
)


def stored(shown: Sequence[float]) -> Item:
    """The integers that numbers on the display scale were made of."""
    rating, deviation, volatility = (round(x * steps) for x, steps in zip(shown, MULTIPLIERS, strict=True))
    return rating, deviation, volatility


def rules_for(rounding: str) -> tm.Methodology:
    """votes-v1 in a pool that allows ties."""
    return methodology("votes-v1").with_(draws=True, rounding=rounding)


def snapshot(items: Mapping[Id, Item]) -> Snapshot:
    """Where they stand."""
    columns = zip(*items.values(), strict=True)
    rating, deviation, volatility = (
        [x / steps for x in column] for column, steps in zip(columns, MULTIPLIERS, strict=True)
    )
    return Snapshot.from_arrays(
        player=list(items), rating=rating, deviation=deviation, volatility=volatility, at="2026-01-01"
    )


def answered(period: Period) -> Mapping[str, object]:
    """The period as it stands in the file."""
    a, b, score = (list(column) for column in zip(*period.votes, strict=True))
    log = tm.GameLog.from_arrays(player_a=a, player_b=b, score_a=score, match=["one"] * len(a))
    start = snapshot(period.items)
    run = tm.replay(log, rules_for(period.rounding), start=start, history=True, predictions=True, engine="interpreted")
    names = ("player", "rating_after", "deviation_after", "volatility_after", "clamped", "converged")
    after = {}
    for player, *shown, clamped, converged in zip(*(run.history[name].tolist() for name in names), strict=True):
        after[player] = [player, *stored(shown), clamped, converged]
    return {
        "name": period.name,
        "items": [[name, *item] for name, item in period.items.items()],
        "votes": period.votes,
        "rounding": period.rounding,
        "chances": [bits(p) for p in run.predictions["p_a"].tolist()],
        "after": list(after.values()),
    }


def drawn(draw: Draw, number: int) -> Period:
    """Some items at the ends of their ranges, some as they occur, and votes between them."""
    count = draw.between(2, 6)
    items: dict[Id, Item] = {}
    for i in range(count):
        far = draw.between(0, 3) == 0
        usual = (draw.between(90000, 210000), draw.between(3000, 35000), draw.between(50000, 70000))
        rating, deviation, volatility = (
            (low, high, draw.between(low, high) if far else x)[min(draw.between(0, 9), 2)]
            for low, high, x in zip(LOW, HIGH, usual, strict=True)
        )
        items[f"item {i}" if number % 2 else i] = (rating, deviation, volatility)
    ids = list(items)
    votes = []
    for _ in range(draw.between(1, 8) if number % 3 else 1):
        a = draw.between(0, count - 1)
        b = (a + draw.between(1, count - 1)) % count
        votes.append((ids[a], ids[b], (0.0, 1.0, 1.0, 0.0, 0.5)[draw.between(0, 4)]))
    return Period(f"random {number}", items, votes, "half-up" if draw.between(0, 9) == 0 else "half-even")


def bits(x: float) -> str:
    """A double."""
    return struct.pack(">d", x).hex()


def double(pattern: int) -> float:
    """The double of 64 bits."""
    value: float = struct.unpack(">d", pattern.to_bytes(8, "big"))[0]
    return value


def doubles() -> Iterator[float]:
    """Numbers where exp, log and rounding turn, and any bits there are."""
    turns = (0.5, 1.0, 1.5, 2.5, 708.0, 709.0, 745.2, 0.34657359027997264, 0.7071067811865476, 0.49999999999999994)
    ends = (0.0, 5e-324, 2.2250738585072014e-308, 2.0**51, 2.0**52, 2.0**52 + 1.0, 2.0**53 - 1.0, 2.0**53, math.inf)
    for x in (*turns, *ends, 150000.5, 150001.5, 1500.005 * 100.0):
        yield from (x, -x)
    yield math.nan
    draw = Draw(SEED)
    for i in range(DOUBLES):
        size = 10.0 ** draw.between(-3, 3)
        yield double(draw.bits()) if i % 4 == 0 else (draw.between(0, 1 << 53) / 2.0**53 - 0.5) * size


def functions(x: float) -> Mapping[str, str]:
    """What the functions of numeric give for it."""
    e, not_e = logistic(x)
    found = {"exp_normal": exp_normal(x), "half_even": half_even(x), "half_up": half_up(x), "logistic": e}
    if x >= 0.0:
        found["log"] = log(x)
    return {"x": bits(x)} | {name: bits(value) for name, value in {**found, "not_logistic": not_e}.items()}


State = tuple[float, float, float, float]
"""mu, phi^2, sigma^2, g."""
STRANGERS: Final = (
    ((150000, 35000, 60000), (150000, 35000, 60000)),
    ((162345, 4321, 61234), (158901, 9876, 59000)),
    ((300000, 35000, 60000), (0, 100, 60000)),
    ((12345, 100, 1), (287654, 35000, 1000000)),
    ((150000, 35000, 1), (300000, 100, 1)),
)


def rating_of(item: Item) -> Rating:
    return Rating(*(x / steps for x, steps in zip(item, MULTIPLIERS, strict=True)))


def state_of(item: Item) -> State:
    """On the scale of the formulas."""
    one = rating_of(item)
    phi = one.deviation / 173.7178
    return (one.rating - 1500.0) / 173.7178, phi * phi, one.volatility * one.volatility, g(phi * phi)


def single_votes() -> Iterator[Mapping[str, object]]:
    """Two items, a score of the first, and what the vote adds to its two sums; and what it is after few iterations.

    The score as s (1 - E) - (1 - s) E: s - E has other bits for a good part of them.
    """
    capped = {cap: methodology("votes").with_(draws=True, iterations=cap) for cap in (1, 3, 100)}
    pairs = [pair for one in STRANGERS for pair in (one, one[::-1])]
    for (a, b), s in product(pairs, (0.0, 1.0, 0.5, 0.1)):
        own, other = state_of(a), state_of(b)
        w, u = game(own[0], other[0], other[3], s, 1.0 - s, 1.0, capped[100].system.constants(0.0))
        after = []
        for cap, rules in capped.items():
            found, _, converged = rules.step(rating_of(a), [(rating_of(b), s)])
            after.append([cap, *stored((found.rating, found.deviation, found.volatility)), converged])
        yield {
            "states": [[bits(x) for x in state] for state in (own, other)],
            "score": s,
            "sums": [bits(w), bits(u)],
            "after": after,
        }


def document() -> str:
    """The file: one vector a line, so that a change shows as the lines it touches."""
    draw = Draw(SEED)
    periods = [answered(period) for period in (*NAMED, *(drawn(draw, number) for number in range(PERIODS)))]
    parts: Mapping[str, Sequence[object]] = {
        "periods": periods,
        "singles": list(single_votes()),
        "numbers": [functions(x) for x in doubles()],
    }
    told = (",\n".join("  " + json.dumps(row) for row in rows) for rows in parts.values())
    lists = ",\n".join(f' "{name}": [\n{rows}\n ]' for name, rows in zip(parts, told, strict=True))
    return f'{{\n "ids": {json.dumps(rank_order(IDS))},\n{lists}\n}}\n'


def main(arguments: Sequence[str]) -> int:
    """The exit code."""
    text = document()
    if arguments == ["--check"]:
        return 0 if FILE.read_text(encoding="utf-8") == text else 1
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
