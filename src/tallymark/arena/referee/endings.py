"""How a match may end: the closed list of public reasons, and the verdict that a match ends with."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tallymark.arena.games.face import Game, Outcome, Seat, Side
from tallymark.games.vocabulary import Ending


class Reason(StrEnum):
    """Why a match ended, and why one that is not rated is not: every match has one of these for everybody to see.

    None is ever renamed or given another meaning; a new one is added at the end.

    >>> Reason.TIMEOUT.told
    'An agent let the deadline of an action pass.'
    """

    FINISHED = "finished"
    RESIGNED = "resigned"
    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    DISCONNECT = "disconnect"
    UNDELIVERED = "undelivered"
    RESTART = "restart"
    LEASE = "lease"
    DEFECT = "defect"
    EXHIBITION = "exhibition"
    RULES = "rules"
    ID_TAKEN = "id-taken"

    @property
    def told(self) -> str:
        """The reason as a sentence."""
        return REASONS[self]


REASONS: Final[Mapping[Reason, str]] = {
    Reason.FINISHED: "The game was played to its end.",
    Reason.RESIGNED: "An agent gave up.",
    Reason.TIMEOUT: "An agent let the deadline of an action pass.",
    Reason.ILLEGAL: "An agent answered with an action that the game does not allow.",
    Reason.DISCONNECT: "An agent's connection broke during the match.",
    Reason.UNDELIVERED: "No action request of the match was ever delivered to an agent: aborted, not rated.",
    Reason.RESTART: "The server was restarted while the match was played: aborted, not rated.",
    Reason.LEASE: "The process that ran the match lost its hold on it: aborted, not rated.",
    Reason.DEFECT: "The arena or the game failed, by no fault of an agent: aborted, not rated.",
    Reason.EXHIBITION: "An exhibition: played for spectators, not rated.",
    Reason.RULES: "The methodology of the pool does not rate a match that ended like this one.",
    Reason.ID_TAKEN: "Another match has its id in the public history, where somebody else put it: not rated.",
}
"""Each reason as a sentence."""
FORFEITS: Final = (Reason.TIMEOUT, Reason.ILLEGAL, Reason.DISCONNECT)
"""How an agent fails: with two players the match is lost, with more the miss is recorded and the match goes on."""
INTERRUPTIONS: Final = (Reason.RESTART, Reason.LEASE, Reason.DEFECT)
"""What comes from outside, and nobody wins or loses by."""
ABORTS: Final = (Reason.UNDELIVERED, *INTERRUPTIONS)
"""What nobody wins or loses by."""
_ENDINGS: Final = {
    Reason.TIMEOUT: Ending.TIMEOUT,
    Reason.ILLEGAL: Ending.ILLEGAL,
    Reason.DISCONNECT: Ending.DISCONNECT,
}


@dataclass(frozen=True)
class Verdict:
    """How a match ended."""

    reason: Reason
    sides: tuple[Side, ...]
    """Places, 1 the best, ties share one; empty where the match was aborted."""
    ending: Ending
    """The ledger's word for it."""
    told: str
    """In a few words, for people."""
    seat: Seat | None = None
    """Whose failure ended it: None where nobody failed, and where both did at once."""
    unrated: Reason | None = None
    """Why it is not rated, as far as the referee decides that; None where the pool's rules do."""

    @property
    def aborted(self) -> bool:
        """Whether nobody won or lost."""
        return self.reason in ABORTS


def played(outcome: Outcome, exhibition: bool) -> Verdict:
    """The board decided, or somebody gave up."""
    reason = Reason.RESIGNED if outcome.ending is Ending.RESIGNATION else Reason.FINISHED
    return Verdict(reason, outcome.sides, outcome.ending, outcome.told, unrated=_unrated(exhibition))


def forfeited(game: Game, reason: Reason, failed: tuple[Seat, ...], told: str, exhibition: bool) -> Verdict:
    """One of two players failed and lost; where both failed in the same millisecond, they share the place."""
    if len(failed) == 1:
        (seat,) = failed
        sides = (Side((1 - seat,), 1), Side((seat,), 2))
    else:
        sides = (Side((0,), 1), Side((1,), 1))
    ending = game.counted(_ENDINGS[reason])
    return Verdict(reason, sides, ending, told, failed[0] if len(failed) == 1 else None, _unrated(exhibition))


def interruption(reason: Reason) -> Reason:
    """The reason, where it is one that a match can be aborted for from outside; else `ValueError`."""
    if reason not in INTERRUPTIONS:
        raise ValueError(f"reason is {reason.value}; expected one of {', '.join(INTERRUPTIONS)}")
    return reason


def aborted(reason: Reason) -> Verdict:
    """Nobody won or lost, for one of `ABORTS`."""
    return Verdict(reason, (), Ending.ABORTED, reason.told, unrated=reason)


def _unrated(exhibition: bool) -> Reason | None:
    return Reason.EXHIBITION if exhibition else None
