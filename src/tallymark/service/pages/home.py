"""The first page: all pools."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.service.pages.frame import page
from tallymark.service.state import Here

router = APIRouter()


@router.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
def home(service: Here, request: Request) -> Response:
    """Every pool, how many are in it and how far it has come."""
    return page(request, service, "home.html", all_pools=service.ledger.pools(), twin="/v1/pools")
