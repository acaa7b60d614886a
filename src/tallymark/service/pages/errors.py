"""Problems as pages, for those who look at pages."""

from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tallymark.service.pages.frame import templates
from tallymark.service.problems import Problem, problem_response

_API: Final = "/v1/"


def answer(request: Request, problem: Problem) -> Response:
    """The problem as a page where a browser asked for one, and as JSON otherwise and for everything of the API."""
    if request.url.path.startswith(_API):
        return problem_response(problem)
    if "text/html" not in request.headers.get("accept", ""):
        return _by_accept(problem_response(problem))
    text = templates().get_template("problem.html").render(
        pools=[], pool=None, tabs=(), tab=None, as_of=None, twin=None, problem=problem
    )  # fmt: skip
    headers = None if problem.headers is None else dict(problem.headers)
    return _by_accept(HTMLResponse(text, problem.status, headers=headers))


def _by_accept(response: Response) -> Response:
    response.headers.add_vary_header("Accept")
    return response
