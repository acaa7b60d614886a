"""Keys on a page: made and shown once, listed, revoked."""

from collections.abc import Mapping
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import InputError, TallymarkError
from tallymark.ledger.telling import instant_of
from tallymark.service.admin.entered import Administrator, FromAdministrator
from tallymark.service.admin.frame import admin_page, then, trouble_of
from tallymark.service.admin.sessions import Session
from tallymark.service.answers import instant
from tallymark.service.keys.scopes import MEANINGS
from tallymark.service.problems import Problem
from tallymark.service.state import Here, Service

router = APIRouter()
_PLACE: Final = "Keys"


@router.api_route("/admin/keys", methods=["GET", "HEAD"], include_in_schema=False)
def keys(service: Here, request: Request, session: Administrator) -> Response:
    """All keys, and a form for another one."""
    return _page(request, service, session)


@router.post("/admin/keys", include_in_schema=False)
def make(service: Here, request: Request, sent: FromAdministrator) -> Response:
    """Makes one. This answer is the only place where it can be read, so it leads nowhere else."""
    name, scopes, expires = sent.text("name"), sent.all("scopes"), sent.text("expires")
    try:
        until = instant_of(expires) if expires else None
        _, text = service.keyring.make(name, scopes, until)
    except TallymarkError as error:
        given = {"name": name, "scopes": scopes, "expires": expires}
        return _page(request, service, sent.session, given=given, trouble=trouble_of(error))
    return _page(request, service, sent.session, made=text)


@router.post("/admin/keys/{key}/revoke", include_in_schema=False)
def revoke(key: str, service: Here, request: Request, sent: FromAdministrator) -> Response:
    """Takes one back, for ever."""
    try:
        service.keyring.revoke(key)
    except InputError as error:
        return _page(request, service, sent.session, trouble=trouble_of(error))
    return then("/admin/keys")


def _page(
    request: Request,
    service: Service,
    session: Session,
    *,
    made: str | None = None,
    given: Mapping[str, object] | None = None,
    trouble: Problem | None = None,
) -> Response:
    now = service.clock()
    return admin_page(
        request,
        service,
        session,
        "keys.html",
        at=_PLACE,
        trouble=trouble,
        made=made,
        given=given or {"name": "", "scopes": [], "expires": ""},
        scopes=MEANINGS,
        keys=[
            (one, one.lives(now), instant(one.made), one.expires and instant(one.expires))
            for one in service.keyring.all()
        ],
    )
