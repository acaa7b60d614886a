"""The players of a board in its order, whatever it is of: places, found by index, and rows of those on a page."""

import math
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Row, Table, TextClause, select, text
from sqlalchemy.engine import Connection

from tallymark.games.ids import Id
from tallymark.ledger.ids import id_of, key_of
from tallymark.ledger.people import CODES as KINDS
from tallymark.ledger.people import Kind
from tallymark.ledger.places import DEVIATION, deviation_bytes, place_of_rating, player_of, rating_of
from tallymark.ledger.reach import PAGE
from tallymark.ledger.stairs import all_above
from tallymark.ledger.store.looking import rating_rows
from tallymark.ledger.tables import RATING

_AT_ONCE: Final = 500
_END: Final = b"\xff" * 9
"""Behind every place."""
SHARED: Final = 1000
"""Players of a board of some, at most, whose intervals are all looked at."""
_WORTH: Final = 130_000
"""A page of one player out of n, among a million by the index, takes as long as putting n in order where n * n is this:
by measurement, on either database."""
STEPS: Final = -1
UNKNOWN: Final = -2
"""Not counted: there are steps that tell how many are above a rating, or nothing does."""


class Ranked(NamedTuple):
    """How many before a place have a rank (or STEPS, UNKNOWN), and the rank and the rating of the last of them."""

    before: int
    rank: int
    rating: float


class Which(NamedTuple):
    """Which players of a table are on a board: `of` are the values of its key, `first` the entry since which a match of
    theirs was settled, 0 for any; `kind` and `provisional` None for all."""

    table: Table
    of: dict[str, int]
    first: int
    kind: Kind | None
    provisional: bool | None

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """Kinds of players by code, and provisional or not: each part has its places in order."""
        kinds = KINDS.values() if self.kind is None else (KINDS[self.kind],)
        return tuple(product(kinds, (0, 1) if self.provisional is None else (int(self.provisional),)))

    @property
    def everybody(self) -> bool:
        """Whether these are all players of the pool who have a game."""
        return self.table is RATING and not self.first and self.kind is None and self.provisional is None

    def has(self, settled: int, who: int, provisional: bool) -> bool:
        """Whether a player is on it."""
        return settled >= self.first and (who, int(provisional)) in self.parts


class Rows(ABC):
    """The players of a board, in its order."""

    def __init__(self, connection: Connection, which: Which) -> None:
        self._connection, self.which = connection, which

    @abstractmethod
    def behind(self, place: bytes, count: int) -> list[bytes]:
        """The next so many places behind one."""

    @abstractmethod
    def ahead(self, place: bytes, count: int) -> list[bytes]:
        """The last so many before a place, the last one first."""

    @abstractmethod
    def ranked(self, place: bytes, deviation: float | None) -> Ranked | None:
        """Of those before a place who have a deviation that takes a rank (None: any); None where there are none.
        On a board of some, more than a few thousand are not counted."""

    def place(self, player: Id) -> bytes | None:
        """The place of a player; None for who is not on it."""
        places = some_of(self._connection, self.which, [key_of(player)])
        return places[0] if places else None

    def rows(self, players: Sequence[Id]) -> list[Row[Any]]:
        """The rows of players, in no order."""
        keys = [key_of(player) for player in players]
        table = self.which.table
        if table is RATING:
            return list(rating_rows(self._connection, self.which.of["pool"], keys))
        found: list[Row[Any]] = []
        for low in range(0, len(keys), _AT_ONCE):
            some = table.c.player.in_(keys[low : low + _AT_ONCE])
            found += self._connection.execute(select(table).where(*_where(self.which), some))
        return found

    def whole(self) -> Sequence[bytes] | None:
        """All its places, where these are few."""
        found = self.behind(b"", SHARED + 1)
        return None if len(found) > SHARED else found

    def better(self, ratings: Sequence[float]) -> list[int] | None:
        """How many of all who have a game are above each of these ratings; None where the board is not of them all."""
        if not self.which.everybody:
            return None
        return all_above(self._connection, self.which.of["pool"], "rating", ratings)


