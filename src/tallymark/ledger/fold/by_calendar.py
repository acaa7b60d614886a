"""Calendar pools: a match waits in its period, and a period is rated when it closes.

A period closes when a match of a later one comes, or when somebody says so (`commands/close.py`). What its players
are then stands in chunks behind the entry that says so; players who did not play in it age by the formula alone.
"""

from collections.abc import Sequence

from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.fold.going import Folding, from_the_future, too_late
from tallymark.ledger.fold.history import History
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.periods import in_total_order, rate_period
from tallymark.ledger.fold.played import Match
from tallymark.ledger.fold.rating import After, why_not
from tallymark.ledger.fold.reasons import Unrated
from tallymark.ledger.fold.recompute import recompute
from tallymark.ledger.fold.rows import Row
from tallymark.replay.columns import NEVER
from tallymark.replay.schedule import DAY


def accept(going: Folding, items: Sequence[Received]) -> None:
    """An entry for each match: it waits in its period, or is not rated."""
    reasons = why_not(going.rules, [item.match for item in items], from_the_future(going, items))
    for item, reason in zip(items, reasons, strict=True):
        if reason is None:
            _accept(going, item)
        else:
            _refuse(going, item, reason)


def _accept(going: Folding, item: Received) -> None:
    period = period_of(going, item.match.played)
    if going.stand.open_period != NEVER and period > going.stand.open_period:
        close(going, period - 1, going.settled_at(item.received))
    late = going.stand.closed != NEVER and period <= going.stand.closed
    if late and going.rules.period.late == "refuse":
        _refuse(going, item, Unrated.LATE)
        return
    stand = going.stand
    waits = late and going.rules.period.late == "recompute"
    if waits and too_late(going, item.match.played):
        _refuse(going, item, Unrated.TOO_LATE)
        return
    position, at = stand.position + 1, going.settled_at(item.received)
    body = entries.accepted(position, at, stand.rules_at, item.body, period, late)
    moved: dict[str, int] = {}
    if waits:
        moved["waiting_from"] = stand.waiting_from or position
    else:
        period = max(period, stand.closed + 1)  # a late one is rated in the open period
        moved["played"] = max(stand.played, item.match.played)
        if stand.open_period == NEVER:
            moved |= {"open_period": period, "open_from": position}
            moved["closed"] = max(stand.closed, period - 1)  # what is before it is over
    going.write(body, at, item.receipt, **moved)


def _refuse(going: Folding, item: Received, reason: str) -> None:
    at = going.settled_at(item.received)
    going.write(
        entries.not_rated(going.stand.position + 1, at, going.stand.rules_at, item.body, reason), at, item.receipt
    )


def period_of(going: Folding, played: int) -> int:
    """The number of the period that an instant lies in; the pool's first match says where they are counted from."""
    period = going.rules.period
    if going.stand.origin == NEVER:
        stated = period.origin_instant
        going.move(origin=played // DAY * DAY if stated is None else stated)
    return (played - going.stand.origin) // period.length


def close(going: Folding, last: int, at: int, item: Received | None = None) -> None:
    """Closes every period up to `last`: what waits is recomputed first, then the open period is rated."""
    recompute(going, at)
    stand = going.stand
    number = NEVER
    matches: list[Match] = []
    after: list[After] = []
    changed: dict[Id, Row] = {}
    if stand.open_period != NEVER and stand.open_period <= last:
        number = stand.open_period
        known = open_entries(going)
        matches = [
            match
            for match, _ in known.counted()
            if match.id not in known.revived or period_of(going, match.played) == number
        ]
        rows = going.rows({player for match in matches for player in match.people})
        after, changed = rate_period(going.rules, rows, in_total_order(matches), number, stand.origin, going.engine)
    elif item is None:
        return
    header = stand.position + 1
    over = max(stand.closed, last)
    moved = {"closed": over}
    rated = None
    if number != NEVER:
        moved |= {"open_period": NEVER, "open_from": 0}
        rated = number
    body = entries.closed(
        header,
        at,
        stand.rules_at,
        over,
        rated,
        len(matches),
        len(after),
        -(-len(after) // entries.CHUNK),
        item.body if item else None,
    )
    going.write(body, at, item.receipt if item else None, **moved)
    going.write_states(header, at, after, changed, changed)
    if stand.next_rules_at and number != NEVER:
        going.move(rules_at=stand.next_rules_at, next_rules_at=0)
        going.rules = going.rules_at(stand.next_rules_at)


def open_entries(going: Folding) -> History:
    """The open period as it is known, corrections applied."""
    if going.stand.open_period == NEVER:
        return History()
    # What is late is rated in the open period, or is of another one and waits for a recomputation.
    late = going.rules.period.late != "recompute"
    return History.of(going.entries(going.stand.open_from), late=late, merged=going.stand.merged)


def open_matches(going: Folding) -> set[Id]:
    """The ids of matches whose period is open."""
    known = open_entries(going)
    return {*known.matches, *known.unrated}
