"""Whether a ledger has the match that records tell of, and says the same of it as they do."""

from typing import NamedTuple

import orjson

from tallymark.arena.hall.settling import settlement
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.finished import Finished, told_of
from tallymark.arena.referee.replaying import Replay
from tallymark.checked import shortened
from tallymark.errors import BrokenChainError, UnknownError
from tallymark.ledger.ledger import Ledger


class Proof(NamedTuple):
    """What a ledger has of a match: `position` of its entry in the pool, None where there is none; in words."""

    position: int | None
    told: str


def proved(ledger: Ledger, replay: Replay) -> Proof:
    """What the ledger has of a match whose records were played back.

    `BrokenChainError` says what it has otherwise: another hash of the records, another result, or another change of
    ratings than the last record tells.
    """
    finished, pool = replay.finished, replay.game.pool
    last = replay.records[-1]
    settled = last if last.kind == "settled" else None
    if replay.exhibition:
        return Proof(None, "of exhibitions the public history has no entry")
    item = _received(ledger, pool, finished.match)
    if item is None:
        if settled is not None:
            raise settled.broken(f"the match is settled; the pool {pool} of this ledger never received it")
        return Proof(None, f"the pool {pool} of this ledger has no entry of it")
    if not finished.is_in(item):
        if told_of(item).get("commitment") != finished.commitment and (
            finished.verdict.aborted or (settled is not None and settled.fields["unrated"] == Reason.ID_TAKEN)
        ):
            return Proof(None, f"the entry of that id in the pool {pool} is another match")
        raise BrokenChainError(
            f"data.arena.record is {shortened(told_of(item).get('record'))} in the pool {pool}; expected "
            f"{finished.hash!r}, the hash of records 0 to {finished.n - 1}",
            position=finished.n - 1,
        )
    fate = ledger.receipt(pool, finished.match)
    _compare(finished, item, f"{pool}, receipt {fate.number}")
    if fate.entry is None:
        if settled is not None:
            raise settled.broken(f"the match is settled; the pool {pool} has received it, and has no entry of it yet")
        return Proof(None, f"the pool {pool} has received it, and has no entry of it yet")
    if settled is not None:
        (entry,) = ledger.effects(pool, fate.entry - 1, 1)
        (line,) = finished.settled(settlement(finished, entry)).records
        replay.compare(settled, line, f", as entry {fate.entry:,} of the pool {pool} has it")
    return Proof(fate.entry, f"as entry {fate.entry:,} of the pool {pool} has it")


def _received(ledger: Ledger, pool: str, match: str) -> bytes | None:
    try:
        return ledger.received(pool, match)
    except UnknownError:
        return None


def _compare(finished: Finished, item: bytes, where: str) -> None:
    """That the ledger was told what the records give: who played, and who won."""
    found, expected = orjson.loads(item), finished.for_ledger(finished.at + finished.ms * 1000)
    for name in [name for name in {**expected, **found} if name != "played_at"]:  # never later than the ledger's clock
        if found.get(name) != orjson.loads(orjson.dumps(expected.get(name))):
            raise BrokenChainError(
                f"{name} is {shortened(found.get(name))} in {where}; expected {shortened(expected.get(name))}, as the "
                f"records give it",
                position=finished.n - 1,
            )
