"""The inputs of the worked updates: each a name, why it is there, the player, the opponents and the scores.

Elapsed times are rating periods: of `lichess-1` 0.21436 a day, of `glicko-1` whole ones since the last one played.
"""

from typing import NamedTuple

from vector_formulas import Bound, Player

PER_DAY = 0.21436
LICHESS_BOUND = Bound(700, 400, 45, 500, 0.01, 0.1)
GLICKO_BOUND = Bound(deviation_min=30, deviation_max=350)


class Case(NamedTuple):
    """One update to work out; `published` is what a paper or the shared values print for it (rating, RD, sigma)."""

    name: str
    why: str
    player: Player
    games: list[tuple[Player, float]]
    tau: float = 0.5
    published: tuple[float, ...] = ()


def elo_player(rating: float) -> Player:
    """Elo keeps a rating only."""
    return Player(rating, 0.0, 0.0, 0.0)


def glicko_player(rating: float, deviation: float, periods: int) -> Player:
    """Glicko has no volatility."""
    return Player(rating, deviation, 0.0, float(periods))


def days(rating: float, deviation: float, volatility: float, since_last: float) -> Player:
    """A `lichess-1` player whose last game was `since_last` days ago."""
    return Player(rating, deviation, volatility, since_last * PER_DAY)


FRESH = days(1500, 500, 0.09, 0)

LICHESS = [
    Case("two newcomers", "no elapsed time on either side", FRESH, [(FRESH, 1.0)], 0.75),
    Case("newcomer beats an expert", "more than 700 points: change", FRESH, [(days(2200, 45, 0.06, 3), 1.0)], 0.75),
    Case(
        "draw after hours",
        "fractional periods, a draw",
        days(1712.5, 83.25, 0.0605, 0.37),
        [(days(1655.0, 97.5, 0.058, 0.0625), 0.5)],
        0.75,
    ),
    Case("at the bottom", "rating floor 400", days(430, 200, 0.08, 2), [(days(500, 60, 0.06, 1), 0.0)], 0.75),
    Case(
        "settled pair",
        "deviation floor 45",
        days(1900, 45.01, 0.0601, 0.002),
        [(days(1895, 45, 0.06, 0.002), 1.0)],
        0.75,
    ),
    Case(
        "ten years away",
        "deviation cap 500: a lost game against someone far above tells nothing",
        days(1100, 486, 0.0999, 3650),
        [(days(3300, 60, 0.06, 1), 0.0)],
        0.75,
    ),
    Case(
        "favourite loses",
        "volatility cap 0.1, not fed back",
        days(1800, 60, 0.0999, 1),
        [(days(1100, 60, 0.06, 1), 0.0)],
        0.75,
    ),
    Case("calmest player", "volatility floor 0.01", days(2400, 50, 0.01, 0.5), [(days(2390, 48, 0.05, 4), 1.0)], 0.75),
    Case(
        "opponent twenty years away",
        "the opponent's own volatility and time, capped at 500 inside g",
        days(1850, 75, 0.061, 1.5),
        [(days(2000, 480, 0.1, 7300), 0.5)],
        0.75,
    ),
    Case(
        "everything at once",
        "change first (1050 - 700 = 350), then the floor, the cap and the volatility",
        days(1050, 495, 0.09999, 20000),
        [(days(400, 45, 0.01, 0), 0.0)],
        0.75,
    ),
]

GLICKO = [
    Case(
        "Glickman's example",
        "glicko.net, The Glicko system",
        glicko_player(1500, 200, 0),
        [(glicko_player(1400, 30, 0), 1.0), (glicko_player(1550, 100, 0), 0.0), (glicko_player(1700, 300, 0), 0.0)],
        published=(1464.1, 151.4),
    ),
    Case("two newcomers", "start", glicko_player(1500, 350, 0), [(glicko_player(1500, 350, 0), 1.0)]),
    Case(
        "five games in the next period",
        "wins, draws and a loss; one period of ageing on both sides",
        glicko_player(1623.5, 92.25, 1),
        [
            (glicko_player(1588, 71, 1), 1.0),
            (glicko_player(1702, 133.5, 2), 0.5),
            (glicko_player(1650, 64, 1), 0.0),
            (glicko_player(1500, 350, 0), 1.0),
            (glicko_player(1611.75, 88, 5), 0.5),
        ],
    ),
    Case(
        "sixty periods away",
        "onset deviation reaches 350",
        glicko_player(1800, 300, 60),
        [(glicko_player(1750, 60, 1), 0.0)],
    ),
    Case(
        "at the floor",
        "deviation floor 30, no time passed",
        glicko_player(1810, 30, 0),
        [(glicko_player(1800, 35, 1), 1.0)],
    ),
    Case(
        "a hundred games",
        "one period alone reaches the floor",
        glicko_player(2950, 31, 1),
        [(glicko_player(2940, 31, 1), (1.0, 0.5, 0.5, 0.0)[i % 4]) for i in range(100)],
    ),
    Case("upset", "1,200 points", glicko_player(1300, 110, 3), [(glicko_player(2500, 45, 1), 1.0)]),
    Case("expected win", "2,500 points: E is nearly 1", glicko_player(3000, 50, 1), [(glicko_player(500, 40, 2), 1.0)]),
    Case(
        "opponents away",
        "theirs is capped at 350 too; fractional scores",
        glicko_player(1490, 55, 2),
        [(glicko_player(1520, 340, 400), 0.25), (glicko_player(1480, 50, 61), 0.75)],
    ),
    Case(
        "below zero",
        "ratings have no floor",
        glicko_player(-85.5, 140, 3),
        [(glicko_player(120, 80, 1), 0.5), (glicko_player(60, 95, 4), 0.0)],
    ),
]

ELO = [
    Case("equals", "half of K", elo_player(1500), [(elo_player(1500), 1.0)]),
    Case("draw of equals", "nothing moves", elo_player(1723.5), [(elo_player(1723.5), 0.5)]),
    Case("favourite draws", "and loses points", elo_player(1850), [(elo_player(1620), 0.5)]),
    Case("upset", "800 points", elo_player(1200), [(elo_player(2000), 1.0)]),
    Case("expected win", "3,000 points: less than a millionth is won", elo_player(3200), [(elo_player(200), 1.0)]),
    Case("three players, first", "K/2 a pair", elo_player(1500), [(elo_player(1600), 1.0), (elo_player(1450), 1.0)]),
    Case(
        "three players, shared",
        "a tie for second",
        elo_player(1600),
        [(elo_player(1500), 0.0), (elo_player(1450), 0.5)],
    ),
    Case(
        "five players, third",
        "K/4 a pair",
        elo_player(1555.25),
        [(elo_player(1700), 0.0), (elo_player(1480), 0.0), (elo_player(1500), 1.0), (elo_player(1622.5), 1.0)],
    ),
    Case("part of a point", "a fractional score", elo_player(1400), [(elo_player(1475), 0.75)]),
    Case("below zero", "ratings have no floor", elo_player(-40.5), [(elo_player(110), 0.0)]),
]
