"""The papers' formulas in 60-digit arithmetic: a second opinion that shares nothing with the package.

Ratings and deviations are on the display scale at the edges and on the Glicko-2 scale (mu, phi) inside. Every number
that comes in is the exact value of its double, constants such as 173.7178 and tau included, so that the results may be
compared to the last bit of a double.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from mpmath import MPContext, mpf

MP = MPContext()
MP.dps = 60
SCALE: mpf = MP.mpf(173.7178)
Values = tuple[mpf, mpf, mpf]
"""Rating, deviation, volatility."""


class Player(NamedTuple):
    """Display scale, and `elapsed`: rating periods since this player's own last game (0 for a newcomer)."""

    rating: float
    deviation: float
    volatility: float
    elapsed: float = 1.0


class Bound(NamedTuple):
    """Limits applied after the update, in the order change, rating, deviation, volatility."""

    change: float = math.inf
    rating_min: float = -math.inf
    deviation_min: float = 0.0
    deviation_max: float = math.inf
    volatility_min: float = 0.0
    volatility_max: float = math.inf


@dataclass(frozen=True)
class Update:
    """One update with its working. `roots`: every root of f, as z = ln(sigma'^2/sigma^2); `z` is the one taken.
    `clamped` names the bounds that cut the result."""

    rating: mpf
    deviation: mpf
    volatility: mpf
    v: mpf
    delta: mpf
    z: mpf
    roots: list[mpf]
    clamped: list[str]


def g2(phi: mpf) -> mpf:
    """Step 3 of the paper: g."""
    return 1 / MP.sqrt(1 + 3 * phi**2 / MP.pi**2)


def volatility_function(x: mpf, a: mpf, phi: mpf, v: mpf, delta: mpf, tau: mpf) -> mpf:
    """f of step 5, as the paper prints it, with a = ln sigma^2."""
    top = MP.exp(x) * (delta**2 - phi**2 - v - MP.exp(x))
    return top / (2 * (phi**2 + v + MP.exp(x)) ** 2) - (x - a) / tau**2


def search_range(a: mpf, phi: mpf, v: mpf, delta: mpf, tau: mpf) -> tuple[mpf, mpf]:
    """Two x that hold every root of f between them.

    With A = phi^2 + v and y = e^x the first term of f lies above -1/2 and at or below delta^2 / (8 A), and it is
    positive only while y < delta^2 - A: beyond these f has the sign of -(x - a) alone.
    """
    low = a - tau**2 / 2 - 1
    room = delta**2 - phi**2 - v
    high = a + 1
    if room > MP.exp(a):
        high += min(tau**2 * delta**2 / (8 * (phi**2 + v)), MP.log(room) - a)
    return low, high


def bisect(function: Callable[[mpf], mpf], left: mpf, right: mpf) -> mpf:
    """The change of sign between two arguments: 230 halvings, 1e-69 of the distance."""
    positive = function(left) > 0
    for _ in range(230):
        middle = (left + right) / 2
        if (function(middle) > 0) == positive:
            left = middle
        else:
            right = middle
    return (left + right) / 2


def turning_points(phi: mpf, v: mpf, delta: mpf, tau: mpf) -> list[mpf]:
    """Where f' = 0, rising: none or two x.

    With A = phi^2 + v, D = delta^2 and e^x = A u, f' = 0 reads q(u) = 2 A (1+u)^3 - tau^2 u ((D - A) - (D + A) u) = 0.
    q is positive at 0 and far out and, for u > 0, has one low point at most: the larger root of the quadratic q'.
    """
    big_a, big_d, t2 = phi**2 + v, delta**2, tau**2

    def q(u: mpf) -> mpf:
        return 2 * big_a * (1 + u) ** 3 - t2 * u * (big_d - big_a - (big_d + big_a) * u)

    half = 6 * big_a + t2 * (big_d + big_a)
    square = half**2 - 6 * big_a * (6 * big_a - t2 * (big_d - big_a))
    lowest = (MP.sqrt(square) - half) / (6 * big_a) if square > 0 else MP.mpf(0)
    if lowest <= 0 or q(lowest) >= 0:
        return []
    far = 2 * lowest
    while q(far) < 0:
        far *= 2
    return [MP.log(big_a * bisect(q, MP.mpf(0), lowest)), MP.log(big_a * bisect(q, lowest, far))]


