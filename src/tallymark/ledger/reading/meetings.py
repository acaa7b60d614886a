"""Players against each other, as matches count now: two of them from the entries of the one who has fewer."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy.engine import Connection

from tallymark.errors import UnknownError
from tallymark.games.ids import Id
from tallymark.games.times.iso import EPOCH, MICROSECOND
from tallymark.ledger.ids import key_of
from tallymark.ledger.reading.counted import Counting, pairs_of
from tallymark.ledger.store.looking import rating_rows
from tallymark.replay.columns import NEVER


class Meeting(NamedTuple):
    """A match in which two players were on different sides: its entry, and what the first one won of the other."""

    match: Id
    position: int
    score: float
    played_at: datetime | None


class HeadToHead(NamedTuple):
    """Two players against each other, as matches count now: games, and how the first one did in them.

    `meetings`: the last of them, the latest to come first. `whole`: whether these are all that there are; else they are
    those among the last 2000 entries of the player who has fewer. `position`: the entry that all this is as of.
    """

    games: int
    wins: int
    draws: int
    losses: int
    meetings: tuple[Meeting, ...]
    whole: bool
    position: int


class Record(NamedTuple):
    """A player's games with one opponent, as they count now."""

    opponent: Id
    games: int
    wins: int
    draws: int
    losses: int


class Records(NamedTuple):
    """A player's games with everybody, those met most often first. `whole`: these are all; else those of the player's
    last 2000 entries. `position`: the entry that all this is as of."""

    records: tuple[Record, ...]
    whole: bool
    position: int


def head_to_head(
    connection: Connection, pool: int, a: Id, b: Id, limit: int, before: int | None, counting: Counting
) -> HeadToHead:
    """The games of two players, and the last so many whose entries stand before one."""
    rows = {row.player: row for row in rating_rows(connection, pool, [key_of(a), key_of(b)])}
    for player in (a, b):
        if key_of(player) not in rows:
            raise UnknownError(f"{player!r} has no rating in this pool", kind="player")
    fewer = min(a, b, key=lambda player: rows[key_of(player)].games)
    counted = counting.of(fewer)
    met = []
    for one in counted.matches:
        if {a, b} <= {*one.match.people}:
            at = None if one.match.played == NEVER else EPOCH + one.match.played * MICROSECOND
            met += [Meeting(one.match.id, one.position, score, at) for who, score in pairs_of(one, a) if who == b]
    last = [one for one in met if before is None or one.position < before]
    return HeadToHead(*_summed([one.score for one in met]), tuple(last[:limit]), counted.whole, counting.position)


def records(player: Id, counting: Counting) -> Records:
    """What stands against each opponent of a player."""
    counted = counting.of(player)
    scores: dict[Id, list[float]] = {}
    for one in counted.matches:
        for opponent, score in pairs_of(one, player):
            scores.setdefault(opponent, []).append(score)
    found = [Record(opponent, *_summed(some)) for opponent, some in scores.items()]
    found.sort(key=lambda one: (-one.games, str(one.opponent)))
    return Records(tuple(found), counted.whole, counting.position)


def _summed(scores: list[float]) -> tuple[int, int, int, int]:
    """Games, wins, draws and losses."""
    return (
        len(scores),
        sum(score > 0.5 for score in scores),
        sum(score == 0.5 for score in scores),
        sum(score < 0.5 for score in scores),
    )
