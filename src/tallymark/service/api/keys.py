"""Keys: made, listed and revoked by administrators."""

from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.ledger.telling import instant_of
from tallymark.service.answers import Json, instant
from tallymark.service.api.bodies import described, object_of, text_in
from tallymark.service.api.parameters import Body
from tallymark.service.keys.access import Admin
from tallymark.service.keys.keyring import Key as Known
from tallymark.service.keys.scopes import MEANINGS, SCOPES
from tallymark.service.problems import Problem
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here

router = APIRouter(tags=["keys"])
_SCOPE: Final[dict[str, Any]] = {
    "type": "string",
    "enum": list(SCOPES),
    "description": "; ".join(f"`{scope}`: {meaning}" for scope, meaning in MEANINGS.items()),
}
_MAKES: Final = described(
    {
        "title": "KeyRequest",
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "scopes"],
        "properties": {
            "name": {
                "type": "string",
                "minLength": 1,
                "maxLength": 100,
                "description": "Whose it is: it stands beside what is done with it.",
            },
            "scopes": {"type": "array", "items": _SCOPE, "minItems": 1},
            "expires": {"type": "string", "description": "It is good until then; without it, until it is revoked."},
        },
    },
    desk={"name": "results desk", "scopes": ["append"]},
    guest={"name": "guest referee", "scopes": ["review", "correct"], "expires": "2099-12-31T00:00:00Z"},
)


class Key(TypedDict):
    """A key, without its secret."""

    id: Annotated[str, Field(description="The part of it between the underscores.", examples=["1f2e3d4c5b6a"])]
    name: str
    scopes: list[str]
    made: datetime
    expires: datetime | None
    revoked: datetime | None
    lives: Annotated[bool, Field(description="It has neither run out nor been revoked.")]


class Made(Key):
    """A key that was made just now."""

    key: Annotated[str, Field(description="The key itself, `tallymark_ID_SECRET`, shown this once.")]


class Keys(TypedDict):
    """All keys, in the order in which they were made, dead ones too."""

    keys: list[Key]


@router.get(
    "/keys",
    operation_id="listKeys",
    summary="The keys",
    response_model=Keys,
    responses=problems("no-key", "bad-key", "no-scope"),
)
def list_keys(service: Here, key: Admin) -> Response:
    """Whose keys there are, and what they may do."""
    return Json(Keys(keys=[_key(one, service.clock()) for one in service.keyring.all()]))


@router.post(
    "/keys",
    operation_id="makeKey",
    summary="Make a key",
    status_code=201,
    response_model=Made,
    responses=problems("bad-input", "no-key", "bad-key", "no-scope"),
    openapi_extra=_MAKES,
)
def make_key(body: Body, service: Here, key: Admin) -> Response:
    """The answer is the only place where the key can be read: a hash of it is kept."""
    told = object_of(body, "name", "scopes", "expires")
    scopes = told.get("scopes")
    if not isinstance(scopes, list):
        raise InputError(f"scopes is {shortened(scopes)}; expected a list of {', '.join(SCOPES)}", field="scopes")
    expires = None if told.get("expires") is None else instant_of(text_in(told, "expires"))
    made, text = service.keyring.make(text_in(told, "name"), scopes, expires)
    found = Made(**_key(made, service.clock()), key=text)
    return Json(found, 201, headers={"Cache-Control": "no-store"})


@router.delete(
    "/keys/{key_id}",
    operation_id="revokeKey",
    summary="Revoke a key",
    response_model=Key,
    responses=problems("no-key", "bad-key", "no-scope", "unknown-key"),
)
def revoke_key(
    key_id: Annotated[str, Path(description="The part of the key between the underscores.", examples=["1f2e3d4c5b6a"])],
    service: Here,
    key: Admin,
) -> Response:
    """For ever. Here it is over at once; other processes on the same ledger take it for some seconds more."""
    if key_id not in (one.id for one in service.keyring.all()):
        raise Problem("unknown-key", f"there is no key {shortened(key_id)}")
    return Json(_key(service.keyring.revoke(key_id), service.clock()))


def _key(one: Known, now: int) -> Key:
    return Key(
        id=one.id,
        name=one.name,
        scopes=sorted(one.scopes),
        made=instant(one.made),
        expires=None if one.expires is None else instant(one.expires),
        revoked=None if one.revoked is None else instant(one.revoked),
        lives=one.lives(now),
    )