def volatility_roots(a: mpf, phi: mpf, v: mpf, delta: mpf, tau: mpf) -> list[mpf]:
    """Every root of f, rising: f is monotone between its turning points, so each piece holds one root or none."""

    def f(x: mpf) -> mpf:
        return volatility_function(x, a, phi, v, delta, tau)

    low, high = search_range(a, phi, v, delta, tau)
    knots = [low, *(x for x in turning_points(phi, v, delta, tau) if low < x < high), high]
    pieces = itertools.pairwise(knots)
    return [bisect(f, left, right) for left, right in pieces if (f(left) > 0) != (f(right) > 0)]


def scanned_roots(a: mpf, phi: mpf, v: mpf, delta: mpf, tau: mpf, points: int = 6000) -> int:
    """How often f changes sign on a dense grid, in doubles: the count of roots, found another way."""
    low, high = (float(x) for x in search_range(a, phi, v, delta, tau))
    a_, phi_, v_, delta_, tau_ = (float(x) for x in (a, phi, v, delta, tau))
    positive = []
    for i in range(points + 1):
        x = low + (high - low) * i / points
        y = math.exp(x)
        top = y * (delta_**2 - phi_**2 - v_ - y)
        positive.append(top / (2 * (phi_**2 + v_ + y) ** 2) - (x - a_) / tau_**2 > 0)
    return sum(one != two for one, two in itertools.pairwise(positive))


def slope(update: Update, player: Player, tau: float) -> mpf:
    """tau^2 f' at the root taken: -1 where f's first term is flat; near 0 two roots merge and the answer shakes."""
    a = MP.log(MP.mpf(player.volatility) ** 2)
    phi = player.deviation / SCALE
    step = MP.mpf(10) ** -20
    above, below = (
        volatility_function(a + update.z + s, a, phi, update.v, update.delta, MP.mpf(tau)) for s in (step, -step)
    )
    return MP.mpf(tau) ** 2 * (above - below) / (2 * step)


def clamp(player: Player, rating: mpf, deviation: mpf, volatility: mpf, bound: Bound) -> tuple[Values, list[str]]:
    """The three values inside the bounds and the names of those hit; none is fed back into another."""
    clamped = []

    def limit(name: str, value: mpf, low: mpf, high: mpf) -> mpf:
        kept = min(max(value, low), high)
        if kept != value:
            clamped.append(name)
        return kept

    start = MP.mpf(player.rating)
    rating = limit("change", rating, start - bound.change, start + bound.change)
    rating = limit("rating", rating, MP.mpf(bound.rating_min), MP.inf)
    deviation = limit("deviation", deviation, MP.mpf(bound.deviation_min), MP.mpf(bound.deviation_max))
    volatility = limit("volatility", volatility, MP.mpf(bound.volatility_min), MP.mpf(bound.volatility_max))
    return (rating, deviation, volatility), clamped


