"""A match as people need it: who played, how it ended, what it changed and why, and the entry that says so."""

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select
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
from tallymark.ledger.reading.changes import published_newcomer
from tallymark.ledger.reading.items import fate
from tallymark.ledger.reading.notable import Corrected, Notable
from tallymark.ledger.reading.seats import Seat, Side, rated_seats, scores, sides_of
from tallymark.ledger.reading.states import rated_match, told
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.tables import RATING
from tallymark.replay.columns import NEVER

_STEPS: Final = 500
"""Entries of a player that are gone back through for the one that a period ended with."""
_LAST: Final = select(RATING.c.position).where(RATING.c.pool == bindparam("of"), RATING.c.player == bindparam("who"))


class MatchInfo(NamedTuple):
    """A match of a pool, as it was told and as it counts now.

    `state`: waiting (nothing is about it yet), rated, accepted (rated with its period, or with the next recomputation),
    not-rated, or annulled. `reason` says why a match is not rated. `content`: its bytes as received. `sides`, `ending`:
    as corrected, where it was; then seats have no numbers: what the correction changed stands in later entries.
    `position`, `hash` (in hex) and `settled_at` are those of the match's own entry; `rules` the position of that of its
    methodology. Of a match that is rated with a period, `changed_by` is the entry whose change of both sides that
    period brought about, where the last few hundred entries of a player have it; None until then.
    """

    pool: str
    id: Id
    number: int
    state: str
    reason: str | None
    content: bytes
    sides: tuple[Side, ...]
    ending: str | None
    played_at: datetime | None
    received_at: datetime
    position: int | None
    hash: str | None
    settled_at: datetime | None
    rules: int | None
    period: int | None
    changed_by: int | None
    corrections: tuple[Corrected, ...]


def match_info(
    connection: Connection, pool: int, name: str, match_id: Id, head: Stand, rulebook: Rulebook, notable: Notable
) -> MatchInfo:
    """What a pool knows of a match; `UnknownError` for one that it has not received."""
    item = fate(connection, pool, name, match_id)
    content = received(connection, pool, [match_id]).get(match_id)
    if content is None or content.startswith(b'{"command":'):
        raise UnknownError(f"{name!r} has no match {match_id!r}", kind="match")
    match = read_match(content)
    corrections = notable.corrections(connection, pool, head.position, match_id)
    state = item.state
    for one in corrections:
        state = "annulled" if one.what == "annul" else item.state if one.what == "restore" else state
    changed = next((one.match for one in reversed(corrections) if one.match is not None), None)
    entry = None if item.position is None else page(connection, pool, item.position, item.position)[0]
    if entry is not None and item.state == "rated":
        match = rated_match(entry.body)
    seats: dict[Id, Seat] = {}
    by: int | None = None
    if entry is not None and changed is None:
        if item.state == "rated":
            seats, by = rated_seats(connection, pool, entry, match, rulebook), entry.position
        elif item.state == "accepted":
            seats, by = _of_period(connection, pool, entry, match, rulebook)
    now = changed or match
    begins = None if entry is None else entries.prefix(entry.body)
    return MatchInfo(
        name,
        match_id,
        item.number,
        state,
        item.reason,
        content,
        tuple(
            Side(rank, tuple(seats.get(player) or _bare(player, scores(now)) for player in players))
            for rank, players in sides_of(now)
        ),
        now.ending,
        None if match.played == NEVER else EPOCH + match.played * MICROSECOND,
        EPOCH + item.received * MICROSECOND,
        item.position,
        None if entry is None else entry.hash.hex(),
        None if begins is None else EPOCH + begins.at * MICROSECOND,
        None if begins is None else begins.rules_at,
        entries.period_of(entry.body) if entry is not None and item.state == "accepted" else None,
        by,
        tuple(corrections),
    )


def _bare(player: Id, won: dict[Id, float]) -> Seat:
    return Seat(player, won.get(player), None, None, None, None)


def _of_period(
    connection: Connection, pool: int, entry: Entry, match: Match, rulebook: Rulebook
) -> tuple[dict[Id, Seat], int | None]:
    """What the period of a match, or the recomputation that it waited for, made of its players."""
    won = scores(match)
    seats: dict[Id, Seat] = {}
    by: int | None = None
    for player in match.people:
        position = connection.scalar(_LAST, {"of": pool, "who": key_of(player)}) or 0
        found: Entry | None = None
        previous = 0
        for _ in range(_STEPS):
            if position <= entry.position:
                break
            (one,) = page(connection, pool, position, position)
            state = told(one.body, player, rulebook.at(connection, pool, entries.prefix(one.body).rules_at))
            assert state is not None
            if entries.prefix(one.body).kind == "states":
                found, previous = one, state.before
            position = state.before
        if found is None or position > entry.position:
            continue
        rules = rulebook.at(connection, pool, entries.prefix(found.body).rules_at)
        after = told(found.body, player, rules)
        assert after is not None
        before = published_newcomer(rules)
        if previous:
            (one,) = page(connection, pool, previous, previous)
            there = told(one.body, player, rulebook.at(connection, pool, entries.prefix(one.body).rules_at))
            assert there is not None
            before = there.rating
        seats[player] = Seat(player, won.get(player), None, before, after.rating, previous)
        by = entries.header_of(found.body)
    return seats, by
