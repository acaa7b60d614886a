"""A poll for tests: a ledger with the pool `cakes` under votes-v1, items on its list, and a clock moved by hand."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from clubs import START, Clock

import tallymark as tm
from tallymark.service import schema
from tallymark.service.votes.ballots import Ballots
from tallymark.service.votes.voting import Voting

POOL = "cakes"
DAY = 86_400_000_000
MIDNIGHT = (START // DAY + 1) * DAY


class Poll:
    """Ballots and votes of one pool."""

    def __init__(self, ledger: tm.Ledger, clock: Clock, seed: int, cap: int, seconds: float) -> None:
        self.ledger, self.clock = ledger, clock
        self.ballots = Ballots(ledger, clock, random.Random(seed), seconds=seconds, cap=cap)
        self.voting = Voting(ledger, clock, cap=cap)

    def vote(self, voter: str, choice: str = "left") -> str:
        """Votes on a ballot of a voter; its id."""
        ballot, _ = self.ballots.open(POOL, voter)
        self.voting.vote(POOL, ballot.id, choice)
        return ballot.id


@contextmanager
def opened(
    url: str, items: int = 5, *, rules: str = "votes", seed: int = 1, cap: int = 1000, seconds: float = 3600.0
) -> Iterator[Poll]:
    """A poll on a new ledger."""
    clock = Clock()
    with tm.Ledger.open(url, create=True, clock=clock) as ledger:
        ledger.open_pool(POOL, rules)
        schema.upgraded(ledger.store)
        poll = Poll(ledger, clock, seed, cap, seconds)
        poll.ballots.items(POOL).list([f"c{n}" for n in range(items)])
        yield poll
