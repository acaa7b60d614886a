"""What becomes of a hall that is gone (E3): its matches in flight are aborted, what it appended is settled by another,
and its queues go on waiting."""

from collections.abc import Iterable

from tallymark.arena.hall.writing import appended, ended
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.finished import interrupted
from tallymark.arena.store import leases, matches, records, tickets
from tallymark.arena.store.matches import Match
from tallymark.ledger.beside import Beside
from tallymark.ledger.ledger import Ledger


def taken_over(own: Beside, ledger: Ledger, gone: Iterable[str], hall: str, reason: Reason) -> None:
    """Ends halls in the name of another one."""
    for before in gone:
        for match in matches.of_hall(own.connection, before):
            aborted(own, ledger, match, reason)
        matches.inherit(own.connection, before, hall)
        tickets.inherit(own.connection, before, hall)
        leases.end(own.connection, before)


def aborted(own: Beside, ledger: Ledger, match: Match, reason: Reason) -> None:
    """Aborts a match that nobody plays on."""
    now = ledger.now()
    lines = records.of(own.connection, match.id)
    step, finished = interrupted(lines, match.seed, reason, now)
    records.keep(ledger.store, own.connection, [(match.id, len(lines) + n, one) for n, one in enumerate(step.records)])
    kept = match.rated and appended(own, finished, match.pool, now) is not None
    matches.end(own.connection, match.holder, [ended(finished, now, kept=kept)])
