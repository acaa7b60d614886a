"""Items in their order become entries: the one place where what was received changes a pool.

Matches that follow one another are rated in one run; a command (`fold/commands/`) is a run of its own. A run knows
nothing of batches: cut anywhere, the same items give the same entries.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tallymark.errors import LedgerError
from tallymark.games.ids import Id
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.by_calendar import accept
from tallymark.ledger.fold.by_match import rate_now
from tallymark.ledger.fold.commands import COMMANDS
from tallymark.ledger.fold.going import Folding, Reach
from tallymark.ledger.fold.items import Received, commands
from tallymark.ledger.fold.rows import Row
from tallymark.ledger.fold.seats import ArraySeats, ListSeats
from tallymark.ledger.fold.stand import Stand
from tallymark.methodology import Methodology
from tallymark.replay.engines import Engine


class Folded(NamedTuple):
    """What items became."""

    entries: list[Entry]
    stand: Stand
    rules: Methodology
    rows: dict[Id, Row]
    """Those that changed."""


def fold(
    stand: Stand,
    rules: Methodology,
    reach: Reach,
    items: Sequence[Received],
    engine: Engine = "auto",
    kept: ListSeats | ArraySeats | None = None,
) -> Folded:
    """The entries of the items, and where the pool and its players stand then.

    `kept`: seats of players under these rules, which the caller keeps; who is rated there has no row in the answer.
    """
    going = Folding(reach, stand, rules, engine, kept)
    begin = 0
    for place in [*commands(items), len(items)]:
        if begin < place:
            (accept if going.rules.period.kind == "calendar" else rate_now)(going, items[begin:place])
        if place < len(items):
            _command(going, items[place])
        begin = place + 1
    return Folded(going.written, going.stand, going.rules, going.changed)


def _command(going: Folding, item: Received) -> None:
    name = item.command or ""
    if name not in COMMANDS:
        raise LedgerError(f"{name!r} is no command of this version", hint="a newer tallymark wrote it")
    COMMANDS[name](going, item)
