"""What a profile tells of a player's changes: read once as long as nothing new has happened to the player."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from tallymark.games.ids import Id
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.reading.changes import Change
from tallymark.ledger.reading.computed import Values
from tallymark.ledger.reading.meetings import Records
from tallymark.replay.columns import NEVER
from tallymark.service.answers import instant
from tallymark.service.state import Service
from tallymark.systems import Rating

MOST: Final = 2000
"""The last changes, which a profile looks at."""


class Point(NamedTuple):
    """A rating in time. `at`: when the latest match until then was played; of a match that does not say so, when it was
    settled, as far as that is not behind the next that does."""

    at: datetime
    rating: float
    deviation: float
    position: int


class Career(NamedTuple):
    """The last ratings of a player, the oldest first. `whole`: there are no others. `played`: the points are at the
    times of matches, but for `undated` ones, of matches that have none. `computed`: the entry that computed everything
    again, where the points before it are as they count since; `superseded`: that entry, where they are as they were
    published, for the pool is too large."""

    points: tuple[Point, ...]
    whole: bool
    played: bool
    undated: int = 0
    computed: int | None = None
    superseded: int | None = None


def career_of(service: Service, pool: str, player: Id, position: int) -> Career:
    """The career of a player whose last entry is at a position."""
    again = service.ledger.recomputations(pool)
    return _career(service.ledger, pool, player, isinstance(player, str), position, again[-1].position if again else 0)


def records_of(service: Service, pool: str, player: Id, position: int) -> Records:
    """What stands against each opponent of a player whose last entry is at a position."""
    again = service.ledger.recomputations(pool)
    return _records(service.ledger, pool, player, isinstance(player, str), position, again[-1].position if again else 0)


@lru_cache(maxsize=128)
def _career(ledger: Ledger, pool: str, player: Id, text: bool, position: int, again: int) -> Career:
    del text  # 17 and "17" are two players, and one key without it
    changes = ledger.history(player, pool, MOST + 1, before=position + 1)
    values = ledger.computed(pool, again) if again else None
    since = [one for one in changes if one.of != again and one.position > again]
    if values is not None and (since or any(values.of(player))):  # else: another's results now
        return _anew(values, player, since)
    found = career(changes[:MOST], len(changes) <= MOST)
    return found._replace(superseded=next((one.of for one in changes if one.causes), None))


@lru_cache(maxsize=128)
def _records(ledger: Ledger, pool: str, player: Id, text: bool, position: int, again: int) -> Records:
    del text, position, again  # as long as these are the same, so is what is asked for
    return ledger.records(player, pool)


def career(changes: Sequence[Change], whole: bool) -> Career:
    """What changes, the latest first, make. What is not of a match stands where the latest match until then does: what
    came late, or was computed again, does not turn the time back."""
    ordered = list(reversed(changes))
    return _drawn(
        [(_latest(change), change.at, change.after, change.position, bool(change.matches)) for change in ordered], whole
    )


def _anew(values: Values, player: Id, since: Sequence[Change]) -> Career:
    """What everything that was computed again makes, and what changed since, the latest first."""
    points: list[_Told] = []
    for value in values.of(player):
        played = max(match.played for match in value.matches)
        at = None if played == NEVER else instant(played)
        settled = instant(values.settled(value))
        points.append((at, settled, value.told.rating, values.position(value), True))
    first = len(points)
    for change in reversed(since):
        points.append((_latest(change), change.at, change.after, change.position, bool(change.matches)))
    for n in range(min(first, len(points)) - 1, 0, -1):  # a late one is not ahead of those that are behind it
        at, settled, rating, position, of_matches = points[n - 1]
        points[n - 1] = at, min(settled, points[n][1]), rating, min(position, points[n][3]), of_matches
    return _drawn(points[-MOST:], len(points) <= MOST)._replace(computed=values.header)


_Told: TypeAlias = "tuple[datetime | None, datetime, Rating, int, bool]"
"""When it was played, when it was settled, the rating after it, its entry, and whether it is of a match."""


def _drawn(told: Sequence[_Told], whole: bool) -> Career:
    """Points at the times of matches, those of matches without one at that at which they were settled; all of them
    there where no match has one. None stands before another that is rated before it."""
    times = [at for at, *_ in told]
    first = next((at for at in times if at is not None), None)
    points: list[Point] = []
    undated = 0
    for n, (at, settled, rating, position, match) in enumerate(told):
        where, last = at, points[-1].at if points else None
        if first is None:
            where = settled
        elif at is None and match:
            undated += 1
            following = next((one for one in times[n:] if one is not None), settled)
            where = min(settled, following)
        elif at is None:
            where = last or first
        assert where is not None
        if first is not None and last is not None:
            where = max(last, where)
        points.append(Point(where, rating.rating, rating.deviation, position))
    return Career(tuple(points), whole, first is not None, undated)


def _latest(change: Change) -> datetime | None:
    """When the latest of its matches was played."""
    return max((match.played_at for match in change.matches if match.played_at is not None), default=None)
