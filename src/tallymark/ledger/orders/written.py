"""Commands as bytes. Each begins with its name, and has the id that whoever gives it chose."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import orjson

from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.fold.rows import Row, state_bytes
from tallymark.ledger.ids import checked_id
from tallymark.ledger.matches import Item, Json, checked_match
from tallymark.methodology import Methodology

LARGEST = 4 * 1024 * 1024
"""Bytes of a command."""


def command(name: str, id_: Id, **told: object) -> Item:
    """A command as an item.

    >>> command("close", "week 1", until=7).body
    b'{"command":"close","id":"week 1","until":7}'
    """
    body = orjson.dumps({"command": name, "id": checked_id("id", id_), **told})
    if len(body) > LARGEST:
        raise InputError(f"{name} {id_!r} has {len(body):,} bytes; expected at most {LARGEST:,}", hint="divide it")
    return Item(id_, body, hashlib.sha256(body).digest())


def close(id_: Id, until: int) -> Item:
    """Closes every period that is over at an instant."""
    return command("close", id_, until=until)


def rules(id_: Id, new: Methodology) -> Item:
    """Another methodology, from here on."""
    return command("rules", id_, methodology=new.id, hash=new.hash, text=new.to_toml())


def annul(id_: Id, matches: Iterable[Id], oldest: int, why: Mapping[str, object], restore: bool = False) -> Item:
    """Matches that do not count (any more, or: again). `oldest`: when the first of them was played."""
    return command("correct", id_, what="restore" if restore else "annul", matches=list(matches), oldest=oldest, **why)


def change(id_: Id, match: Mapping[str, Json], oldest: int, why: Mapping[str, object]) -> Item:
    """Another content of a match that there is."""
    content = checked_match(match)
    return command("correct", id_, what="change", match=content, oldest=oldest, **why)


def merge(id_: Id, player: Id, into: Id, why: Mapping[str, object]) -> Item:
    """Two names of one player."""
    return command("correct", id_, what="merge", player=player, into=into, **why)


def part(id_: Id, player: Id, why: Mapping[str, object]) -> Item:
    """A merge taken back."""
    return command("correct", id_, what="part", player=player, **why)


def adjust(id_: Id, states: Mapping[Id, Row], new: Methodology, why: Mapping[str, object]) -> Item:
    """States that players have from here on, whatever their matches made of them."""
    return command("adjust", id_, players=[[who, state_bytes(row, new).hex()] for who, row in states.items()], **why)


def take_in(id_: Id, at: int, players: Sequence[tuple[Id, Row]], new: Methodology, origin: int | None = None) -> Item:
    """States from elsewhere, as they hold at an instant; `origin`: where their periods are counted from."""
    told = [
        [
            *(who, state_bytes(row, new).hex(), row.last, row.games, row.wins, row.draws, row.losses),
            *(row.last_played, row.established, row.has_peak, row.peak.hex()),
        ]
        for who, row in players
    ]
    begin = {} if origin is None else {"origin": origin}
    return command("import", id_, at=at, **begin, players=told)
