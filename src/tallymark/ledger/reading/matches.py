"""A match as people need it: who played, how it ended, what it changed and why, and the entry that says so."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy.engine import Connection

from tallymark.errors import UnknownError
from tallymark.games.ids import Id
from tallymark.games.times.iso import EPOCH, MICROSECOND
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.played import Match, read_match
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import key_of
from tallymark.ledger.inbox import received
from tallymark.ledger.reach import page
from tallymark.ledger.reading.again import Recomputation
from tallymark.ledger.reading.computed import Computed
from tallymark.ledger.reading.counted import Counting, Counts
from tallymark.ledger.reading.items import Fate, fate, state_now
from tallymark.ledger.reading.notable import Corrected, Notable
from tallymark.ledger.reading.seats import Seat, Side, expected_of, rated_seats, scores, sides_of
from tallymark.ledger.reading.states import rated_match, told
from tallymark.ledger.reading.steps import Step, path, published_newcomer
from tallymark.ledger.rulebook import Rulebook
from tallymark.replay.columns import NEVER

_STEPS: Final = 500
"""Entries of a player that are gone back through for the one that a period ended with."""


class First(NamedTuple):
    """What a match did when it was rated first: its sides and result as they were then, and the entry that says so."""

    position: int
    sides: tuple[Side, ...]


class Anew(NamedTuple):
    """What computing everything again did, for a correction of a match or because it came late.

    `position`: its entry; `causes`: how many late matches and corrections it was for. `seats`: the players of the
    match, before it and after it, all causes together; who did not move is not there.
    """

    position: int
    causes: int
    seats: tuple[Seat, ...]


class MatchInfo(NamedTuple):
    """A match of a pool, as it was told and as it counts now.

    `state`: waiting (nothing is about it yet), rated, accepted (rated with its period, or with the next recomputation;
    a late match is rated when that was), not-rated, or annulled. `reason` says why a match is not rated. `counts`:
    whether it is in the ratings as they stand; a correction without effect, or one that waits, changes nothing there.
    `content`: its bytes as received.
    `sides`, `ending`: as it counts, or would; with the change as it counts now, which the entry `changed_by` brought
    about: its own, that of its period, or the last recomputation. None until then, and where that is not known: where
    the last few hundred entries of a player do not have the period, or everything was computed again and the pool is
    too large to do that once more. `recorded`: what a correction says that is not in the ratings, for it waits or has
    no effect. `first`: what it did when it was first rated, where that is something else; `anew`: what the last
    recomputation for it did. `position`, `hash` (in hex) and `settled_at` are those of the match's own entry;
    `rules` the position of that of its methodology, `late` what that does about what is late. `corrections`: those that
    name the match, or that merged players of it; `done` has for each whether it is in the ratings, and `recomputed` the
    entry of the recomputation that took it in, None where there is none.
    """

    pool: str
    id: Id
    number: int
    state: str
    reason: str | None
    counts: bool
    content: bytes
    sides: tuple[Side, ...]
    recorded: tuple[Side, ...] | None
    ending: str | None
    played_at: datetime | None
    received_at: datetime
    position: int | None
    hash: str | None
    settled_at: datetime | None
    rules: int | None
    late: str | None
    period: int | None
    changed_by: int | None
    first: First | None
    anew: Anew | None
    corrections: tuple[Corrected, ...]
    done: tuple[bool, ...]
    recomputed: tuple[int | None, ...]


def match_info(
    connection: Connection,
    pool: int,
    name: str,
    match_id: Id,
    head: Stand,
    rulebook: Rulebook,
    notable: Notable,
    counting: Counting,
    computed: Computed,
) -> MatchInfo:
    """What a pool knows of a match; `UnknownError` for one that it has not received."""
    item = fate(connection, pool, name, match_id)
    content = received(connection, pool, [match_id]).get(match_id)
    if content is None or content.startswith(b'{"command":'):
        raise UnknownError(f"{name!r} has no match {match_id!r}", kind="match")
    return _Looked(connection, pool, head, rulebook, counting, computed).info(
        name, item, content, notable.corrections(connection, pool, head.position, match_id)
    )


class _Looked:
    """What is looked at for a match."""

    def __init__(
        self,
        connection: Connection,
        pool: int,
        head: Stand,
        rulebook: Rulebook,
        counting: Counting,
        computed: Computed,
    ) -> None:
        self._connection, self._pool, self._head, self._rulebook = connection, pool, head, rulebook
        self._counting, self._computed = counting, computed

    def info(self, name: str, item: Fate, content: bytes, named: Sequence[Corrected]) -> MatchInfo:
        """All of it."""
        told = read_match(content)
        entry = None if item.position is None else page(self._connection, self._pool, *[item.position] * 2)[0]
        changed = next((one for one in reversed(named) if one.match is not None), None)
        corrected = None if changed is None else changed.match
        corrections = sorted(
            [*named, *self._counting.about({*told.people, *(corrected.people if corrected else ())})],
            key=lambda one: one.position,
        )
        counts = None if entry is None else self._counting.now([entry]).get(item.id)
        again = [] if entry is None else [one for one in self._counting.again() if one.position > entry.position]
        now = counts.match if counts else self._counting.last_said(named) or told
        on_record = corrected if changed is not None and not self._counting.done(changed) else None
        first, sides, by = None, bare_sides(now), None
        if entry is not None:
            contents = [one.match for one in named if one.match is not None]
            first = self._first(entry, item.state, {who for match in (told, *contents) for who in match.people})
            sides, by = self._now(entry, counts, first, again, sides)
        begins = None if entry is None else entries.prefix(entry.body)
        state, reason = item.state, item.reason
        if entry is not None:
            state, reason = state_now(item, entry, named, self._counting)
        rules = None if begins is None else self._rulebook.at(self._connection, self._pool, begins.rules_at)
        taken = [self._counting.taken(one.position) for one in corrections]
        return MatchInfo(
            name,
            item.id,
            item.number,
            state,
            reason,
            counts is not None,
            content,
            sides,
            None if on_record is None else bare_sides(on_record),
            now.ending,
            None if told.played == NEVER else EPOCH + told.played * MICROSECOND,
            EPOCH + item.received * MICROSECOND,
            item.position,
            None if entry is None else entry.hash.hex(),
            None if begins is None else EPOCH + begins.at * MICROSECOND,
            None if begins is None else begins.rules_at,
            None if rules is None else rules.period.late,
            entries.period_of(entry.body) if entry is not None and item.state == "accepted" else None,
            by,
            None if first is None or (first.position == by and first.sides == sides) else first,
            None if entry is None else self._anew(entry, named, corrections, again, {*told.people, *now.people}),
            tuple(corrections),
            tuple(map(self._counting.done, corrections)),
            tuple(None if one is None else one.position for one in taken),
        )

    def _first(self, entry: Entry, state: str, named: set[Id]) -> First | None:
        """What the match did when it was rated first. `named`: everybody in it, by any correction too: one may have
        come before its period was over."""
        if state == "rated":
            match = rated_match(entry.body)
            seats = rated_seats(self._connection, self._pool, entry, match, self._rulebook)
            return First(entry.position, _sides(match, seats))
        if state != "accepted":
            return None
        item = entries.item_in(entry.body, state)
        assert item is not None
        rules = self._rulebook.at(self._connection, self._pool, entries.prefix(entry.body).rules_at)
        kind = "restated" if entries.is_late(entry.body) and rules.period.late == "recompute" else "closed"
        steps: dict[Id, Step] = {}
        people: set[Id] = set()
        for player in named:
            people |= self._counting.people(player)
        for player in people:
            found = self._settling(player, entry.position, kind)
            if found is not None:
                steps[player] = found
        if not steps:
            return None
        # Who is in it by a later correction alone may have a later one.
        header = min(entries.header_of(step.entry.body) for step in steps.values())
        counts = self._counting.now([entry], header).get(read_match(item).id)
        if counts is None:
            return None
        won = scores(counts.match)
        seats = {
            player: self._seat(player, won.get(player), step)
            for player, step in steps.items()
            if entries.header_of(step.entry.body) == header
        }
        return First(header, _sides(counts.match, seats))

    def _settling(self, player: Id, after: int, kind: str) -> Step | None:
        """The first entry of a player behind another that a period, or a recomputation, ended with."""
        found: Step | None = None
        try:
            for n, step in enumerate(path(self._connection, self._pool, player, None, self._rulebook)):
                if step.entry.position <= after:
                    return found
                if n == _STEPS:
                    break
                if step.told.kind == "states":
                    header = page(self._connection, self._pool, *[entries.header_of(step.entry.body)] * 2)[0]
                    found = step if entries.prefix(header.body).kind == kind else found
                if not step.previous:
                    return found
        except UnknownError:
            pass  # somebody who was merged before having an entry
        return None

    def _seat(self, player: Id, score: float | None, step: Step) -> Seat:
        rules = self._rulebook.at(self._connection, self._pool, step.told.rules_at)
        before = published_newcomer(rules)
        if step.previous:
            (one,) = page(self._connection, self._pool, step.previous, step.previous)
            state = told(
                one.body, player, self._rulebook.at(self._connection, self._pool, entries.prefix(one.body).rules_at)
            )
            assert state is not None
            before = state.rating
        return Seat(player, score, None, before, step.rating, step.previous)

    def _now(
        self,
        entry: Entry,
        counts: Counts | None,
        first: First | None,
        again: Sequence[Recomputation],
        bare: tuple[Side, ...],
    ) -> tuple[tuple[Side, ...], int | None]:
        """The sides with their change as it counts now, and the entry that brought that about."""
        if counts is None:
            return bare, None
        header = next((one.position for one in reversed(again)), None)
        if header is None or (first is not None and first.position > header):
            return (bare, None) if first is None else (first.sides, first.position)
        values = self._computed.values(self._connection, self._pool, header, self._head, self._rulebook)
        stood = {} if values is None else values.stood(counts.match)
        if values is None or not stood:
            return bare, None
        won, rules = scores(counts.match), values.rules
        expected = dict[Id, float]()
        if rules.period.kind != "calendar":
            expected = expected_of(rules, counts.match, {player: row for player, (row, _, _) in stood.items()})
        start = published_newcomer(rules)
        seats = {
            player: Seat(
                player, won.get(player), expected.get(player), start if was is None else was.rating, now.rating, None
            )
            for player, (_, was, now) in stood.items()
        }
        return _sides(counts.match, seats), header

    def _anew(
        self,
        entry: Entry,
        named: Sequence[Corrected],
        corrections: Sequence[Corrected],
        again: Sequence[Recomputation],
        people: set[Id],
    ) -> Anew | None:
        """What the last recomputation for the match did to its players; where none was, the last one for them."""
        for some in (named, corrections):
            own = {entry.position, *(one.position for one in some)}
            found = next((one for one in reversed(again) if any(cause.position in own for cause in one.causes)), None)
            if found is not None:
                break
        else:
            return None
        everybody: set[Id] = set()
        for player in people:
            everybody |= self._counting.people(player)
        seats = []
        for chunk in page(self._connection, self._pool, found.position + 1, found.position + found.chunks):
            begins = entries.prefix(chunk.body)
            rules = self._rulebook.at(self._connection, self._pool, begins.rules_at)
            for player in everybody:
                state = told(chunk.body, player, rules)
                if state is not None:
                    step = Step(chunk, begins, state.rating, state.place, state.before)
                    seats.append(self._seat(player, None, step))
        return Anew(found.position, len(found.causes), tuple(sorted(seats, key=lambda seat: key_of(seat.player))))


def _sides(match: Match, seats: dict[Id, Seat]) -> tuple[Side, ...]:
    won = scores(match)
    return tuple(
        Side(
            rank,
            tuple(seats.get(player) or Seat(player, won.get(player), None, None, None, None) for player in players),
        )
        for rank, players in sides_of(match)
    )


def bare_sides(match: Match) -> tuple[Side, ...]:
    """The sides of a match, without what it changed."""
    return _sides(match, {})
