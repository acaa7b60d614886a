"""What the description of the API says about problems: which an operation may end with, in one form for all."""

from collections.abc import Iterable
from typing import Any, Final

from tallymark.service.problems.problem import PROBLEM_JSON
from tallymark.service.problems.types import TYPES, type_named

SCHEMA: Final[dict[str, Any]] = {
    "title": "Problem",
    "description": "What went wrong (RFC 9457). `type` is for programs; `detail` says what was given, what was "
    "expected and where.",
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "enum": [one.uri for one in TYPES]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "hint": {"type": "string", "description": "What to do about it."},
        "field": {"type": "string", "description": "The field that is wrong."},
        "errors": {
            "type": "array",
            "description": "The parameters that are wrong.",
            "items": {
                "type": "object",
                "required": ["in", "parameter", "expected"],
                "properties": {
                    "in": {"type": "string"},
                    "parameter": {"type": "string"},
                    "expected": {"type": "string"},
                },
            },
        },
        "first": {"type": "string", "description": "What the id stands for, as JSON text."},
        "second": {"type": "string", "description": "What was sent now, as JSON text."},
        "scope": {"type": "string", "description": "The scope that a key for this has to have."},
        "limit": {"type": "integer", "description": "Bytes of a body, at most."},
        "expected": {"type": "string", "description": "The media type that is taken."},
        "request": {"type": "string", "description": "What the service's log calls this request."},
    },
}


def problems(*names: str) -> dict[int | str, dict[str, Any]]:
    """Problems of these types, as an operation's `responses`.

    >>> sorted(problems("unknown-pool", "conflict"))
    [404, 409]
    """
    by_status: dict[int | str, list[str]] = {}
    for name in names:
        by_status.setdefault(type_named(name).status, []).append(name)
    return {status: response(some) for status, some in by_status.items()}


def response(names: Iterable[str]) -> dict[str, Any]:
    """One status, whichever of its types it is."""
    kinds = [type_named(name) for name in names]
    return {
        "description": "; ".join(f"`{kind.name}`: {kind.title[0].lower()}{kind.title[1:]}" for kind in kinds),
        "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
