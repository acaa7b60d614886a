"""What a service has for votes: ballots, votes, the names of voters, and what is told of items."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from tallymark.ledger.ledger import Ledger
from tallymark.service.votes.about import Abouts
from tallymark.service.votes.ballots import Ballots
from tallymark.service.votes.voters import Voters, secret_of
from tallymark.service.votes.voting import Voting


@dataclass(frozen=True)
class Polling:
    """Votes in all pools of a ledger."""

    ballots: Ballots
    voting: Voting
    voters: Voters
    abouts: Abouts
    chance: random.Random

    @classmethod
    def of(
        cls, ledger: Ledger, clock: Callable[[], int], chance: random.Random, *, seconds: float, cap: int
    ) -> "Polling":
        """`clock` in microseconds since 1970 UTC; `seconds`: so long a ballot may be voted on; `cap`: votes of a voter
        a day."""
        return cls(
            Ballots(ledger, clock, chance, seconds=seconds, cap=cap),
            Voting(ledger, clock, cap=cap),
            Voters(secret_of(ledger.store, "voters", chance)),
            Abouts(ledger),
            chance,
        )
