"""Where charts are fetched from."""

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.games.ids import Id
from tallymark.service.answers import has, tag
from tallymark.service.api.parameters import PlayerId, PoolName
from tallymark.service.pages.career import career_of
from tallymark.service.pages.charts import drawn
from tallymark.service.pages.charts.spec import Size, Theme, changes_of, spec
from tallymark.service.pages.player import peak, peak_point
from tallymark.service.pages.statics import answer
from tallymark.service.problems import Problem
from tallymark.service.state import Here, Service

router = APIRouter()
_SVG: Final = "image/svg+xml"


@router.api_route("/charts/{version}/vega.js", methods=["GET", "HEAD"], include_in_schema=False)
def get_bundle(version: str, request: Request) -> Response:
    """Vega, from the wheel that is installed."""
    if request.url.path != drawn.bundle_path():
        raise Problem("not-found", "this version of the charts is not installed")
    return answer(request, drawn.bundle())


@router.api_route("/pools/{pool}/players/{player}/chart.svg", methods=["GET", "HEAD"], include_in_schema=False)
def get_svg(
    pool: PoolName, player: PlayerId, service: Here, request: Request, theme: Theme = "light", size: Size = "wide"
) -> Response:
    """The rating through time, drawn."""
    return _chart(request, service, pool, player, theme, size, "svg")


@router.api_route("/pools/{pool}/players/{player}/chart.json", methods=["GET", "HEAD"], include_in_schema=False)
def get_vega(
    pool: PoolName, player: PlayerId, service: Here, request: Request, theme: Theme = "light", size: Size = "wide"
) -> Response:
    """The same for Vega, with its data."""
    return _chart(request, service, pool, player, theme, size, "json")


def _chart(request: Request, service: Service, pool: str, player: Id, theme: Theme, size: Size, form: str) -> Response:
    last = service.ledger.history(player, pool, 1)[0].position
    etag = tag(pool, last, theme, size, form)
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    if has(request, etag):
        return Response(status_code=304, headers=headers)
    rules = service.ledger.rules(pool)
    career = career_of(service, pool, player, last)
    best = peak_point(peak(rules, career), career)
    ruled = changes_of(career, service.ledger.rules_history(pool))
    text = drawn.text_of(spec(career, best, ruled, rules.published.interval, theme, size, form == "json"))
    if form == "svg":
        return Response(drawn.svg(text), headers=headers, media_type=_SVG)
    return Response(drawn.vega(text), headers=headers, media_type="application/json")
