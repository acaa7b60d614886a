"""Corrections: annulled, restored and changed matches, merged players. What they do is the methodology's `late`.

Under `recompute` they wait, and everything is computed again as if it had always been so. Elsewhere what is published
stays: a correction of a match whose period is still open counts when it closes; of any other match it is recorded, so
that it can be seen, or refused where the methodology refuses late games.
"""

from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.fold.by_calendar import open_matches
from tallymark.ledger.fold.going import Folding, too_late
from tallymark.ledger.fold.history import History
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.reasons import Refusal
from tallymark.ledger.orders import read
from tallymark.ledger.orders.read import Correction
from tallymark.replay.columns import NEVER


def correct(going: Folding, item: Received) -> None:
    """One correction, whose entry says what effect it has."""
    at, position, stand = going.settled_at(item.received), going.stand.position + 1, going.stand
    effect, why, moved = "none", None, {}
    try:
        told = read.correction(item.body)
    except InputError:
        why = Refusal.NO_CORRECTION
    else:
        late = going.rules.period.late
        if late == "recompute" and _too_deep(going, told):
            why = Refusal.TOO_LATE
        elif late == "recompute" and told.merged is not None and _circle(going, *told.merged):
            why = Refusal.MERGED
        elif late == "recompute":
            effect, moved = "recompute", {"waiting_from": stand.waiting_from or position}
        elif told.matches and set(told.matches) <= open_matches(going):
            effect = "open-period"
        elif late == "refuse":
            why = Refusal.LATE
    if why is not None:
        going.write(entries.refused(position, at, stand.rules_at, item.body, why), at, item.receipt)
        return
    body = entries.with_item("corrected", position, at, stand.rules_at, item.body, b',"effect":"%b"' % effect.encode())
    going.write(body, at, item.receipt, **moved)


def _too_deep(going: Folding, told: Correction) -> bool:
    """Whether what it is about lies further back than the methodology recomputes."""
    if going.rules.period.recompute_days is None:
        return False
    oldest, player = told.oldest, told.merged[0] if told.merged else told.parted
    if player is not None:
        matches = (match for match, _ in History.of(going.entries(1)).matches.values())
        oldest = min((match.played for match in matches if player in match.people), default=NEVER)
    return oldest != NEVER and too_late(going, oldest)


def _circle(going: Folding, player: Id, into: Id) -> bool:
    """Whether the results of one are the other's already."""
    return History.of(going.entries(1)).now(into) == player
