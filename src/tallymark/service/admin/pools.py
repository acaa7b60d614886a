"""Pools on a page: opened under a methodology, and given another one from now on."""

import secrets
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import InputError, TallymarkError
from tallymark.ledger.matches import Json
from tallymark.methodology import latest, shipped
from tallymark.service.admin.entered import Administrator, FromAdministrator, Sent
from tallymark.service.admin.frame import admin_page, then, trouble_of
from tallymark.service.admin.sessions import Session
from tallymark.service.api.methodologies import rules_of
from tallymark.service.problems import Problem
from tallymark.service.state import Here, Service

router = APIRouter()
_PLACE: Final = "Pools"


@router.api_route("/admin/pools", methods=["GET", "HEAD"], include_in_schema=False)
def pools(service: Here, request: Request, session: Administrator) -> Response:
    """All pools, and forms to open one and to change the rules of one."""
    return _page(request, service, session)


@router.post("/admin/pools", include_in_schema=False)
def done(service: Here, request: Request, sent: FromAdministrator) -> Response:
    """Opens a pool, or gives one another methodology: `action` says which."""
    name = sent.text("name")
    try:
        rules = rules_of(_asked(sent))
        if sent.text("action") == "change":
            # The form was made with this id, so that a form that is sent twice changes the rules once.
            service.ledger.change_rules(name, rules, id=sent.text("id"))
            service.forecasts.renew(name)
        else:
            service.ledger.open_pool(name, rules)
    except TallymarkError as error:
        return _page(request, service, sent.session, sent, trouble_of(error))
    return then("/admin/pools")


def _asked(sent: Sent) -> dict[str, Json]:
    """A methodology and settings of one's own, a line each: `system.tau = 0.3`."""
    settings: dict[str, Json] = {}
    for line in sent.text("settings").splitlines():
        if not line.strip():
            continue
        field, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            raise InputError(f"settings has the line {line!r}; expected FIELD = VALUE", field="settings")
        settings[field] = _value(value)
    return {"methodology": sent.text("methodology"), **({"settings": settings} if settings else {})}


def _value(text: str) -> Json:
    """A value as TOML would have it, text without its quotation marks.

    >>> _value("0.3"), _value("true"), _value("7d")
    (0.3, True, '7d')
    """
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text.strip("\"'")


def _page(
    request: Request,
    service: Service,
    session: Session,
    sent: Sent | None = None,
    trouble: Problem | None = None,
) -> Response:
    given = {name: "" if sent is None else sent.text(name) for name in ("action", "name", "methodology", "settings")}
    return admin_page(
        request,
        service,
        session,
        "pools.html",
        at=_PLACE,
        trouble=trouble,
        given=given,
        all_pools=service.ledger.pools(),
        methodologies=shipped(),
        usual=latest()["club"],
        change_id=f"rules-{secrets.token_hex(8)}",
    )
