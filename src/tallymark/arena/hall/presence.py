"""Who is connected: an agent once, and an owner with so many agents at most. From any thread."""

import threading
from collections import Counter

from tallymark.arena.hall.connection import Connection, Limits
from tallymark.errors import InputError


class PresentError(InputError):
    """The agent is connected already: or it was, and its old connection is not yet known to be broken."""


class Presence:
    """The connections of a hall, by agent."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._here: dict[str, Connection] = {}
        self._owners: Counter[str] = Counter()

    def enter(self, connection: Connection) -> None:
        """Somebody is here now. `InputError` where the agent is already, or too many of its owner."""
        agent, most = connection.agent, self._limits.connections
        with self._lock:
            if agent.id in self._here and self._here[agent.id].agent.owner != agent.owner:
                raise InputError(f"agent {agent.id!r} is another's; expected a name of your own", field="agent")
            if agent.id in self._here:
                raise PresentError(f"agent {agent.id!r} is connected already", hint="close the other connection first")
            if agent.kind != "house" and self._owners[agent.owner] >= most:
                raise InputError(f"{agent.owner!r} has {most} connections already", hint="close one of them first")
            self._here[agent.id] = connection
            self._owners[agent.owner] += 1

    def leave(self, connection: Connection) -> bool:
        """Somebody goes; whether it was here."""
        with self._lock:
            if self._here.get(connection.agent.id) is not connection:
                return False
            del self._here[connection.agent.id]
            self._owners[connection.agent.owner] -= 1
            if not self._owners[connection.agent.owner]:
                del self._owners[connection.agent.owner]
            return True

    def all(self) -> list[Connection]:
        """Everybody who is here."""
        with self._lock:
            return list(self._here.values())
