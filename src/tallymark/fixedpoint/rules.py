"""The game rules of go-onchain-v2: what one finished game makes of two players, whole felts and not only ratings."""

from enum import IntEnum
from typing import Final, NamedTuple

from tallymark.fixedpoint import formulas
from tallymark.fixedpoint.constants import KNOTS, VERSION
from tallymark.fixedpoint.felt import COUNTER_MAX, Player
from tallymark.fixedpoint.primitives import root
from tallymark.fixedpoint.refusing import whole
from tallymark.fixedpoint.units import HALF, ONE, Q, W
from tallymark.fixedpoint.updating import TIME_BITS

BANDS: Final[tuple[Q, ...]] = (KNOTS[7], KNOTS[13], 0, KNOTS[29])
"""mu of the starting bands 1 to 4: 23k, 17k, rating 1500, 1k."""
UNDECLARED: Final = 3
"""The band of who declares none."""
MIN_STEPS: Final = 20
"""A game of fewer is short."""
SETTLED_GAMES: Final = 10
"""A settled player has played as many."""
SURE: Final[Q] = ONE
"""The largest phi of players who are established, and of settled ones."""


class VoidReason(IntEnum):
    """Why a game is not rated at all."""

    INVALID = 1
    MATCHMAKER = 2
    REFEREE = 3
    SHORT = 4
    ANCHOR = 5


class Result(NamedTuple):
    """A finished game: half points of a (0, 1, 2), when it started, its steps, whether it ended on the chain by
    resignation or timeout (`forfeit`), and whether a queue paired it.

    The bands that newcomers declared stand beside it: 1 to 4, 0 for none. Of others they do not count.
    """

    half_points: int
    t: int
    steps: int
    forfeit: bool = False
    queue: bool = False
    band_a: int = 0
    band_b: int = 0


class Rated(NamedTuple):
    """Both players after a game, and every intermediate of it."""

    a: Player
    b: Player
    game: formulas.Game


def band_mu(band: int) -> Q:
    """mu of a starting band, 1 to 4; 0 is none declared. `RefusedError` for another.

    >>> band_mu(4) == KNOTS[29], band_mu(0)
    (True, 0)
    """
    return BANDS[(whole("band", band, 0, len(BANDS)) or UNDECLARED) - 1]


def rate(a: Player, b: Player, result: Result) -> Rated | VoidReason:
    """Both players after a game, or why it is void; then nothing changes, the clock included.

    A short game is void, but for one that a player gave up on the chain: there the loser loses as in a full game, and
    the winner only ages. `RefusedError` for a result or band that there is not.

    >>> new = Player()
    >>> done = rate(new, new, Result(2, 1700000000, 20))
    >>> done.a.mu, done.a.wins, done.b.losses, done.b.band
    (3976162240, 1, 1, 3)
    >>> rate(new, new, Result(2, 1700000000, 19))
    <VoidReason.SHORT: 4>
    """
    half_points = whole("half_points", result.half_points, 0, 2, "0 (a lost), 1 (drawn) or 2 (a won)")
    t = whole("t", result.t, 0, (1 << TIME_BITS) - 1)
    short = whole("steps", result.steps, 0, (1 << 32) - 1) < MIN_STEPS
    start_a, start_b = _started(a, result.band_a), _started(b, result.band_b)
    if short and (half_points == 1 or not result.forfeit):
        return VoidReason.SHORT
    game = formulas.game(*start_a.state, *start_b.state, half_points * HALF, t)
    after_a = _played(start_a, game.side_a, game.last_a, half_points)
    after_b = _played(start_b, game.side_b, game.last_b, 2 - half_points)
    if short and half_points == 2:
        after_a = _only_aged(a, game.before_a.var, game.last_a)
    elif short:
        after_b = _only_aged(b, game.before_b.var, game.last_b)
    elif result.queue and _settled(a, game.before_a.var) and _settled(b, game.before_b.var):
        after_a, after_b = _peaked(after_a), _peaked(after_b)
    return Rated(after_a, after_b, game)


def aged_phi(var: W) -> Q:
    """The deviation of an aged variance.

    >>> aged_phi(formulas.aged(0, 0, 0, 0)) == 2 * ONE
    True
    """
    return formulas.floored(root(var))


def _started(player: Player, band: int) -> Player:
    """The player as a game finds it: a newcomer at the band that it declared."""
    mu = band_mu(band)
    return player if player.phi else Player(mu=mu, band=band or UNDECLARED)


def _played(before: Player, side: formulas.Side, last: int, half_points: int) -> Player:
    """The player with the game's rating, one more in its record, and established if it is now."""
    after = before._replace(
        mu=side.mu,
        phi=side.phi,
        last=last,
        version=VERSION,
        wins=min(before.wins + (half_points == 2), COUNTER_MAX),
        losses=min(before.losses + (half_points == 0), COUNTER_MAX),
        draws=min(before.draws + (half_points == 1), COUNTER_MAX),
    )
    sure = after.phi <= SURE and after.wins > 0 and after.losses > 0
    return after._replace(established=before.established or sure)


def _only_aged(player: Player, var: W, last: int) -> Player:
    """The winner of a short game; one who was never rated stays so."""
    return player._replace(phi=aged_phi(var), last=last, version=VERSION) if player.phi else player


def _settled(player: Player, var: W) -> bool:
    """Before a game, by the variance aged to it."""
    return player.games >= SETTLED_GAMES and aged_phi(var) <= SURE


def _peaked(player: Player) -> Player:
    """The player with mu - 2 phi as its peak if that is its best."""
    now = player.mu - 2 * player.phi
    if not player.established or (player.has_peak and player.peak >= now):
        return player
    return player._replace(has_peak=True, peak=now)
