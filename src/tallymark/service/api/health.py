"""Whether the service lives, and whether it can do its work: for whatever starts and restarts it."""

from fastapi import APIRouter
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.service.answers import Json
from tallymark.service.metrics import CONTENT
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here

router = APIRouter(tags=["health"])


class Health(TypedDict):
    """All is well."""

    status: str


@router.get("/healthz", operation_id="health", summary="It lives", response_model=Health)
async def health() -> Json:
    """200 as long as the process answers at all."""
    return Json(Health(status="ok"))


@router.get(
    "/readyz", operation_id="ready", summary="It works", response_model=Health, responses=problems("unavailable")
)
def ready(service: Here) -> Json:
    """200 when the ledger can be read; 503 otherwise."""
    service.ledger.backlogs()
    return Json(Health(status="ok"))


@router.get(
    "/metrics",
    operation_id="metrics",
    summary="Metrics",
    response_class=Response,
    responses={200: {"description": "In the text form of Prometheus.", "content": {"text/plain": {}}}},
)
def metrics(service: Here) -> Response:
    """Requests by operation and status, matches received by what they were, time until they are rated, backlog, entries
    by kind, matches not rated by reason, and the head of each pool."""
    return Response(service.metrics.text(), media_type=CONTENT)
