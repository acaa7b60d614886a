"""Matches: sent under an id of the client's own, as often as it likes, and rated once."""

import time
from contextlib import suppress
from typing import Final

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import ConflictError, LedgerError
from tallymark.ledger.entries import effect_of
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.matches import match_item
from tallymark.ledger.reading.items import Fate as Settled
from tallymark.service.answers import JSON, Json, instant
from tallymark.service.api.documents import PUT_MATCH
from tallymark.service.api.models import Fate, Received, hint_of
from tallymark.service.api.parameters import MatchId, PoolName, id_in, plain, seconds
from tallymark.service.keys.access import NEEDS_APPEND
from tallymark.service.problems import Problem
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here, Service, service_of

router = APIRouter(tags=["matches"])

_TAKEN_IN: Final = ("accepted", "corrected")
"""What a recomputation may have to take in."""


@router.put(
    "/pools/{pool}/matches/{match}",
    operation_id="putMatch",
    summary="Send a match",
    status_code=201,
    response_model=Received,
    responses={
        200: {"model": Received, "description": "It was here before, with the same content: this is its receipt."},
        **problems("bad-input", "no-key", "bad-key", "no-scope", "unknown-pool", "conflict", "wrong-media-type"),
    },
    openapi_extra=PUT_MATCH,
)
async def put_match(request: Request) -> Response:
    """Appends a match, which is on the disk when this answers. Send it again, with the same content, until you have an
    answer: it counts once. 201 the first time, 200 and `replayed` after that; the same id with another content is a
    409 that shows both. `hint` says at once of a new one where the rules will not rate it for what it is.
    """
    # On the event loop, and all taken from the request here: a thread, and each dependency, costs as much as the rest.
    await NEEDS_APPEND(request)
    _in_json(request)
    service = await service_of(request)
    pool, match = plain(request.path_params["pool"]), id_in(request.path_params["match"], "match")
    text = request.query_params.get("wait") if request.scope["query_string"] else None
    wait = None if text is None else seconds("wait", text)
    item = match_item(await request.body(), match)
    try:
        receipt = await service.desk.append(item, pool)
    except ConflictError:
        service.metrics.conflict(pool)
        raise
    service.metrics.received(pool, [receipt])
    reason = None
    if not receipt.again:  # what was here before may be rated by now, under rules that were in force then
        service.latency.acknowledged(receipt)
        forecast = service.forecasts.known(pool)
        if forecast is None:
            forecast = await run_in_threadpool(service.forecasts.of, pool)
        reason = forecast.why_not(item.body, service.clock())
    found = _received(receipt, reason)
    if wait is not None:
        await run_in_threadpool(_waited, service, receipt, wait, found)
    return Json(found, 200 if receipt.again else 201)


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


def _in_json(request: Request) -> None:
    """Nothing, or 415: a body in another form, or packed. One that does not say what it is in is taken."""
    for name, value in request.scope["headers"]:
        if name == b"content-type" and value != b"application/json":
            kind = value.decode("latin-1").partition(";")[0].strip().lower()
            if kind != JSON:
                raise Problem("wrong-media-type", f"the body is {kind or 'of no type'}; expected {JSON}", expected=JSON)
        elif name == b"content-encoding" and value.strip().lower() not in (b"", b"identity"):
            packed = value.decode("latin-1")
            raise Problem("wrong-media-type", f"the body is packed ({packed}); expected {JSON} as it is", expected=JSON)


def _received(receipt: Receipt, reason: str | None) -> Received:
    return Received(
        pool=receipt.pool,
        id=receipt.id,
        receipt=receipt.number,
        replayed=receipt.again,
        state="received",
        position=None,
        reason=None,
        hint=hint_of(reason),
    )


def _waited(service: Service, receipt: Receipt, wait: float, found: Received) -> None:
    """Says what became of it, or that it waits when time is up."""
    fate = settled(service, receipt, wait)
    if fate.position is None:
        found["state"] = "waiting"
        return
    found["state"], found["position"], found["reason"] = fate.state, fate.position, fate.reason
    found["hint"] = hint_of(fate.reason)


def settled(service: Service, receipt: Receipt, wait: float) -> Settled:
    """What became of an item, when something has or time is up. A late match or a correction is waited for until a
    recomputation has taken it in, where that comes by itself: in pools without a calendar; in others it comes when the
    period closes."""
    pool, until = receipt.pool, time.monotonic() + min(wait, service.settings.wait_seconds)
    with suppress(LedgerError):  # it waits, then
        service.ledger.settled(receipt, until - time.monotonic())
    while True:
        head = service.ledger.head(pool).position
        fate = service.ledger.receipt(pool, receipt.id)
        left = until - time.monotonic()
        if fate.state not in _TAKEN_IN or fate.entry is None or fate.position != fate.entry or left <= 0:
            return fate
        if fate.state == "corrected" and effect_of(service.ledger.entry(pool, fate.entry).body) != "recompute":
            return fate
        again = service.ledger.recomputations(pool)
        if service.ledger.rules(pool).period.kind == "calendar" or (again and again[-1].position > fate.entry):
            return fate
        service.ledger.wait_for(pool, head, left)


def fate_of(service: Service, pool: str, id: str | int, wait: float | None = None) -> Fate:
    """What became of an item, as it is answered; `wait`: so many seconds at most, until something has."""
    fate = service.ledger.receipt(pool, id)
    if wait:
        fate = settled(service, Receipt(pool, fate.number, id), wait)
    return Fate(
        pool=fate.pool,
        id=fate.id,
        receipt=fate.number,
        received=instant(fate.received),
        state=fate.state,
        position=fate.position,
        entry=fate.entry,
        reason=fate.reason,
    )
