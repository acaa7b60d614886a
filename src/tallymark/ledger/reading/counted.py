"""Matches as they count now: the one truth behind a record, what stands against each opponent, and the page of a match.

What a correction is worth is what the fold made of it: one without effect changes nothing here, and one that waits does
not yet. The history that the fold itself recomputes (`fold.history.History`) says the rest, of the matches asked for.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.errors import UnknownError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.history import History
from tallymark.ledger.fold.played import Match, called, pairings, read_match
from tallymark.ledger.fold.rating import why_not
from tallymark.ledger.fold.reasons import Unrated
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import key_of
from tallymark.ledger.reach import page
from tallymark.ledger.reading.again import Again, Cause, Recomputation
from tallymark.ledger.reading.notable import Corrected, Notable
from tallymark.ledger.reading.seats import sides_of
from tallymark.ledger.reading.steps import path, stream_of
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.tables import ENTRY, RECEIPT
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER
from tallymark.replay.eligibility import eligibility

LOOKED_AT: Final = 2000
"""Entries of a player that are looked at, at most."""
_OWN: Final = (
    select(ENTRY.c.position, ENTRY.c.hash, ENTRY.c.body, ENTRY.c.receipt)
    .join(RECEIPT, RECEIPT.c.id == ENTRY.c.receipt)
    .where(RECEIPT.c.item == bindparam("item_"), RECEIPT.c.pool == bindparam("of"))
)


class Counts(NamedTuple):
    """A match as it counts now: everybody under the id whose results these are, and with the result that it has now.
    `position`: its own entry's; `rules`: those that it came under."""

    match: Match
    position: int
    rules: Methodology


class Counted(NamedTuple):
    """Matches of a player that count now, the latest to come first. `whole`: these are all; else those of the last 2000
    entries."""

    matches: list[Counts]
    whole: bool


