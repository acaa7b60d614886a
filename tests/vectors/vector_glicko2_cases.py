"""Two hundred unbounded Glicko-2 updates: what papers, implementations and fault reports publish, then drawn ones."""

import itertools
import random
from collections.abc import Iterator

from vector_cases import Case
from vector_formulas import MP, SCALE, Player, Update, glicko2, scanned_roots, slope

COUNT = 200
TAUS = (0.2, 0.5, 0.75, 1.0, 1.2)
WHY = {
    "three roots": "upsets: the answer is the root of f nearest ln sigma^2",
    "distant root": "upsets beyond a fold: the only root is far away",
    "drawn": "at random over the whole range",
}
PAPER = [(Player(1400, 30, 0.06), 1.0), (Player(1550, 100, 0.06), 0.0), (Player(1700, 300, 0.06), 0.0)]


def one(rating: float, deviation: float, score: float) -> list[tuple[Player, float]]:
    """A single game."""
    return [(Player(rating, deviation, 0.06), score)]


def player(rating: float, deviation: float, volatility: float = 0.06) -> Player:
    """A player one period after the last."""
    return Player(rating, deviation, volatility)


PUBLISHED = [
    Case("paper", "the paper's example", player(1500, 200), PAPER, 0.5,
         (1464.05067054, 151.516524124, 0.0599959844007)),
    Case("paper, RD 350", "a published test", player(1500, 350), PAPER, 0.5, (1441.53278921, 193.228325244)),
    Case("high volatility", "the old Newton iteration diverges", player(880, 280, 1.09), one(1463, 248, 1), 1.0,
         (1339.31932597, 329.862942522, 1.26039606072)),
    Case("tau 0", "sigma never changes", player(1612, 88), one(1700, 60, 1) + one(1455, 120, 0), 0.0,
         (1610.25573801, 84.2305115437, 0.06)),
    Case("RD 0", "the player's", player(1500, 0), one(1600, 50, 1), 0.5,
         (1500.39403771, 10.4192488509, 0.0600023214744)),
    Case("opponent's RD 0", "g is 1", player(1500, 200), one(1600, 0, 1), 0.5,
         (1613.13835309, 175.232658058, 0.0600008606008)),
    Case("newcomers, winner", "mirror of the next", player(1500, 350), one(1500, 350, 1), 0.5,
         (1662.31089391, 290.318963718, 0.0599996753731)),
    Case("newcomers, loser", "mirror of the last", player(1500, 350), one(1500, 350, 0), 0.5,
         (1337.68910609, 290.318963718, 0.0599996753731)),
    Case("both from before, A", "two sides of a game", player(1500, 200), one(1650, 90, 1), 0.5,
         (1622.72323564, 178.430099653, 0.0600017195891)),
    Case("both from before, B", "two sides of a game", player(1650, 90), one(1500, 200, 0), 0.5,
         (1624.18624735, 88.732906464, 0.0600020028402)),
    Case("scale constant", "173.7178, not 173.1718", player(2350, 90),
         one(2050, 55, 0) + one(2480, 70, 1) + one(2210, 120, 0.5), 0.5,
         (2335.84834522, 84.7437806949, 0.0599950017809)),
    Case("negative rating", "2,300 points below", player(-137.5, 180), one(2163, 55, 0), 0.5,
         (-137.500398153, 180.301322647, 0.0599999999717)),
    Case("against a negative rating", "2,300 points above", player(2163, 55), one(-137.5, 180, 1), 0.5,
         (2163.00015887, 55.9789054716, 0.0599999998968)),
    Case("four games", "the deviation counted once", player(1690, 130),
         one(1720, 65, 1) + one(1655, 110, 0) + one(1800, 80, 0.5) + one(1590, 45, 1), 0.5,
         (1723.53206912, 106.245978219, 0.0599935293454)),
    Case("period of two games, A", "beats B, loses to C", player(1500, 200), one(1400, 80, 1) + one(1550, 120, 0), 0.5,
         (1492.37744517, 159.627966156, 0.0599963108798)),
    Case("period of two games, B", "loses to A", player(1400, 80), one(1500, 200, 0), 0.5,
         (1388.37469302, 79.2524259547, 0.0599991100478)),
    Case("period of two games, C", "beats A", player(1550, 120), one(1500, 200, 1), 0.5,
         (1578.58089162, 115.668236691, 0.0599993949538)),
    Case("delivered once, A", "the winner", player(1500, 200), one(1480, 180, 1), 0.5,
         (1576.19276696, 179.136115124, 0.0599994394346)),
    Case("delivered once, B", "the loser", player(1480, 180), one(1500, 200, 0), 0.5,
         (1416.91980204, 165.177130135, 0.0599995196596)),
    Case("one played of five", "the winner", player(1500, 100), one(1500, 100, 1), 0.5,
         (1525.77121933, 96.9224198334, 0.0599997985492)),
    Case("upset loss of 500", "a published value", player(1500, 350), one(2000, 70, 0), 0.5,
         (1467.5878493169446, 318.6617548537233, 0.059999457652290845)),
    Case("upset win of 500", "a published value", player(1500, 350), one(2000, 70, 1), 0.5,
         (2038.217689169206, 318.66178535036465, 0.06000728185469167)),
    Case("newcomers 1520 and 1420", "the winner", player(1520, 350), one(1420, 350, 1), 0.5, (1652.938467225171,)),
    Case("newcomers 1420 and 1520", "the loser", player(1420, 350), one(1520, 350, 0), 0.5, (1287.061532774829,)),
    Case("newcomer draws", "a draw below", player(1600, 350), one(1500, 50, 0.5), 0.5, (1549.6082697140469,)),
    Case("draws with a newcomer", "a draw above", player(1500, 50), one(1600, 350, 0.5), 0.5, (1500.9467906004222,)),
    Case("first game of the paper", "a win", player(1500, 200), one(1400, 30, 1), 0.5, (1563.5641943063947,)),
    Case("opponent of the first game", "a loss", player(1400, 30), one(1500, 200, 0), 0.5, (1398.1435582336976,)),
    Case("equals, winner", "RD 90", player(240, 90), one(240, 90, 1), 0.5, (261.37396326087156, 87.88100080652988)),
    Case("equals, loser", "RD 90", player(240, 90), one(240, 90, 0), 0.5, (218.62603673912844, 87.88100080652988)),
    Case("no game, RD 95", "only step 6", player(1250, 95), [], 0.5, (1250, 95.57008081262997, 0.06)),
    Case("no game, RD 35", "only step 6", player(2250, 35, 0.059998), [], 0.5, (2250, 36.51894171472616, 0.059998)),
    Case("one beats four", "teams, all new", player(1500, 350), one(1500, 350, 1) * 4, 0.5, (1835.06, 208.56)),
    Case("two beat three", "teams, all new", player(1500, 350), one(1500, 350, 1) * 3, 0.5, (1799.63, 227.74)),
    Case("three lose to two", "teams, all new", player(1500, 350), one(1500, 350, 0) * 2, 0.5, (1252.68, 253.40)),
    Case("three roots", "the answer is the root nearest ln sigma^2", player(2100, 35), one(1300, 35, 0) * 5, 0.5,
         (2062.28699113,)),
    Case("runs away", "one root, and far: thirty losses", player(2500, 50), one(1500, 50, 0) * 30, 0.5, (-48882,)),
]  # fmt: skip
"""`published` prints these values in its own digits; the generator refuses to write where they differ."""


