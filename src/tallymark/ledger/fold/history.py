"""All that a pool was told, as it counts now: matches with their corrections, merged players, states from elsewhere.

Made from the entries alone. Items from `until` on that wait for a recomputation are left out where one asks for what
was known before.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.played import Match, called, read_match
from tallymark.ledger.fold.reasons import Unrated
from tallymark.ledger.orders import read
from tallymark.replay.columns import NEVER
from tallymark.replay.eligibility import NotRated

BY_RULE: Final = frozenset(reason.value for reason in NotRated) - {NotRated.LATE.value} | {Unrated.NO_RESULT.value}


@dataclass
class History:
    """The matches of a pool by id, in the order in which they came; each with the entry of its methodology."""

    matches: dict[Id, tuple[Match, int]] = field(default_factory=dict)
    imports: list[Entry] = field(default_factory=list)
    """Entries with states from elsewhere."""
    periods: dict[int, int] = field(default_factory=dict)
    """Closed periods that were rated, and the entry of the methodology of each."""
    unrated: dict[Id, tuple[Match, int]] = field(default_factory=dict)
    """Matches that are not rated for what they are, which is the methodology's business, or have no result: changed,
    they may count."""
    revived: set[Id] = field(default_factory=set)
    """Matches that were not rated when they came, and were changed since."""
    gone: set[Id] = field(default_factory=set)
    """Matches that were annulled."""
    behind: dict[Id, tuple[int, int]] = field(default_factory=dict)
    """For each match that has no time, the last time of those that were there when it came, since nobody says that it
    was played before them; and its entry."""
    merged: dict[Id, Id] = field(default_factory=dict)
    """Whose results are another's, and whose."""
    _last: int = NEVER
    """The last time of a match so far."""

    @classmethod
    def of(
        cls,
        stream: Iterable[Entry],
        waiting_from: int = 0,
        late: bool = True,
        merged: Iterable[tuple[Id, Id]] = (),
        recorded: bool = False,
    ) -> "History":
        """The history in a stream; with `waiting_from`, without what waits from there on; or without late matches.

        `merged`: players who were merged before the stream begins. `recorded`: with corrections too that are on record
        and without effect.
        """
        history = cls(merged=dict(merged))
        for entry in stream:
            waits = bool(waiting_from) and entry.position >= waiting_from
            history.add(entry, waits, late, recorded)
        return history

    def add(self, entry: Entry, waits: bool = False, late: bool = True, recorded: bool = False) -> None:
        """One more entry; what waits, or is late, perhaps left out."""
        told = entries.prefix(entry.body)
        item = entries.item_in(entry.body, told.kind)
        if told.kind in ("rated", "accepted"):
            assert item is not None
            if not (entries.is_late(entry.body) and (waits or not late)):
                match = self._placed(read_match(item), entry.position)
                self._last = max(self._last, match.played)
                self.matches[match.id] = match, told.rules_at
        elif told.kind == "closed":
            period = entries.rated_period(entry.body)
            if period is not None:
                self.periods[period] = told.rules_at
        elif told.kind == "corrected":
            assert item is not None
            if not waits and (recorded or entries.has_effect(entry.body)):
                self.correct(read.correction(item))
        elif told.kind == "imported":
            self.imports.append(entry)
        elif told.kind == "not-rated":
            assert item is not None
            if entries.reason_in(entry.body) in BY_RULE:
                match = self._placed(read_match(item), entry.position)
                self.unrated[match.id] = match, told.rules_at

    def _placed(self, match: Match, position: int) -> Match:
        if match.played == NEVER:
            self.behind[match.id] = self._last, position
        return match

    def correct(self, told: read.Correction) -> None:
        """What a correction says."""
        self.gone |= set(told.annulled)
        self.gone -= set(told.restored)
        if told.changed is not None:
            before = self.matches.get(told.changed.id)
            if before is None and (before := self.unrated.pop(told.changed.id, None)) is not None:
                self.revived.add(told.changed.id)
            if before is not None:
                # Its time stays: it says in which period, and at which place, the match was.
                self.matches[told.changed.id] = told.changed._replace(played=before[0].played), before[1]
        if told.merged is not None:
            self.merged[told.merged[0]] = told.merged[1]
        if told.parted is not None:
            self.merged.pop(told.parted, None)

    def counted(self) -> list[tuple[Match, int]]:
        """The matches that count, with everybody under the id that is theirs now. Who would play against oneself does
        not."""
        found = []
        for match, rules_at in self.matches.values():
            if match.id in self.gone:
                continue
            now = called(match, self.now) if self.merged else match
            if now is not None:
                found.append((now, rules_at))
        return found

    def now(self, player: Id) -> Id:
        """Whose results a player's are now."""
        seen = {player}
        while player in self.merged and self.merged[player] not in seen:
            player = self.merged[player]
            seen.add(player)
        return player
