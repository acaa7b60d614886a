"""Ballots: made, kept and found again. A voter gets a pair once, and the same ballot until it is voted on."""

import random
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from sqlalchemy import Row, bindparam, insert, select, text
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.games.ids import Id
from tallymark.ledger.ids import id_of, key_of
from tallymark.ledger.ledger import Ledger
from tallymark.service.problems import Problem
from tallymark.service.votes.choosing import Pair, choose, rest_of
from tallymark.service.votes.items import Items, View
from tallymark.service.votes.tables import BALLOT, VOTE

Choice: TypeAlias = Literal["left", "right", "tie", "skip", "both-bad"]
CHOICES: Final[tuple[Choice, ...]] = get_args(Choice)
DAY: Final = 86_400_000_000
"""Microseconds."""
_SECOND: Final = 1_000_000
_BITS: Final = 128
_SHAPE: Final = re.compile(r"[0-9a-f]{32}")
_OPEN: Final = 2
"""Ballots that a voter may have open: one that is looked at, and one whose vote is held back."""
_TRIES: Final = 10

_WITH_VOTE: Final = select(BALLOT, VOTE.c.choice, VOTE.c.voted).join(VOTE, VOTE.c.ballot == BALLOT.c.id, isouter=True)
_ONE: Final = _WITH_VOTE.where(BALLOT.c.id == bindparam("which"), BALLOT.c.pool == bindparam("of"))
_OF_VOTER: Final = (
    _WITH_VOTE.where(BALLOT.c.voter == bindparam("who"), BALLOT.c.pool == bindparam("of"))
    .order_by(BALLOT.c.made.desc(), BALLOT.c.id)
    .limit(bindparam("most"))
)
_HAD: Final = select(BALLOT.c.pair).where(
    BALLOT.c.voter == bindparam("who"),
    BALLOT.c.pool == bindparam("of"),
    BALLOT.c.pair.in_(bindparam("pairs", expanding=True)),
)
_THERE: Final = text("INSERT INTO voter (voter, day, votes) VALUES (:who, -1, 0) ON CONFLICT DO NOTHING")
_TURN: Final = text("UPDATE voter SET votes = votes WHERE voter = :who")
"""Locks the voter's row until the transaction ends."""


class Vote(NamedTuple):
    """What was chosen, and when."""

    choice: Choice
    voted: int


class Ballot(NamedTuple):
    """Two items on their sides, for a voter; times in microseconds since 1970 UTC."""

    id: str
    pool: str
    voter: str
    left: Id
    right: Id
    made: int
    expires: int
    vote: Vote | None = None


