"""Pools: players whose ratings are comparable, and how far each pool has come."""

from typing import Annotated, Final

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.arena.games.face import PoolKind
from tallymark.errors import InputError, UnknownError
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.reading.pools import PoolInfo
from tallymark.methodology import Methodology
from tallymark.service.answers import Json, as_of
from tallymark.service.api.bodies import METHODOLOGY_SCHEMA, described, object_of
from tallymark.service.api.methodologies import rules_of
from tallymark.service.api.models import Position
from tallymark.service.api.parameters import Body, PoolName
from tallymark.service.arena.kinds import kinds_of
from tallymark.service.keys.access import Admin
from tallymark.service.problems import Problem
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here, Service

router = APIRouter(tags=["pools"])
_OPENS: Final = described(
    {**METHODOLOGY_SCHEMA, "title": "PoolRequest"},
    ladder={"methodology": "lichess"},
    own={"methodology": "elo", "settings": {"k": 32}},
)


class Pool(TypedDict):
    """A pool and where it stands."""

    pool: str
    kind: Annotated[
        PoolKind | None,
        Field(
            description="Of pools that agents play in here: `arena`, where they meet each other, or `benchmark`, where "
            "all meet the same opponents. The two never mix. Null for all other pools.",
            examples=["arena"],
        ),
    ]
    methodology: Annotated[str, Field(examples=["lichess-1"])]
    methodology_hash: Annotated[str, Field(description="Of the rules in force, in hexadecimal.")]
    position: Position
    hash: Annotated[str, Field(description="Of the entry at `position`, in hexadecimal.")]
    players: Annotated[int, Field(description="Who has played.")]
    waiting: Annotated[int, Field(description="Received, and not yet rated.")]


class Pools(TypedDict):
    """All pools, in the order in which they were opened."""

    pools: list[Pool]


@router.get("/pools", operation_id="listPools", summary="All pools", response_model=Pools)
def list_pools(service: Here) -> Response:
    """Every pool, its methodology, and the head of its stream: whoever notes `position` and `hash` down can tell later
    that nothing before it was changed."""
    return Json(Pools(pools=[_pool(service, one) for one in service.ledger.pools()]))


@router.get(
    "/pools/{pool}",
    operation_id="getPool",
    summary="A pool",
    response_model=Pool,
    responses=problems("unknown-pool"),
)
def get_pool(pool: PoolName, service: Here, request: Request) -> Response:
    """The pool, the rules in force, and the head of its stream."""
    found = _info(service.ledger, pool)
    return as_of(request, pool, found.position, _pool(service, found))


@router.put(
    "/pools/{pool}",
    operation_id="openPool",
    summary="Open a pool",
    status_code=201,
    response_model=Pool,
    responses={
        200: {"model": Pool, "description": "It is there already, under these rules."},
        **problems("bad-input", "no-key", "bad-key", "no-scope", "unknown-methodology", "conflict"),
    },
    openapi_extra=_OPENS,
)
def open_pool(pool: PoolName, body: Body, service: Here, key: Admin) -> Response:
    """A new pool under a methodology, whose whole text is its first entry. One that is there under the same rules stays
    as it is; under others it is a conflict."""
    rules = rules_of(object_of(body, "methodology", "settings"))
    if _there(service.ledger, pool, rules):
        return Json(_pool(service, _info(service.ledger, pool)))
    try:
        service.ledger.open_pool(pool, rules)
    except InputError:
        if not _there(service.ledger, pool, rules):  # unless somebody else opened it just now
            raise
    return Json(_pool(service, _info(service.ledger, pool)), 201)


def _there(ledger: Ledger, pool: str, rules: Methodology) -> bool:
    """Whether the pool is there under these rules; a problem where it is under others."""
    try:
        first = ledger.rules(pool)
    except UnknownError:
        return False
    if first.hash != rules.hash:
        raise Problem(
            "conflict", f"there is a pool {pool!r} already, under {first.id}", first=first.id, second=rules.id
        )
    return True


def _info(ledger: Ledger, pool: str) -> PoolInfo:
    ledger.rules(pool)  # which says that there is none
    return next(one for one in ledger.pools() if one.pool == pool)


def _pool(service: Service, one: PoolInfo) -> Pool:
    return Pool(
        pool=one.pool,
        kind=kinds_of(service).get(one.pool),
        methodology=one.methodology,
        methodology_hash=service.ledger.rules(one.pool).hash,
        position=one.position,
        hash=one.hash,
        players=one.players,
        waiting=one.waiting,
    )
