"""Agents in this process: house agents, who are asked and answer as all others are and do."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tallymark.arena.games.face import Action
from tallymark.arena.hall.connection import Connection, Said
from tallymark.arena.hall.playing import LOG
from tallymark.arena.referee.saying import ActionRequest, MatchEnd, MatchStart

if TYPE_CHECKING:
    from tallymark.arena.hall.hall import Hall

Act: TypeAlias = Callable[[MatchStart, ActionRequest], Action]
"""What an agent does when it is asked, given how the match began."""
Run: TypeAlias = Callable[[Callable[[], None]], object]
"""Runs something, now or in another thread."""


class Answering:
    """A link to an agent that is a function. `run`: where it thinks: a pool's `submit` in a service.

    In an exhibition it waits before each action as long as the ruleset says.
    """

    connection: Connection
    """Where it is now."""

    def __init__(self, hall: "Hall", act: Act, run: Run) -> None:
        self._hall, self._act, self._run = hall, act, run
        self._matches: dict[str, MatchStart] = {}

    def connected(self, connection: Connection) -> Connection:
        """It is at this connection from now on, and in no match."""
        self._matches.clear()
        self.connection = connection
        return connection

    def send(self, said: Said) -> None:
        """As `Link.send`."""
        match said:
            case MatchStart():
                self._matches[said.match] = said
            case ActionRequest():
                self._hall.delivered(self.connection, said.match, said.request)
                start = self._matches[said.match]
                if start.exhibition:
                    self._hall.later(start.ruleset.pace_ms, lambda: self._think(start, said))
                else:
                    self._think(start, said)
            case MatchEnd():
                self._matches.pop(said.match, None)
            case _:
                pass

    def _think(self, start: MatchStart, asked: ActionRequest) -> None:
        self._run(lambda: self._answer(start, asked))

    def _answer(self, start: MatchStart, asked: ActionRequest) -> None:
        try:
            action = self._act(start, asked)
        except Exception:  # it fails as others do: by its deadline
            LOG.exception("%s cannot answer in %s", self.connection.agent.id, asked.match)
            return
        self._hall.act(self.connection, asked.match, asked.request, action)