def glicko2(
    player: Player,
    games: list[tuple[Player, float]],
    tau: float,
    bound: Bound | None = None,
    opponents_age: bool = False,
) -> Update:
    """Steps 2 to 8 of the Glicko-2 paper; `player.elapsed` periods of sigma'^2 in step 6.

    `opponents_age`: each opponent's deviation grows by its own volatility and elapsed periods to the game, at most to
    the bound's `deviation_max`; otherwise it counts as it stands.
    """
    bound = bound or Bound()
    mu, phi, sigma = (MP.mpf(player.rating) - 1500) / SCALE, player.deviation / SCALE, MP.mpf(player.volatility)
    elapsed, t = MP.mpf(player.elapsed), MP.mpf(tau)
    if not games:
        aged = SCALE * MP.sqrt(phi**2 + elapsed * sigma**2)
        values, clamped = clamp(player, MP.mpf(player.rating), aged, sigma, bound)
        return Update(*values, MP.inf, MP.mpf(0), MP.mpf(0), [MP.mpf(0)], clamped)
    inverse_v = surprise = MP.mpf(0)
    for opponent, score in games:
        phi_j = opponent.deviation / SCALE
        if opponents_age:
            grown = MP.sqrt(phi_j**2 + MP.mpf(opponent.elapsed) * MP.mpf(opponent.volatility) ** 2)
            phi_j = min(grown, MP.mpf(bound.deviation_max) / SCALE)
        weight = g2(phi_j)
        e = 1 / (1 + MP.exp(-weight * (mu - (MP.mpf(opponent.rating) - 1500) / SCALE)))
        inverse_v += weight**2 * e * (1 - e)
        surprise += weight * (MP.mpf(score) - e)
    v = 1 / inverse_v
    delta = v * surprise
    a = MP.log(sigma**2)
    roots = volatility_roots(a, phi, v, delta, t) if tau else [a]
    z = min((x - a for x in roots), key=abs)
    new_sigma = sigma * MP.exp(z / 2)
    phi_star = MP.sqrt(phi**2 + elapsed * new_sigma**2)
    new_phi = 1 / MP.sqrt(1 / phi_star**2 + 1 / v) if phi_star else MP.mpf(0)
    new_mu = mu + new_phi**2 * surprise
    values, clamped = clamp(player, SCALE * new_mu + 1500, SCALE * new_phi, new_sigma, bound)
    return Update(*values, v, delta, z, [x - a for x in roots], clamped)


@dataclass(frozen=True)
class PlainUpdate:
    """An update of a system without volatility; Elo has no deviation either (None)."""

    rating: mpf
    deviation: mpf | None
    clamped: list[str]


def glicko(player: Player, games: list[tuple[Player, float]], bound: Bound) -> PlainUpdate:
    """Glickman's *The Glicko system*: everyone's deviation at onset with c^2 = (350^2 - 50^2)/60, then step 2."""
    q = MP.log(10) / 400
    c_squared = MP.mpf(350**2 - 50**2) / 60

    def onset(one: Player) -> mpf:
        return min(MP.sqrt(MP.mpf(one.deviation) ** 2 + c_squared * MP.mpf(one.elapsed)), MP.mpf(bound.deviation_max))

    inverse_d2 = surprise = MP.mpf(0)
    for opponent, score in games:
        weight = 1 / MP.sqrt(1 + 3 * q**2 * onset(opponent) ** 2 / MP.pi**2)
        e = 1 / (1 + MP.mpf(10) ** (-weight * (MP.mpf(player.rating) - MP.mpf(opponent.rating)) / 400))
        inverse_d2 += q**2 * weight**2 * e * (1 - e)
        surprise += weight * (MP.mpf(score) - e)
    precision = 1 / onset(player) ** 2 + inverse_d2
    rating = player.rating + q / precision * surprise
    (rating, deviation, _), clamped = clamp(player, rating, MP.sqrt(1 / precision), MP.mpf(0), bound)
    return PlainUpdate(rating, deviation, clamped)


def elo(player: Player, games: list[tuple[Player, float]], k: float) -> PlainUpdate:
    """Elo: K/(n - 1) a pair in a match of n players, all from the values before it."""
    change = MP.mpf(0)
    for opponent, score in games:
        e = 1 / (1 + MP.mpf(10) ** ((MP.mpf(opponent.rating) - MP.mpf(player.rating)) / 400))
        change += MP.mpf(k) / len(games) * (MP.mpf(score) - e)
    return PlainUpdate(player.rating + change, None, [])
