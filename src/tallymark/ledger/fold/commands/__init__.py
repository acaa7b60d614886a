"""What a pool is told besides matches: one module a command, one line here."""

from collections.abc import Callable
from typing import Final, TypeAlias

from tallymark.ledger.fold.commands.adjusting import adjust
from tallymark.ledger.fold.commands.closing import close_until
from tallymark.ledger.fold.commands.correcting import correct
from tallymark.ledger.fold.commands.importing import take_in
from tallymark.ledger.fold.commands.ruling import change_rules
from tallymark.ledger.fold.going import Folding
from tallymark.ledger.fold.items import Received

Command: TypeAlias = Callable[[Folding, Received], None]

COMMANDS: Final[dict[str, Command]] = {
    "adjust": adjust,
    "close": close_until,
    "correct": correct,
    "import": take_in,
    "rules": change_rules,
}
"""What each command does to a pool. Every one writes the entry of its item."""
