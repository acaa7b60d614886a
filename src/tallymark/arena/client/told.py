"""What an agent is told by an arena: the messages of the wire, as an agent's author has them."""

from collections.abc import Mapping
from dataclasses import dataclass

from tallymark.arena.client.reading import Message
from tallymark.ledger.matches import Json


@dataclass(frozen=True)
class Start:
    """A match begins.

    `seats`: who sits where, an object each (`agent`, `kind`, `version`, and `rating` and `deviation` as they were shown
    then, None in exhibitions); `commitment`: SHA-256 of the seed, which is told at the end, and the match's id."""

    match: str
    game: str
    seat: int
    seats: tuple[Mapping[str, Json], ...]
    ruleset: Mapping[str, Json]
    commitment: str

    @classmethod
    def of(cls, message: Message) -> "Start":
        """As a message says it."""
        return cls(
            message.text("match"),
            message.text("game"),
            message.whole("seat"),
            message.objects("seats"),
            message.object("ruleset"),
            message.text("commitment"),
        )


@dataclass(frozen=True)
class Request:
    """An action is asked for. One of `legal`; where a text is asked for, `legal` is empty, and it may have `longest`
    characters. `deadline_ms`: milliseconds from when it was sent until an answer is late."""

    match: str
    game: str
    seat: int
    number: int
    deadline_ms: int
    observation: Mapping[str, Json]
    legal: tuple[str, ...]
    longest: int

    @classmethod
    def of(cls, message: Message) -> "Request":
        """As a message says it."""
        return cls(
            message.text("match"),
            message.text("game"),
            message.whole("seat"),
            message.whole("request"),
            message.whole("deadline_ms"),
            message.object("observation"),
            message.texts("legal") if "legal" in message else (),
            message.whole("longest") if "longest" in message else 0,
        )


@dataclass(frozen=True)
class Miss:
    """In a game for more than two, this was played in the agent's place. `reason`: the public word for why (`timeout`,
    `illegal`, `disconnect`); `told`: what was wrong."""

    match: str
    number: int
    reason: str
    action: str
    told: str

    @classmethod
    def of(cls, message: Message) -> "Miss":
        """As a message says it."""
        return cls(
            message.text("match"),
            message.whole("request"),
            message.text("reason"),
            message.text("action"),
            message.text("message"),
        )


@dataclass(frozen=True)
class End:
    """A match is over, and rated where it is.

    `rank`: the agent's own place, 1 the best (both 1: a draw), None where it was aborted; `reason`: the public word for
    how it ended; `change`: rating and deviation before and after, None where it was not rated, or is
    only later, by its pool's period; `seed`: what seats and
    chance were drawn from, in hexadecimal."""

    match: str
    game: str
    seat: int
    rank: int | None
    reason: str
    told: str
    change: Mapping[str, Json] | None
    seed: str

    @classmethod
    def of(cls, message: Message) -> "End":
        """As a message says it."""
        return cls(
            message.text("match"),
            message.text("game"),
            message.whole("seat"),
            message.whole("rank") if "rank" in message else None,
            message.text("reason"),
            message.text("told"),
            message.object("change") if "change" in message else None,
            message.text("seed"),
        )
