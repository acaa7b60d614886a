"""What would be: a pool without some of its matches. Nothing is changed."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.ledger.ids import checked_id, key_of
from tallymark.ledger.people import Kind
from tallymark.service.answers import Json
from tallymark.service.api.bodies import ID_SCHEMA, described, object_of
from tallymark.service.api.models import Id, KindOf, Position
from tallymark.service.api.parameters import Body, PoolName
from tallymark.service.keys.access import Reviewer
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here

router = APIRouter(tags=["cases"])
_MOST: Final = 1000
_ASKS: Final = described(
    {
        "title": "CounterfactualRequest",
        "type": "object",
        "additionalProperties": False,
        "required": ["matches"],
        "properties": {"matches": {"type": "array", "items": ID_SCHEMA, "minItems": 1, "maxItems": _MOST}},
    },
    two={"matches": ["m1", "m2"]},
)


class Place(TypedDict):
    """Where a player stands."""

    rating: float
    deviation: float
    games: int
    rank: int


class Move(TypedDict):
    """Where a player stands, and would stand; null where there is no rating."""

    player: Id
    kind: KindOf
    now: Place | None
    then: Place | None
    change: float | None


class Counterfactual(TypedDict):
    """Who would stand elsewhere than where they stand, those who move most first."""

    pool: str
    position: Position
    players: Annotated[int, Field(description="Who has a rating.")]
    moved: Annotated[int, Field(description="So many of them would stand elsewhere; `moves` has the first.")]
    moves: list[Move]


@router.post(
    "/pools/{pool}/counterfactual",
    operation_id="imagineWithout",
    summary="A pool without some matches",
    response_model=Counterfactual,
    responses=problems("bad-input", "no-key", "bad-key", "no-scope", "unknown-pool", "unknown-match", "computing"),
    openapi_extra=_ASKS,
)
def imagine_without(
    pool: PoolName,
    body: Body,
    service: Here,
    key: Reviewer,
    limit: Annotated[int, Query(ge=1, le=1000, description="Players, at most.")] = 100,
) -> Response:
    """Where everybody would stand, had these matches never been sent: all of the pool is rated again without them, by
    the rules that it had, which takes as long as it sounds: of a large pool it is told later (503, `computing`), to
    whoever asks for the same again. Nothing is changed."""
    given = object_of(body, "matches").get("matches")
    if not isinstance(given, list) or not 1 <= len(given) <= _MOST:
        raise InputError(f"matches is {shortened(given)}; expected a list of 1 to {_MOST:,} ids", field="matches")
    matches = sorted({checked_id("matches", one) for one in given}, key=key_of)
    found = service.cases.background.result(("without", pool, *matches), lambda: service.ledger.without(pool, matches))
    some = found.moves.rows_between(0, limit)
    kinds = service.ledger.kinds(some["player"].tolist())
    return Json(
        Counterfactual(
            pool=pool,
            position=found.position,
            players=found.players,
            moved=len(found.moves),
            moves=[_move(row, kinds) for row in some.rows()],
        )
    )


def _move(row: dict[str, Any], kinds: Mapping[str | int, Kind]) -> Move:
    return Move(
        player=row["player"],
        kind=kinds.get(row["player"]),
        now=_place(row, ""),
        then=_place(row, "new_"),
        change=row["change"],
    )


def _place(row: dict[str, Any], which: str) -> Place | None:
    rating = row[f"{which}rating"]
    if rating is None:
        return None
    return Place(
        rating=rating,
        deviation=row[f"{which}deviation"],
        games=row[f"{which}games"],
        rank=row[f"{which}rank"],
    )
