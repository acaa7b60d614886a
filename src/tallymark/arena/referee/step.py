"""What comes of an event: what is to be stored, and then said."""

from dataclasses import dataclass

from tallymark.arena.referee.endings import Verdict
from tallymark.arena.referee.saying import Say


@dataclass(frozen=True)
class Step:
    """First `records` are stored, behind those before them; only then `says` are said, in their order."""

    records: tuple[bytes, ...] = ()
    says: tuple[Say, ...] = ()
    verdict: Verdict | None = None
    """How the match ended, in the step that ends it: `Match.finished` is then to be appended to the ledger, in the
    transaction that stores the records."""
    failure: Exception | None = None
    """What the game raised where it failed, for the operator's log: the match was aborted."""