class Counting:
    """How matches of a pool count at its head."""

    def __init__(
        self, connection: Connection, pool: int, head: Stand, rulebook: Rulebook, notable: Notable, again: Again
    ) -> None:
        self._connection, self._pool, self._head, self._rulebook = connection, pool, head, rulebook
        self._again = again
        self._all = notable.all(connection, pool, head.position)
        self._done = [one for one in self._all if self.done(one)]
        self._named = {match for one in self._done for match in one.says.matches}
        self._moved = {who for one in self._done for who in one.says.merged or ()}

    @property
    def position(self) -> int:
        """The entry that all is as of."""
        return self._head.position

    def done(self, one: Corrected) -> bool:
        """Whether a correction is in the ratings as they stand."""
        if one.effect == "recompute":
            return not self._head.waiting_from or one.position < self._head.waiting_from
        return one.effect == "open-period" and self._over(one.position)

    def touches(self, match: Match) -> bool:
        """Whether a correction that is in the ratings may have made another match of it."""
        return match.id in self._named or not self._moved.isdisjoint(match.people)

    def merged(self, until: int) -> dict[Id, Id]:
        """Whose results were another's by the corrections before an entry, and whose."""
        history = History()
        for one in self._done:
            if one.position < until:
                history.correct(one.says)
        return history.merged

    def again(self) -> list[Recomputation]:
        """The recomputations of the pool, the first one first."""
        return self._again.of(self._connection, self._pool, self._head.position, self._rulebook)

    def taken(self, position: int) -> Recomputation | None:
        """The recomputation that took in the entry at a position, of a late match or a correction."""
        return next((one for one in self.again() if any(cause.position == position for cause in one.causes)), None)

    def last_said(self, named: Sequence[Corrected]) -> Match | None:
        """The content of the last of the corrections of a match that is in the ratings and has one."""
        return next((one.match for one in reversed(named) if one.match is not None and self.done(one)), None)

    def why_not(self, entry: Entry, named: Sequence[Corrected]) -> str | None:
        """Why a match that was rated counts no more, by its own entry and the corrections that name it; None where it
        is only annulled."""
        begins = entries.prefix(entry.body)
        item = entries.item_in(entry.body, begins.kind)
        assert item is not None
        match = self.last_said(named) or read_match(item)
        if called(match, History(merged=self.merged(self.position + 1)).now) is None:
            return Unrated.ONESELF.value
        return why_not(self._rulebook.at(self._connection, self._pool, begins.rules_at), [match], {})[0]

    def causes(self, header: int) -> tuple[Cause, ...]:
        """What everything was computed again for, by that entry."""
        return next(one.causes for one in self.again() if one.position == header)

    def about(self, people: Iterable[Id]) -> list[Corrected]:
        """The corrections that merged or parted some of these people, or those with whom they were merged."""
        among: set[Id] = set()
        for one in people:
            among |= self.people(one)
        return [
            one
            for one in self._all
            if (one.says.merged is not None and not among.isdisjoint(one.says.merged)) or one.says.parted in among
        ]

    def own(self, match: Id) -> Entry | None:
        """The entry of a match; None where there is none."""
        found = self._connection.execute(_OWN, {"of": self._pool, "item_": key_of(match)}).one_or_none()
        return None if found is None else Entry(found.position, bytes(found.hash), bytes(found.body), found.receipt)

    def now(self, own: Iterable[Entry], until: int | None = None) -> dict[Id, Counts]:
        """Of these matches, by their own entries, those that count, by their ids. `until`: by the corrections before
        that entry, which settled the matches."""
        history, position = History(), dict[Id, int]()
        told: list[Entry | Corrected] = [one for one in self._done if until is None or one.position < until]
        told += [entry for entry in own if self.settled(entry)]
        looked_at: set[Id] = set()
        for one in sorted(told, key=lambda one: one.position):
            if isinstance(one, Corrected):
                history.correct(one.says)
                looked_at.update(one.says.matches)
                continue
            history.add(one)
            item = entries.item_in(one.body, entries.prefix(one.body).kind)
            assert item is not None
            position[read_match(item).id] = one.position
        found = {}
        for match, rules_at in history.counted():
            rules = self._rulebook.at(self._connection, self._pool, rules_at)
            if match.id in looked_at and (
                why_not(rules, [match], {}) != [None] or (match.id in history.revived and self._open(match, rules))
            ):
                continue
            found[match.id] = Counts(match, position[match.id], rules)
        return found

    def of(self, player: Id) -> Counted:
        """The matches of a player that count, from the player's entries, and those of who was merged; `UnknownError`
        for who has none."""
        people = self.people(player)
        own: dict[int, Entry] = {}
        whole = True
        for one in people:
            looked = 0
            try:
                for step in path(self._connection, self._pool, one, None, self._rulebook):
                    if looked == LOOKED_AT:
                        whole = False
                        break
                    looked += 1
                    own |= {entry.position: entry for entry in self._rated(step.entry, people)}
            except UnknownError:
                if one == player and type(one) is type(player):
                    raise
        own |= {entry.position: entry for entry in self._elsewhere(people)}
        counts = [one for one in self.now(own.values()).values() if player in one.match.people]
        counts.sort(key=lambda one: -one.position)
        return Counted(counts, whole)

    def people(self, player: Id) -> set[Id]:
        """Everybody whose results may have been the player's, or the other way round."""
        pairs = [one.says.merged for one in self._done if one.says.merged is not None]
        people, before = {player}, 0
        while len(people) > before:
            before = len(people)
            people.update(one for pair in pairs if not people.isdisjoint(pair) for one in pair)
        return people

    def _rated(self, entry: Entry, people: set[Id]) -> Iterator[Entry]:
        """The entries of matches that an entry of one of these people settled, late ones aside."""
        kind = entries.prefix(entry.body).kind
        if kind == "rated":
            yield entry
        elif kind == "states":
            (header,) = page(self._connection, self._pool, *[entries.header_of(entry.body)] * 2)
            if entries.prefix(header.body).kind == "closed":
                for one in stream_of(self._connection, self._pool, header):
                    kind = entries.prefix(one.body).kind
                    if kind == "accepted" and not people.isdisjoint(_people_in(one.body, kind)):
                        yield one

    def _elsewhere(self, people: set[Id]) -> Iterator[Entry]:
        """Matches of these people that came late, or that corrections say something about."""
        named: set[Id] = set()
        for one in self._done:
            if one.match is not None and not people.isdisjoint(one.match.people):
                named.add(one.match.id)
            named.update(one.says.restored)
        late: list[int] = []
        for again in self.again():
            for cause in again.causes:
                if cause.what == "late" and not people.isdisjoint(cause.players):
                    late.append(cause.position)
        for position in late:
            yield from page(self._connection, self._pool, position, position)
        for match in named:
            entry = self.own(match)
            if entry is not None:
                yield entry

    def settled(self, entry: Entry) -> bool:
        """Whether what a match's own entry says is in the ratings as they stand, by its time."""
        begins = entries.prefix(entry.body)
        if begins.kind != "accepted":
            return True
        if entries.is_late(entry.body):
            rules = self._rulebook.at(self._connection, self._pool, begins.rules_at)
            if rules.period.late == "recompute":
                return not self._head.waiting_from or entry.position < self._head.waiting_from
        return self._over(entry.position)

    def _over(self, position: int) -> bool:
        """Whether the period that was open at an entry is over."""
        return self._head.open_period == NEVER or position < self._head.open_from

    def _open(self, match: Match, rules: Methodology) -> bool:
        """Whether a match lies in a period that is not over."""
        head = self._head
        return rules.period.kind == "calendar" and (match.played - head.origin) // rules.period.length > head.closed


def pairs_of(counts: Counts, player: Id) -> list[tuple[Id, float]]:
    """Each opponent of a player in a match, and what the player won of that game: the games of a record. Where rules
    count a game for its loser alone, it is none of the winner's."""
    match = counts.match
    sides = sides_of(match)
    ((own, mine),) = ((rank, people) for rank, people in sides if player in people)
    alone = _losers_alone(match, counts.rules)
    found = []
    for rank, others in sides:
        if others is mine:
            continue
        assert own is not None
        assert rank is not None
        score = 1.0 if own < rank else 0.0 if own > rank else 0.5
        if not match.sides and match.score is not None:
            score = match.score if player == match.a else 1.0 - match.score
        found += [(other, score) for other in others if not (alone and score > 0.5)]
    return found


def _losers_alone(match: Match, rules: Methodology) -> bool:
    if match.ending not in rules.rated.short_loss:
        return False
    alone = eligibility(pairings([match]).log, rules).loser_only
    return alone is not None and bool(alone.any())


def _people_in(body: bytes, kind: str) -> tuple[Id, ...]:
    item = entries.item_in(body, kind)
    assert item is not None
    return read_match(item).people
