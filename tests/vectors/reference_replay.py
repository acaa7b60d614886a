"""Slow, simple replays in plain Python: the oracle that the package's own replays are held against.

Nothing here comes from the package; every formula is written once more, from the papers. A replay takes a list of
`Game` and gives a `Replay`: one prediction per game, made before it, in the order of the list, and everyone's final
values. Ratings, deviations and volatilities are on the display scale throughout.

`python tests/vectors/reference_replay.py FOLDER` prints the yardstick table for the game sets in FOLDER.
"""

import csv
import gzip
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

SCALE = 173.7178
DAY = 86_400_000_000
"""Microseconds in a day."""


class Game(NamedTuple):
    """One game: when (microseconds since 1970-01-01 UTC), who, and player_a's score in [0, 1]."""

    time: int
    player_a: str
    player_b: str
    score_a: float


class State(NamedTuple):
    """What is known of a player: rating, deviation and volatility on the display scale."""

    rating: float
    deviation: float
    volatility: float


class Replay(NamedTuple):
    """`p_a` and `logit_a`: predictions in the order of the games (games,); `ratings`: player to final state;
    `clamped`: player to the names of the bounds hit, in order, over the whole replay (only `by_game` bounds so)."""

    p_a: list[float]
    logit_a: list[float]
    ratings: dict[str, State]
    clamped: dict[str, list[str]]


class Bounds(NamedTuple):
    """Limits of `by_game`, applied after an update in this order: change, rating, deviation, volatility."""

    change: float
    rating_min: float
    deviation_min: float
    deviation_max: float
    volatility_min: float
    volatility_max: float


NEWCOMER = State(1500.0, 350.0, 0.06)
LICHESS_NEWCOMER = State(1500.0, 500.0, 0.09)
LICHESS_BOUNDS = Bounds(700.0, 400.0, 45.0, 500.0, 0.01, 0.1)


