"""Items of an inbox: matches, and commands, which are JSON objects that begin with their name."""

from collections.abc import Mapping, Sequence
from typing import Final

import orjson

from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.fold.played import Flat, Match, Plain, called, plain_match, plain_of, read_match, read_plain
from tallymark.ledger.ids import in_json

_MARK: Final = b'{"command":"'
"""How a command begins; no match has that key."""


class Received:
    """An item as it was received: its bytes, when that was, and its receipt (None in an export).

    `usual`: the match that they are, where that is known.
    """

    __slots__ = ("_match", "_plain", "body", "receipt", "received", "usual")

    def __init__(self, receipt: int | None, received: int, body: bytes, usual: Flat | None = None) -> None:
        self.receipt, self.received, self.body = receipt, received, body
        self.usual = usual
        self._plain: Plain | None = None
        self._match: Match | None = None

    def __repr__(self) -> str:
        return f"Received({self.receipt}, {self.received}, {self.body!r})"

    @property
    def command(self) -> str | None:
        """The name of the command; None for a match.

        >>> Received(None, 0, b'{"command":"close"}').command
        'close'
        """
        if self.usual is not None or not self.body.startswith(_MARK):
            return None
        return self.body[len(_MARK) : self.body.index(b'"', len(_MARK))].decode()

    def plain(self) -> Plain | None:
        """The match, where it is a plain one; None for any other, and for bytes that are none."""
        told = self._plain
        if told is None and self._match is None:
            told = self._plain = read_plain(self.body) if self.usual is None else plain_of(self.usual)
        return told

    def flat(self) -> Flat | None:
        """`plain` with its ids in JSON."""
        if self.usual is not None:
            return self.usual
        told = self.plain()
        if told is None:
            return None
        name, a, b, score, played = told
        return in_json(name), in_json(a), in_json(b), score, played

    @property
    def match(self) -> Match:
        """The match, read once; `InputError` for bytes that are none."""
        match = self._match
        if match is None:
            told = self.plain()
            match = self._match = read_match(self.body) if told is None else plain_match(told)
        return match

    def calling(self, now: Mapping[Id, Id]) -> "Received":
        """The item with its match's players under other ids; itself where it names none of these, or where somebody
        would play against oneself."""
        if self.command is not None or now.keys().isdisjoint(self.match.people):
            return self
        match = called(self.match, lambda player: now.get(player, player))
        if match is None:
            return self
        other = Received(self.receipt, self.received, self.body)
        other._match = match
        return other

    @property
    def told(self) -> dict[str, object]:
        """What a command says."""
        got = orjson.loads(self.body)
        if not isinstance(got, dict):
            raise InputError("a command is no JSON object")
        return got

    @property
    def id(self) -> object:
        """The client's id of it."""
        return self.match.id if self.command is None else self.told.get("id")

    @property
    def key(self) -> bytes:
        """The id in JSON."""
        return orjson.dumps(self.id) if self.usual is None else self.usual[0]

    @property
    def people(self) -> tuple[Id, ...]:
        """Whose rows are needed."""
        if self.command is not None:
            return ()
        told = self.plain()
        return self.match.people if told is None else told[1:3]


def commands(items: Sequence[Received]) -> list[int]:
    """Where commands are among items.

    >>> commands([Received(None, 0, b'{"id":1}'), Received(None, 0, b'{"command":"close"}')])
    [1]
    """
    return [n for n, item in enumerate(items) if item.usual is None and item.body.startswith(_MARK)]
