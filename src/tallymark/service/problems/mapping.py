"""The one place where errors of the library and the framework become problems. What nobody foresaw: `web.requests`."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from tallymark.checked import shortened
from tallymark.errors import (
    ConflictError,
    InputError,
    LedgerError,
    MethodologyError,
    StaleError,
    TallymarkError,
    UnknownError,
    UnknownMethodologyError,
)
from tallymark.ledger.matches import Json
from tallymark.service.problems.problem import Problem

_LOG: Final = logging.getLogger("tallymark.service")
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_BY_STATUS: Final = {404: "not-found", 405: "method-not-allowed", 413: "too-large", 415: "wrong-media-type"}


def told(error: TallymarkError) -> Problem:
    """An error of the library as a problem.

    >>> told(InputError("score_a is 2; expected a number from 0 to 1", field="score_a")).more
    {'field': 'score_a'}
    """
    message, hint = error.message, error.hint
    if isinstance(error, ConflictError):
        return Problem("conflict", message, hint=hint, first=error.first, second=error.second)
    if isinstance(error, UnknownError):
        return Problem(f"unknown-{error.kind}", message, hint=hint)
    if isinstance(error, StaleError):
        return Problem("stale", message, hint=hint)
    if isinstance(error, UnknownMethodologyError):
        return Problem("unknown-methodology", message, hint=hint)
    if isinstance(error, InputError | MethodologyError):
        return _input(error, error.field)
    if isinstance(error, LedgerError):
        # What is wrong with the database is for whoever runs the service: it names files and servers.
        _LOG.error("%s", message, exc_info=error)
        return Problem("unavailable", "the ledger cannot be read or written just now", headers={"Retry-After": "5"})
    _LOG.error("%s", message, exc_info=error)
    return Problem("internal", "the service could not do this")


def _input(error: TallymarkError, field: str | None) -> Problem:
    if field is None:
        return Problem("bad-input", error.message, hint=error.hint)
    return Problem("bad-input", error.message, hint=error.hint, field=field)


def install(app: FastAPI, answer: Callable[[Request, Problem], Awaitable[Response]]) -> None:
    """Makes an application answer in problems, and in nothing else. `answer`: how a problem is written."""

    async def handle_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        problem = _http(error)
        if error.status_code == 405:
            problem.headers = {"Allow": ", ".join(_taken(request))}
        return await answer(request, problem)

    def handled(kind: type[Exception], tell: Callable[[Any], Problem]) -> None:
        async def handle(request: Request, error: Exception) -> Response:
            return await answer(request, tell(error))

        app.add_exception_handler(kind, handle)

    handled(Problem, lambda problem: problem)
    handled(TallymarkError, told)
    handled(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, handle_http)


def _taken(request: Request) -> list[str]:
    """The methods that a path takes, whichever of the routes has them. Where there is GET there is HEAD."""
    asked = {name: request.scope[name] for name in ("type", "path", "root_path", "headers") if name in request.scope}
    return [
        method
        for method in _METHODS
        if any(
            route.matches({**asked, "method": "GET" if method == "HEAD" else method})[0] is Match.FULL
            for route in request.app.routes
        )
    ]


def _invalid(error: RequestValidationError) -> Problem:
    wrong: list[Json] = [_parameter(one) for one in error.errors()]
    first = wrong[0]
    assert isinstance(first, dict)
    given = "not given" if error.errors()[0]["type"] == "missing" else shortened(error.errors()[0]["input"])
    expected = str(first["expected"])
    return Problem(
        "invalid-parameter", f"{first['parameter']} is {given}; {expected[0].lower()}{expected[1:]}", errors=wrong
    )


def _parameter(one: dict[str, Any]) -> dict[str, Json]:
    """Where it is, by its own name: behind that stands which of the types that it may have was tried."""
    where: Sequence[object] = one["loc"]
    return {"in": str(where[0]), "parameter": str(where[1]) if len(where) > 1 else "body", "expected": str(one["msg"])}


def _http(error: HTTPException) -> Problem:
    name = _BY_STATUS.get(error.status_code, "bad-input" if error.status_code < 500 else "internal")
    return Problem(name, _DETAILS.get(name, "the request is not as it should be"), headers=error.headers)


_DETAILS: Final = {
    "not-found": "nothing is at this path",
    "method-not-allowed": "this path does not take this method",
}
