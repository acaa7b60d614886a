"""What a profile tells of a player's changes: read once as long as nothing new has happened to the player."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final, NamedTuple

from tallymark.games.ids import Id
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.reading.changes import Change, Played
from tallymark.service.state import Service

MOST: Final = 2000
"""The last changes, which a profile looks at."""
_OFTEN: Final = 8
"""Opponents that are shown: those met most often."""


class Point(NamedTuple):
    """A rating in time. `at`: when it was played, where all results have that, else when it was settled."""

    at: datetime
    rating: float
    deviation: float
    position: int


class Against(NamedTuple):
    """What came of matches of two with one opponent."""

    opponent: Id
    games: int
    wins: int
    draws: int
    losses: int


class Career(NamedTuple):
    """The last changes of a player, the oldest first. `whole`: there are no others. `played`: the points are at the
    times of matches. `pairs`: the matches of two in them, the latest first, as they were rated."""

    points: tuple[Point, ...]
    whole: bool
    played: bool
    pairs: tuple[Played, ...]


def career_of(service: Service, pool: str, player: Id, position: int) -> Career:
    """The career of a player whose last entry is at a position."""
    return _career(service.ledger, pool, player, isinstance(player, str), position)


@lru_cache(maxsize=128)
def _career(ledger: Ledger, pool: str, player: Id, text: bool, position: int) -> Career:
    del text  # 17 and "17" are two players, and one key without it
    changes = ledger.history(player, pool, MOST + 1, before=position + 1)
    return career(changes[:MOST], len(changes) <= MOST)


def career(changes: Sequence[Change], whole: bool) -> Career:
    """What changes, the latest first, make."""
    ordered = list(reversed(changes))
    times = [_played_at(change) for change in ordered]
    played = all(
        at is not None and (before is None or at >= before)
        for before, at in zip([None, *times[:-1]], times, strict=True)
    )
    points = tuple(
        Point(at if played and at else change.at, change.after.rating, change.after.deviation, change.position)
        for change, at in zip(ordered, times, strict=True)
    )
    pairs = tuple(one for each in changes for one in each.matches if len(one.opponents) == 1)
    return Career(points, whole, played and bool(points), pairs)


def against(matches: Sequence[Played]) -> tuple[Against, ...]:
    """Who was met most often, in matches of two.

    >>> against([Played("m1", ("bob",), 1.0, None), Played("m2", ("bob",), 0.5, None)])
    (Against(opponent='bob', games=2, wins=1, draws=1, losses=0),)
    """
    met: dict[Id, Counter[float]] = {}
    for match in matches:
        if len(match.opponents) == 1:
            met.setdefault(match.opponents[0], Counter())[match.score] += 1
    found = [
        Against(
            opponent,
            scores.total(),
            sum(n for score, n in scores.items() if score > 0.5),
            scores[0.5],
            sum(n for score, n in scores.items() if score < 0.5),
        )
        for opponent, scores in met.items()
    ]
    found.sort(key=lambda one: (-one.games, str(one.opponent)))
    return tuple(found[:_OFTEN])


def _played_at(change: Change) -> datetime | None:
    return change.matches[-1].played_at if change.matches else None
