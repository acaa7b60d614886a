"""Problems as pages, for those who look at pages."""

from contextlib import suppress
from typing import Final, NamedTuple, cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tallymark.errors import LedgerError
from tallymark.service.api.parameters import plain
from tallymark.service.pages.frame import Tab, tabs_of, templates
from tallymark.service.problems import Problem, problem_response
from tallymark.service.state import Service

_API: Final = "/v1/"
_ASKS_NOTHING: Final = 429
"""From here on nothing is looked up: there was too much of that, or it is what went wrong."""


class Around(NamedTuple):
    """Where one can go from a page: the pools, that of the page, where there is such a pool, with its pages, and the
    arena."""

    pools: list[str]
    pool: str | None
    tabs: tuple[Tab, ...]
    arena: bool


async def answer(request: Request, problem: Problem) -> Response:
    """The problem as a page where a browser asked for one, and as JSON otherwise and for everything of the API."""
    if request.url.path.startswith(_API):
        return problem_response(problem)
    if "text/html" not in request.headers.get("accept", ""):
        return _by_accept(problem_response(problem))
    around = Around([], None, (), False)
    if problem.status < _ASKS_NOTHING:
        with suppress(LedgerError):
            around = await run_in_threadpool(_around, cast(Service, request.app.state.service), request.scope["path"])
    site = cast(Service, request.app.state.service).settings.site
    text = templates().get_template("problem.html").render(
        around._asdict() | {"site": site, "tab": None, "as_of": None, "twin": None, "problem": problem}
    )  # fmt: skip
    headers = None if problem.headers is None else dict(problem.headers)
    return _by_accept(HTMLResponse(text, problem.status, headers=headers))


def _around(service: Service, path: str) -> Around:
    pools = [one.pool for one in service.ledger.backlogs()]
    place, _, rest = path.removeprefix("/").partition("/")
    pool = plain(rest.partition("/")[0])
    if place != "pools" or pool not in pools:
        return Around(pools, None, (), service.arena is not None)
    return Around(pools, pool, tabs_of(service, pool), service.arena is not None)


def _by_accept(response: Response) -> Response:
    response.headers.add_vary_header("Accept")
    return response
