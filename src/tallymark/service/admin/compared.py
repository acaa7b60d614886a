"""What a file has that its pool would not take as it is, told before anything is appended."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import orjson

from tallymark.errors import InputError
from tallymark.games import GameLog
from tallymark.games.ids import Id
from tallymark.ledger.appending import pools_of
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.matches import Item, match_item
from tallymark.ledger.offering import offers
from tallymark.service.admin.adjusting import RESULTS
from tallymark.service.state import Service

_LABELS: Final = {
    "player_a": "first player",
    "player_b": "second player",
    "score_a": "result",
    "played_at": "played at",
    "band_a": "band of the first player",
    "band_b": "band of the second player",
    "data": "data of the sender",
}
_NONE: Final = "not said"


class Said(NamedTuple):
    """A field of a match, in words: as the pool has it, and as the file has it."""

    field: str
    was: str
    now: str


class Unfit(NamedTuple):
    """A match that cannot be appended: its line or row, its id, and why, where it is no other content."""

    line: str
    id: Id | None
    why: str
    differs: tuple[Said, ...] = ()


class Compared(NamedTuple):
    """A file beside its pool: how many of its matches are new and how many were there, those that are unfit, and the
    new players who look like players of the pool."""

    new: int
    there: int
    unfit: tuple[Unfit, ...]
    alike: tuple[tuple[str, str], ...]


def compared(service: Service, pool: str, log: GameLog) -> Compared:
    """What would become of a log. `InputError` where it is not of one pool that there is."""
    ledger = service.ledger
    pools_of(log, pool, [one.pool for one in ledger.backlogs()])
    unfit: list[Unfit] = []
    items: list[Item] = []
    rows: list[int] = []
    for offer in offers(log):
        fault = offer.fault
        try:
            if offer.match is not None:
                items.append(match_item(offer.match))
                rows.append(offer.row)
                continue
        except InputError as error:
            fault = error.message
        unfit.append(Unfit(_line(log, offer.row), None if offer.match is None else _id(offer.match["id"]), fault))
    stands = ledger.standing(items, pool=pool)
    for row, found in zip(rows, stands, strict=True):
        if isinstance(found, Conflict):
            unfit.append(Unfit(_line(log, row), found.id, "", tuple(differences(found.first, found.second))))
    again = [found.again for found in stands if isinstance(found, Receipt)]
    alike = ledger.alike(log.players, pool=pool)
    return Compared(again.count(False), again.count(True), tuple(unfit), tuple(alike))


def differences(first: str, second: str) -> Iterator[Said]:
    """The fields in which the JSON of two matches differs, in words.

    >>> [*differences('{"player_a":"ann","score_a":1}', '{"player_a":"ann","score_a":0.5,"board":9}')]
    [Said(field='result', was='ann won', now='drawn'), Said(field='board', was='not said', now='9')]
    """
    was, now = orjson.loads(first), orjson.loads(second)
    for name in dict.fromkeys((*was, *now)):
        one, two = _word(name, was), _word(name, now)
        if one != two:
            yield Said(_LABELS.get(name, name), one, two)


def _word(name: str, match: dict[str, Any]) -> str:
    if name not in match:
        return _NONE
    value = match[name]
    if name == "score_a":
        won = {1: "player_a", 0: "player_b"}.get(value, "")
        return f"{match[won]} won" if won in match else RESULTS.get("" if value is None else f"{value:g}", str(value))
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _line(log: GameLog, row: int) -> str:
    return log.origin.place(row).removeprefix("line ")


def _id(value: object) -> Id | None:
    return value if isinstance(value, str | int) else None
