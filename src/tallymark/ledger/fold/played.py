"""Matches from their bytes, and matches as the game log that replays take: in the ledger's order."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import combinations
from types import NoneType
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from orjson import loads

from tallymark.games import GameLog, LogReport
from tallymark.games.ids import Id, rank_order
from tallymark.games.origin import Origin
from tallymark.games.times.iso import EPOCH, parse_instant
from tallymark.games.vocabulary import Ending, Source
from tallymark.ledger.ids import LONGEST, printable
from tallymark.ledger.matches import checked_match, read_object
from tallymark.replay.columns import NEVER
from tallymark.tables import Table

_MICROSECOND: Final = 1_000_000
_BEGIN: Final = datetime(1970, 1, 1)
_QUOTE: Final = ord('"')
_CODES: Final[dict[str, dict[str, int]]] = {
    "ending": {word.value: word.code for word in Ending},
    "source": {word.value: word.code for word in Source},
}


class Side(NamedTuple):
    """Who plays on a side, and how it did: the lower rank is the better; None where there is no result."""

    players: tuple[Id, ...]
    rank: float | None


class Match(NamedTuple):
    """What rating a match needs to know of it. Two single players have `score`, a's, and no sides."""

    id: Id
    a: Id
    b: Id
    score: float | None
    played: int
    """Microseconds since 1970 UTC, or NEVER."""
    plain: bool
    """Two players, and nothing that a methodology could look at but score and time."""
    sides: tuple[Side, ...]
    ending: str | None
    source: str | None
    steps: int
    board: int
    komi: float
    handicap: int
    band_a: int
    band_b: int

    @property
    def people(self) -> tuple[Id, ...]:
        """Everybody in it, in the order of the sides."""
        return tuple(player for side in self.sides for player in side.players) if self.sides else (self.a, self.b)

    @property
    def has_result(self) -> bool:
        """Whether anything can be rated."""
        return all(side.rank is not None for side in self.sides) if self.sides else self.score is not None


Plain: TypeAlias = tuple[Id, Id, Id, float | None, int]
"""(id, a, b, a's score, when it was played) of a plain match."""

Flat: TypeAlias = tuple[bytes, bytes, bytes, float | None, int]
"""The same with ids as they stand in JSON."""
_ID: Final = rb'("[ !#-\[\]-~]{1,200}"|0|-?[1-9][0-9]{0,17})'
USUAL: Final = (
    rb'\{"id":%b,"player_a":%b,"player_b":%b,"score_a":(0\.5|[01])'
    rb'(?:,"played_at":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})Z")?\}'
) % (_ID, _ID, _ID)
"""A plain match as most are spelt: nothing in it is escaped, is there twice, or has to be looked at again."""
_USUAL: Final = re.compile(USUAL)
_SCORES: Final = {b"1": 1.0, b"0.5": 0.5, b"0": 0.0}
_YEAR_1: Final = -62_135_596_800
"""Seconds from its beginning to 1970: where times begin in Python."""


def usual(name: bytes, a: bytes, b: bytes, score: bytes, played: int | None) -> Flat | None:
    """The match of the groups of `USUAL`, its time read; None where that is none, or nobody is played against."""
    return None if played is None or a == b else (name, a, b, _SCORES[score], played)


def instants(times: Sequence[bytes | None]) -> list[int | None]:
    """Times such as 2026-01-31T18:30:00 in microseconds since 1970 UTC; NEVER for None, None for what is no time.

    >>> instants([b"1970-01-01T00:00:01", None, b"1970-02-30T00:00:00"])
    [1000000, -4611686018427387904, None]
    """
    try:
        seconds = np.array([time or b"1970-01-01T00:00:00" for time in times], "S19").astype("M8[s]").astype(np.int64)
    except ValueError:  # of one or several, and it says not of which
        return [NEVER if time is None else _instant(time) for time in times]
    known = np.array([time is not None for time in times], np.bool_)
    found: list[int | None] = np.where(known, seconds * _MICROSECOND, NEVER).tolist()
    if (seconds < _YEAR_1).any():
        return [None if n < _YEAR_1 else at for n, at in zip(seconds, found, strict=True)]
    return found


