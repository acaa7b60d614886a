"""Matches: sent under an id of the client's own, as often as it likes, and rated once."""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import ConflictError, LedgerError
from tallymark.games.ids import Id
from tallymark.ledger.inbox import Receipt
from tallymark.service.answers import Json, instant
from tallymark.service.api.documents import PUT_MATCH
from tallymark.service.api.models import Fate, Received
from tallymark.service.api.parameters import MatchId, PoolName, id_in, plain, seconds
from tallymark.service.keys.access import NEEDS_APPEND
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here, Service, service_of

router = APIRouter(tags=["matches"])


class Sent(NamedTuple):
    """A match as it was sent: where to, under which id, and how long to wait until it is rated."""

    service: Service
    pool: str
    match: Id
    body: bytes
    wait: float | None


async def _sent(request: Request) -> Sent:
    """All that a PUT needs, taken in one step: each dependency costs the framework as much as the rest of a request."""
    await NEEDS_APPEND(request)
    pool, match = plain(request.path_params["pool"]), id_in(request.path_params["match"], "match")
    text = request.query_params.get("wait")
    wait = None if text is None else seconds("wait", text)
    return Sent(await service_of(request), pool, match, await request.body(), wait)


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
    openapi_extra=PUT_MATCH,
)
def put_match(sent: Annotated[Sent, Depends(_sent)]) -> Response:
    """Appends a match, which is on the disk when this answers. Send it again, with the same content, until you have an
    answer: it counts once. 201 the first time, 200 and `replayed` after that; the same id with another content is a
    409 that shows both.
    """
    service = sent.service
    try:
        receipt = service.ledger.append(sent.body, pool=sent.pool, id=sent.match)
    except ConflictError:
        service.metrics.conflict(sent.pool)
        raise
    service.metrics.received(sent.pool, [receipt])
    if not receipt.again:
        service.latency.acknowledged(receipt)
    return Json(_received(service, receipt, sent.wait), 200 if receipt.again else 201)


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
