"""Parameters that many operations have: a pool, an id in a path, the body as it came."""

import math
from collections.abc import Mapping
from typing import Annotated, Final, TypeAlias

from fastapi import Depends, Path, Query
from starlette.requests import Request

from tallymark.checked import shortened
from tallymark.games.ids import Id
from tallymark.ledger.ids import checked_id, id_of
from tallymark.ledger.matches import Json
from tallymark.service.problems import Problem

SLASH: Final = "\udc2f"
"""What stands in a path for a slash that is part of an id (%2F): no id can have it."""
SPELLING: Final = (
    "Whole numbers in digits; text as it is, percent-encoded; text that could be mistaken for a number, or begins with "
    'a quotation mark, as a JSON string: `17` is the number, `"17"` (`%2217%22`) the text.'
)


def plain(segment: str) -> str:
    """A segment of a path with its slashes."""
    return segment.replace(SLASH, "/")


def id_in(segment: str, name: str = "id") -> Id:
    """The id that a segment of a path spells.

    >>> id_in("17"), id_in('"17"'), id_in("ann")
    (17, '17', 'ann')
    """
    text = plain(segment)
    try:
        found = id_of(text)
    except ValueError:  # a quotation mark, and no JSON string behind it
        found = text
    return checked_id(name, found)


def id_value(told: Mapping[str, Json], field: str) -> Id:
    """The id in a field of a body; `InputError` where there is none."""
    return checked_id(field, told.get(field))


def decimal(text: str) -> float:
    """A number in digits 0 to 9; not a number where it is none.

    >>> decimal("2.5"), decimal("1_0"), decimal("\u0662")
    (2.5, nan, nan)
    """
    if not text.isascii() or "_" in text:  # which Python takes
        return math.nan
    try:
        return float(text)
    except ValueError:
        return math.nan


def seconds(name: str, text: str) -> float:
    """A time to wait, out of a query.

    >>> seconds("wait", "2.5")
    2.5
    """
    found = decimal(text)
    if not (0 <= found < math.inf):
        wrong: list[Json] = [{"in": "query", "parameter": name, "expected": "seconds, 0 or more"}]
        raise Problem("invalid-parameter", f"{name} is {shortened(text)}; expected seconds, 0 or more", errors=wrong)
    return found


async def _pool(pool: Annotated[str, Path(description="The name of a pool.", examples=["chess"])]) -> str:
    return plain(pool)


async def _match(match: Annotated[str, Path(description=f"The id of a match. {SPELLING}", examples=["m1"])]) -> Id:
    return id_in(match, "match")


async def _player(
    player: Annotated[str, Path(description=f"The id of a player. {SPELLING}", examples=["ann"])],
) -> Id:
    return id_in(player, "player")


async def _body(request: Request) -> bytes:
    return await request.body()


async def _wait(
    wait: Annotated[
        float | None,
        Query(
            ge=0,
            allow_inf_nan=False,
            description="Answer when an entry says what became of it, or after so many seconds.",
            examples=[2.0],
        ),
    ] = None,
) -> float | None:
    return wait


PoolName: TypeAlias = Annotated[str, Depends(_pool)]
MatchId: TypeAlias = Annotated[Id, Depends(_match)]
PlayerId: TypeAlias = Annotated[Id, Depends(_player)]
Wait: TypeAlias = Annotated[float | None, Depends(_wait)]
Body: TypeAlias = Annotated[bytes, Depends(_body)]
"""The bytes of a body, read before the endpoint's thread is taken."""
