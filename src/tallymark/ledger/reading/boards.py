"""Boards in pages: who stands where, of all time or of a week or month, frozen where that is over, or of the last days.

A page begins behind a cursor, which is a player's place in the order: rating, deviation, games, id. It says at which
entry the first page was read, and who has moved since keeps the place of then: so whoever follows the pages meets
everybody once, however many there are and whatever is rated meanwhile.
"""

import math
import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from sqlalchemy import select
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import InputError, UnknownError
from tallymark.games.ids import Id
from tallymark.ledger.closings import first_of
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.people import Kind
from tallymark.ledger.places import DEVIATION, deviation_bytes, player_of, rating_of
from tallymark.ledger.reading.past import settled_before
from tallymark.ledger.reading.published import of_table, table_of
from tallymark.ledger.reading.rows import STEPS, UNKNOWN, Few, InOrder, Rows, Which, by_player, players_of, recent
from tallymark.ledger.reading.search import found_by
from tallymark.ledger.reading.shared import shared_ranks
from tallymark.ledger.reading.walk import Was, moved, stale
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.tables import CLOSING, RATING, WINDOW
from tallymark.ledger.windows import CODES, Rolling, Window
from tallymark.methodology import Methodology
from tallymark.methodology.limits import shown
from tallymark.named import Named
from tallymark.tables import Column
from tallymark.tables import Table as Columns

When: TypeAlias = Literal["all-time", "week", "month", "rolling"]
"""What a board is of."""
WHENS: Final[tuple[When, ...]] = get_args(When)
Provisional: TypeAlias = Literal["with", "apart", "without"]
"""Whether a board has provisional ratings: beside the others, alone, or not at all."""
PROVISIONAL: Final[dict[Provisional, bool | None]] = {"with": None, "apart": True, "without": False}
MOST: Final = 1000
"""Players of a page, at most."""
_CURSOR: Final = re.compile(
    r"(-[12]|[0-9]{1,18})_([0-9]{1,18})_(-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}|inf)_([0-9]{1,18})_([0-9]{1,18})"
    r"_((?:[0-9a-f]{2}){25,1000})"
)


class Board(NamedTuple):
    """A page of a board, best first.

    `table`: the columns of ratings, and `rank` behind the pool: equal ratings share one, who is not rankable has none.
    Of equal ratings the lower deviation stands first (as the player's last entry has it), then more games, then the id.
    Where it was asked for, `shared_rank` (`reading.shared`).

    `next`: what to ask for the page behind this one, None where this is the last. `position`: the entry that the
    numbers are as of; `since`: the one that order and ranks are as of, which is the first page's; `moved`: who has
    other numbers since. `frozen`: it will never be another. `window` is None where the board is of all time.
    `cut`: of a search, whether more players were found than were looked at.
    """

    table: Columns
    next: str | None
    position: int
    window: Window | Rolling | None
    frozen: bool
    since: int
    moved: tuple[Id, ...] = ()
    cut: bool = False


class Asked(NamedTuple):
    """What somebody wants to see; `after` and `around` exclude each other."""

    window: Window | Rolling | None
    kind: Kind | None
    provisional: Provisional
    search: str | None
    after: str | None
    around: Id | None
    limit: int
    shared: bool


class _Cursor(NamedTuple):
    """The end of a page: how many up to there have a rank (or STEPS, UNKNOWN of `rows`), the rank and the rating of the
    last one who has, the entries that the first page and a window began with, and the place of the last player."""

    ranked: int
    rank: int
    rating: float
    since: int
    first: int
    place: bytes

    def __str__(self) -> str:
        return f"{self.ranked}_{self.rank}_{self.rating.hex()}_{self.since}_{self.first}_{self.place.hex()}"


class _Of(NamedTuple):
    """Where the pool stood that a board is of, its players, and whether they are frozen."""

    stand: Stand
    rows: Rows
    frozen: bool
    cut: bool = False


