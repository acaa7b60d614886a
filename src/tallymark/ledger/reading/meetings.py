"""Players against each other, as matches count now: two of them from the entries of the one who has fewer."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy.engine import Connection

from tallymark.errors import UnknownError
from tallymark.games.ids import Id
from tallymark.games.times.iso import EPOCH, MICROSECOND
from tallymark.ledger.fold.played import Match
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import key_of
from tallymark.ledger.reading.changes import Played, matches_behind, played_of
from tallymark.ledger.reading.notable import Notable
from tallymark.ledger.reading.seats import sides_of
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.store.looking import rating_rows
from tallymark.replay.columns import NEVER

LOOKED_AT: Final = 2000
"""Entries of a player that are looked at, at most."""


class Meeting(NamedTuple):
    """A match in which two players were on different sides: the entry that rated it, and what the first one won."""

    match: Id
    position: int
    score: float
    played_at: datetime | None


class HeadToHead(NamedTuple):
    """Two players against each other, as matches count now: games, and how the first one did in them.

    `meetings`: the last of them, the latest first. `whole`: whether these are all that there are; else they are those
    among the last 2000 entries of the player who has fewer. `position`: the entry that all this is as of.
    """

    games: int
    wins: int
    draws: int
    losses: int
    meetings: tuple[Meeting, ...]
    whole: bool
    position: int


def head_to_head(
    connection: Connection, pool: int, a: Id, b: Id, limit: int, before: int | None, head: Stand, rulebook: Rulebook,
    notable: Notable,
) -> HeadToHead:  # fmt: skip
    """The games of two players, and the last so many that were rated before an entry."""
    rows = {row.player: row for row in rating_rows(connection, pool, [key_of(a), key_of(b)])}
    for player in (a, b):
        if key_of(player) not in rows:
            raise UnknownError(f"{player!r} has no rating in this pool", kind="player")
    fewer = min(a, b, key=lambda player: rows[key_of(player)].games)
    met: dict[Id, Meeting] = {}
    whole = True
    for looked, (position, matches) in enumerate(matches_behind(connection, pool, fewer, rulebook)):
        if looked == LOOKED_AT:
            whole = False
            break
        for match in matches:
            now = _now(connection, pool, match, head, notable)
            score = None if now is None or match.id in met else _score(now, a, b)
            if now is not None and score is not None:
                at = None if match.played == NEVER else EPOCH + match.played * MICROSECOND
                met[match.id] = Meeting(match.id, position, score, at)
    scores = [one.score for one in met.values()]
    last = [one for one in met.values() if before is None or one.position < before]
    return HeadToHead(
        len(scores),
        sum(score > 0.5 for score in scores),
        sum(score == 0.5 for score in scores),
        sum(score < 0.5 for score in scores),
        tuple(last[:limit]),
        whole,
        head.position,
    )


def as_counted(
    connection: Connection, pool: int, player: Id, played: Iterable[Played], head: Stand, notable: Notable
) -> list[Played]:
    """Matches of a player, the latest first, as they count now: each once, and none that is annulled or that turned out
    to be one of others."""
    found: dict[Id, Played | None] = {}
    for one in played:
        if one.match not in found:
            counts, content = _corrected(connection, pool, one.match, head, notable)
            now = one if content is None else played_of(content, player) if player in content.people else None
            found[one.match] = now if counts else None
    return [one for one in found.values() if one is not None]


def _now(connection: Connection, pool: int, match: Match, head: Stand, notable: Notable) -> Match | None:
    """The match as it counts now; None where it does not."""
    counts, content = _corrected(connection, pool, match.id, head, notable)
    return (content or match) if counts else None


def _corrected(
    connection: Connection, pool: int, match: Id, head: Stand, notable: Notable
) -> tuple[bool, Match | None]:
    """Whether a match counts now, and its content where a correction gave it another one."""
    counts, content = True, None
    for one in notable.corrections(connection, pool, head.position, match):
        content = one.match or content
        counts = one.what != "annul" and (counts or one.what == "restore")
    return counts, content


def _score(match: Match, a: Id, b: Id) -> float | None:
    """What a won of b; None where they were not on different sides."""
    sides = {player: (n, rank) for n, (rank, players) in enumerate(sides_of(match)) for player in players}
    if a not in sides or b not in sides or sides[a][0] == sides[b][0]:
        return None
    if not match.sides:
        assert match.score is not None
        return match.score if a == match.a else 1.0 - match.score
    mine, other = sides[a][1], sides[b][1]
    assert mine is not None
    assert other is not None
    return 1.0 if mine < other else 0.0 if mine > other else 0.5
