"""What agents send: read strictly, for whatever is not understood is answered and never guessed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.ledger.matches import Json, read_object

PROTOCOL: Final = 1
"""The version of the messages."""
LARGEST: Final = 16 * 1024
"""Bytes of a message from an agent, at most."""


@dataclass(frozen=True)
class Hello:
    """The first message: who is there. `key`: an API key with the scope `play`; `configuration`: SHA-256 of what the
    agent runs with, in hexadecimal."""

    key: str
    agent: str
    version: str = ""
    algorithm: str = ""
    configuration: str = ""


@dataclass(frozen=True)
class Join:
    """To wait for a match of a game."""

    game: str


@dataclass(frozen=True)
class Leave:
    """To wait no longer."""

    game: str


@dataclass(frozen=True)
class Action:
    """The answer to a request. `action` is what was sent, of whatever kind: the referee judges it."""

    match: str
    request: int
    action: Json


Heard: TypeAlias = Hello | Join | Leave | Action


def heard(text: str | bytes) -> Heard:
    """The message; `InputError` says what is wrong with it.

    >>> heard('{"type": "join", "game": "hex"}')
    Join(game='hex')
    """
    if isinstance(text, bytes):
        raise InputError("a message came as bytes; expected text")
    try:
        body = text.encode()
    except UnicodeEncodeError:
        raise InputError("a message has half a surrogate pair, which no text has") from None
    if len(body) > LARGEST:
        raise InputError(f"a message has {len(body):,} bytes; expected {LARGEST:,} at most")
    fields = read_object(body, "the message")
    kind = fields.get("type")
    if not isinstance(kind, str) or kind not in _READERS:
        raise InputError(f"type is {shortened(kind)}; expected one of {', '.join(_READERS)}", field="type")
    return _READERS[kind](fields)


def _hello(fields: Mapping[str, Json]) -> Hello:
    protocol = fields.get("protocol")
    if type(protocol) is not int or protocol != PROTOCOL:
        raise InputError(f"protocol is {shortened(protocol)}; expected {PROTOCOL}", field="protocol")
    optional = (_text(fields, name, "") for name in ("version", "algorithm", "configuration"))
    return Hello(_text(fields, "key"), _text(fields, "agent"), *optional)


def _action(fields: Mapping[str, Json]) -> Action:
    request = fields.get("request")
    if not isinstance(request, int) or isinstance(request, bool):
        raise InputError(f"request is {shortened(request)}; expected the number of a request", field="request")
    if "action" not in fields:
        raise InputError("the message has no action", field="action")
    return Action(_text(fields, "match"), request, fields["action"])


def _text(fields: Mapping[str, Json], name: str, without: str | None = None) -> str:
    value = fields.get(name, without)
    if not isinstance(value, str):
        raise InputError(f"{name} is {shortened(value) if name in fields else 'missing'}; expected text", field=name)
    return value


_READERS: Final[Mapping[str, Callable[[Mapping[str, Json]], Heard]]] = {
    "hello": _hello,
    "join": lambda fields: Join(_text(fields, "game")),
    "leave": lambda fields: Leave(_text(fields, "game")),
    "action": _action,
}