def read_board(connection: Connection, pool: int, name: str, head: Stand, rulebook: Rulebook, asked: Asked) -> Board:
    """A page of a board."""
    cursor = None if asked.after is None else _cursor(asked.after)
    of = _rows_of(connection, pool, head, asked, cursor)
    stand, rows, frozen, cut = _searched(connection, of, asked)
    rules = rulebook.at(connection, pool, stand.rules_at)
    bound = _bound(rules)
    since: dict[Id, Was] = {}
    if cursor is None:
        cursor = _Cursor(0, 0, math.inf, stand.position, rows.which.first, b"")
        if asked.around is not None:
            cursor = _before(rows, bound, asked.around, asked.limit, cursor)
    elif cursor.since > stand.position or cursor.first != rows.which.first:
        raise stale("it began with another entry")
    elif cursor.since < stand.position:
        since = moved(connection, pool, cursor.since, stand.position, rules, rulebook, rows)
    places = _page(rows, cursor.place, asked.limit + 1, since)
    more, places = len(places) > asked.limit, places[: asked.limit]
    found = by_player(rows.rows(players_of(places)))
    shown_rows = [found[player_of(place)] for place in places]
    table = _ordered(table_of(name, of_table(stand, rules, shown_rows), None, "interpreted"), places)
    ranks, last = _ranked(table, places, cursor, rows, since, bound)
    if asked.search is not None:
        ranks = _searched_ranks(rows, ranks, places)
    columns = {"rank": ranks}
    if asked.shared:
        columns["shared_rank"] = shared_ranks(connection, of.rows, shown_rows)
    return Board(
        _with(table, columns), str(last) if more else None, stand.position, asked.window, frozen, cursor.since,
        tuple(player for player in players_of(places) if player in since), cut,
    )  # fmt: skip


def _rows_of(connection: Connection, pool: int, head: Stand, asked: Asked, cursor: _Cursor | None) -> _Of:
    window, provisional = asked.window, PROVISIONAL[asked.provisional]
    which = Which(RATING, {"pool": pool}, 0, asked.kind, provisional)
    if window is None:
        return _Of(head, InOrder(connection, which), False)
    if isinstance(window, Rolling):
        # What the first page began with: time goes on while somebody reads.
        first = cursor.first if cursor else settled_before(connection, pool, head, window.start - 1) + 1
        return _Of(head, recent(connection, which._replace(first=first)), False)
    kind = CODES[window.span]
    over = connection.execute(
        select(WINDOW).where(WINDOW.c.pool == pool, WINDOW.c.kind == kind, WINDOW.c.start == window.start)
    ).one_or_none()
    if over is not None:
        stand = Stand.of(over.position, bytes(over.hash), bytes(over.stand))
        of = {"pool": pool, "kind": kind, "start": window.start}
        return _Of(stand, InOrder(connection, Which(CLOSING, of, over.first, asked.kind, provisional)), True)
    first = first_of(connection, pool, window.span)
    which = which._replace(first=first)
    if not window.start <= head.at < window.end:
        return _Of(head, Few(connection, which, []), window.end <= head.at)
    return _Of(head, recent(connection, which), False)


def _searched(connection: Connection, of: _Of, asked: Asked) -> _Of:
    if asked.search is None:
        return of
    places, cut = found_by(connection, of.rows.which, asked.search)
    return of._replace(rows=Few(connection, of.rows.which, places), cut=cut)


def _bound(rules: Methodology) -> float | None:
    """The largest deviation that takes a rank, as that of somebody whose state is just there; None: any."""
    bound = rules.published.rankable_deviation
    return None if bound is None else shown(*rules.system.scale.to_state(0.0, bound, 0.0), rules.limits)[1]


