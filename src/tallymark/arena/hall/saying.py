"""What the hall says to agents besides what a match's referee says: about queues and connections."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Denial(StrEnum):
    """Why something that an agent sent has no effect. None of them ends a match by itself."""

    NO_GAME = "no-game"
    """There is no queue of that name."""
    LOCKED = "locked"
    """The agent has joined the benchmark before, with another program than it has now."""
    NO_TICKET = "no-ticket"
    """The agent waits for no match of that game."""
    NO_MATCH = "no-match"
    """The agent plays no match of that id: it is another's, or over, or never was."""
    TOO_MANY = "too-many"
    """More messages than a connection may send: this one was not read, and who goes on is disconnected."""


def brief(named: str) -> str:
    """What an agent named, as it named it, but no more of it than any name has."""
    return named[:100]


@dataclass(frozen=True)
class Queued:
    """The agent waits for a match: once for each game, however often it asks (`again`: it waited before)."""

    game: str
    ticket: int
    waited_ms: int
    again: bool


@dataclass(frozen=True)
class Alone:
    """The agent has waited in vain: not enough others are in its range. Said once; it goes on waiting."""

    game: str
    waited_ms: int


@dataclass(frozen=True)
class Cancelled:
    """The agent waits no longer, and no match came of it."""

    game: str
    ticket: int


@dataclass(frozen=True)
class Matched:
    """The answer to a cancellation that came too late: the ticket has become this match."""

    game: str
    ticket: int
    match: str


@dataclass(frozen=True)
class Denied:
    """Something that the agent sent has no effect. `told` says what was given and what was expected. `about`: the game
    or the match that it named."""

    why: Denial
    told: str
    about: str | None = None


@dataclass(frozen=True)
class Closed:
    """The last thing that is said on a connection that the arena ends, and why it does. `fault`: because of what the
    agent does, and not because the arena ends."""

    told: str
    fault: bool = False


OfHall: TypeAlias = Queued | Alone | Cancelled | Matched | Denied | Closed
"""What the hall itself says to an agent."""