def _instant(time: bytes) -> int | None:
    """One of `instants`, sooner than by an array."""
    try:
        passed = datetime.fromisoformat(time.decode()) - _BEGIN
    except ValueError:
        return None
    return (passed.days * 86400 + passed.seconds) * _MICROSECOND


def plain_of(told: Flat) -> Plain:
    """The match with its ids as they are."""
    name, a, b, score, played = told
    return (
        name[1:-1].decode() if name[0] == _QUOTE else int(name),
        a[1:-1].decode() if a[0] == _QUOTE else int(a),
        b[1:-1].decode() if b[0] == _QUOTE else int(b),
        score,
        played,
    )


_EXTRA: Final = frozenset(("sides", "ending", "source", "steps", "board", "komi", "handicap", "band_a", "band_b"))
_PLAIN: Final = 4
"""Keys of a match that says nothing but who, and how it ended; `played_at` and `data` come on top."""
_NUMBERS: Final = frozenset((int, float, NoneType))


def read_plain(body: bytes) -> Plain | None:
    """A plain match of an item's bytes; None for any other, for what is none, and for those that are spelt so that it
    takes a longer look to tell."""
    found = _USUAL.fullmatch(body)
    if found is not None:
        name, a, b, score, at = found.groups()
        told = usual(name, a, b, score, NEVER if at is None else _instant(at))
        return None if told is None else plain_of(told)
    return _looked_into(body)


def _looked_into(body: bytes) -> Plain | None:
    try:
        got = loads(body)
        at, keys = got.get("played_at"), len(got)
        played, expected = (NEVER, _PLAIN) if at is None else (instant(at), _PLAIN + 1)
        if keys != expected:
            data = got.get("data")
            keys = expected + 1 + _keys(data) if data is not None and keys == expected + 1 else -1
        # With more than these keys, or fewer; with one of them twice; or with blanks behind them: looked at in full.
        if body.count(b'":') != keys:
            return None
        name: Id
        a: Id
        b: Id
        name, a, b, score = got["id"], got["player_a"], got["player_b"], got["score_a"]  # as is looked at next
        if _is_id(name) and _is_id(a) and _is_id(b) and score.__class__ in _NUMBERS:
            if score is not None:
                score = float(score)
                if not 0.0 <= score <= 1.0:
                    return None
            return None if a == b else (name, a, b, score, played)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass  # said in words by who looks in full
    return None


def plain_match(told: Plain) -> Match:
    """A plain match with all that it does not say."""
    return Match(*told, True, (), None, None, -1, -1, np.nan, -1, -1, -1)


def read_match(body: bytes) -> Match:
    """The match of an item's bytes. They were checked when they came in; bytes from elsewhere may be anything, and
    are refused by `InputError`.
    """
    told = read_plain(body)
    if told is not None:
        return plain_match(told)
    return _match_of(checked_match(read_object(body, "match")))


def called(match: Match, now: Callable[[Id], Id]) -> Match | None:
    """A match with everybody under another name; None where somebody would play against oneself.

    >>> called(read_match(b'{"id":1,"player_a":"Ann","player_b":"bob","score_a":1}'), lambda who: str(who).lower()).a
    'ann'
    """
    sides = tuple(Side(tuple(map(now, side.players)), side.rank) for side in match.sides)
    match = match._replace(a=now(match.a), b=now(match.b), sides=sides)
    return match if len(set(match.people)) == len(match.people) else None


def _is_id(value: object) -> bool:
    """What `ids.checked_id` takes."""
    if isinstance(value, str):
        return 0 < len(value) <= LONGEST and printable(value)
    return isinstance(value, int) and value.__class__ is not bool and -(2**63) <= value < 2**63


def _keys(value: object) -> int:
    """How many keys all objects in it have."""
    if isinstance(value, dict):
        return len(value) + sum(map(_keys, value.values()))
    return sum(map(_keys, value)) if isinstance(value, list) else 0


