"""Synthetic logs: games that nobody played, as many as one wants, the same on every machine.

Each player has a skill that drifts: drawn at a few instants, linear between. The better one wins more often, by
`0.5 + 0.5 x / sqrt(1 + x^2)` of the difference x in skill; near 0, a unit of skill is some 350 points of Elo.

Only the raw words of numpy's PCG64 are drawn, whose stream numpy promises to keep, and all that is made of them is made
by + - * / and sqrt: so a seed stands for the same games wherever it is asked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.coded import Coded
from tallymark.games.ids import Id
from tallymark.games.log import GameLog, in_order
from tallymark.games.report import Findings
from tallymark.games.vocabulary import Ending, Source

Ids: TypeAlias = Literal["integers", "strings", "long"]
"""What players are called: 1 and up; `player-0001` and up; or 24 hexadecimal digits each, as databases name things."""

PIECE: Final = 1 << 20
"""So many games have a stream of their own, whatever else is made: a log is made piece by piece."""
_MOST_GAMES: Final = 2**31 - 1
_MOST_PLAYERS: Final = 10_000_000
_SPREAD: Final = 0.6
"""How far skills lie apart at first (their standard deviation)."""
_DRIFT: Final = 0.15
"""How far a skill moves from one knot to the next (the standard deviation of the move)."""
_DAY: Final = 86_400
_SECOND: Final = 1_000_000

_BOARDS: Final = ((9, 0.25), (13, 0.15), (19, 0.6))
_KOMI: Final = ((5.5, 0.1), (6.5, 0.5), (7.5, 0.4))
_DRAWN_KOMI: Final = 7.0
"""Go games are drawn where komi is a whole number."""
_ENDINGS: Final = (
    (Ending.NORMAL, 0.35),
    (Ending.RESIGNATION, 0.5),
    (Ending.TIMEOUT, 0.1),
    (Ending.FORFEIT, 0.02),
    (Ending.DISCONNECT, 0.03),
)
_SOURCES: Final = ((Source.QUEUE, 0.6), (Source.TABLE, 0.2), (Source.TOURNAMENT, 0.05), (Source.CASUAL, 0.15))


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Games in the order of time, a value a game: players by position, player a's score, microseconds since 1970 UTC.

    The columns of Go are None where they were not asked for.
    """

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    score: NDArray[np.float64]
    time: NDArray[np.int64]
    steps: NDArray[np.int32] | None = None
    board: NDArray[np.int32] | None = None
    komi: NDArray[np.float64] | None = None
    ending: NDArray[np.int8] | None = None
    source: NDArray[np.int8] | None = None


