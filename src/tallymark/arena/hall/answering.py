"""Agents in this process: house agents, who are asked and answer as all others are and do."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tallymark.arena.games.face import Action
from tallymark.arena.hall.connection import Connection, Said
from tallymark.arena.hall.playing import LOG
from tallymark.arena.referee.saying import ActionRequest

if TYPE_CHECKING:
    from tallymark.arena.hall.hall import Hall

Act: TypeAlias = Callable[[ActionRequest], Action]
"""What an agent does when it is asked."""
Run: TypeAlias = Callable[[Callable[[], None]], object]
"""Runs something, now or in another thread."""


class Answering:
    """A link to an agent that is a function. `run`: where it thinks: a pool's `submit` in a service.

    In an exhibition it waits before each action as long as it is to (`pace_ms`).
    """

    connection: Connection
    """Where it is now."""

    def __init__(self, hall: "Hall", act: Act, run: Run) -> None:
        self._hall, self._act, self._run = hall, act, run

    def connected(self, connection: Connection) -> Connection:
        """It is at this connection from now on."""
        self.connection = connection
        return connection

    def send(self, said: Said) -> None:
        """As `Link.send`."""
        if isinstance(said, ActionRequest):
            self._hall.delivered(self.connection, said.match, said.request)
            if said.pace_ms:
                self._hall.later(said.pace_ms, lambda: self._think(said))
            else:
                self._think(said)

    def _think(self, asked: ActionRequest) -> None:
        self._run(lambda: self._answer(asked))

    def _answer(self, asked: ActionRequest) -> None:
        try:
            action = self._act(asked)
        except Exception:  # it fails as others do: by its deadline
            LOG.exception("%s cannot answer in %s", self.connection.agent.id, asked.match)
            return
        self._hall.act(self.connection, asked.match, asked.request, action)