def _match_of(got: Mapping[str, object]) -> Match:
    at = got.get("played_at")
    sides: tuple[Side, ...] = ()
    told = got.get("sides")
    if isinstance(told, Sequence):
        sides = tuple(Side(tuple(side["players"]), side["rank"]) for side in told)
    first, second = (sides[0].players[0], sides[1].players[0]) if sides else (got["player_a"], got["player_b"])
    score = got.get("score_a")

    def whole(name: str) -> int:
        number = got.get(name)
        return number if isinstance(number, int) else -1

    ending, source, komi = got.get("ending"), got.get("source"), got.get("komi")
    name = got["id"]
    assert isinstance(name, str | int)
    assert isinstance(first, str | int)
    assert isinstance(second, str | int)
    return Match(
        name,
        first,
        second,
        float(score) if isinstance(score, int | float) else None,
        instant(at) if isinstance(at, str) else NEVER,
        _EXTRA.isdisjoint(got),
        sides,
        ending if isinstance(ending, str) else None,
        source if isinstance(source, str) else None,
        whole("steps"),
        whole("board"),
        float(komi) if isinstance(komi, int | float) else np.nan,
        whole("handicap"),
        whole("band_a"),
        whole("band_b"),
    )


def instant(text: str) -> int:
    """A time as microseconds since 1970 UTC; quick for the usual spelling.

    >>> instant("1970-01-01T00:00:01Z")
    1000000
    """
    if len(text) == 20 and text[-1] == "Z" and text[10] == "T":
        try:
            passed = datetime.fromisoformat(text) - EPOCH
            return (passed.days * 86400 + passed.seconds) * _MICROSECOND
        except ValueError:
            pass  # said in words below
    return parse_instant(text)


class Pairings(NamedTuple):
    """Matches as games, in their order: the log, and for each game its place in the list of matches."""

    log: GameLog
    of: list[int]


def pairings(matches: Sequence[Match]) -> Pairings:
    """Every match as its games between two: of several sides, every two players of different ones, by player id."""
    a: list[Id] = []
    b: list[Id] = []
    score: list[float] = []
    of: list[int] = []
    sizes: list[tuple[int, int]] = []
    several = False
    for n, match in enumerate(matches):
        if not match.sides:
            assert match.score is not None
            a.append(match.a)
            b.append(match.b)
            score.append(match.score)
            of.append(n)
            sizes.append((1, 1))
            continue
        several = True
        seats = {player: side for side in match.sides for player in side.players}
        for x, y in combinations(rank_order(seats), 2):
            one, two = seats[x], seats[y]
            if one is two:
                continue
            assert one.rank is not None
            assert two.rank is not None
            a.append(x)
            b.append(y)
            score.append(1.0 if one.rank < two.rank else 0.0 if one.rank > two.rank else 0.5)
            of.append(n)
            sizes.append((len(one.players), len(two.players)))
    players = rank_order({*a, *b})
    code = {player: n for n, player in enumerate(players)}
    games = [matches[n] for n in of]
    size = np.array(sizes, np.int32).reshape(-1, 2)
    plain = all(match.plain for match in matches)
    n = len(of)

    def whole(name: str) -> NDArray[np.int32] | None:
        return None if plain else np.array([getattr(match, name) for match in games], np.int32)

    def words(name: str) -> NDArray[np.int8] | None:
        if plain:
            return None
        codes = _CODES[name]
        return np.array([codes.get(getattr(match, name), -1) for match in games], np.int8)

    log = GameLog(
        players=players,
        pools=[""],
        a=np.array([code[player] for player in a], np.int32),
        b=np.array([code[player] for player in b], np.int32),
        score=np.array(score, np.float64),
        pool=np.zeros(n, np.int32),
        time=np.array([match.played for match in games], np.int64),
        # Places, not ids: one match is one unit, whatever it is called.
        match=np.array(of, np.int32) if several else None,
        matches=list(range(len(matches))) if several else None,
        game=None,
        games=None,
        steps=whole("steps"),
        ending=words("ending"),
        source=words("source"),
        board=whole("board"),
        komi=None if plain else np.array([match.komi for match in games], np.float64),
        handicap=whole("handicap"),
        band_a=whole("band_a"),
        band_b=whole("band_b"),
        order=None,
        size_a=size[:, 0] if several else None,
        size_b=size[:, 1] if several else None,
        row=np.array(of, np.int64),
        report=LogReport(len(matches), len(matches), 0, 0, n, Table({}), ()),
        origin=Origin(),
    )
    return Pairings(log, of)
