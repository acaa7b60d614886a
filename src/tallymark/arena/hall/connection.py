"""An agent's connection to the hall: the way to it, and what it may send."""

from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from tallymark.arena.games.face import Seat
from tallymark.arena.hall.saying import OfHall
from tallymark.arena.referee.saying import ActionRequest
from tallymark.arena.referee.saying import Said as OfReferee
from tallymark.arena.store.agents import Agent

Said: TypeAlias = OfHall | OfReferee
"""All that the hall says to an agent."""
Verdict: TypeAlias = Literal["taken", "refused", "dropped", "ignored"]
_SECOND: Final = 1000


class Link(Protocol):
    """The way to an agent: a WebSocket, or a house agent in this process."""

    def send(self, said: Said) -> None:
        """Takes what is said, at once and without waiting for anything: it is called in the hall's own thread.

        When an `ActionRequest` has left for the agent, the link says so: `Hall.delivered`. After `Closed` it ends the
        connection.
        """


@dataclass(frozen=True)
class Limits:
    """What a connection may send, and what an owner may have.

    `a_second` and `burst`: messages in the long run and at once; `each_match`: so many more of both for each match that
    the agent plays at the time; `patience`: messages that are refused before the connection is ended; `connections`:
    of one owner at once; `agents`: that one owner may register, ever.
    """

    a_second: int = 20
    burst: int = 100
    each_match: int = 10
    patience: int = 100
    connections: int = 50
    agents: int = 1000


@dataclass(eq=False)
class Connection:
    """An agent that is there. `plays`: the games that a house agent can be given; nothing for others.

    What it holds belongs to the hall's thread, but for `taken`, which whoever receives a message asks under the lock of
    the inbox.
    """

    agent: Agent
    link: Link
    limits: Limits
    plays: frozenset[str] = frozenset()
    matches: dict[str, Seat] = field(default_factory=dict)
    """What it plays now, and at which seat."""
    gone: bool = False
    """Whether it plays and waits no more."""
    open: bool = True
    """Whether anything is still said to it: the last thing may be why it is gone."""
    _asked: int = 0
    """Requests that were sent: each may be answered once beyond all limits, however fast."""
    _answered: int = 0
    _left: int | None = None
    _at: int = 0
    _refused: int = 0

    def taken(self, ms: int, answers: bool = False) -> Verdict:
        """What becomes of a message that was received now; `answers`: whether it is an action."""
        if answers and self._answered < self._asked:
            self._answered += 1
            return "taken"
        limits, extra = self.limits, self.limits.each_match * len(self.matches)
        if self._refused > limits.patience:
            return "ignored"
        most = (limits.burst + extra) * _SECOND
        before = most if self._left is None else self._left
        self._left = min(most, before + (ms - self._at) * (limits.a_second + extra))
        self._at = ms
        if self._left >= _SECOND:
            self._left -= _SECOND
            self._refused = 0
            return "taken"
        self._refused += 1
        return "refused" if self._refused <= limits.patience else "dropped"

    def send(self, said: Said) -> None:
        """Says something, where anybody still listens."""
        if self.open:
            if isinstance(said, ActionRequest):
                self._asked += 1
            self.link.send(said)
