"""Bodies that the service checks itself: JSON objects of known fields."""

from collections.abc import Mapping
from typing import Any, Final

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.ledger.matches import Json, read_object

ID_SCHEMA: Final[dict[str, Any]] = {
    "oneOf": [{"type": "string", "minLength": 1, "maxLength": 200}, {"type": "integer", "format": "int64"}]
}

METHODOLOGY_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["methodology"],
    "properties": {
        "methodology": {
            "type": "string",
            "minLength": 1,
            "maxLength": 100,
            "description": "The name or id of one that the service has.",
        },
        "settings": {
            "type": "object",
            "description": "Rules that are to be other ones, by their fields: the pool has a methodology of its "
            "own then.",
            "additionalProperties": {"type": ["number", "string", "boolean"]},
        },
    },
}


def object_of(body: bytes, *fields: str) -> Mapping[str, Json]:
    """The object of a body, which has no other fields; `InputError` names what is wrong. No body is an empty one.

    >>> object_of(b'{"choice":"left"}', "choice")
    {'choice': 'left'}
    """
    told = read_object(body, "body") if body.strip() else {}
    for key in told:
        if key not in fields:
            raise InputError(f"the body has {shortened(key)}; expected {', '.join(fields)}", field=str(key))
    return told


def text_in(told: Mapping[str, Json], field: str) -> str:
    """A field that has to be text."""
    value = told.get(field)
    if not isinstance(value, str):
        raise InputError(f"{field} is {shortened(value)}; expected text", field=field)
    return value


def described(schema: Mapping[str, Any], **examples: Json) -> dict[str, Any]:
    """What the description says of a body: its schema and examples by name."""
    content = {"schema": schema, "examples": {name: {"value": value} for name, value in examples.items()}}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}
