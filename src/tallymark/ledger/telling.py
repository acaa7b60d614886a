"""What a program tells a pool besides matches: each is an item of its inbox, with an id, and is folded in its turn."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

import numpy as np
import orjson

from tallymark.checked import shortened
from tallymark.errors import InputError, UnknownError
from tallymark.games.columns import cells_of
from tallymark.games.ids import Id
from tallymark.games.times import NO_TIME, parse_times
from tallymark.ledger.entries import CHUNK
from tallymark.ledger.fold.played import Match, read_match
from tallymark.ledger.fold.rows import Row, newcomer
from tallymark.ledger.ids import checked_id, printable
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.matches import Given, Item, Json, checked_match, in_utf8, match_item, read_object
from tallymark.ledger.offering import offers
from tallymark.ledger.orders import written
from tallymark.methodology import Methodology, methodology
from tallymark.replay import Snapshot
from tallymark.replay.columns import NEVER, as_lists
from tallymark.systems import Rating

_UNKNOWN: Final = 5
"""Unknown ids that a message names."""


class Telling(ABC):
    """The commands of a ledger."""

    @abstractmethod
    def _tell(self, items: Sequence[Item], pool: str) -> list[Receipt | Conflict]:
        """Appends items."""

    @abstractmethod
    def _received(self, matches: Sequence[Id], pool: str) -> dict[Id, bytes]:
        """The bytes of those matches that the pool has received."""

    @abstractmethod
    def _matches_of(self, voter: Json, pool: str) -> list[bytes]:
        """The matches whose data names that voter."""

    @abstractmethod
    def rules(self, pool: str) -> Methodology:
        """The methodology in force."""

    @abstractmethod
    def now(self) -> int:
        """The ledger's clock, in microseconds since 1970 UTC."""

    @abstractmethod
    def _received_last(self) -> int:
        """The number of the last receipt of all."""

    def close_periods(self, pool: str, until: str | date | np.datetime64 | None = None) -> Receipt:
        """Closes every calendar period that is over at an instant, by default now, and recomputes what waits for it.

        Where nobody says so, a period closes when a match of a later one comes.
        """
        at = self.now() if until is None else instant_of(until)
        if at > self.now():
            raise InputError(f"until is {until!r}; a period is not closed before it is over")
        # What has come since it was said last is not yet over with it.
        return self._one(written.close(f"~close {at} after {self._received_last()}", at), pool)

    def change_rules(self, pool: str, rules: Methodology | str, *, id: Id) -> Receipt:
        """Another methodology, from the next match on; in calendar pools from the next period on."""
        return self._one(written.rules(id, methodology(rules)), pool)

    def annul(
        self,
        matches: Iterable[Id],
        *,
        pool: str,
        id: Id,
        reason: str,
        case: str | None = None,
        approvers: Sequence[str] = (),
    ) -> Receipt:
        """Matches that do not count; what that changes is the methodology's `late`."""
        found = self._those(matches, pool)
        return self._one(
            written.annul(id, [one.id for one in found], _oldest(found), _why(reason, case, approvers)), pool
        )

    def restore(
        self,
        matches: Iterable[Id],
        *,
        pool: str,
        id: Id,
        reason: str,
        case: str | None = None,
        approvers: Sequence[str] = (),
    ) -> Receipt:
        """Annulled matches that count again."""
        found = self._those(matches, pool)
        why = _why(reason, case, approvers)
        return self._one(written.annul(id, [one.id for one in found], _oldest(found), why, restore=True), pool)

    def change(
        self,
        match: Given,
        *,
        pool: str,
        id: Id,
        reason: str,
        case: str | None = None,
        approvers: Sequence[str] = (),
    ) -> Receipt:
        """Another content for a match that the pool has, under the match's own id; its time stays."""
        content = checked_match(match if isinstance(match, Mapping) else read_object(_bytes(match), "match"))
        told = read_match(orjson.dumps(content))
        found = self._those([told.id], pool)
        if told.played != found[0].played:
            raise InputError(
                f"match {told.id!r} was played at another time; a correction changes the result or who played",
                hint="annul the match, and append it anew under another id",
            )
        return self._one(written.change(id, content, _oldest(found), _why(reason, case, approvers)), pool)

    def merge(
        self,
        player: Id,
        into: Id,
        *,
        pool: str,
        id: Id,
        reason: str,
        case: str | None = None,
        approvers: Sequence[str] = (),
    ) -> Receipt:
        """Two names of one player: the results of one are the other's, from the beginning."""
        checked_id("player", player)
        checked_id("into", into)
        if player == into:
            raise InputError(f"player and into are both {player!r}")
        return self._one(written.merge(id, player, into, _why(reason, case, approvers)), pool)

    def part(
        self,
        player: Id,
        *,
        pool: str,
        id: Id,
        reason: str,
        case: str | None = None,
        approvers: Sequence[str] = (),
    ) -> Receipt:
        """Takes a merge back."""
        checked_id("player", player)
        return self._one(written.part(id, player, _why(reason, case, approvers)), pool)

    def void_voter(
        self,
        voter: Json,
        *,
        pool: str,
        id: Id,
        reason: str,
        case: str | None = None,
        approvers: Sequence[str] = (),
    ) -> Receipt:
        """Annuls every vote whose `data` names the voter, as one adjustment on record."""
        found = [read_match(body) for body in self._matches_of(voter, pool)]
        if not found:
            raise UnknownError(
                f"{pool!r} has no vote of {shortened(voter)}",
                kind="match",
                hint='a vote names it: "data":{"voter":...}',
            )
        why = _why(reason, case, approvers) | {"voter": voter}
        return self._one(written.annul(id, [one.id for one in found], _oldest(found), why), pool)

    def adjust(
        self,
        ratings: Mapping[Id, Rating],
        *,
        pool: str,
        id: Id,
        reason: str,
        case: str | None = None,
        approvers: Sequence[str] = (),
    ) -> Receipt:
        """States that players have from here on; their record stays."""
        return self._one(adjusting(id, ratings, self.rules(pool), _why(reason, case, approvers)), pool)

    def import_state(self, snapshot: Snapshot, *, pool: str, at: str | date | np.datetime64) -> list[Receipt]:
        """States that a site has already, as they hold at an instant: what a pool without matches begins with.

        Of a snapshot with several pools, those of the pool of that name. A thousand players are an item; games of a
        period that is open in the snapshot are appended behind them, and `at` has to lie in that period.
        """
        rules, instant = self.rules(pool), instant_of(at)
        if instant > self.now():
            raise InputError(f"at is {at!r}, which is to come: matches until then would be late")
        state = as_lists(snapshot.states_for(rules))
        if 0 in state.rated:
            raise InputError("players have a starting band and no rating", hint="leave out who has no rating")
        of = pool if pool in snapshot.pools else snapshot.pools[0] if len(snapshot.pools) == 1 else None
        if of is None:
            raise InputError(f"the snapshot has no pool {pool!r}", hint=f"it has {', '.join(snapshot.pools[:10])}")
        chosen = [
            (player, _imported(Row(*values), instant))
            for player, name, values in zip(snapshot.player, snapshot.pool, zip(*state, strict=True), strict=True)
            if name == of
        ]
        origin = snapshot.heads[snapshot.pools.index(of)].origin
        counted = origin if rules.period.kind == "calendar" and origin != NEVER else None
        games = [] if snapshot.open_games is None else [one for one in offers(snapshot.open_games) if one.pool == of]
        matches = [read_match(orjson.dumps(one.match)) for one in games]
        if counted is not None and matches:
            period = min((match.played - counted) // rules.period.length for match in matches)
            if (instant - counted) // rules.period.length > period:
                raise InputError(
                    f"at is {at!r}, behind the open period of {len(games):,} games that the snapshot has",
                    hint="it has to lie in that period",
                )
        items = [
            written.take_in(f"import {instant} {low // CHUNK + 1}", instant, chosen[low : low + CHUNK], rules, counted)
            for low in range(0, len(chosen), CHUNK)
        ]
        items += [match_item(one.match) for one in games if one.match is not None]
        return [_sure(one) for one in self._tell(items, pool)] if items else []

    def _one(self, item: Item, pool: str) -> Receipt:
        (found,) = self._tell([item], pool)
        return _sure(found)

    def _those(self, matches: Iterable[Id], pool: str) -> list[Match]:
        if isinstance(matches, str):
            raise InputError(f"matches is {matches!r}; expected a list of ids")
        ids = list(matches)
        if not ids:
            raise InputError("matches is empty; expected ids")
        bodies = self._received(ids, pool)
        missing = [one for one in ids if one not in bodies]
        if missing:
            named = ", ".join(map(repr, missing[:_UNKNOWN]))
            others = " and others" if len(missing) > _UNKNOWN else ""
            raise UnknownError(f"{pool!r} has no match {named}{others}", kind="match")
        return [read_match(bodies[one]) for one in ids]


def instant_of(given: str | date | np.datetime64) -> int:
    """Any form of a time as microseconds since 1970 UTC.

    >>> instant_of("1970-01-02")
    86400000000
    """
    times, wrong = parse_times(cells_of([given], "instant"))
    if wrong or times[0] == NO_TIME:
        raise InputError(f"instant is {shortened(given)}; expected a time such as 2026-11-29 or 2026-11-29T12:00:00Z")
    return int(times[0])


def adjusting(id: Id, ratings: Mapping[Id, Rating], rules: Methodology, why: Mapping[str, object]) -> Item:
    """What an adjustment of ratings is under a methodology, as an item."""
    return written.adjust(id, {player: _row(rating, rules) for player, rating in ratings.items()}, rules, why)


def _sure(found: Receipt | Conflict) -> Receipt:
    if isinstance(found, Conflict):
        raise found.error()
    return found


def _oldest(matches: Sequence[Match]) -> int:
    return min(match.played for match in matches)


def _why(reason: str, case: str | None, approvers: Sequence[str]) -> dict[str, object]:
    """Who answers for a correction, and why: public."""
    if isinstance(approvers, str) or not isinstance(approvers, Sequence):
        raise InputError(f"approvers is {shortened(approvers)}; expected a list of names")
    for name, text in (("reason", reason), ("case", case), *(("approvers", one) for one in approvers)):
        if text is None and name == "case":
            continue
        if not isinstance(text, str) or not text.strip() or not printable(text.replace("\n", " ")):
            raise InputError(f"{name} is {shortened(text)}; expected text: a correction says why, and who answers")
    return {"reason": reason, "case": case, "approvers": list(approvers)}


def _bytes(text: bytes | str) -> bytes:
    return in_utf8(text) if isinstance(text, str) else text


def _row(rating: Rating, rules: Methodology) -> Row:
    mu, phi2, sigma2 = rules.entered(rating)
    return newcomer(rules)._replace(mu=mu, phi2=phi2, sigma2=sigma2)


def _imported(row: Row, at: int) -> Row:
    """A row as it holds then; its clock is that instant where it has none."""
    return row._replace(last=at if row.last == NEVER else row.last)
