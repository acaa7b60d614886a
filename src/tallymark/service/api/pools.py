"""Pools: players whose ratings are comparable, and how far each pool has come."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.service.answers import Json
from tallymark.service.api.models import Position
from tallymark.service.state import Here

router = APIRouter(tags=["pools"])


class Pool(TypedDict):
    """A pool and where it stands."""

    pool: str
    methodology: Annotated[str, Field(examples=["lichess-1"])]
    position: Position
    hash: Annotated[str, Field(description="Of the entry at `position`, in hexadecimal.")]
    players: Annotated[int, Field(description="Who has a rating.")]
    waiting: Annotated[int, Field(description="Received, and not yet rated.")]


class Pools(TypedDict):
    """All pools, in the order in which they were opened."""

    pools: list[Pool]


@router.get("/pools", operation_id="listPools", summary="All pools", response_model=Pools)
def list_pools(service: Here) -> Response:
    """Every pool, its methodology, and the head of its stream: whoever notes `position` and `hash` down can tell later
    that nothing before it was changed."""
    pools = [
        Pool(
            pool=one.pool,
            methodology=one.methodology,
            position=one.position,
            hash=one.hash,
            players=one.players,
            waiting=one.waiting,
        )
        for one in service.ledger.pools()
    ]
    return Json(Pools(pools=pools))
