"""States from elsewhere: what a site that already has ratings begins with. Their item holds them; they come first."""

from tallymark.errors import InputError
from tallymark.ledger import entries
from tallymark.ledger.fold.going import Folding
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.reasons import Refusal
from tallymark.ledger.orders import read
from tallymark.replay.columns import NEVER
from tallymark.replay.schedule import DAY


def take_in(going: Folding, item: Received) -> None:
    """The rows of players who have none yet; nobody else's, or none at all.

    Where periods are those of a calendar, and neither the methodology nor the item says where they are counted from, it
    is the day of the import's instant; the periods before the one that it lies in are over.
    """
    at, position, stand = going.settled_at(item.received), going.stand.position + 1, going.stand
    why, moved = None, {}
    try:
        rows = read.imported(item.body, going.rules)
        command = read.told(item.body)
        instant = read.whole(command, "at")
        counted = read.whole(command, "origin") if "origin" in command else instant // DAY * DAY
    except InputError:
        why = Refusal.NO_STATE
    else:
        if stand.played != NEVER:
            why = Refusal.POOL_HAS_MATCHES
        elif any(row.position for row in going.rows(rows).values()):
            why = Refusal.PLAYER_IS_THERE
    if why is not None:
        going.write(entries.refused(position, at, stand.rules_at, item.body, why), at, item.receipt)
        return
    if going.rules.period.kind == "calendar":
        stated = going.rules.period.origin_instant
        origin = stand.origin if stand.origin != NEVER else counted if stated is None else stated
        closed = (instant - origin) // going.rules.period.length - 1
        rows = {player: row._replace(last=closed) for player, row in rows.items()}
        moved = {"origin": origin, "closed": closed}
    going.write(entries.with_item("imported", position, at, stand.rules_at, item.body), at, item.receipt, **moved)
    going.take({player: row._replace(position=position) for player, row in rows.items()})