def _before(rows: Rows, bound: float | None, player: Id, limit: int, begin: _Cursor) -> _Cursor:
    """Where the page begins that has a player in its middle, if there are enough before and behind."""
    place = rows.place(player)
    if place is None:
        raise UnknownError(f"{shortened(player)} is not on this board", kind="player")
    before = rows.ahead(place, limit)
    behind = len(rows.behind(place, limit))
    first = min(len(before), max(limit // 2, limit - 1 - behind))
    ranked = rows.ranked(before[first - 1] if first else place, bound)
    if ranked is not None:
        begin = begin._replace(ranked=ranked.before, rank=ranked.rank, rating=ranked.rating)
    return begin._replace(place=before[first] if first < len(before) else b"")


def _page(rows: Rows, place: bytes, count: int, since: dict[Id, Was]) -> list[bytes]:
    """The next so many places; of who has moved, the place of then."""
    if not since:
        return rows.behind(place, count)
    last, stayed = place, list[bytes]()
    while len(stayed) < count:
        some = rows.behind(last, count)
        stayed += [one for one in some if player_of(one) not in since]
        if len(some) < count:
            break
        last = some[-1]
    kind = by_player(rows.rows(list(since)))
    there = [
        was.place
        for player, was in since.items()
        if was.place is not None
        and was.place > place
        and player in kind
        and rows.which.has(was.settled, kind[player].who, was.provisional)
    ]
    return sorted(stayed + there)[:count]


def _ordered(table: Columns, places: Sequence[bytes]) -> Columns:
    """The table in the order of places."""
    at = {player: row for row, player in enumerate(table["player"].tolist())}
    order = np.array([at[player] for player in players_of(places)], np.int64)
    return Columns({name: table[name][order] for name in table.columns})


def _ranked(
    table: Columns,
    places: Sequence[bytes],
    cursor: _Cursor,
    rows: Rows,
    since: dict[Id, Was],
    bound: float | None,
) -> tuple[list[int | None], _Cursor]:
    """Ranks that go on from a cursor, and the cursor behind the last place."""
    rankable = table["rankable"].tolist() if "rankable" in table.columns else [True] * len(places)
    ranked, rank, last = cursor.ranked, cursor.rank, cursor.rating
    ranks: list[int | None] = []
    for place, rating, takes in zip(places, table["rating"].tolist(), rankable, strict=True):
        if player_of(place) in since:
            rating = rating_of(place)
            takes = bound is None or place[DEVIATION] <= deviation_bytes(bound)
        if not takes or ranked == UNKNOWN:
            ranks.append(None)
            continue
        if rating != last and ranked == STEPS:  # all who share the rating before are behind us: these are counted
            ranked = _better(rows, rating, since)
        if ranked >= 0:
            ranked += 1
        if rating != last:
            rank, last = ranked, rating
        ranks.append(rank)
    end = places[-1] if places else b""
    return ranks, cursor._replace(ranked=ranked, rank=rank, rating=last, place=end)


def _better(rows: Rows, rating: float, since: dict[Id, Was]) -> int:
    """How many were above a rating when the first page was read."""
    (above,) = rows.better([rating]) or (0,)
    now = [float(row.rating) for row in rows.rows(list(since)) if row.place is not None] if since else []
    was = [rating_of(one.place) for one in since.values() if one.place is not None]
    return above - sum(one > rating for one in now) + sum(one > rating for one in was)


def _searched_ranks(rows: Rows, ranks: Sequence[int | None], places: Sequence[bytes]) -> list[int | None]:
    """Ranks on the board that was searched; nobody's where counting would be a look at all of it."""
    better = rows.better([rating_of(place) for place in places])
    if better is None:
        return [None] * len(ranks)
    return [None if rank is None else 1 + above for rank, above in zip(ranks, better, strict=True)]


def _with(table: Columns, more: dict[str, list[int | None]]) -> Columns:
    """The table with more columns behind the first."""
    columns: dict[str, Column | Named] = {name: table[name] for name in table.columns}
    first = next(iter(columns))
    return Columns({first: columns[first], **more, **columns})


def _cursor(text: str) -> _Cursor:
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise InputError(f"after is {shortened(text)}; expected what a page of this board has as next")
    numbers = int(found[1]), int(found[2]), float.fromhex(found[3]), int(found[4]), int(found[5])
    return _Cursor(*numbers, bytes.fromhex(found[6]))
