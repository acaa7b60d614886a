"""Exhibitions: house agents play for spectators, and nothing is rated."""

from typing import Annotated, Any, Final

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.service.answers import Json
from tallymark.service.api.bodies import described, object_of, text_in
from tallymark.service.api.parameters import Body
from tallymark.service.arena.here import Arena, game_named
from tallymark.service.keys.access import Admin
from tallymark.service.problems import Problem
from tallymark.service.problems.documented import problems

router = APIRouter(tags=["arena"])
_SECONDS: Final = 10.0
_SAYS: Final[dict[str, Any]] = described(
    {
        "title": "ExhibitionRequest",
        "type": "object",
        "additionalProperties": False,
        "required": ["game", "agents"],
        "properties": {
            "game": {"type": "string"},
            "agents": {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 2,
                "description": "House agents of the game, each once; seats are drawn.",
            },
        },
    },
    two={"game": "hex", "agents": ["house-hex-greedy", "house-hex-search"]},
)


class Exhibition(TypedDict):
    """A match that has begun."""

    match: Annotated[str, Field(examples=["hex-17"])]
    game: str


@router.post(
    "/arena/exhibitions",
    operation_id="exhibit",
    summary="Let house agents play for spectators",
    status_code=201,
    response_model=Exhibition,
    responses=problems("bad-input", "no-key", "bad-key", "no-scope", "unknown-game", "unavailable"),
    openapi_extra=_SAYS,
)
def exhibit(body: Body, hall: Arena, key: Admin) -> Response:
    """They wait before each action as long as the ruleset says (`pace_ms`), so that people can follow. The match is
    kept as all others are, and never rated."""
    told = object_of(body, "game", "agents")
    game, agents = game_named(hall, text_in(told, "game")), told.get("agents")
    if not isinstance(agents, list) or not all(isinstance(one, str) for one in agents):
        raise InputError(f"agents is {shortened(agents)}; expected names of house agents", field="agents")
    try:
        match = hall.exhibit(game.name, [str(one) for one in agents]).result(_SECONDS)
    except TimeoutError:
        raise Problem("unavailable", "the arena did not begin it in time", headers={"Retry-After": "5"}) from None
    return Json(Exhibition(match=match, game=game.name), 201)
