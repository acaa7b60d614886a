"""What comes to a match, each stamped with the milliseconds of a monotonic clock at which it was received."""

from dataclasses import dataclass
from typing import TypeAlias

from tallymark.arena.games.face import Seat
from tallymark.arena.referee.endings import Reason, interruption
from tallymark.ledger.matches import Json


@dataclass(frozen=True)
class Delivered:
    """An action request reached its agent: the connection took all of it."""

    ms: int
    seat: Seat
    request: int


@dataclass(frozen=True)
class Acted:
    """A seat's agent answered a request. `action` is whatever it sent; only a text can be an action."""

    ms: int
    seat: Seat
    request: int
    action: Json


@dataclass(frozen=True)
class Disconnected:
    """A seat's connection broke."""

    ms: int
    seat: Seat


@dataclass(frozen=True)
class Reconnected:
    """A seat's agent is there again."""

    ms: int
    seat: Seat


@dataclass(frozen=True)
class Lost:
    """Connections are broken, and the time in which they might have come back was over first of all that is due: what
    records tell of a `Disconnected`."""

    ms: int
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Expired:
    """Time went on to here, and nothing else came."""

    ms: int


@dataclass(frozen=True)
class Aborted:
    """Whoever runs the match cannot go on with it. `reason`: one of `endings.INTERRUPTIONS`, else `ValueError`."""

    ms: int
    reason: Reason

    def __post_init__(self) -> None:
        interruption(self.reason)


Event: TypeAlias = Delivered | Acted | Disconnected | Reconnected | Lost | Expired | Aborted
"""Anything that may come."""