class InOrder(Rows):
    """Out of a table, by the index of its places."""

    def behind(self, place: bytes, count: int) -> list[bytes]:
        return self._some(_Order(">", ""), place, count, None)

    def ahead(self, place: bytes, count: int) -> list[bytes]:
        return self._some(_Order("<", "DESC"), place, count, None)

    def ranked(self, place: bytes, deviation: float | None) -> Ranked | None:
        bound = None if deviation is None else deviation_bytes(deviation)
        if not self.which.everybody and self._far(place):
            return Ranked(UNKNOWN, 0, math.inf)
        last = self._some(_Order("<", "DESC"), place, 1, bound)
        if not last:
            return None
        rating = rating_of(last[0])
        if self.which.everybody and bound is None:  # counted by steps, but for those who share the last rating
            (above,) = self.better([rating]) or (0,)
            return Ranked(STEPS, above + 1, rating)
        return Ranked(self._count(place, bound), 1 + self._count(place_of_rating(rating), bound), rating)

    def _some(self, order: "_Order", place: bytes, count: int, bound: bytes | None) -> list[bytes]:
        query = _places(self._parts, order, bound is not None)
        values = {**self._among, "place": place, "count": count, "deviation": bound}
        return [bytes(found) for found in self._connection.scalars(query, values)]

    def _count(self, place: bytes, bound: bytes | None) -> int:
        """How many before a place: all of them are looked at."""
        values = {**self._among, "place": place, "deviation": bound}
        return int(self._connection.scalar(_before(self._parts, bound is not None), values) or 0)

    def whole(self) -> Sequence[bytes] | None:
        return None if self._more(SHARED, self._parts, _END) else self.behind(b"", SHARED)

    def _far(self, place: bytes) -> bool:
        """Whether counting those before a place would be a look at very many."""
        return self._more(PAGE, _parts(self.which._replace(first=0)), place)

    def _more(self, than: int, parts: tuple[str, ...], place: bytes) -> bool:
        """Whether there are more than so many before a place."""
        among = {**self._among, "place": place, "most": than + 1}
        return bool(self._connection.scalar(_looked_at(parts), among) > than)

    @property
    def _parts(self) -> tuple[str, ...]:
        return _parts(self.which)

    @property
    def _among(self) -> dict[str, int]:
        return {**self.which.of, "first": self.which.first, "most": PAGE + 1}


class Many(InOrder):
    """Those of a board who had a match lately, and are too many to look at all of them."""

    def whole(self) -> None:
        return None


class Lately(InOrder):
    """Those who had a match lately, by the index of that: so few that they are counted and, where a page has many of
    them, put in order for each question; else the page is found among all."""

    def __init__(self, connection: Connection, which: Which, players: int) -> None:
        super().__init__(connection, which)
        self._players = players

    def _some(self, order: "_Order", place: bytes, count: int, bound: bytes | None) -> list[bytes]:
        if self._players**2 > _WORTH * count:
            return Many(self._connection, self.which)._some(order, place, count, bound)
        return super()._some(order, place, count, bound)

    def _far(self, place: bytes) -> bool:
        return False

    @property
    def _parts(self) -> tuple[str, ...]:
        return (f"({_recent(self.which.parts)}) AS lately WHERE place IS NOT NULL",)


class Few(Rows):
    """Places that are so few that they are put in order here."""

    def __init__(self, connection: Connection, which: Which, places: Iterable[bytes]) -> None:
        super().__init__(connection, which)
        self._places = sorted(map(bytes, places))

    def behind(self, place: bytes, count: int) -> list[bytes]:
        at = bisect_right(self._places, place)
        return self._places[at : at + count]

    def ahead(self, place: bytes, count: int) -> list[bytes]:
        return self._places[: bisect_left(self._places, place)][::-1][:count]

    def ranked(self, place: bytes, deviation: float | None) -> Ranked | None:
        bound = None if deviation is None else deviation_bytes(deviation)
        before = self._places[: bisect_left(self._places, place)]
        ratings = [rating_of(one) for one in before if bound is None or one[DEVIATION] <= bound]
        return Ranked(len(ratings), 1 + ratings.index(ratings[-1]), ratings[-1]) if ratings else None