class Ballots:
    """The ballots of a ledger's pools. `seconds`: so long one may be voted on; `cap`: votes of a voter a day."""

    def __init__(
        self, ledger: Ledger, clock: Callable[[], int], chance: random.Random, *, seconds: float, cap: int
    ) -> None:
        self._ledger, self._clock, self._chance = ledger, clock, chance
        self._microseconds, self.cap = int(seconds * _SECOND), cap
        self._items: dict[str, Items] = {}

    def items(self, pool: str) -> Items:
        """What may be voted on in a pool."""
        if pool not in self._items:
            self._items[pool] = Items(self._ledger, pool)
        return self._items[pool]

    def open(self, pool: str, voter: str, besides: Collection[str] = ()) -> tuple[Ballot, bool]:
        """A ballot for a voter, and whether it is new: one that is open already goes first, unless `besides` names it,
        which is for a page that holds a vote back."""
        number, now = self._ledger.number(pool), self._clock()
        for _ in range(_TRIES):
            view = self.items(pool).view()
            with self._ledger.store.reading() as connection:
                last = self._last(connection, number, pool, voter, rest_of(len(view.field)))
                self._checked_cap(connection, voter, now)
                there = _to_go_on(last, now, besides)
                if there is not None:
                    return there, False
                ballot = self._chosen(connection, number, pool, voter, view, last, now)
            with self._ledger.beside() as own:
                own.connection.execute(_THERE, {"who": voter})
                own.connection.execute(_TURN, {"who": voter})
                # Somebody else may have asked for the same voter in between: look again, now alone.
                there = _to_go_on(self._last(own.connection, number, pool, voter, 0), now, besides)
                if there is not None:
                    return there, False
                pair = {"who": voter, "of": number, "pairs": [_pair(ballot.left, ballot.right)]}
                if own.connection.execute(_HAD, pair).first() is None:
                    own.connection.execute(insert(BALLOT).values(**_row(number, ballot)))
                    return ballot, True
        raise Problem("unavailable", "too many ask for this voter's ballots at once", headers={"Retry-After": "1"})

    def find(self, pool: str, ballot: str) -> Ballot:
        """A ballot, with its vote where there is one; 404 where there is none of that id."""
        number = self._ledger.number(pool)
        with self._ledger.store.reading() as connection:
            return found(connection, number, pool, ballot)

    def left_today(self, voter: str) -> int:
        """How many votes a voter has left until midnight UTC."""
        with self._ledger.store.reading() as connection:
            return max(0, self.cap - _votes_on(connection, voter, self._clock() // DAY))

    def _last(self, connection: Connection, number: int, pool: str, voter: str, resting: int) -> list[Ballot]:
        """The voter's last ballots, the latest first."""
        rows = connection.execute(_OF_VOTER, {"who": voter, "of": number, "most": max(resting, _OPEN)})
        return [_ballot(row, pool) for row in rows]

    def _checked_cap(self, connection: Connection, voter: str, now: int) -> None:
        if _votes_on(connection, voter, now // DAY) >= self.cap:
            raise capped(self.cap, now)

    def _chosen(
        self, connection: Connection, number: int, pool: str, voter: str, view: View, last: Sequence[Ballot], now: int
    ) -> Ballot:
        names = view.ids

        def had(pairs: Sequence[Pair]) -> list[Pair]:
            keys = {_pair(names[a], names[b]): (a, b) for a, b in pairs}
            told = {"who": voter, "of": number, "pairs": list(keys)}
            return [keys[pair] for pair in connection.scalars(_HAD, told)]

        tired = {item for ballot in last[: rest_of(len(names))] for item in (ballot.left, ballot.right)}
        resting = [place for item in tired if (place := view.places.get(item)) is not None]
        pair = choose(view.field, had, resting, view.teaches, self._chance)
        if pair is None:
            few = len(names) < 2
            raise Problem(
                "no-ballot",
                f"{pool!r} has {len(names)} items to vote on" if few else "this voter has had every pair",
                hint="put items on its list: POST /v1/pools/{pool}/items" if few else None,
            )
        left, right = pair if self._chance.getrandbits(1) else pair[::-1]
        id_ = f"{self._chance.getrandbits(_BITS):032x}"
        return Ballot(id_, pool, voter, names[left], names[right], now, now + self._microseconds)


def found(connection: Connection, number: int, pool: str, ballot: str) -> Ballot:
    """A pool's ballot of that id, or 404."""
    known = _SHAPE.fullmatch(ballot) is not None  # what else may be in a path, databases would refuse
    row = connection.execute(_ONE, {"which": ballot, "of": number}).one_or_none() if known else None
    if row is None:
        raise Problem("unknown-ballot", f"{pool!r} has no ballot {shortened(ballot)}")
    return _ballot(row, pool)


def capped(cap: int, now: int) -> Problem:
    """What says that a voter has no votes left today."""
    seconds = (DAY - now % DAY + _SECOND - 1) // _SECOND
    return Problem(
        "daily-cap",
        f"this voter has voted {cap} times today",
        hint="a day begins at midnight UTC",
        headers={"Retry-After": str(seconds)},
        cap=cap,
    )


def _votes_on(connection: Connection, voter: str, day: int) -> int:
    votes: int | None = connection.scalar(
        text("SELECT votes FROM voter WHERE voter = :who AND day >= :day"), {"who": voter, "day": day}
    )
    return votes or 0


def _to_go_on(last: Sequence[Ballot], now: int, besides: Collection[str]) -> Ballot | None:
    """The voter's open ballot, if there is one; at most two are open, whatever is named."""
    open_ = [one for one in last[:_OPEN] if one.vote is None and now < one.expires]
    wanted = [one for one in open_ if one.id not in besides]
    return wanted[0] if wanted else open_[0] if len(open_) == _OPEN else None


def _pair(one: Id, other: Id) -> str:
    """Two items in one order. No id has a line end."""
    return "\n".join(sorted((key_of(one), key_of(other))))


def _row(number: int, ballot: Ballot) -> Mapping[str, object]:
    return {
        "id": ballot.id,
        "pool": number,
        "voter": ballot.voter,
        "pair": _pair(ballot.left, ballot.right),
        "left_item": key_of(ballot.left),
        "right_item": key_of(ballot.right),
        "made": ballot.made,
        "expires": ballot.expires,
    }


def _ballot(row: Row[Any], pool: str) -> Ballot:
    vote = None if row.choice is None else Vote(row.choice, row.voted)
    left, right = id_of(row.left_item), id_of(row.right_item)
    return Ballot(row.id, pool, row.voter, left, right, row.made, row.expires, vote)
