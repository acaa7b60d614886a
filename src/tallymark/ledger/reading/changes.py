"""What changed a player's rating: from entry to entry backwards, for each says which one was before it."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.engine import Connection

from tallymark.games.ids import Id
from tallymark.games.times.iso import EPOCH, MICROSECOND
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.history import History
from tallymark.ledger.fold.played import Match, read_match
from tallymark.ledger.fold.rating import why_not
from tallymark.ledger.reach import page
from tallymark.ledger.reading.again import Cause
from tallymark.ledger.reading.counted import Counting
from tallymark.ledger.reading.states import rated_match
from tallymark.ledger.reading.steps import Step, path, published_newcomer, stream_of
from tallymark.ledger.rulebook import Rulebook
from tallymark.replay.columns import NEVER
from tallymark.systems import Rating


class Result(NamedTuple):
    """Whom a player met in a match, and the points won of each of them together."""

    opponents: tuple[Id, ...]
    score: float


class Played(NamedTuple):
    """A match that a change is for: whom the player met, and the points won of each of them together, as that entry has
    it; of a match that everything was computed again for, as it has counted since.

    `now`: the same as it counts now; None where it counts no more, or not for this player.
    """

    match: Id
    opponents: tuple[Id, ...]
    score: float
    played_at: datetime | None
    now: Result | None


class Change(NamedTuple):
    """A state of a player, and the one before it, as published: where numbers age, as they were after the last result.

    `kind`: that of the entry: rated, states (a period was closed, or everything recomputed), adjusted or imported.
    `matches`: what it is for; in calendar pools all of the period. `of`: of states, the entry that they belong to.
    `causes`: what everything was computed again for, as far as it is about the player; where nothing of it is, all of
    it. `clamped`: the bounds that were hit. `previous`: the position of the player's entry before it, 0 where this is
    the first.
    """

    position: int
    kind: str
    at: datetime
    matches: tuple[Played, ...]
    before: Rating
    after: Rating
    clamped: tuple[str, ...]
    converged: bool
    previous: int
    of: int | None
    causes: tuple[Cause, ...]

    @property
    def change(self) -> float:
        """By how many points the rating changed."""
        return self.after.rating - self.before.rating


def changes(
    connection: Connection,
    pool: int,
    player: Id,
    limit: int,
    before: int | None,
    rulebook: Rulebook,
    counting: Counting,
) -> list[Change]:
    """The last so many changes, the latest first; of entries before a position, where one is given."""
    steps = path(connection, pool, player, before, rulebook)
    history = _Changes(connection, pool, player, rulebook, counting)
    found: list[Change] = []
    step = next(steps, None)
    while step is not None and len(found) < limit:
        last = next(steps, None)
        rules = rulebook.at(connection, pool, step.told.rules_at)
        found.append(history.of(step, published_newcomer(rules) if last is None else last.rating))
        step = last
    return found


class _Changes:
    """What a player's entries say."""

    def __init__(self, connection: Connection, pool: int, player: Id, rulebook: Rulebook, counting: Counting) -> None:
        self._connection, self._pool, self._player = connection, pool, player
        self._rulebook, self._counting = rulebook, counting
        self._people = counting.people(player)

    def of(self, step: Step, before: Rating) -> Change:
        """What an entry changed."""
        matches: list[Match] = []
        causes: tuple[Cause, ...] = ()
        header: int | None = None
        if step.told.kind == "rated":
            matches = [rated_match(step.entry.body)]
        elif step.told.kind == "states":
            header = entries.header_of(step.entry.body)
            (entry,) = page(self._connection, self._pool, header, header)
            if entries.prefix(entry.body).kind == "closed":
                matches = self._of_period(entry)
            else:
                causes, matches = self._again(header)
        happened = entries.happened_in(step.entry.body)
        return Change(
            step.entry.position,
            step.told.kind,
            EPOCH + step.told.at * MICROSECOND,
            tuple(self._played(matches)),
            before,
            step.rating,
            happened.clamped.get(step.place, ()),
            step.place not in happened.unconverged,
            step.previous,
            header,
            causes,
        )

    def _of_period(self, header: Entry) -> list[Match]:
        """The player's matches of a period, as they counted when it was rated."""
        rules = self._rulebook.at(self._connection, self._pool, entries.prefix(header.body).rules_at)
        stream = stream_of(self._connection, self._pool, header)
        merged = self._counting.merged(header.position)
        counted = History.of(stream, late=rules.period.late != "recompute", merged=merged.items()).counted()
        own = [match for match, _ in counted if self._player in match.people]
        return [match for match, why in zip(own, why_not(rules, own, {}), strict=True) if why is None]

    def _again(self, header: int) -> tuple[tuple[Cause, ...], list[Match]]:
        """What everything was computed again for, and the player's matches among that."""
        causes = self._counting.causes(header)
        matches: dict[Id, Match] = {}
        about: list[Cause] = []
        for cause in causes:
            found = {name: match for name in cause.matches if (match := self._own(name)) is not None}
            matches |= found
            if found or not self._people.isdisjoint(cause.players):
                about.append(cause)
        return tuple(about) or causes, list(matches.values())

    def _own(self, name: Id) -> Match | None:
        """A match that the player is in, as it counts now; where it does not, as it was told. None where the player is
        in neither, or it has no result."""
        entry = self._counting.own(name)
        if entry is None:
            return None
        now = self._counting.now([entry]).get(name)
        item = entries.item_in(entry.body, entries.prefix(entry.body).kind)
        assert item is not None
        for match in (read_match(item) if now is None else now.match, read_match(item)):
            if self._player in match.people and match.has_result:
                return match
        return None

    def _played(self, matches: Iterable[Match]) -> Iterator[Played]:
        for match in matches:
            told = result_of(match, self._player)
            now: Result | None = told
            if self._counting.touches(match):
                entry = self._counting.own(match.id)
                counts = None if entry is None else self._counting.now([entry]).get(match.id)
                own = counts is not None and self._player in counts.match.people
                now = result_of(counts.match, self._player) if counts is not None and own else None
            at = None if match.played == NEVER else EPOCH + match.played * MICROSECOND
            yield Played(match.id, told.opponents, told.score, at, now)


def result_of(match: Match, player: Id) -> Result:
    """A match with a result as one of its players has it."""
    if not match.sides:
        assert match.score is not None
        return Result((match.b,), match.score) if player == match.a else Result((match.a,), 1.0 - match.score)
    (own,) = (side for side in match.sides if player in side.players)
    score, opponents = 0.0, list[Id]()
    for side in match.sides:
        if side is not own and side.rank is not None and own.rank is not None:
            opponents += side.players
            score += len(side.players) * (1.0 if own.rank < side.rank else 0.5 if own.rank == side.rank else 0.0)
    return Result(tuple(opponents), score)