@dataclass(frozen=True)
class Synthesis:
    """What a synthetic log is made from; see `synthetic`. InputError for what is out of range.

    >>> Synthesis(games=3, players=2).names
    [1, 2]
    """

    games: int
    players: int
    seed: int = 1
    days: int = 365
    first: date | str = "2025-01-01"
    zipf: float = 0.0
    draws: float = 0.0
    ids: Ids = "integers"
    go: bool = False
    knots: int = 4

    def __post_init__(self) -> None:
        _whole("games", self.games, 1, _MOST_GAMES)
        _whole("players", self.players, 2, _MOST_PLAYERS)
        _whole("seed", self.seed, 0, 2**63 - 1)
        _whole("days", self.days, 1, 36_500)
        _whole("knots", self.knots, 1, 100)
        _between("zipf", self.zipf, 0.0, 4.0)
        _between("draws", self.draws, 0.0, 1.0)
        if self.ids not in ("integers", "strings", "long"):
            raise InputError(f"ids is {shortened(self.ids)}; expected integers, strings or long")
        try:
            self.last_day  # noqa: B018  # asked for its errors
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"first is {shortened(self.first)}; expected a day such as 2025-01-01") from None

    @property
    def first_day(self) -> date:
        """The day of the first game."""
        if isinstance(self.first, datetime):
            raise TypeError("an instant is no day")
        return self.first if isinstance(self.first, date) else date.fromisoformat(self.first)

    @property
    def last_day(self) -> date:
        """The day of the last game."""
        return self.first_day + timedelta(days=self.days - 1)

    @cached_property
    def names(self) -> list[Id]:
        """What the players are called, in rank order."""
        if self.ids == "integers":
            return list(range(1, self.players + 1))
        if self.ids == "strings":
            width = len(str(self.players))
            return [f"player-{number:0{width}d}" for number in range(1, self.players + 1)]
        digits = self._stream("names").words(2 * self.players).astype(">u8").tobytes().hex()
        return sorted(digits[at : at + 24] for at in range(0, len(digits), 32))

    @cached_property
    def skills(self) -> NDArray[np.float64]:
        """The skill of every player at each knot (knots x players); the knots divide the time into equal parts."""
        stream = self._stream("skills")
        moves = [_SPREAD * stream.bell(self.players)]
        moves += [_DRIFT * stream.bell(self.players) for _ in range(self.knots - 1)]
        return np.cumsum(np.array(moves), axis=0)

    def pieces(self) -> Iterator[Piece]:
        """The games, `PIECE` of them at a time. No two have the same instant."""
        for start in range(0, self.games, PIECE):
            yield self._piece(start, min(start + PIECE, self.games))

    def _piece(self, start: int, stop: int) -> Piece:
        stream, n = self._stream("games", start // PIECE), stop - start
        at = np.arange(start, stop + 1)
        day = (self.first_day - date(1970, 1, 1)).days
        seconds, rest = np.divmod(at * (self.days * _DAY), self.games)
        slots = day * _DAY * _SECOND + seconds * _SECOND + rest * _SECOND // self.games
        time = slots[:-1] + (stream.uniform(n) * np.diff(slots)).astype(np.int64)
        a, b = self._meet(stream, n)
        x = self._skill(at[:-1], a) - self._skill(at[:-1], b)
        wins = 0.5 + 0.5 * (x / np.sqrt(1.0 + x * x))
        outcome = stream.uniform(n)
        drawn = outcome < self.draws
        won = outcome - self.draws < (1.0 - self.draws) * wins
        score = np.where(drawn, 0.5, np.where(won, 1.0, 0.0))
        if not self.go:
            return Piece(a, b, score, time)
        board = _pick(stream.uniform(n), _BOARDS).astype(np.int32)
        # A triangle around two thirds of the points of the board.
        steps = board * board * (0.1 + 0.55 * (stream.uniform(n) + stream.uniform(n)))
        komi = _pick(stream.uniform(n), _KOMI)
        ending = _pick(stream.uniform(n), [(word.code, share) for word, share in _ENDINGS])
        source = _pick(stream.uniform(n), [(word.code, share) for word, share in _SOURCES])
        return Piece(
            a,
            b,
            score,
            time,
            steps=steps.astype(np.int32),
            board=board,
            komi=np.where(drawn, _DRAWN_KOMI, komi),
            ending=np.where(drawn, Ending.NORMAL.code, ending).astype(np.int8),
            source=source.astype(np.int8),
        )

    def _meet(self, stream: "_Stream", n: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Two players a game: the first by how active they are, the second so among all others."""
        one, other = stream.uniform(n), stream.uniform(n)
        if self.zipf == 0.0:
            a = (one * self.players).astype(np.int32)
            b = (other * (self.players - 1)).astype(np.int32)
            return a, b + (b >= a)
        upto, by_rank = self._activity
        first = np.searchsorted(upto, one * upto[-1], side="right")
        before = np.where(first > 0, upto[first - 1], 0.0)
        own = upto[first] - before
        at = other * (upto[-1] - own)
        at += np.where(at >= before, own, 0.0)
        second = np.minimum(np.searchsorted(upto, at, side="right"), self.players - 1)
        second = np.where(second == first, (first + 1) % self.players, second)  # where sums were rounded so
        return by_rank[first], by_rank[second]

    @cached_property
    def _activity(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """By rank of activity: how active all up to it are together, and which player it is."""
        upto = np.cumsum(1.0 / _power(np.arange(1.0, self.players + 1.0), self.zipf))
        order = np.argsort(self._stream("activity").words(self.players), kind="stable")
        return upto, order.astype(np.int32)

    def _skill(self, at: NDArray[np.int64], players: NDArray[np.int32]) -> NDArray[np.float64]:
        """The skill of a player at each of these games, counted from 0."""
        knot, rest = np.divmod(at * (self.knots - 1), self.games)
        now = self.skills[knot, players]
        then = self.skills[np.minimum(knot + 1, self.knots - 1), players]
        return np.asarray(now + rest / self.games * (then - now))

    def _stream(self, what: str, number: int = 0) -> "_Stream":
        return _Stream(self.seed, _STREAMS.index(what), number)


_STREAMS: Final = ("names", "skills", "activity", "games")


class _Stream:
    """Numbers drawn from one PCG64, seeded by numpy's SeedSequence of the seed and of what they are for."""

    def __init__(self, seed: int, *purpose: int) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=purpose))

    def words(self, n: int) -> NDArray[np.uint64]:
        """The raw words of 64 bits."""
        return np.asarray(self._bits.random_raw(n), np.uint64)

    def uniform(self, n: int) -> NDArray[np.float64]:
        """From 0 to less than 1, in steps of 2^-53."""
        return np.asarray((self.words(n) >> np.uint64(11)) * 2.0**-53)

    def bell(self, n: int) -> NDArray[np.float64]:
        """Mean 0 and standard deviation 1, near enough to normal: the sum of four uniform ones, at most 3.5 away."""
        total = self.uniform(n) + self.uniform(n) + self.uniform(n) + self.uniform(n)
        return np.asarray((total - 2.0) * np.sqrt(3.0))


