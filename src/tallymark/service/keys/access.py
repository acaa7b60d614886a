"""Who asks: the key of a request, and whether it may."""

from typing import Annotated, Final, TypeAlias

from fastapi import Depends
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from tallymark.service.keys.keyring import Key
from tallymark.service.keys.scopes import Scope
from tallymark.service.problems import Problem
from tallymark.service.state import service_of

_SCHEME: Final = "bearer "
_CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="tallymark"'}


class Needs(SecurityBase):
    """A dependency: the key of the request, which has a scope. 401 without one, 403 where it may not."""

    def __init__(self, scope: Scope) -> None:
        self.model = HTTPBearer(description="A key of the API: `tallymark_ID_SECRET`.")
        self.scheme_name = "key"
        self._scope: Scope = scope

    async def __call__(self, request: Request) -> Key:
        key = await key_of(request)
        if key is None:
            raise Problem(
                "no-key", f"this needs a key with the scope {self._scope}", scope=self._scope, headers=_CHALLENGE
            )
        if not key.may(self._scope):
            raise Problem("no-scope", f"the key {key.name!r} does not have the scope {self._scope}", scope=self._scope)
        return key


async def key_of(request: Request) -> Key | None:
    """The key that a request has; None without one. 401 for what is none."""
    given = request.headers.get("authorization")
    if given is None:
        return None
    if given[: len(_SCHEME)].lower() != _SCHEME:
        raise Problem("bad-key", "the header Authorization is no bearer's", headers=_CHALLENGE)
    text = given[len(_SCHEME) :].strip()
    keyring = (await service_of(request)).keyring
    key = keyring.remembered(text) or await run_in_threadpool(keyring.find, text)
    if key is None:
        raise Problem("bad-key", "this key is not known, has run out or was revoked", headers=_CHALLENGE)
    return key


NEEDS_APPEND: Final = Needs("append")
Appender: TypeAlias = Annotated[Key, Depends(NEEDS_APPEND)]
"""A parameter of an endpoint: a key that may append."""
Corrector: TypeAlias = Annotated[Key, Depends(Needs("correct"))]
Voter: TypeAlias = Annotated[Key, Depends(Needs("vote"))]
Reviewer: TypeAlias = Annotated[Key, Depends(Needs("review"))]
Reader: TypeAlias = Annotated[Key, Depends(Needs("read"))]
Admin: TypeAlias = Annotated[Key, Depends(Needs("admin"))]
