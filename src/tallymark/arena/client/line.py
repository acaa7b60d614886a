"""The connection to an arena: messages that go, and messages that come."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit, urlunsplit

from tallymark.arena.client.reading import Message
from tallymark.checked import shortened
from tallymark.errors import ArenaError, InputError, MissingLibraryError
from tallymark.ledger.matches import Json

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

PATH: Final = "/v1/arena/play"
"""Where an arena listens for agents."""
_SCHEMES: Final = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_BUSY: Final = 500
"""Statuses from which on it is worth while to try again."""


class Broken(Exception):
    """There is no connection, or no longer: perhaps there will be one later."""


class Line:
    """A connection that is open."""

    def __init__(self, connection: "ClientConnection") -> None:
        self._connection = connection

    def say(self, message: Mapping[str, Json]) -> None:
        """Sends a message; `Broken` where it cannot."""
        from websockets.exceptions import ConnectionClosed

        try:
            self._connection.send(json.dumps(message))
        except ConnectionClosed as error:
            raise Broken(str(error)) from None

    def heard(self) -> Message:
        """Waits for the next message; `Broken` where none can come any more."""
        from websockets.exceptions import ConnectionClosed

        try:
            return Message(self._connection.recv())
        except ConnectionClosed as error:
            raise Broken(str(error)) from None


def address(url: str) -> str:
    """Where agents connect to in the arena at a URL; `InputError` where it is none.

    >>> address("https://arena.example.org")
    'wss://arena.example.org/v1/arena/play'
    """
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES or not parts.netloc or parts.path.strip("/") or parts.query:
        raise InputError(f"url is {shortened(url)}; expected one like http://127.0.0.1:8000", field="url")
    return urlunsplit((_SCHEMES[parts.scheme], parts.netloc, PATH, "", ""))


@contextmanager
def connected(url: str) -> Iterator[Line]:
    """A connection to the arena at a URL, as long as the block lasts; `Broken` where there is none to be had now,
    `ArenaError` where no arena is there."""
    try:
        from websockets.exceptions import InvalidHandshake, InvalidStatus
        from websockets.sync.client import connect
    except ModuleNotFoundError as error:
        raise MissingLibraryError(f"{error.name} is not installed", hint="pip install 'tallymark[arena]'") from error
    where = address(url)
    try:
        connection = connect(where)
    except InvalidStatus as error:
        status = error.response.status_code
        if status >= _BUSY:
            raise Broken(f"{where} answers {status}") from None
        raise ArenaError(
            f"{where} answers {status}: there is no arena", code="no-arena", hint="tallymark serve --arena"
        ) from None
    except InvalidHandshake as error:
        if isinstance(error.__cause__, EOFError):  # it closed instead of answering: it may be starting
            raise Broken(f"{where}: {error}") from None
        raise ArenaError(f"{where} does not speak WebSocket: {error}", code="no-arena") from None
    except OSError as error:
        raise Broken(f"{where}: {error}") from None
    with connection:
        yield Line(connection)
