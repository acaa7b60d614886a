"""What became of an item that was appended: it waits, or an entry is about it."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import orjson
from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.errors import UnknownError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.ids import key_of
from tallymark.ledger.reach import page
from tallymark.ledger.reading.counted import Counting
from tallymark.ledger.reading.notable import Corrected, annulled
from tallymark.ledger.tables import ENTRY, RECEIPT

_RECEIPT: Final = select(RECEIPT.c.id, RECEIPT.c.received).where(
    RECEIPT.c.item == bindparam("item_"), RECEIPT.c.pool == bindparam("of")
)
_ABOUT: Final = select(ENTRY.c.position, ENTRY.c.body).where(ENTRY.c.receipt == bindparam("number"))
_OF_MATCHES: Final = ("rated", "accepted", "not-rated")


class Fate(NamedTuple):
    """What became of an item.

    `state`: waiting, while nothing is; of matches rated, accepted (it is rated with its period, or with the next
    recomputation), not-rated or annulled, as it is now; of commands the kind of their entry. `position`: of the entry
    that made it so, which of a late match that was rated, and of a correction, is that of the recomputation, where one
    took it in; `entry`: of its own. `reason` says why a match is not rated, and why a command was refused. `received`
    in microseconds since 1970 UTC; `number` is the receipt's.
    """

    pool: str
    id: Id
    number: int
    received: int
    state: str
    position: int | None
    reason: str | None
    entry: int | None


def fate(connection: Connection, pool: int, name: str, item: Id) -> Fate:
    """What became of an item of a pool, as its own entry has it; `UnknownError` for one that was never appended."""
    receipt = connection.execute(_RECEIPT, {"item_": key_of(item), "of": pool}).one_or_none()
    if receipt is None:
        raise UnknownError(f"{name!r} has received nothing with the id {item!r}", kind="match", hint="append it")
    about = connection.execute(_ABOUT, {"number": receipt.id}).one_or_none()
    if about is None:
        return Fate(name, item, receipt.id, receipt.received, "waiting", None, None, None)
    body = bytes(about.body)
    kind = entries.prefix(body).kind
    reason = str(orjson.loads(body)["reason"]) if kind in ("not-rated", "refused") else None
    return Fate(name, item, receipt.id, receipt.received, kind, about.position, reason, about.position)


def fate_now(
    connection: Connection,
    pool: int,
    name: str,
    item: Id,
    counting: Callable[[], tuple[Counting, list[Corrected]]],
) -> Fate:
    """The same, with what became of it since: of a match the state that it has now (`state_now`), and of a late match
    or a correction the recomputation that took it in. `counting`: how matches count now, and the corrections that name
    the match."""
    found = fate(connection, pool, name, item)
    if found.entry is None or found.state not in (*_OF_MATCHES, "corrected"):
        return found
    counts, named = counting()
    taken = counts.taken(found.entry)
    by = found.entry if taken is None else taken.position
    if found.state == "corrected":
        return found._replace(position=by)
    (entry,) = page(connection, pool, found.entry, found.entry)
    state, reason = state_now(found, entry, named, counts)
    return found._replace(state=state, reason=reason, position=by if state == "rated" else found.entry)


def state_now(found: Fate, entry: Entry, named: Sequence[Corrected], counting: Counting) -> tuple[str, str | None]:
    """The state of a match that has an entry, as it is now, and why it is not rated: annulled, whether that is in the
    ratings or not; rated by a correction that made something of it, or by the recomputation that it came late for; no
    longer rated; and accepted again, where what restores it waits. `named`: the corrections that name it."""
    state, reason = found.state, found.reason
    if annulled(named):
        return "annulled", reason
    counts = counting.now([entry]).get(found.id)
    if counts is not None and state == "not-rated":
        return ("accepted" if counts.rules.period.kind == "calendar" else "rated"), None
    if counts is not None and counting.taken(entry.position) is not None:
        return "rated", reason
    if counts is None and state != "not-rated" and counting.settled(entry):
        why = counting.why_not(entry, named)
        return ("accepted" if why is None else "not-rated"), why
    return state, reason
