"""One transaction for all that a turn of the hall came to: it is on the disk, with the results in the ledger's inbox,
before anybody is told."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy.engine import Connection as Database

from tallymark.arena.hall.connection import Said
from tallymark.arena.hall.moves import Answer, Move, made
from tallymark.arena.hall.playing import LOG, Listener, Playing
from tallymark.arena.referee.finished import Finished
from tallymark.arena.referee.saying import Say
from tallymark.arena.referee.step import Step
from tallymark.arena.store import leases, matches, met, records, tickets
from tallymark.errors import ConflictError
from tallymark.ledger.beside import Beside
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.store.base import Cells


class LostError(Exception):
    """This hall holds nothing any more. `late`: it did not say in time that it goes on, and nobody has taken its place
    yet; else another process has."""

    def __init__(self, late: bool) -> None:
        super().__init__("too late" if late else "taken")
        self.late = late


@dataclass
class Batch:
    """What is to be written, and then said."""

    moves: list[Move] = field(default_factory=list)
    begun: list[matches.Match] = field(default_factory=list)
    claims: list[tickets.Claim] = field(default_factory=list)
    meetings: list[met.Meeting] = field(default_factory=list)
    records: list[Cells] = field(default_factory=list)
    ended: list[Playing] = field(default_factory=list)
    settled: list[matches.Settled] = field(default_factory=list)
    says: list[tuple[Listener, Said]] = field(default_factory=list)
    tried: bool = False
    """Whether it was to be written before, and failed: perhaps behind its commit."""

    def take(self, playing: Playing, step: Step) -> None:
        """What an event made of a match."""
        for line in step.records:
            self.records.append((playing.id, playing.n, line))
            playing.n += 1
        self.say(playing, step.says)
        if step.failure is not None:
            LOG.error("match %s: the game failed", playing.id, exc_info=step.failure)
        if step.verdict is not None:
            self.ended.append(playing)

    def say(self, playing: Playing, says: Iterable[Say]) -> None:
        """What is to be said of a match, to whoever listens now."""
        for one in says:
            self.says += [(to, one.what) for to in playing.heard(one)]

    def __bool__(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.moves or self.begun or self.records or self.ended or self.settled)


class Writer:
    """Writes batches in the name of one hall. `lease_us`: so long it is taken to be there after each of them."""

    def __init__(self, ledger: Ledger, hall: str, lease_us: int) -> None:
        self._ledger = ledger
        self.hall: Final = hall
        self._lease_us = lease_us

    def write(self, batch: Batch, prepare: Callable[[Beside, Batch], None] | None = None) -> list[Answer]:
        """What became of its moves, when all of it is on the disk. `prepare` adds to the batch what has to be read in
        the same transaction. `LostError` where the hall is gone."""
        with self._ledger.beside() as own:
            database, now = own.connection, self._ledger.now()
            if not leases.renewed(database, self.hall, now, now + self._lease_us):
                raise LostError(late=leases.there(database, self.hall))
            through = batch.tried and _through(database, batch)
            batch.tried = True
            answers = [made(database, move, self.hall, now) for move in batch.moves]
            if prepare is not None:
                prepare(own, batch)
            if batch.begun:
                matches.begin(database, batch.begun)
                tickets.matched(database, batch.claims, now)
                met.add(database, batch.meetings)
            if not through:
                records.keep(self._ledger.store, database, batch.records)
            for one in batch.ended:
                one.written = one.written or now
                one.receipt = appended(own, one.finished, one.pool, one.written) if one.rated else None
                if not through:
                    more = [(one.id, one.n + n, line) for n, line in enumerate(left_out(one).records)]
                    records.keep(self._ledger.store, database, more)
            ends = [ended(one.finished, now, kept=one.receipt is not None) for one in batch.ended]
            if not through:
                matches.end(database, self.hall, ends)
            matches.settle(database, batch.settled)
        return answers


def _through(database: Database, batch: Batch) -> bool:
    """Whether a batch is on the disk already, all of it, and only the word of it was lost."""
    if not batch.records:
        return False  # moves are the same when they are made again
    match, n, _ = batch.records[0]
    return bool(records.of(database, str(match), int(str(n)) - 1, 1))


def ended(finished: Finished, now: int, *, kept: bool) -> matches.Ended:
    """How the table of matches has an end. `kept`: the ledger has it, and it waits for its entry."""
    verdict = finished.verdict
    state: matches.State = "aborted" if verdict.aborted else "over" if kept else "settled"
    ranks = {seat: side.rank for side in verdict.sides for seat in side.seats}
    return matches.Ended(finished.match, state, now, verdict.reason.value, ranks, finished.misses)


def left_out(playing: Playing) -> Step:
    """What is to be recorded and said of a match that is over, where the ledger has not taken it; else nothing."""
    return playing.finished.left_out() if playing.rated and playing.receipt is None else Step()


def appended(own: Beside, finished: Finished, pool: str, now: int) -> Receipt | None:
    """The receipt of a match that is over; None where somebody else has used its id in the pool for another one, which
    the public history keeps. `now`: by the ledger's clock."""
    try:
        return own.append(finished.for_ledger(now), pool=pool)
    except ConflictError as error:
        LOG.error("match %s is not in the public history of %s: %s", finished.match, pool, error)
        return None
