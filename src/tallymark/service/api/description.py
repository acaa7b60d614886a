"""The description of the API (OpenAPI): what the framework makes of the endpoints, with our problems in it."""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from tallymark import __version__
from tallymark.service.problems.documented import SCHEMA, response

TITLE: Final = "tallymark"
_ABOUT: Final = (
    "Results in, boards out. Each match is sent under an id of the client's own, as often as it likes, and is rated "
    "once; every number can be recounted from an export. Problems are RFC 9457, and their `type` never changes. "
    "Reading is public; what changes something needs `Authorization: Bearer KEY`."
)
_EVERY: Final = {"429": ["too-many-requests"], "500": ["internal"], "503": ["unavailable"]}
_PARAMETERS: Final = {"422": ["invalid-parameter"]}
_BODIES: Final = {"408": ["too-slow"], "413": ["too-large"]}
_FRAMEWORK: Final = ("HTTPValidationError", "ValidationError")


def describe(app: FastAPI) -> dict[str, Any]:
    """The description, made once."""
    if app.openapi_schema is None:
        found = get_openapi(title=TITLE, version=__version__, description=_ABOUT, routes=app.routes)
        schemas = found.setdefault("components", {}).setdefault("schemas", {})
        for name in _FRAMEWORK:
            schemas.pop(name, None)
        schemas["Problem"] = SCHEMA
        for path in found["paths"].values():
            for operation in path.values():
                _complete(operation)
        app.openapi_schema = found
    return app.openapi_schema


def _complete(operation: dict[str, Any]) -> None:
    """Adds the problems that any operation of its kind may end with."""
    answers: dict[str, Any] = operation["responses"]
    answers.pop("422", None)
    common = dict(_EVERY)
    if "parameters" in operation:
        common |= _PARAMETERS
    if "requestBody" in operation:
        common |= _BODIES
    for status, names in common.items():
        if status not in answers:
            answers[status] = response(names)
    operation["responses"] = dict(sorted(answers.items()))
