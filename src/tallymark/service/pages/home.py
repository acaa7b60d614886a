"""The first page: all pools."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.service.arena.kinds import kinds_of
from tallymark.service.pages.frame import page
from tallymark.service.state import Here

router = APIRouter()


@router.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
def home(service: Here, request: Request) -> Response:
    """Every pool, how many are in it and how far it has come; benchmarks apart."""
    kinds = kinds_of(service)
    pools = service.ledger.pools()
    benchmarks = [one for one in pools if kinds.get(one.pool) == "benchmark"]
    others = [one for one in pools if one not in benchmarks]
    return page(request, service, "home.html", others=others, benchmarks=benchmarks, twin="/v1/pools")
