"""Periods closed because their time is over, not because a later match came; and recomputation where one waits."""

from tallymark.ledger import entries
from tallymark.ledger.fold.by_calendar import close
from tallymark.ledger.fold.going import Folding
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.recompute import recompute
from tallymark.ledger.orders import read
from tallymark.replay.columns import NEVER


def close_until(going: Folding, item: Received) -> None:
    """Every period that ends at or before `until` is closed."""
    until = read.whole(read.told(item.body), "until")
    at, stand = going.settled_at(item.received), going.stand
    if going.rules.period.kind == "calendar" and stand.origin != NEVER:
        close(going, (until - stand.origin) // going.rules.period.length - 1, at, item)
        return
    recompute(going, at)
    position = going.stand.position + 1
    going.write(entries.closed(position, at, going.stand.rules_at, None, None, 0, 0, 0, item.body), at, item.receipt)