def recent(connection: Connection, which: Which) -> Rows:
    """Of those who had a match lately: found by that, where they are few, or among all."""
    among = {**which.of, "first": which.first, "most": PAGE + 1}
    many = connection.scalar(text(f"SELECT count(*) FROM ({_recent(which.parts)}) AS lately"), among)
    return Many(connection, which) if many > PAGE else Lately(connection, which, many)


def some_of(connection: Connection, which: Which, keys: Sequence[str]) -> list[bytes]:
    """The places of those of these players, by key, who are on the board."""
    table, found = which.table, list[bytes]()
    columns = table.c.place, table.c.settled, table.c.who, table.c.provisional
    for low in range(0, len(keys), _AT_ONCE):
        some = table.c.player.in_(keys[low : low + _AT_ONCE])
        for row in connection.execute(select(*columns).where(*_where(which), table.c.place.is_not(None), some)):
            if which.has(row.settled, row.who, row.provisional):
                found.append(bytes(row.place))
    return found


def begins(connection: Connection, which: Which, start: str, end: str, most: int) -> list[str]:
    """Keys of players of the table from one up to another, the first so many."""
    player = which.table.c.player
    query = select(player).where(*_where(which), player >= start, player < end).order_by(player).limit(most)
    return list(connection.scalars(query))


def players_of(places: Iterable[bytes]) -> list[Id]:
    """Whose places they are."""
    return [player_of(place) for place in places]


def by_player(rows: Iterable[Row[Any]]) -> dict[Id, Row[Any]]:
    """Rows by player."""
    return {id_of(row.player): row for row in rows}


def _where(which: Which) -> list[ColumnElement[bool]]:
    return [which.table.c[name] == value for name, value in which.of.items()]


class _Order(NamedTuple):
    """Behind a place in the board's order, or before it in the opposite one."""

    than: str
    way: str


@cache
def _places(parts: tuple[str, ...], order: _Order, bounded: bool) -> TextClause:
    """Places before or behind one: the first of each part, and the first of all of these."""
    each = (
        f"SELECT place FROM (SELECT place FROM {part}{_BOUND if bounded else ''}"
        f" AND place {order.than} :place ORDER BY place {order.way} LIMIT :count) AS part{n}"
        for n, part in enumerate(parts)
    )
    return text(f"SELECT place FROM ({' UNION ALL '.join(each)}) AS parts ORDER BY place {order.way} LIMIT :count")


@cache
def _before(parts: tuple[str, ...], bounded: bool) -> TextClause:
    """How many are before a place."""
    each = (f"(SELECT count(*) FROM {part}{_BOUND if bounded else ''} AND place < :place)" for part in parts)
    return text(f"SELECT {' + '.join(each)}")


@cache
def _looked_at(parts: tuple[str, ...]) -> TextClause:
    """How many are before a place, where these are no more than so many: further ones are not looked at."""
    each = " UNION ALL ".join(f"SELECT 1 FROM {part} AND place < :place" for part in parts)
    return text(f"SELECT count(*) FROM (SELECT 1 FROM ({each}) AS parts LIMIT :most) AS looked")


@cache
def _recent(parts: tuple[tuple[int, int], ...]) -> str:
    """Places of players with a match since an entry, at most so many."""
    which = " OR ".join(f"(who = {who} AND provisional = {provisional})" for who, provisional in parts)
    return (
        f"SELECT place FROM rating WHERE pool = :pool AND settled >= :first AND ({which}) AND place IS NOT NULL"
        " LIMIT :most"
    )


_BOUND: Final = f" AND substr(place, {DEVIATION.start + 1}, 8) <= :deviation"


def _parts(which: Which) -> tuple[str, ...]:
    """The parts of a board, each of which an index has in order."""
    keys = " AND ".join(f"{name} = :{name}" for name in which.of)
    since = " AND settled >= :first" if which.first else ""
    return tuple(
        f"{which.table.name} WHERE {keys} AND who = {who} AND provisional = {provisional}{since}"
        for who, provisional in which.parts
    )
