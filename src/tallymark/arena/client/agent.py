"""The client: from an agent that answers requests to one that plays in an arena."""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from tallymark.arena.client.line import Broken, Line, connected
from tallymark.arena.client.told import End, Miss, Request, Start
from tallymark.arena.wire.heard import PROTOCOL
from tallymark.errors import ArenaError, InputError
from tallymark.ledger.matches import Json

LOG: Final = logging.getLogger("tallymark.arena")
_LATER: Final = ("closed", "unavailable")
"""Codes of errors after which it is worth while to connect again."""
_CONNECTED: Final = "connected"
"""The code of the refusal of an agent that is connected already: by another process, or by a line that broke and that
the arena does not yet know to be broken."""
_TOO_MANY: Final = "too-many"
"""The code of an error that ends nothing: a message was not read."""
_SHORTEST: Final = 1.0
_LONGEST: Final = 30.0
"""Seconds between attempts to connect: at first, and at most."""


class Agent(ABC):
    """An agent: give it an `act`, and let it `play`.

    `id`: small letters, digits and hyphens, up to 40; nobody else has it. `key`: an API key with the scope `play`,
    whose name is the agent's owner. Shown on its profile, and what a benchmark holds it to: `version` of its program;
    `algorithm`, in words, up to 2,000 characters; `configuration`: SHA-256 of what it runs with (weights, settings,
    prompts), 64 hexadecimal digits.
    """

    def __init__(
        self,
        id: str,
        *,
        key: str,
        version: str = "",
        algorithm: str = "",
        configuration: str = "",
    ) -> None:
        self.id, self.version, self.algorithm, self.configuration = id, version, algorithm, configuration
        self._key = key

    @abstractmethod
    def act(self, request: Request) -> str:
        """The action: one of `request.legal`, or a text where that is empty. Whatever it raises ends the connection,
        and so a match that is under way."""

    def started(self, start: Start) -> None:  # noqa: B027 (who does not care for it writes none)
        """Called when a match begins."""

    def ended(self, end: End) -> None:  # noqa: B027
        """Called when a match is over and rated, or will not be; not for one that is lost by the agent's own broken
        line, of which nobody can tell it."""

    def missed(self, miss: Miss) -> None:
        """Called when a request was not answered as it has to be, in a game for more than two: something was played
        in the agent's place. Logged as a warning, where nothing else is done about it."""
        LOG.warning("%s: %s in %s, so %r was played", self.id, miss.told, miss.match, miss.action)

    def play(
        self,
        url: str,
        games: str | Sequence[str],
        *,
        matches: int | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> list[End]:
        """Waits in the queues of the games and plays, again and again; how its matches ended.

        `url`: the arena's, like `http://127.0.0.1:8000`. `matches`: so many ends, those of aborted matches among them,
        then it leaves; None: for ever. Of a match that is lost because its own line broke it is not told. Where the
        connection breaks it connects again, after a second, two, four and at most thirty (`pause`): also where the
        arena does not know yet that it broke, which takes it some 20 seconds. `ArenaError` where the arena refuses
        what trying again would not mend, `connected` among it where this agent was never let in by this call.
        """
        wanted = [games] if isinstance(games, str) else list(games)
        if not wanted:
            raise InputError("games is empty; expected names of games", field="games")
        if matches is not None and matches < 1:
            raise InputError(f"matches is {matches}; expected 1 or more, or None", field="matches")
        play = _Play(self, wanted, matches)
        seconds = _SHORTEST
        while True:
            try:
                with connected(url) as line:
                    play.along(line, self._key)
                    return play.ends
            except Broken as broken:
                if play.heard:  # the arena was there
                    seconds, play.heard = _SHORTEST, False
                LOG.warning("%s: %s; trying again in %g s", self.id, broken, seconds)
                pause(seconds)
                seconds = min(2 * seconds, _LONGEST)


class _Play:
    """What one agent does while it plays: over several connections, where one breaks."""

    def __init__(self, agent: Agent, games: Sequence[str], matches: int | None) -> None:
        self._agent, self._games, self._matches = agent, games, matches
        self._waiting: set[str] = set()
        self._was_here = False
        self.ends: list[End] = []
        self.heard = False

    def along(self, line: Line, key: str) -> None:
        """Says hello, and does what it is asked until it has played enough."""
        agent = self._agent
        hello: dict[str, Json] = {"type": "hello", "protocol": PROTOCOL, "key": key, "agent": agent.id}
        for word in ("version", "algorithm", "configuration"):
            if text := getattr(agent, word):
                hello[word] = text
        line.say(hello)
        self._waiting.clear()
        while not self._done():
            message = line.heard()
            self.heard = True
            match message.type:
                case "ready":
                    self._was_here = True
                    for game in self._games:
                        self._join(line, game)
                case "match_start":
                    agent.started(Start.of(message))
                case "action_request":
                    request = Request.of(message)
                    answer: dict[str, Json] = {"match": request.match, "request": request.number}
                    with suppress(Broken):  # what was said before the line broke may be how the match ended
                        line.say({"type": "action", **answer, "action": agent.act(request)})
                case "missed":
                    agent.missed(Miss.of(message))
                case "match_end":
                    end = End.of(message)
                    self.ends.append(end)
                    self._waiting.discard(end.game)
                    agent.ended(end)
                    self._join(line, end.game)
                case "error" if message.text("code") in _LATER:
                    raise Broken(message.text("message"))
                case "error" if message.text("code") == _CONNECTED and self._was_here:
                    self.heard = False  # pauses grow: it takes the arena a while
                    raise Broken(message.text("message"))
                case "alone":
                    LOG.warning("%s: %s", agent.id, message.text("message"))
                case "error" if message.text("code") == _TOO_MANY:
                    LOG.warning("%s: %s", agent.id, message.text("message"))
                case "error" if "match" not in message:  # one about a match ends nothing: its end is told by itself
                    raise ArenaError(message.text("message"), code=message.text("code"))

    def _join(self, line: Line, game: str) -> None:
        """Into a queue, where that cannot make more matches than are wanted."""
        if self._matches is None or len(self.ends) + len(self._waiting) < self._matches:
            self._waiting.add(game)
            line.say({"type": "join", "game": game})

    def _done(self) -> bool:
        return self._matches is not None and len(self.ends) >= self._matches
