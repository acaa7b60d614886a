"""What changed a player's rating: from entry to entry backwards, for each says which one was before it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.errors import UnknownError
from tallymark.games.ids import Id
from tallymark.games.times.iso import EPOCH, MICROSECOND
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry, Prefix
from tallymark.ledger.fold.history import History
from tallymark.ledger.fold.played import Match
from tallymark.ledger.fold.rows import displayed, newcomer
from tallymark.ledger.ids import key_of
from tallymark.ledger.reach import PAGE, head_of, page
from tallymark.ledger.reading.states import rated_match, told
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.tables import RATING
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER
from tallymark.systems import Rating

_LAST: Final = select(RATING.c.position).where(RATING.c.pool == bindparam("of"), RATING.c.player == bindparam("who"))


class Played(NamedTuple):
    """A match that a change is for: whom the player met, and the points won of each of them together."""

    match: Id
    opponents: tuple[Id, ...]
    score: float
    played_at: datetime | None


class Change(NamedTuple):
    """A state of a player, and the one before it, as published: where numbers age, as they were after the last result.

    `kind`: that of the entry: rated, states (a period was closed, or everything recomputed), adjusted or imported.
    `matches`: what it is for; in calendar pools all of the period. `clamped`: the bounds that were hit. `previous`: the
    position of the player's entry before it, 0 where this is the first.
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

    @property
    def change(self) -> float:
        """By how many points the rating changed."""
        return self.after.rating - self.before.rating


class _Step(NamedTuple):
    """An entry of a player: the state after it, and the entry before."""

    entry: Entry
    told: Prefix
    rating: Rating
    place: int
    previous: int


def changes(
    connection: Connection, pool: int, player: Id, limit: int, before: int | None, rulebook: Rulebook
) -> list[Change]:
    """The last so many changes, the latest first; of entries before a position, where one is given."""
    path = _path(connection, pool, player, before, rulebook)
    found: list[Change] = []
    step = next(path, None)
    while step is not None and len(found) < limit:
        last = next(path, None)
        rules = rulebook.at(connection, pool, step.told.rules_at)
        found.append(
            _change(
                connection, pool, player, step, published_newcomer(rules) if last is None else last.rating, rulebook
            )
        )
        step = last
    return found


def _path(connection: Connection, pool: int, player: Id, before: int | None, rulebook: Rulebook) -> Iterator[_Step]:
    """The player's entries from the latest on; from the one before a position, where that is one of them."""
    position = connection.scalar(_LAST, {"of": pool, "who": key_of(player)}) or 0
    if not position:
        raise UnknownError(f"{player!r} has no rating in this pool", kind="player")
    if before is not None and before < position:
        there = _step(connection, pool, player, before, rulebook)
        position = position if there is None else there.previous
    while position:
        step = _step(connection, pool, player, position, rulebook)
        assert step is not None
        position = step.previous
        if before is None or step.entry.position < before:
            yield step


def _step(connection: Connection, pool: int, player: Id, position: int, rulebook: Rulebook) -> _Step | None:
    """The player's state in an entry; None where the entry has none."""
    found = page(connection, pool, position, position) if position > 0 else []
    if not found:
        return None
    (entry,) = found
    begins = entries.prefix(entry.body)
    state = told(entry.body, player, rulebook.at(connection, pool, begins.rules_at))
    return None if state is None else _Step(entry, begins, state.rating, state.place, state.before)


def published_newcomer(rules: Methodology) -> Rating:
    """Who has not played, as published."""
    return Rating(*displayed(newcomer(rules), rules))


def _change(connection: Connection, pool: int, player: Id, step: _Step, before: Rating, rulebook: Rulebook) -> Change:
    happened = entries.happened_in(step.entry.body)
    return Change(
        step.entry.position,
        step.told.kind,
        EPOCH + step.told.at * MICROSECOND,
        tuple(_matches(connection, pool, player, step, rulebook)),
        before,
        step.rating,
        happened.clamped.get(step.place, ()),
        step.place not in happened.unconverged,
        step.previous,
    )


def matches_behind(
    connection: Connection, pool: int, player: Id, rulebook: Rulebook
) -> Iterator[tuple[int, list[Match]]]:
    """The player's entries, the latest first, each with the matches that it rated."""
    for step in _path(connection, pool, player, None, rulebook):
        yield step.entry.position, list(_rated(connection, pool, player, step, rulebook))


def _matches(connection: Connection, pool: int, player: Id, step: _Step, rulebook: Rulebook) -> Iterator[Played]:
    """The matches that changed the player."""
    for match in _rated(connection, pool, player, step, rulebook):
        yield played_of(match, player)


def _rated(connection: Connection, pool: int, player: Id, step: _Step, rulebook: Rulebook) -> Iterator[Match]:
    if step.told.kind == "rated":
        yield rated_match(step.entry.body)
    elif step.told.kind == "states":
        header = page(connection, pool, *[entries.header_of(step.entry.body)] * 2)[0]
        if entries.prefix(header.body).kind == "closed":
            rules = rulebook.at(connection, pool, step.told.rules_at)
            yield from _of_period(connection, pool, player, header, rules)


def _of_period(connection: Connection, pool: int, player: Id, header: Entry, rules: Methodology) -> list[Match]:
    """The player's matches of a period, from the entries since the one before it was rated."""
    first = header.position
    stream: list[Entry] = []
    while first > 1:
        some = page(connection, pool, max(1, first - PAGE), first - 1)
        first = some[0].position
        for place, entry in reversed(list(enumerate(some))):
            if entries.prefix(entry.body).kind == "closed" and entries.rated_period(entry.body) is not None:
                some, first = some[place + 1 :], 1
                break
        stream = some + stream
    merged = head_of(connection, pool).merged
    matches = History.of(stream, late=rules.period.late != "recompute", merged=merged).counted()
    return [match for match, _ in matches if player in match.people]


def played_of(match: Match, player: Id) -> Played:
    """A match as one of its players has it."""
    at = None if match.played == NEVER else EPOCH + match.played * MICROSECOND
    if not match.sides:
        assert match.score is not None
        mine, other = (match.score, match.b) if player == match.a else (1.0 - match.score, match.a)
        return Played(match.id, (other,), mine, at)
    (own,) = (side for side in match.sides if player in side.players)
    score, opponents = 0.0, list[Id]()
    for side in match.sides:
        if side is not own and side.rank is not None and own.rank is not None:
            opponents += side.players
            score += len(side.players) * (1.0 if own.rank < side.rank else 0.5 if own.rank == side.rank else 0.0)
    return Played(match.id, tuple(opponents), score, at)
