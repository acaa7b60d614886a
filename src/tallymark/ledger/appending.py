"""A game log appended: every match once, however often the log is handed in."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games import GameLog
from tallymark.games.progress import Progress, silent
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.matches import Item, match_item
from tallymark.ledger.offering import offers

_AT_ONCE: Final = 2000
"""Matches of a transaction."""

Append = Callable[[Sequence[Item], str], list[Receipt | Conflict]]


class Refused(NamedTuple):
    """A match of a log that is none of a ledger's: the row of its first game, and why."""

    row: int
    message: str


class PoolAppended(NamedTuple):
    """What of a log came into a pool, what was there before, and how many of both do not say when they were played."""

    pool: str
    appended: int
    there: int
    untimed: int


class Appended(NamedTuple):
    """What became of the matches of a log: by pool, those whose ids have another content in the ledger, and those that
    were refused. Whatever was appended is on the disk."""

    pools: list[PoolAppended]
    conflicts: list[Conflict]
    refused: list[Refused]


def pools_of(log: GameLog, pool: str | None, known: Sequence[str]) -> dict[str, str]:
    """The pool of the ledger that each pool of a log is; of those that are known.

    >>> log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
    >>> pools_of(log, None, ["ladder"])
    {'': 'ladder'}
    """
    hint = f"there are {', '.join(known)}" if known else "there is none yet: tallymark ledger init --pool NAME"
    if pool is not None and len(log.pools) > 1:
        raise InputError(f"the log has {len(log.pools)} pools, and all of it should go into {pool!r}", hint=hint)
    if pool is None and log.pools == [""]:
        if len(known) != 1:
            raise InputError(
                "nothing says which pool the games are of", hint=f"{hint}; tallymark ledger append --to NAME"
            )
        pool = known[0]
    found = {name: name if pool is None else pool for name in log.pools}
    for name in found.values():
        if name not in known:
            raise InputError(f"there is no pool {shortened(name)}", hint=hint)
    return found


def append_log(log: GameLog, pools: Mapping[str, str], append: Append, progress: Progress = silent) -> Appended:
    """Appends a log's matches in their order; `pools` says which pool of the ledger each pool of the log is."""
    counts = {pool: [0, 0] for pool in dict.fromkeys(pools.values())}
    untimed = dict.fromkeys(counts, 0)
    conflicts: list[Conflict] = []
    refused: list[Refused] = []
    waiting: dict[str, list[tuple[Item, bool]]] = {pool: [] for pool in counts}
    total, done = max(1, len(log)), 0

    def flush(pool: str) -> None:
        some, waiting[pool] = waiting[pool], []
        answers = append([item for item, _ in some], pool) if some else []
        for (_, timed), found in zip(some, answers, strict=True):
            if isinstance(found, Conflict):
                conflicts.append(found)
            else:
                counts[pool][found.again] += 1
                untimed[pool] += not timed

    for offer in offers(log):
        done += 1
        if offer.match is None:
            refused.append(Refused(offer.row, offer.fault))
            continue
        try:
            item = match_item(offer.match)
        except InputError as error:
            refused.append(Refused(offer.row, error.message))
            continue
        pool = pools[offer.pool]
        waiting[pool].append((item, "played_at" in offer.match))
        if len(waiting[pool]) == _AT_ONCE:
            flush(pool)
            progress(done, min(1.0, done / total))
    for pool in counts:
        flush(pool)
    of_pools = [PoolAppended(pool, new, there, untimed[pool]) for pool, (new, there) in counts.items()]
    return Appended(of_pools, conflicts, refused)
