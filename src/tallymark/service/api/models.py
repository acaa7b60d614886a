"""Answers that several resources give."""

from datetime import datetime
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from tallymark.ledger.people import Kind
from tallymark.ledger.reading.again import Cause as Told
from tallymark.service.unrated import WHY
from tallymark.systems import Rating

Id = Annotated[str | int, Field(description="Text or a whole number, as whoever sent it spelt it.", examples=["ann"])]
KindOf = Annotated[
    Kind | None,
    Field(
        description="What the player is; `house`: one of the site's own agents. Null where nobody said.",
        examples=["house"],
    ),
]
Position = Annotated[int, Field(description="Of an entry in its pool's stream, from 1 without a gap.", examples=[17])]


class Cause(TypedDict):
    """A late match, or a correction, for which everything was computed again."""

    position: Position
    what: Annotated[
        str,
        Field(description="`late`; or what the correction says: `annul`, `restore`, `change`, `merge`, `part`."),
    ]
    matches: Annotated[list[Id], Field(description="That it names.")]
    players: Annotated[
        list[Id], Field(description="Of a late match; of a merge, whose results are whose; who was parted.")
    ]
    reason: str | None
    approvers: list[str]


def cause_of(one: Told) -> Cause:
    """A cause as it is answered."""
    return Cause(
        position=one.position,
        what=one.what,
        matches=list(one.matches),
        players=list(one.players),
        reason=one.reason,
        approvers=list(one.approvers),
    )


class Hint(TypedDict):
    """Why a match will not be rated, as far as it says so itself, under the rules that the pool has."""

    reason: Annotated[str, Field(description="The public code.", examples=["no-time"])]
    why: Annotated[str, Field(description="The same in words.")]
    remedy: Annotated[str, Field(description="What would change that.")]


class Received(TypedDict):
    """A receipt: this was received, is on the disk, and will be rated once."""

    pool: str
    id: Id
    receipt: Annotated[int, Field(description="Its number, for ever.", examples=[4711])]
    replayed: Annotated[bool, Field(description="It was here before, with the same content.")]
    state: Annotated[
        str,
        Field(
            description="`received`: on the disk. With `wait`, what became of it, or `waiting` when time was up.",
            examples=["received"],
        ),
    ]
    position: Annotated[Position | None, Field(description="Of the entry about it; null while there is none.")]
    reason: Annotated[str | None, Field(description="The public code of why a match is not rated.")]
    hint: Annotated[
        Hint | None,
        Field(
            description="It will not be rated, by the rules in force some seconds ago, and this is why; null where "
            "nothing in the match itself says so, and, while nothing is waited for, of one that was here before."
        ),
    ]


def hint_of(reason: str | None) -> Hint | None:
    """The hint of a public reason."""
    if reason is None:
        return None
    why, remedy = WHY.get(reason, ("", ""))
    return Hint(reason=reason, why=why, remedy=remedy)


class Fate(TypedDict):
    """What became of a match or command."""

    pool: str
    id: Id
    receipt: int
    received: datetime
    state: Annotated[
        str,
        Field(
            description="`waiting`, `rated`, `accepted` (rated with its period, or, where it came late, with the next "
            "recomputation, and then it is `rated`), `not-rated` or `annulled`, as the match says it now; or what a "
            "command did.",
            examples=["rated"],
        ),
    ]
    position: Annotated[
        Position | None,
        Field(
            description="Of what made it so: its entry; of a late match that was rated, and of a correction for which "
            "everything was computed again, the recomputation."
        ),
    ]
    entry: Annotated[Position | None, Field(description="Of its own entry; null while there is none.")]
    reason: Annotated[str | None, Field(description="The public code of why it is not rated, or was refused.")]


class State(TypedDict):
    """Rating, deviation and volatility, exact."""

    rating: float
    deviation: float
    volatility: float


class ShownChange(TypedDict):
    """As pages show it: the change is the difference of the shown numbers."""

    before: int
    after: int
    change: int


def state_of(rating: Rating) -> State:
    """A state as it is answered."""
    return State(rating=rating.rating, deviation=rating.deviation, volatility=rating.volatility)
