"""What endpoints of the arena ask for: the hall, a game or a match by name, a place in a list."""

import re
from typing import Annotated, Final, TypeAlias

from fastapi import Depends, Path, Query
from starlette.requests import Request

from tallymark.arena.games.face import Game
from tallymark.arena.hall.hall import Hall
from tallymark.arena.store import matches
from tallymark.arena.store.matches import Match, Place
from tallymark.checked import shortened
from tallymark.errors import InputError, UnknownError
from tallymark.service.api.parameters import plain
from tallymark.service.problems import Problem
from tallymark.service.state import Service, service_of

NAME: Final = re.compile("[a-z0-9-]{1,100}")
"""What ids of matches, names of games and names of agents are made of: nothing else is looked for."""
_PLACE: Final = re.compile(r"([0-9]{1,18})\.([a-z0-9-]{1,100})")


async def _hall(request: Request) -> Hall:
    hall = (await service_of(request)).arena
    assert hall is not None  # the routes are there where it is
    return hall


async def _match(
    match: Annotated[str, Path(description="The id of a match: its game and a number.", examples=["connect-four-17"])],
) -> str:
    return plain(match)


async def _agent(
    agent: Annotated[str, Path(description="The name of an agent.", examples=["house-hex-greedy"])],
) -> str:
    return plain(agent)


async def _after(
    after: Annotated[
        str | None,
        Query(
            description="The `next` of the page before, of the same list.",
            examples=["1780000000000000.connect-four-17"],
        ),
    ] = None,
) -> Place | None:
    return None if not after else place_in(after)


Arena: TypeAlias = Annotated[Hall, Depends(_hall)]
MatchName: TypeAlias = Annotated[str, Depends(_match)]
AgentName: TypeAlias = Annotated[str, Depends(_agent)]
After: TypeAlias = Annotated[Place | None, Depends(_after)]


def place_in(text: str) -> Place:
    """A place in a list of matches, as `next` spells it.

    >>> place_in("1780000000000000.hex-1")
    Place(started=1780000000000000, match='hex-1')
    """
    found = _PLACE.fullmatch(text)
    if found is None:
        raise InputError(f"after is {shortened(text)}; expected the next of a page of matches", field="after")
    return Place(int(found[1]), found[2])


def told_place(match: Match) -> str:
    """The place of a match in lists of them: what undoes `place_in`."""
    return f"{match.started}.{match.id}"


def game_named(hall: Hall, name: str) -> Game:
    """A game that is played here; the problem that there is where it is not."""
    game = hall.games.get(name)
    if game is None:
        there = ", ".join(hall.games)
        raise Problem("unknown-game", f"there is no game {shortened(name)}; there are {there}")
    return game


def match_named(service: Service, name: str) -> Match:
    """A match; `UnknownError` where there is none of that id."""
    found = None
    if NAME.fullmatch(name):
        with service.ledger.store.reading() as connection:
            found = matches.find(connection, name)
    if found is None:
        raise UnknownError(f"the arena has no match {shortened(name)}", kind="match")
    return found
