"""Adjustments: states set by people who answer for it, with the case, the reason and who approved."""

from tallymark.errors import InputError
from tallymark.ledger import entries
from tallymark.ledger.fold.going import Folding
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.rating import After
from tallymark.ledger.fold.reasons import Refusal
from tallymark.ledger.orders import read


def adjust(going: Folding, item: Received) -> None:
    """The states of the command, from here on; records and counts stay."""
    at, position = going.settled_at(item.received), going.stand.position + 1
    why = Refusal.RECOMPUTED_POOL if going.rules.period.late == "recompute" else None
    try:
        states = read.states(item.body, going.rules)
    except InputError:
        why = why or Refusal.NO_STATE
    if why is not None:
        going.write(entries.refused(position, at, going.stand.rules_at, item.body, why), at, item.receipt)
        return
    rows = going.rows(states)
    after = [After(player, *state, 0, True) for player, state in states.items()]
    before = [rows[player].position for player in states]
    more = entries.after_part(after, before, going.rules)
    going.write(entries.with_item("adjusted", position, at, going.stand.rules_at, item.body, more), at, item.receipt)
    going.take(
        {
            player: rows[player]._replace(mu=mu, phi2=phi2, sigma2=sigma2, rated=1, position=position)
            for player, (mu, phi2, sigma2) in states.items()
        }
    )
