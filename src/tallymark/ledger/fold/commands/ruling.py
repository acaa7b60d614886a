"""Another methodology: from the next match on, or where periods are those of a calendar from the next one on."""

from tallymark.errors import InputError, LedgerError, MethodologyError
from tallymark.ledger import entries
from tallymark.ledger.fold.going import Folding
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.reasons import Refusal
from tallymark.ledger.orders import read
from tallymark.ledger.rules import rules_of
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER


def change_rules(going: Folding, item: Received) -> None:
    """The entry is the methodology's own; what is rated after it leads to it."""
    at, position = going.settled_at(item.received), going.stand.position + 1
    try:
        new = rules_of(read.told(item.body), f"entry {position}")
        why = unfit(going.rules, new)
    except (MethodologyError, LedgerError, InputError):
        why = Refusal.NO_METHODOLOGY
    if why is not None:
        going.write(entries.refused(position, at, going.stand.rules_at, item.body, why), at, item.receipt)
        return
    body = entries.with_item("rules", position, at, going.stand.rules_at, item.body)
    if going.stand.open_period != NEVER:
        going.write(body, at, item.receipt, next_rules_at=position)
    else:
        going.write(body, at, item.receipt, rules_at=position)
        going.rules = new


def unfit(now: Methodology, new: Methodology) -> str | None:
    """Why states under one methodology cannot go on under another; None where they can.

    >>> from tallymark.methodology import methodology
    >>> unfit(methodology("arena-v0"), methodology("arena-v1-draft"))
    >>> str(unfit(methodology("arena"), methodology("elo")))
    'other-system'
    """
    if now.system.kind != new.system.kind or now.system.scale != new.system.scale:
        return Refusal.OTHER_SYSTEM
    if now.numbers != new.numbers:
        return Refusal.OTHER_NUMBERS
    if (now.period.kind, now.period.length, now.period.origin) != (
        new.period.kind,
        new.period.length,
        new.period.origin,
    ):
        return Refusal.OTHER_PERIODS
    if now.ageing.kind != new.ageing.kind:
        return Refusal.OTHER_AGEING
    return None