def drawn(seed: int, upsets: bool) -> Iterator[Case]:
    """Endless cases from a seed; `upsets`: a favourite of 400 to 1,500 points loses most of a period."""
    source = random.Random(seed)
    for number in itertools.count(1):
        volatility = round(10 ** source.uniform(-2, 0.0791), 5)
        own = round(source.uniform(-500, 4000), 2)
        tau = 0.0 if number % 12 == 0 and not upsets else source.choice(TAUS)
        games = []
        if upsets:
            own = round(source.uniform(700, 4000), 2)
            deviation, volatility = round(source.uniform(20, 140), 1), round(source.uniform(0.01, 0.2), 4)
            gap = source.uniform(400, min(1500, own + 500))
            for _ in range(source.randint(1, 20)):
                opponent = Player(round(own - gap + source.uniform(-60, 60), 2), round(source.uniform(0, 120), 1), 0.06)
                games.append((opponent, 0.0 if source.random() < 0.9 else source.choice((0.5, 1.0))))
        else:
            deviation = round(source.choice((source.uniform(0, 120), source.uniform(0, 500))), 1)
            reach = source.choice((150, 400, 4500))
            for _ in range(source.randint(1, 20)):
                rating = min(4000.0, max(-500.0, round(own + source.uniform(-reach, reach), 2)))
                score = source.choice((0.0, 1.0, 0.0, 1.0, 0.5, round(source.random(), 3)))
                games.append((Player(rating, round(source.uniform(0, 500), 1), 0.06), score))
        yield Case("", "", Player(own, deviation, volatility), games, tau)


def steady(case: Case, update: Update) -> bool:
    """Whether two ways of counting roots agree and the answer does not hang on the last bits of its input."""
    if case.tau == 0:
        return True
    a, phi = MP.log(MP.mpf(case.player.volatility) ** 2), case.player.deviation / SCALE
    if scanned_roots(a, phi, update.v, update.delta, MP.mpf(case.tau)) != len(update.roots):
        return False
    return bool(slope(update, case.player, case.tau) < -0.01)


def cases() -> Iterator[tuple[Case, Update]]:
    """All of them, worked: the published ones, sixty with three roots, thirty with one distant root, then the rest."""
    for case in PUBLISHED:
        yield case, glicko2(case.player, case.games, case.tau)
    wanted = {"three roots": 60, "distant root": 30, "drawn": COUNT - len(PUBLISHED) - 90}
    for upsets, kinds in ((True, ("three roots", "distant root")), (False, ("drawn",))):
        left = {kind: wanted[kind] for kind in kinds}
        source = drawn(20_261_129 + upsets, upsets)
        while any(left.values()):
            case = next(source)
            update = glicko2(case.player, case.games, case.tau)
            kind = "drawn" if not upsets else "three roots" if len(update.roots) == 3 else "distant root"
            if not left[kind] or (kind == "distant root" and abs(update.z) < 2) or not steady(case, update):
                continue
            left[kind] -= 1
            yield case._replace(name=f"{kind} {wanted[kind] - left[kind]}", why=WHY[kind]), update