def logistic(x: float) -> float:
    """1 / (1 + exp(-x)), without overflow on either side."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def g(phi: float) -> float:
    """The paper's discount of a game by an opponent's deviation (Glicko-2 scale)."""
    return 1 / math.sqrt(1 + 3 * phi * phi / math.pi**2)


def grown(deviation: float, volatility: float, periods: float, cap: float | None) -> float:
    """The deviation after `periods` without a game, at most `cap`."""
    aged = SCALE * math.sqrt((deviation / SCALE) ** 2 + periods * volatility**2)
    return aged if cap is None else min(aged, cap)


def new_volatility(phi: float, sigma: float, v: float, delta: float, tau: float) -> float:
    """Step 5 by brute force: walk from z = ln(sigma'^2 / sigma^2) = 0 to the first change of sign, then bisect."""
    if tau == 0:
        return sigma
    a = math.log(sigma * sigma)

    def f(z: float) -> float:
        y = math.exp(a + z)
        return y * (delta * delta - phi * phi - v - y) / (2 * (phi * phi + v + y) ** 2) - z / (tau * tau)

    side = 1.0 if f(0.0) > 0 else -1.0
    step = side / 64
    before, near, far = f(0.0), 0.0, step
    while (f(far) > 0) == (side > 0) and f(far) != 0:
        # a walk could step over two roots that lie close together: where |f| dips, look for a touch inside the dip
        if abs(f(far)) < abs(before) and abs(f(far)) < abs(f(far + step)):
            low, high = near, far + step
            for _ in range(80):
                third = (high - low) / 3
                if abs(f(low + third)) < abs(f(high - third)):
                    high -= third
                else:
                    low += third
            if (f(low) > 0) != (side > 0):
                far = low
                break
        before, near, far = f(far), far, far + step
    for _ in range(100):
        middle = (near + far) / 2
        if (f(middle) > 0) == (side > 0):
            near = middle
        else:
            far = middle
    return sigma * math.exp((near + far) / 4)


def glicko2(player: State, games: Sequence[tuple[State, float]], tau: float, elapsed: float = 1.0) -> State:
    """One period by the paper, steps 2 to 8, without bounds; `elapsed` periods of sigma'^2 are added in step 6."""
    mu, phi, sigma = (player.rating - 1500) / SCALE, player.deviation / SCALE, player.volatility
    if not games:
        return player._replace(deviation=grown(player.deviation, sigma, elapsed, None))
    information = surprise = 0.0
    for opponent, score in games:
        weight = g(opponent.deviation / SCALE)
        x = weight * (mu - (opponent.rating - 1500) / SCALE)
        information += weight * weight * logistic(x) * logistic(-x)
        # 1 - E is logistic(-x): by subtraction a large gap would lose it
        surprise += weight * (score * logistic(-x) - (1 - score) * logistic(x))
    v = 1 / information
    sigma = new_volatility(phi, sigma, v, v * surprise, tau)
    new_variance = 1 / (1 / (phi * phi + elapsed * sigma * sigma) + information)
    return State(player.rating + SCALE * new_variance * surprise, SCALE * math.sqrt(new_variance), sigma)


def logit(a: State, b: State) -> float:
    """The logit of the prediction that a beats b: both deviations count."""
    return g(math.hypot(a.deviation, b.deviation) / SCALE) * (a.rating - b.rating) / SCALE


def calendar(
    games: Sequence[Game], days: float = 30, tau: float = 0.5, start: State = NEWCOMER, cap: float | None = 350.0
) -> Replay:
    """Glicko-2 by calendar periods of `days`, counted from 00:00 UTC of the first game's day; games sorted by time.

    Everyone who has been seen ages through empty periods, at most to `cap`; predictions of a period use the values at
    its start, grown by that one period for players seen before it. Final values are aged to the end of the last period.
    """
    origin = games[0].time // DAY * DAY
    length = round(days * DAY)
    states: dict[str, State] = {}
    at: dict[str, int] = {}  # the period at whose start a player's state holds
    logits: list[float] = []

    def at_start(player: str, period: int) -> State:
        state = states[player]
        return state._replace(deviation=grown(state.deviation, state.volatility, period - at[player], cap))

    batches: dict[int, list[Game]] = {}
    for game in games:
        batches.setdefault((game.time - origin) // length, []).append(game)
    for period, batch in sorted(batches.items()):
        playing = {name for game in batch for name in (game.player_a, game.player_b)}
        known = {name for name in playing if name in states}
        before = {name: at_start(name, period) if name in known else start for name in playing}
        seen = {
            name: s._replace(deviation=grown(s.deviation, s.volatility, 1, cap)) if name in known else s
            for name, s in before.items()
        }
        results: dict[str, list[tuple[State, float]]] = {name: [] for name in playing}
        for _, a, b, score in batch:
            logits.append(logit(seen[a], seen[b]))
            results[a].append((before[b], score))
            results[b].append((before[a], 1 - score))
        for name in playing:
            after = glicko2(before[name], results[name], tau)
            states[name] = after if cap is None else after._replace(deviation=min(after.deviation, cap))
            at[name] = period + 1
    ratings = {name: at_start(name, max(batches) + 1) for name in states}
    return Replay([logistic(x) for x in logits], logits, ratings, {})


def bounded(before: State, after: State, bounds: Bounds) -> tuple[State, list[str]]:
    """`after` inside the bounds, and the names of those it hit."""
    hit: list[str] = []

    def clamp(name: str, value: float, low: float, high: float) -> float:
        if not low <= value <= high:
            hit.append(name)
        return min(max(value, low), high)

    rating = clamp("change", after.rating, before.rating - bounds.change, before.rating + bounds.change)
    rating = clamp("rating", rating, bounds.rating_min, math.inf)
    deviation = clamp("deviation", after.deviation, bounds.deviation_min, bounds.deviation_max)
    volatility = clamp("volatility", after.volatility, bounds.volatility_min, bounds.volatility_max)
    return State(rating, deviation, volatility), hit


def by_game(
    games: Iterable[Game],
    periods_per_day: float = 0.21436,
    tau: float = 0.75,
    start: State = LICHESS_NEWCOMER,
    bounds: Bounds = LICHESS_BOUNDS,
) -> Replay:
    """Glicko-2 game by game (by default as lichess-1): each game ages both players by the time since their own last
    game, in fractional periods. The opponent's deviation, and both in a prediction, are aged and capped; the player's
    own ages inside the update (step 6) and is bounded after it. Final values hold at each player's last game."""
    states: dict[str, State] = {}
    last: dict[str, int] = {}
    logits: list[float] = []
    clamped: dict[str, list[str]] = {}
    for time, a, b, score in games:
        before = {name: states.get(name, start) for name in (a, b)}
        elapsed = {name: max(0, time - last.get(name, time)) / DAY * periods_per_day for name in (a, b)}
        aged = {
            name: s._replace(deviation=grown(s.deviation, s.volatility, elapsed[name], bounds.deviation_max))
            for name, s in before.items()
        }
        logits.append(logit(aged[a], aged[b]))
        for player, opponent, points in ((a, b, score), (b, a, 1 - score)):
            after = glicko2(before[player], [(aged[opponent], points)], tau, elapsed[player])
            states[player], hit = bounded(before[player], after, bounds)
            clamped.setdefault(player, []).extend(hit)
            last[player] = max(time, last.get(player, time))
    return Replay([logistic(x) for x in logits], logits, states, clamped)


def elo(games: Iterable[Game], k: float = 20.0, start: float = 1500.0) -> Replay:
    """Elo with a fixed K, game by game in the order given; deviation and volatility of the states are 0."""
    ratings: dict[str, float] = {}
    logits: list[float] = []
    for _, a, b, score in games:
        gap = ratings.get(a, start) - ratings.get(b, start)
        logits.append(gap * math.log(10) / 400)
        change = k * (score - 1 / (1 + 10 ** (-gap / 400)))
        ratings[a] = ratings.get(a, start) + change
        ratings[b] = ratings.get(b, start) - change
    return Replay([logistic(x) for x in logits], logits, {name: State(r, 0.0, 0.0) for name, r in ratings.items()}, {})


def score(games: Sequence[Game], replay: Replay) -> tuple[float, float]:
    """Mean log-loss (a tie is half a win and half a loss), and accuracy on decisive games (P = .5 counts half)."""
    loss = 0.0
    decisive = right = 0.0
    for game, x in zip(games, replay.logit_a, strict=True):
        for side, weight in ((x, game.score_a), (-x, 1 - game.score_a)):
            loss += weight * (math.log1p(math.exp(-side)) if side > 0 else math.log1p(math.exp(side)) - side)
        if game.score_a != 0.5:
            decisive += 1
            right += 0.5 if x == 0 else float((x > 0) == (game.score_a > 0.5))
    return loss / len(games), right / decisive


def read(path: Path, leave_out: Mapping[str, Sequence[str]] | None = None) -> list[Game]:
    """The games of a `*.csv.gz` of the shared sets, by time and then in file order; rows without a score, and rows
    whose column holds one of the words of `leave_out`, are left out."""
    games = []
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["score_a"] == "" or any(row[column] in words for column, words in (leave_out or {}).items()):
                continue
            when = datetime.fromisoformat(row["played_at"])
            when = when if when.tzinfo else when.replace(tzinfo=UTC)
            games.append(
                Game(round(when.timestamp() * 1_000_000), row["player_a"], row["player_b"], float(row["score_a"]))
            )
    return sorted(games, key=lambda game: game.time)


YARDSTICKS: dict[str, tuple[int, str]] = {
    "afl_with_odds": (7, ".6220/.6574 .6116/.6604 .6111/.6777"),
    "volleyball_bundesliga": (7, ".5052/.7618 .4857/.7624 .4632/.7698"),
    "ufc": (30, ".6863/.5616 .6838/.5625 .6910/.5704"),
    "football_international": (30, ".6039/.7175 .5998/.7207 .5963/.7257"),
    "tcec_engines": (7, ".6442/.7423 .6419/.7449 .6582/.7050"),
    "tennis_atp_main": (7, ".5993/.6726 .5975/.6754 .5999/.6747"),
}
"""Set to days of a period, and the published log-loss/accuracy of Elo K20, Elo K32 and Glicko-2."""

NOT_PLAYED = {"tennis_atp_main": {"termination": ("walkover", "unknown", "unfinished", "abandoned")}}


def yardstick(folder: Path, name: str) -> list[tuple[float, float]]:
    """Log-loss and accuracy of Elo K20, Elo K32 and Glicko-2 on one shared set, the whole set as one pool."""
    games = [
        game for game in read(folder / name / f"{name}.csv.gz", NOT_PLAYED.get(name)) if game.player_a != game.player_b
    ]
    days = YARDSTICKS[name][0]
    return [score(games, replay) for replay in (elo(games, 20), elo(games, 32), calendar(games, days))]


if __name__ == "__main__":
    for set_name in YARDSTICKS:
        found = " ".join(f"{loss:.4f}/{accuracy:.4f}" for loss, accuracy in yardstick(Path(sys.argv[1]), set_name))
        print(f"{set_name}: {found}  published {YARDSTICKS[set_name][1]}", flush=True)
