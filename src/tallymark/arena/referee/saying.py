"""What the referee has to say, to a seat or to everybody who watches: typed, and no bytes yet."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from tallymark.arena.games.face import Action, Form, Ruleset, Seat
from tallymark.arena.referee.endings import Reason, Verdict
from tallymark.ledger.matches import Json


@dataclass(frozen=True)
class Entrant:
    """An agent as a match has it, in the version that it plays with. `kind`: `agent` or `house`.

    `rating`, `deviation`: as they were shown when the match began, for display alone: what the match changes is counted
    from the values at its place in the ledger. None in exhibitions. `configuration`: the hash of what it plays with, in
    benchmarks.
    """

    agent: str
    kind: str = "agent"
    version: str = ""
    rating: float | None = None
    deviation: float | None = None
    configuration: str | None = None


@dataclass(frozen=True)
class MatchStart:
    """A match begins. Said to each seat, and with `seat` None to who watches."""

    match: str
    game: str
    seat: Seat | None
    entrants: tuple[Entrant, ...]
    """In the order of their seats."""
    ruleset: Ruleset
    commitment: str
    """SHA-256 of seed and match id, in hexadecimal."""
    exhibition: bool


@dataclass(frozen=True)
class ActionRequest:
    """An action is asked for."""

    match: str
    seat: Seat
    request: int
    """Counted from 1 for each seat alone: how often others were asked is not to be learned from it."""
    seen: Mapping[str, Json]
    form: Form
    action_ms: int
    """How long the agent may think."""
    deadline_ms: int
    """Until when the action counts, on the clock that events are stamped with. That millisecond is in time."""
    pace_ms: int = 0
    """In exhibitions: how long a house agent is to wait before it answers."""


@dataclass(frozen=True)
class Ack:
    """An action was taken, so many milliseconds after it was asked for."""

    match: str
    seat: Seat
    request: int
    latency_ms: int


@dataclass(frozen=True)
class Missed:
    """In a game for more than two: this was done in the seat's place, because it failed in this way."""

    match: str
    seat: Seat
    request: int
    reason: Reason
    action: Action
    told: str


class Refusal(StrEnum):
    """Why an answer has no effect, neither for nor against who sent it."""

    OVER = "over"
    STALE = "stale"
    UNASKED = "unasked"
    GONE = "gone"


@dataclass(frozen=True)
class Refused:
    """An answer had no effect. `request` is the one that was answered."""

    match: str
    seat: Seat
    request: int | None
    why: Refusal
    told: str


@dataclass(frozen=True)
class Watched:
    """The position as spectators may see it, whenever that has changed."""

    match: str
    ms: int
    """Since the match was announced."""
    seen: Mapping[str, Json]


@dataclass(frozen=True)
class Change:
    """What a match made of an agent's rating: values before and after, on the display scale."""

    rating_before: float
    deviation_before: float
    rating: float
    deviation: float


@dataclass(frozen=True)
class MatchEnd:
    """A match has ended: said when it was rated, or when it is certain that it will not be. To each seat, and with
    `seat` None to who watches."""

    match: str
    seat: Seat | None
    verdict: Verdict
    seed: str
    """In hexadecimal."""
    revealed: Mapping[str, Json]
    unrated: Reason | None
    changes: tuple[Change | None, ...]
    """In the order of the seats; empty where it was not rated, or is only later."""
    position: int | None
    """Of the entry in the pool's public history; None for exhibitions."""


Said: TypeAlias = MatchStart | ActionRequest | Ack | Missed | Refused | Watched | MatchEnd
"""Anything that may be said."""


@dataclass(frozen=True)
class Say:
    """Something to be said: to a seat, or to who watches where `to` is None."""

    to: Seat | None
    what: Said
