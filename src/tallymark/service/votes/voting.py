"""A vote: one a ballot, however often it is sent. It is a match of the ledger, whose id is the ballot's."""

from collections.abc import Callable
from typing import Final, NamedTuple

from sqlalchemy import text
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.games.times import format_instant
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import Json
from tallymark.service.problems import Problem
from tallymark.service.votes.ballots import CHOICES, DAY, Ballot, Choice, Vote, capped, found

SCORES: Final[dict[Choice, float | None]] = {"left": 1, "right": 0, "tie": 0.5, "skip": None, "both-bad": None}
"""What a choice scores for the left item; a match without a score is recorded and not rated (`no-result`)."""

_NEW: Final = text("INSERT INTO vote (ballot, choice, voted) VALUES (:ballot, :choice, :voted) ON CONFLICT DO NOTHING")
# A day never comes back: of two machines around midnight, one may be late.
_COUNT: Final = text("""
    UPDATE voter SET
        votes = CASE WHEN day >= :day THEN votes + 1 ELSE 1 END, day = CASE WHEN day >= :day THEN day ELSE :day END
    WHERE voter = :who AND NOT (day >= :day AND votes >= :cap)""")


class Voted(NamedTuple):
    """A ballot with its vote. `again`: it had it before."""

    ballot: Ballot
    again: bool


class Voting:
    """Takes votes. `cap`: how many of a voter a day, of midnight UTC, whatever they choose."""

    def __init__(self, ledger: Ledger, clock: Callable[[], int], *, cap: int) -> None:
        self._ledger, self._clock, self._cap = ledger, clock, cap

    def vote(self, pool: str, ballot: str, choice: str, voter: str | None = None) -> Voted:
        """The ballot with the vote, which is on the disk and will be rated once. `voter`: whose ballot it has to be.

        409 where it has another vote, 410 where its time is over, 429 where the voter has none left today.
        """
        number = self._ledger.number(pool)
        ties = self._ledger.rules(pool).rated.draws
        with self._ledger.beside() as own:
            there = found(own.connection, number, pool, ballot)
            if voter is not None and there.voter != voter:
                raise Problem("unknown-ballot", f"{pool!r} has no ballot {shortened(ballot)} of yours")
            chosen = _checked(choice, ties)
            if there.vote is None:
                now = self._clock()
                told = {"ballot": ballot, "choice": chosen, "voted": now}
                # Of copies that come at once, one inserts it; the others wait for that, and then find it.
                if now < there.expires and own.connection.execute(_NEW, told).rowcount:
                    self._counted(own.connection, there.voter, now)
                    own.append(match_of(there, chosen, now), pool=pool)
                    return Voted(there._replace(vote=Vote(chosen, now)), False)
                there = found(own.connection, number, pool, ballot)
        if there.vote is None:
            raise Problem(
                "ballot-over", "this ballot is not voted on any more", hint="ask for another", expires=there.expires
            )
        if there.vote.choice != chosen:
            raise Problem(
                "conflict",
                f"this ballot has the vote {there.vote.choice!r}, and now came {chosen!r}",
                first=there.vote.choice,
                second=chosen,
            )
        return Voted(there, True)

    def _counted(self, connection: Connection, voter: str, now: int) -> None:
        told = {"who": voter, "day": now // DAY, "cap": self._cap}
        if not connection.execute(_COUNT, told).rowcount:
            raise capped(self._cap, now)


def match_of(ballot: Ballot, choice: Choice, voted: int) -> dict[str, Json]:
    """The match that a vote is: the left item is `player_a`, so that the side stays on record.

    >>> b = Ballot("b1", "cakes", "v-1", "plum", "pear", 0, 10)
    >>> match_of(b, "right", 0)["score_a"], match_of(b, "skip", 0)["data"]
    (0, {'voter': 'v-1', 'choice': 'skip'})
    """
    return {
        "id": ballot.id,
        "player_a": ballot.left,
        "player_b": ballot.right,
        "score_a": SCORES[choice],
        "played_at": format_instant(voted),
        "data": {"voter": ballot.voter, "choice": choice},
    }


def _checked(choice: str, ties: bool) -> Choice:
    for one in CHOICES:
        if one == choice and (one != "tie" or ties):
            return one
    taken = [one for one in CHOICES if one != "tie" or ties]
    raise Problem(
        "bad-input", f"choice is {choice!r}; expected {', '.join(taken)}", field="choice", expected=list(taken)
    )
