"""Pools by match and by game: each match is rated when it is settled, from what the entries before it left."""

from collections.abc import Sequence

from tallymark.ledger import entries
from tallymark.ledger.fold.going import Folding
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.rating import rate_matches


def rate_now(going: Folding, items: Sequence[Received]) -> None:
    """An entry for each match, rated or not."""
    players = {player for item in items for player in item.match.people}
    rows = going.rows(players)
    outcomes, changed = rate_matches(going.rules, rows, [item.match for item in items], going.engine)
    last = {player: row.position for player, row in rows.items()}
    rules_at = going.stand.rules_at
    for item, outcome in zip(items, outcomes, strict=True):
        at, position = going.settled_at(item.received), going.stand.position + 1
        if outcome.reason is not None:
            body = entries.not_rated(position, at, rules_at, item.body, outcome.reason)
            going.write(body, at, item.receipt)
            continue
        before = [last[one.player] for one in outcome.after]
        body = entries.rated(position, at, rules_at, going.rules, item.body, outcome.after, before)
        for one in outcome.after:
            last[one.player] = position
        going.write(body, at, item.receipt, played=max(going.stand.played, item.match.played))
    going.take({player: row._replace(position=last[player]) for player, row in changed.items()})
