"""The methodologies that a pool was given, and giving it another one."""

from datetime import datetime
from typing import Annotated, Final

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.errors import UnknownError
from tallymark.ledger.rules import rules_in
from tallymark.service.answers import Json, as_of
from tallymark.service.api.bodies import METHODOLOGY_SCHEMA, described, object_of
from tallymark.service.api.matches import fate_of
from tallymark.service.api.methodologies import Rules, rules_of, rules_told
from tallymark.service.api.models import Fate, Position
from tallymark.service.api.parameters import SPELLING, Body, PoolName, Wait, id_in
from tallymark.service.keys.access import Admin
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here

router = APIRouter(tags=["methodologies"])
_GIVES: Final = described(
    {**METHODOLOGY_SCHEMA, "title": "RulesRequest"},
    shipped={"methodology": "lichess"},
    own={"methodology": "elo", "settings": {"k": 24}},
)


class Given(TypedDict):
    """A methodology that a pool was given, by the entry at `position`."""

    position: Position
    at: datetime
    methodology: Annotated[str, Field(examples=["lichess-1"])]
    methodology_hash: Annotated[str, Field(description="Of its content, in hexadecimal.")]


class History(TypedDict):
    """The methodologies of a pool, the first one first."""

    pool: str
    position: Position
    in_force: Annotated[str, Field(description="Hash of the one that the next match is rated by.")]
    methodologies: list[Given]


@router.get(
    "/pools/{pool}/methodologies",
    operation_id="listRules",
    summary="The methodologies of a pool over time",
    response_model=History,
    responses=problems("unknown-pool"),
)
def list_rules(pool: PoolName, service: Here, request: Request) -> Response:
    """Each from the entry that brought it on; where matches are rated by the calendar, from the next period on."""
    position = service.ledger.head(pool).position
    found = History(
        pool=pool,
        position=position,
        in_force=service.ledger.rules(pool).hash,
        methodologies=[
            Given(position=one.position, at=one.at, methodology=one.methodology, methodology_hash=one.hash)
            for one in service.ledger.rules_history(pool)
        ],
    )
    return as_of(request, pool, position, found)


@router.get(
    "/pools/{pool}/methodologies/{position}",
    operation_id="getRules",
    summary="A methodology of a pool",
    response_model=Rules,
    responses=problems("unknown-pool", "unknown-entry"),
)
def get_rules(
    pool: PoolName,
    position: Annotated[int, Path(description="Position of the entry that brought it.", examples=[1])],
    service: Here,
) -> Response:
    """Every rule of the methodology that an entry brought."""
    if position not in (one.position for one in service.ledger.rules_history(pool)):
        raise UnknownError(f"entry {position} brings no methodology", kind="entry")
    return Json(rules_told(rules_in(service.ledger.entry(pool, position).body, position)))


@router.put(
    "/pools/{pool}/rules/{change}",
    operation_id="changeRules",
    summary="Give a pool another methodology",
    response_model=Fate,
    responses=problems("bad-input", "no-key", "bad-key", "no-scope", "unknown-pool", "unknown-methodology", "conflict"),
    openapi_extra=_GIVES,
)
def change_rules(
    pool: PoolName,
    change: Annotated[str, Path(description=f"The id of the change, chosen by whoever sends it. {SPELLING}")],
    body: Body,
    service: Here,
    key: Admin,
    wait: Wait = None,
) -> Response:
    """From the next match on, or, where matches are rated by the calendar, from the next period on. What was rated
    stays as it is. Under one id it is told once, however often it is sent; a pool that cannot take it refuses it, and
    `reason` says why."""
    rules = rules_of(object_of(body, "methodology", "settings"))
    id = id_in(change, "change")
    service.ledger.change_rules(pool, rules, id=id)
    service.forecasts.renew(pool)
    return Json(fate_of(service, pool, id, wait))
