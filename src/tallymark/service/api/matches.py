"""Matches: sent under an id of the client's own, as often as it likes, and rated once."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from starlette.responses import Response

from tallymark.errors import ConflictError, LedgerError
from tallymark.ledger.inbox import Receipt
from tallymark.service.answers import Json, instant
from tallymark.service.api.documents import MATCH
from tallymark.service.api.models import Fate, Received
from tallymark.service.api.parameters import Body, MatchId, PoolName
from tallymark.service.keys.access import Appender
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here, Service

router = APIRouter(tags=["matches"])
_BODY: Final[dict[str, Any]] = {"requestBody": {"required": True, "content": {"application/json": MATCH}}}


@router.put(
    "/pools/{pool}/matches/{match}",
    operation_id="putMatch",
    summary="Send a match",
    status_code=201,
    response_model=Received,
    responses={
        200: {"model": Received, "description": "It was here before, with the same content: this is its receipt."},
        **problems("bad-input", "no-key", "bad-key", "no-scope", "unknown-pool", "conflict"),
    },
    openapi_extra=_BODY,
)
def put_match(
    pool: PoolName,
    match: MatchId,
    body: Body,
    service: Here,
    key: Appender,
    wait: Annotated[
        float | None,
        Query(ge=0, description="Answer when the match is rated, or after so many seconds.", examples=[2.0]),
    ] = None,
) -> Response:
    """Appends a match, which is on the disk when this answers. Send it again, with the same content, until you have an
    answer: it counts once. 201 the first time, 200 and `replayed` after that; the same id with another content is a
    409 that shows both.
    """
    try:
        receipt = service.ledger.append(body, pool=pool, id=match)
    except ConflictError:
        service.metrics.conflict(pool)
        raise
    service.metrics.received(pool, [receipt])
    if not receipt.again:
        service.latency.acknowledged(receipt)
    return Json(_received(service, receipt, wait), 200 if receipt.again else 201)


@router.get(
    "/pools/{pool}/matches/{match}/receipt",
    operation_id="getReceipt",
    summary="What became of a match",
    response_model=Fate,
    responses=problems("bad-input", "unknown-pool", "unknown-match"),
)
def get_receipt(pool: PoolName, match: MatchId, service: Here) -> Response:
    """The receipt of a match, or of a correction by its id, and the entry about it when there is one."""
    return Json(fate_of(service, pool, match))


def _received(service: Service, receipt: Receipt, wait: float | None) -> Received:
    found = Received(
        pool=receipt.pool,
        id=receipt.id,
        receipt=receipt.number,
        replayed=receipt.again,
        state="received",
        position=None,
        reason=None,
    )
    if wait is None:
        return found
    try:
        service.ledger.settled(receipt, min(wait, service.settings.wait_seconds))
    except LedgerError:
        found["state"] = "waiting"
        return found
    fate = service.ledger.receipt(receipt.pool, receipt.id)
    found["state"], found["position"], found["reason"] = fate.state, fate.position, fate.reason
    return found


def fate_of(service: Service, pool: str, id: str | int) -> Fate:
    """What became of an item, as it is answered."""
    fate = service.ledger.receipt(pool, id)
    return Fate(
        pool=fate.pool,
        id=fate.id,
        receipt=fate.number,
        received=instant(fate.received),
        state=fate.state,
        position=fate.position,
        reason=fate.reason,
    )