def synthetic(
    games: int,
    players: int,
    *,
    seed: int = 1,
    days: int = 365,
    first: date | str = "2025-01-01",
    zipf: float = 0.0,
    draws: float = 0.0,
    ids: Ids = "integers",
    go: bool = False,
    knots: int = 4,
) -> GameLog:
    """A log of games that nobody played, evenly over `days` from the day `first`; the same for the same arguments.

    `zipf`: the player of rank r in activity plays r^-zipf as often as the first (0: all alike). `draws`: the share of
    games drawn. `ids`: "integers", "strings", or "long" for 24 hexadecimal digits. `go`: with boards of 9, 13 and 19,
    komi, steps, endings and sources. `knots`: at so many instants the skill of a player is drawn; it is linear between.

    InputError for what is out of range.

    >>> log = synthetic(1000, 50, seed=7, zipf=1.0, draws=0.1)
    >>> len(log), len(log.players), log.a.tolist()[:5], log.score.tolist()[:5]
    (1000, 50, [16, 46, 48, 3, 49], [0.5, 1.0, 0.0, 0.0, 1.0])
    """
    of = Synthesis(games, players, seed, days, first, zipf, draws, ids, go, knots)
    pieces = list(of.pieces())
    columns: dict[str, np.ndarray] = {}
    for name in Piece.__dataclass_fields__:
        parts = [getattr(piece, name) for piece in pieces]
        if parts[0] is not None:
            columns[name] = np.concatenate(parts)
        for piece in pieces:  # there is not always room for two of all
            object.__setattr__(piece, name, None)
    pool, row = np.zeros(games, np.int32), np.arange(games)
    a, b, score = (columns.pop(name) for name in ("a", "b", "score"))
    coded = Coded(of.names, a, b, score, [""], pool, row)
    for name, values in columns.items():
        setattr(coded, name, values)
    return in_order(coded, np.ones(games, dtype=bool), Findings(games))


def _power(bases: NDArray[np.float64], exponent: float) -> NDArray[np.float64]:
    """The bases to a power from 0, to 2^-30 of it, by products and square roots, which are the same everywhere."""
    whole = int(exponent)
    result, root, rest = np.ones_like(bases), bases, exponent - whole
    for _ in range(whole):
        result = result * bases
    for _ in range(30):
        root, rest = np.sqrt(root), 2.0 * rest
        if rest >= 1.0:
            result, rest = result * root, rest - 1.0
    return result


def _pick(
    uniform: NDArray[np.float64], shares: "tuple[tuple[float, float], ...] | list[tuple[int, float]]"
) -> np.ndarray:
    """A value a number, each as often as its share of 1 says."""
    upto = np.cumsum([share for _, share in shares])[:-1]
    return np.array([value for value, _ in shares])[np.searchsorted(upto, uniform, side="right")]


def _whole(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise InputError(f"{name} is {shortened(value)}; expected a whole number from {low} to {high}")


def _between(name: str, value: object, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise InputError(f"{name} is {shortened(value)}; expected a number from {low:g} to {high:g}")
